"""Gradient descent: why clip, why add noise?"""

from dpcore.experiments.descent import DescentParams
from pages.descent import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="descent",
    title="Gradient descent",
    question="Why clip, why add noise?",
    params=DescentParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    card=Card(lab=view.miniature, panel="border", keep=("noise_multiplier", "progress")),
)
