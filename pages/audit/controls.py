"""Controls of the Audit page, each with the level of detail from which it is shown."""

from __future__ import annotations

from dpcore.experiments.audit import AuditParams, target_of
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.load_text(__file__)


def _built_once(params: AuditParams) -> str:
    """Return the reason why the ε of the attacked program is fixed, or "" if a user can choose this ε."""
    fixed = target_of(params.target).fixed
    return "" if fixed is None else T("fields.built.idle", fixed=fixed)


def _no_theory(params: AuditParams) -> str:
    """Return the reason why the attacker's threshold cannot be chosen, or "" if it can."""
    return T("fields.threshold.idle") if target_of(params.target).bug else ""


# Python answers δ: the bounds are computed anew for each.
CONTROLS = page_controls(
    T,
    AuditParams,
    look=["epsilon", "target", PageControl("trainings", play=True)],
    understand=[
        PageControl("built", idle=_built_once),
        PageControl("delta"),
        PageControl("threshold", idle=_no_theory),
        "seed",
    ],
)
