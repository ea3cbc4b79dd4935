"""Mechanisms: how much noise hides one person?"""

from dpcore.experiments.mechanisms import MechanismsParams
from pages.mechanisms.controls import CONTROLS
from pages.mechanisms.drawn import drawn
from pages.mechanisms.figure import figure
from pages.mechanisms.meaning import meaning
from pages.mechanisms.pipeline import PIPELINE
from pages.mechanisms.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="mechanisms",
    title="Mechanisms",
    group="Ideas",
    question="How much noise hides one person?",
    opening="The number of people at a meeting is published with some random [[noise]], which makes it "
    "harder to tell whether Ada was there. Drag ε to the left: the more the two curves overlap, the better she is "
    "hidden.",
    params=MechanismsParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    card=Card(panel="worlds", keep=("epsilon",)),
    looks={"gaussian": "noise=gaussian&epsilon=1.5&delta=0.001"},
)
