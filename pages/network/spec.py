"""Deep networks: can a network learn to read and keep every hand to itself?"""

from dpcore.experiments.network import NetworkParams
from pages.network.controls import CONTROLS
from pages.network.figure import figure
from pages.network.meaning import meaning
from pages.network.pipeline import PIPELINE
from pages.network.words import words
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="network",
    title="Deep networks",
    group="Private learning",
    question="Can a network learn to read from many pictures, and give none of them away?",
    opening="A small network learns to read digits that people wrote by hand. In each step we cap what one picture "
    "may say and add [[noise]]: drag ε to the left and watch the network learn less.",
    params=NetworkParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    card=Card(panel="training", keep=(), stages=("private", "plain")),
    looks={"little": "epsilon=1&depth=understand"},
)
