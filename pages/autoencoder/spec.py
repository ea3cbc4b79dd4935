"""Autoencoder: does noise on the biases hide the picture?"""

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder import view
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]

PAGE = PageSpec(
    key="autoencoder",
    title="Autoencoder",
    question="Does noise on the biases hide the picture?",
    params=AutoencoderParams,
    lab=view.lab,
    explain=view.explain,
    act=view.act,
    card=Card(lab=view.miniature, panel="draws", keep=("epsilon",)),
    looks={"both": "kind=both&epsilon=4&digit=3", "real": "real=yes&epsilon=1"},
)
