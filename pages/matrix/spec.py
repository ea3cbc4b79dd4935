"""Relevance matrix: which features does a private classifier look at?"""

from dpcore.experiments.matrix import FITTING, PAPER, MatrixParams
from pages.matrix.controls import CONTROLS
from pages.matrix.figure import figure
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import words
from ui import uploads
from ui.page_spec import Card, PageSpec

__all__ = ["PAGE"]


def _act(action: str, params: MatrixParams) -> MatrixParams:
    """Answer the page's own buttons: the paper's settings, and those that fit the data."""
    chosen = {"paper": PAPER, "fit": FITTING.get(params.dataset, {})}
    return params.but(**chosen.get(action, {}))


PAGE = PageSpec(
    key="matrix",
    title="Relevance matrix",
    group="Private learning",
    question="Which features does a private classifier look at?",
    params=MatrixParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    act=_act,
    below=lambda: uploads.classification_csv("own_data", "matrix"),
    card=Card(panel="profile", keep=("epsilon", "progress"), stages=("study",)),
    looks={"digits": "dataset=digits&epsilon=2.5"},
)
