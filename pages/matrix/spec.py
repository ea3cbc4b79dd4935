"""Relevance matrix: which features does a private classifier look at?"""

from dpcore.experiments.matrix import FITTING, PAPER, MatrixParams
from dpcore.experiments.relevance import neighbouring
from pages.matrix.controls import CONTROLS
from pages.matrix.drawn import drawn
from pages.matrix.figure import figure
from pages.matrix.meaning import meaning
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import words
from ui.frame.page_spec import Card, PageSpec

__all__ = ["PAGE"]


def _act(action: str, params: MatrixParams) -> MatrixParams:
    """Answer the page's own buttons: the paper's settings, and those that fit the data."""
    chosen = {"paper": PAPER, "fit": FITTING.get(params.dataset, {})}
    return params.but(**chosen.get(action, {}))


PAGE = PageSpec(
    key="matrix",
    title="Relevance matrix",
    group="Private learning",
    question="Which measurements does a private classifier rely on?",
    opening="The classifier learns typical points of each class, and how much each measurement, or feature, counts: "
    "its [[relevance]]. Drag ε to the right, and with less [[noise]] the classifier gets better. How much of its "
    "relevance lies then on the same features as without privacy?",
    params=MatrixParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    drawn=drawn,
    act=_act,
    own_task="classification",
    own_neighbouring=neighbouring,
    card=Card(
        panel="profile", keep=("epsilon", "progress"), stages=("study",), found=("outcomes",)
    ),
    looks={"digits": "dataset=digits&epsilon=2.5"},
)
