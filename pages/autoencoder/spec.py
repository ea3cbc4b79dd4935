"""Autoencoder: does noise on the biases hide the picture?"""

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.controls import CONTROLS
from pages.autoencoder.figure import figure
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.words import words
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="autoencoder",
    title="Autoencoder",
    group="Private learning",
    question="Does noise on the biases hide the picture?",
    params=AutoencoderParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    card=Card(panel="draws", keep=("epsilon",)),
    looks={"both": "kind=both&epsilon=4&digit=3", "real": "real=yes&epsilon=1"},
)
