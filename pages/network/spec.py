"""Deep networks: how well does a network read if each picture may change it only a little?"""

from dpcore.experiments.network import NetworkParams
from pages.network.controls import CONTROLS
from pages.network.drawn import drawn
from pages.network.figure import figure
from pages.network.meaning import meaning
from pages.network.pipeline import PIPELINE
from pages.network.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="network",
    title="Deep networks",
    group="Private learning",
    question="How well can a network read if each picture may change it only a little?",
    opening="A small network learns to read digits that people wrote by hand. In each step we limit how far one "
    "picture can move the network, and add [[noise]]: drag ε to the left and watch the network learn less.",
    params=NetworkParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    card=Card(panel="training", keep=(), stages=("private", "plain")),
    looks={"little": "epsilon=1&depth=understand"},
)
