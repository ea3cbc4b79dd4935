"""Mechanisms: how much noise hides one person?"""

from dpcore.experiments.mechanisms import MechanismsParams
from pages.mechanisms import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="mechanisms",
    title="Mechanisms",
    question="How much noise hides one person?",
    params=MechanismsParams,
    lab=view.lab,
    explain=view.explain,
    card=Card(lab=view.miniature, panel="worlds", keep=("epsilon",)),
    looks={"gaussian": "noise=gaussian&epsilon=1.5&delta=0.001"},
)
