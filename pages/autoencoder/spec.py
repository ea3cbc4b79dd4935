"""Autoencoder: is a scrambled picture a private picture?"""

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.controls import CONTROLS
from pages.autoencoder.drawn import drawn
from pages.autoencoder.figure import figure
from pages.autoencoder.meaning import meaning
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="autoencoder",
    title="Autoencoder",
    group="Private learning",
    question="Is a scrambled picture a private picture?",
    opening="A small network redraws handwritten digits, and [[noise]] inside it is meant to hide which picture it "
    "was. Drag ε: can you still recognise the digit? Then see which pictures the attackers find.",
    params=AutoencoderParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    card=Card(panel="large", keep=("epsilon",), stages=("attacks",)),
    looks={"both": "kind=both&epsilon=4&digit=3", "real": "real=yes&epsilon=1"},
)
