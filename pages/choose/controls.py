"""Controls of the page Choose ε, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.choose import ChooseParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.beside(__file__)


def _idle(params: ChooseParams) -> str:
    """Return the reason why the control that says when the method was fixed has no effect, or "".

    The control has no effect for the method "best", which the user does not fix.
    """
    return T("fields.beforehand.idle") if params.method == "best" else ""


CONTROLS = page_controls(
    T,
    ChooseParams,
    look=["epsilon", PageControl("dataset", offered=is_here), "unit", "shown"],
    understand=[
        "method",
        PageControl("beforehand", idle=_idle),
        PageControl("group", hidden=True),
        "least",
        PageControl("goal", mode="local"),
        PageControl("releases", mode="local"),
        PageControl("years", mode="local"),
        PageControl("tables", mode="local"),
        PageControl("pinned", hidden=True),
        PageControl("delta"),  # Python answers: the noise of every method follows from δ
        "seed",
    ],
)
