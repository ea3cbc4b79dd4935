"""Gradient descent: how does a model learn without copying anybody?"""

from dpcore.experiments.descent import DescentParams
from pages.descent.controls import CONTROLS
from pages.descent.figure import figure
from pages.descent.meaning import meaning
from pages.descent.pipeline import PIPELINE
from pages.descent.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="descent",
    title="Gradient descent",
    group="Ideas",
    question="How does a model learn without copying anybody?",
    opening="A model learns in small steps, and in each step every person's [[gradient]] says where to go. We "
    "limit how far one person can move the model and add [[noise]]: drag the amount of noise to the right and "
    "watch the border.",
    params=DescentParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    card=Card(panel="border", keep=("noise_multiplier", "progress")),
)
