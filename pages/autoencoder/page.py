"""The Autoencoder page: is a scrambled picture a private picture?"""

from dpcore.experiments.autoencoder import AutoencoderParams
from pages.autoencoder.controls import CONTROLS
from pages.autoencoder.figure import figure
from pages.autoencoder.noise import noise_draws
from pages.autoencoder.pipeline import PIPELINE
from pages.autoencoder.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="autoencoder",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
    params=AutoencoderParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    rises="epsilon",
    card=Card(panel="large", keep=("epsilon",), stages=("attacks",)),
    site=Lattice(
        values={"real": (False, True), "digit": tuple(range(10))},
        megabytes=30,
    ),
    looks={"both": "kind=both&epsilon=4&digit=3", "real": "real=yes&epsilon=1"},
)

if __name__ == "__main__":
    open_page(PAGE)
