"""Controls of the page "Asking again". The chosen topic (way of asking) determines which controls are shown."""

from __future__ import annotations

from dpcore.experiments.queries import QueriesParams
from ui.figure_kit.controls import PageControl, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.load_text(__file__)


def _no_delta(params: QueriesParams) -> str:
    """Return the reason why δ has no effect, or "" if it has an effect."""
    gaussian = params.topic == "numbers" or params.noise == "gaussian"
    return "" if gaussian else T("fields.delta.idle")


def _no_size(params: QueriesParams) -> str:
    """Return the reason why the number of people has no effect, or "" if it has an effect."""
    if params.topic != "neighbours" or (params.query, params.relation) == ("mean", "replace_one"):
        return ""
    return T("fields.n_people.idle")


def _no_chance(params: QueriesParams) -> str:
    """Return the reason why the probability of publishing a record has no effect, or "" if it has an effect."""
    return T("fields.chance.idle") if params.how == "one" else ""


def _no_epsilon(params: QueriesParams) -> str:
    """Return the reason why ε has no effect, or "" if it has an effect."""
    return "" if params.draws_noise else T("fields.epsilon.idle")


def _rows_are_published(params: QueriesParams) -> bool:
    return params.topic == "linkage" and params.release == "rows"


def _counts_are_published(params: QueriesParams) -> bool:
    return params.topic == "linkage" and params.release == "counts"


CONTROLS = page_controls(
    T,
    QueriesParams,
    look=[
        PageControl("epsilon", mode="local", idle=_no_epsilon, absent=_rows_are_published),
        "n_tables",
        "counts",
        "release",
        PageControl("by_sex", absent=_counts_are_published),
        PageControl("by_year", absent=_counts_are_published),
        PageControl("by_place", absent=_counts_are_published),
        PageControl("coarse", absent=_counts_are_published),
        PageControl("n_answers", mode="local", press_anew=QueriesParams().n_answers, asked=True),
        PageControl("group", mode="local"),
        PageControl("n_numbers", mode="local"),
        PageControl("chance", mode="local", idle=_no_chance),
        "value",
        "others",
        "query",
        "step",
        "clamp",
        "monotone",
        "how",
        PageControl("n_people", idle=_no_size),
        "reading",
        "shape",
        "relation",
        "noise",
    ],
    understand=[
        "topic",
        "average",
        PageControl("delta", mode="local", idle=_no_delta),
        PageControl("options", hidden=True),
        PageControl("seed", absent=_rows_are_published),
    ],
)
