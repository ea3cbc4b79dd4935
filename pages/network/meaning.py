"""The one sentence of Deep networks that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import NetworkParams
from pages.network.figure import since
from ui.live import Text
from ui.runner import PageState
from ui.words.protection import tells

__all__ = ["meaning"]

_ELSEWHERE = "Let go, and the network learns at this ε."


def meaning(state: PageState[NetworkParams]) -> Text:
    """Return what the networks of now have reached, that none has learned at another ε, and what each ε means."""
    here = _here(state)
    strings = [
        here if epsilon == state.params.epsilon else f"{_ELSEWHERE} Then it {tells(one)}."
        for epsilon, one in zip(EPSILON_GRID, network.guarantees(state.params), strict=True)
    ]
    return Text(strings=strings, dims=("epsilon",))


def _here(state: PageState[NetworkParams]) -> str:
    before = state.before.get("private")
    if before is not None:
        when = since(state.params, before.params)
        return f"The private network begins to learn. The dashed curve is the network {when}."
    if state["private"] is None:
        return "The networks begin to learn."
    done = len(state["private"].accuracy) - 1 == state.params.epochs
    verb = "reads" if done else "learns, and by now it reads"
    twin = "" if state["plain"] is None else " Without privacy it would be {plain_now:in 100}."
    told = tells(network.guarantee(state.params))
    return f"In this draw the private network {verb} {{private_now:in 100}} new digits right, and {told}.{twin}"
