"""The one sentence of Deep networks that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments.network import NetworkParams
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning"]

_SAYS = (
    (1.0, "It tells little about any one picture."),
    (5.0, "It may tell something about one picture."),
    (10.0, "It may tell much about one picture."),
    (float("inf"), "With so little noise, it may tell nearly all about one picture."),
)


def meaning(state: PageState[NetworkParams]) -> Text:
    """Return what the networks of now have reached, and what an ε of this size means."""
    if state["private"] is None:
        return Text(strings=["The networks begin to learn."])
    done = len(state["private"].accuracy) - 1 == state.params.epochs
    verb = "reads" if done else "learns, and by now it reads"
    twin = "" if state["plain"] is None else " Without privacy it would be {plain_now}."
    tells = next(text for limit, text in _SAYS if state.params.epsilon <= limit)
    return Text(
        strings=[f"The private network {verb} {{private_now}} new digits right.{twin} {tells}"]
    )
