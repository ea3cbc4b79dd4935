"""Gradient descent: why clip, why add noise?"""

from dpcore.experiments.descent import DescentParams
from pages.descent.controls import CONTROLS
from pages.descent.figure import figure
from pages.descent.pipeline import PIPELINE
from pages.descent.words import words
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="descent",
    title="Gradient descent",
    group="Ideas",
    question="Why clip, why add noise?",
    params=DescentParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    card=Card(panel="border", keep=("noise_multiplier", "progress")),
)
