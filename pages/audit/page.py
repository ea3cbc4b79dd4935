"""The Audit page: can we believe the ε that software claims?"""

from dpcore.experiments.audit import AuditParams
from pages.audit.controls import CONTROLS
from pages.audit.figure import figure
from pages.audit.pipeline import PIPELINE
from pages.audit.words import meaning, words
from ui.frame.lattice import Lattice
from ui.frame.page_spec import Card, PageSpec, open_page
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)


def _act(action: str, params: AuditParams) -> AuditParams:
    """Return the parameters after a button is pressed: "ours" selects a correct program of this app."""
    return params.but(target="laplace") if action == "ours" else params


def _opening(params: AuditParams) -> str:
    """Return the question that the page asks about the claim."""
    return T("opening", epsilon=params.epsilon)


PAGE = PageSpec(
    key="audit",
    title=T("title"),
    group="Decide",
    question=T("question"),
    opening=_opening(AuditParams()),
    task=_opening,
    params=AuditParams,
    controls=CONTROLS,
    pipeline=PIPELINE,
    figure=figure,
    words=words,
    meaning=meaning,
    noise=T("no_noise"),
    act=_act,
    rises="trainings",
    card=Card(panel="climb", keep=("epsilon",), stages=("attack",)),
    site=Lattice(values={"target": ("bug8", "bug1", "laplace", "gaussian", "response")}),
    looks={"bug": "target=bug3&trainings=2000", "ceiling": "target=bias"},
)

if __name__ == "__main__":
    open_page(PAGE)
