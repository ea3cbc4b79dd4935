"""The Affine hulls page: can synthetic data keep the shape of real data?"""

from dpcore.experiments.kahm import KahmParams
from pages.kahm.controls import CONTROLS
from pages.kahm.figure import figure
from pages.kahm.noise import noise_draws
from pages.kahm.pipeline import PIPELINE
from pages.kahm.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="kahm",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
    params=KahmParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    sways="epsilon",
    own_task="classification",
    own_in_tabs=True,
    card=Card(panel="stage", keep=("epsilon", "stage"), stages=("picture",)),
    site=Lattice(
        values={
            "shape": ("moons", "spirals", "blobs"),
            "n_components": (1, 2),
            "rounds": (1, 3),
        },
        megabytes=20,
    ),
    looks={
        "surface": "n_components=2&shape=spirals&epsilon=18",
        "paper": "stop=paper&atom=0.01&epsilon=4",
    },
)

if __name__ == "__main__":
    open_page(PAGE)
