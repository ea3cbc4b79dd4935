"""Controls of the Choose ε page, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.choose import ChooseParams
from ui.figure_kit.availability import is_here
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.load_text(__file__)


def _idle(params: ChooseParams) -> str:
    """Return the reason why the control "method fixed beforehand" has no effect, or "" if it has an effect.

    The control has no effect if the page, not the user, chooses the method (the method "best").
    """
    return T("fields.beforehand.idle") if params.method == "best" else ""


CONTROLS = page_controls(
    T,
    ChooseParams,
    look=["epsilon", PageControl("dataset", offered=is_here), "shown"],
    understand=[
        PageControl("goal", mode="local"),
        *grouped("counted", "unit", "method", PageControl("beforehand", idle=_idle)),
        *grouped(
            "often",
            PageControl("releases", mode="local"),
            PageControl("years", mode="local"),
            PageControl("tables", mode="local"),
            PageControl("delta"),  # Python answers: the noise of every method follows from δ
        ),
        PageControl("group", hidden=True),
        *grouped("who", "least", "seed"),
        PageControl("pinned", hidden=True),
    ],
)
