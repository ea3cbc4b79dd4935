"""The Relevance matrix page: which features does a private classifier use?"""

from dpcore.experiments.matrix import FITTING, PAPER, MatrixParams
from dpcore.experiments.relevance import neighbouring
from pages.matrix.controls import CONTROLS
from pages.matrix.figure import figure
from pages.matrix.noise import noise_draws
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)


def _act(action: str, params: MatrixParams) -> MatrixParams:
    """Return the parameters after a button of the page is pressed.

    The button "paper" selects the settings of Brinkrolf et al., the button "fit" selects settings that suit the data
    set.
    """
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
    rises="epsilon",
    noise=noise_draws,
    act=_act,
    own_task="classification",
    own_neighbouring=neighbouring,
    site=Lattice(
        values={"dataset": ("flu", "breast_cancer"), "clip_norm": (0.1, 0.5, 2.0)}, megabytes=5
    ),
    card=Card(
        panel="profile", keep=("epsilon", "progress"), stages=("study",), stored=("outcomes",)
    ),
    looks={"digits": "dataset=digits&epsilon=2.5"},
)

if __name__ == "__main__":
    open_page(PAGE)
