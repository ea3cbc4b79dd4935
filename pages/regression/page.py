"""The Linear regression page: the effect of privacy on a straight line."""

from dpcore.experiments.regression import DOCUMENT, RegressionParams
from pages.regression.controls import CONTROLS
from pages.regression.figure import figure
from pages.regression.noise import noise_draws
from pages.regression.pipeline import PIPELINE
from pages.regression.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageSpec(
    key="regression",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
    params=RegressionParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=noise_draws,
    rises="epsilon",
    act=lambda action, params: params.but(**DOCUMENT) if action == "document" else params,
    own_task="regression",
    card=Card(panel="fits", keep=("epsilon",)),
    site=Lattice(
        values={"dataset": ("diabetes", "synth1d"), "method": ("joint", "descent"), "seed": (1, 2)},
        without=("comparison",),
    ),
    looks={"diabetes": "dataset=diabetes&n_features=10&method=gaussian&repair=floor2"},
)

if __name__ == "__main__":
    open_page(PAGE)
