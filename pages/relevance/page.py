"""The Relevance learning page: what does a private prototype reveal about a record?"""

from dpcore.experiments.relevance import PAPER, RelevanceParams, neighbouring
from pages.relevance.controls import CONTROLS
from pages.relevance.figure import figure
from pages.relevance.noise import noise_draws
from pages.relevance.pipeline import PIPELINE
from pages.relevance.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="relevance",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
    params=RelevanceParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    act=lambda action, params: params.but(**PAPER) if action == "paper" else params,
    own_task="classification",
    own_neighbouring=neighbouring,
    card=Card(panel="private", keep=("epsilon",), stages=("sweep", "outcomes"), first=True),
    site=Lattice(
        values={
            "dataset": ("moons", "blobs", "iris"),
            "clip_norm": (0.05, 0.2, 0.5, 2.0),
            "sample_rate": (0.01, 0.05, 0.2),
        },
        megabytes=20,
    ),
    looks={
        "digits": "dataset=digits&epsilon=2.5",
        "spirals": "dataset=spirals&prototypes_per_class=4&sample_rate=0.05",
    },
)

if __name__ == "__main__":
    open_page(PAGE)
