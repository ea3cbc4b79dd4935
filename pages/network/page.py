"""The Deep networks page: how accurate is a network if each training image may change it only a little?"""

from dpcore.experiments.network import NetworkParams
from pages.network.controls import CONTROLS
from pages.network.figure import figure
from pages.network.noise import noise_draws
from pages.network.pipeline import PIPELINE
from pages.network.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="network",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
    params=NetworkParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    rises="epsilon",
    card=Card(panel="wall", keep=(), stages=("private", "plain")),
    site=Lattice(
        values={
            "epsilon": (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0),
            "clip_norm": (0.2, 1.0, 5.0),
            "sample_rate": (0.05, 0.1, 0.2),
            "delta": (1e-7, 1e-5, 1e-3),
        },
        megabytes=10,
        without=("other",),
        ready=("sweep", "outcomes"),
    ),
    looks={"little": "epsilon=1&depth=understand"},
)

if __name__ == "__main__":
    open_page(PAGE)
