"""Mechanisms: how much noise hides one person?"""

from dpcore.experiments.mechanisms import MechanismsParams
from pages.mechanisms.controls import CONTROLS
from pages.mechanisms.figure import figure
from pages.mechanisms.pipeline import PIPELINE
from pages.mechanisms.words import words
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="mechanisms",
    title="Mechanisms",
    group="Ideas",
    question="How much noise hides one person?",
    params=MechanismsParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    card=Card(panel="worlds", keep=("epsilon",)),
    looks={"gaussian": "noise=gaussian&epsilon=1.5&delta=0.001"},
)
