"""Controls of the Mechanisms page."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from ui.figure_kit.controls import PageControl, grouped, page_controls
from ui.words import text

__all__ = ["CONTROLS"]

T = text.load_text(__file__)


def _idle_people(params: MechanismsParams) -> str:
    """Return the reason why the number of people n has no effect, or "" if it has an effect."""
    if params.question != "mean":
        return T("idle.people_question")
    return T("idle.people_private") if mechanisms.query(params).alone else ""


def _idle_relation(params: MechanismsParams) -> str:
    """Return the reason why the neighbouring relation has no effect, or "" if it has an effect.

    It has no effect if the question is a count.
    """
    return T("idle.relation") if params.question == "count" else ""


def _idle_delta(params: MechanismsParams) -> str:
    return "" if params.noise in ("gaussian", "classical") else T("idle.delta")


def _idle_group(params: MechanismsParams) -> str:
    return T("idle.group") if mechanisms.query(params).alone else ""


CONTROLS = page_controls(
    T,
    MechanismsParams,
    look=["epsilon", PageControl("n_answers", mode="local"), "question"],
    understand=[
        *grouped("noise", "noise", PageControl("delta", mode="local", idle=_idle_delta), "seed"),
        *grouped(
            "asked",
            PageControl("relation", idle=_idle_relation),
            PageControl("group", mode="local", idle=_idle_group),
            PageControl("n_people", idle=_idle_people),
            "example",
        ),
    ],
)
