"""Page Relevance matrix: which features does a private classifier use?"""

from dpcore.experiments.matrix import FITTING, PAPER, MatrixParams
from dpcore.experiments.relevance import neighbouring
from pages.matrix.controls import CONTROLS
from pages.matrix.drawn import drawn
from pages.matrix.figure import figure
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import meaning, words
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.beside(__file__)


def _act(action: str, params: MatrixParams) -> MatrixParams:
    """Return the parameters that a button of the page sets: those of Brinkrolf et al., or suitable ones."""
    chosen = {"paper": PAPER, "fit": FITTING.get(params.dataset, {})}
    return params.but(**chosen.get(action, {}))


PAGE = PageSpec(
    key="matrix",
    title=T("title"),
    group="Private learning",
    question=T("question"),
    opening=T("opening"),
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
        panel="profile", keep=("epsilon", "progress"), stages=("study",), stored=("outcomes",)
    ),
    looks={"digits": "dataset=digits&epsilon=2.5"},
)

if __name__ == "__main__":
    open_page(PAGE)
