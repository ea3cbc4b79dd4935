"""The one sentence of Mechanisms that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID
from ui.live import Text
from ui.runner import PageState
from ui.words.protection import tells

__all__ = ["meaning"]

_CURVES = (
    (0.55, "The two curves almost coincide"),
    (0.75, "The curves differ a little"),
    (0.95, "The curves have drawn apart"),
    (1.01, "The curves hardly overlap"),
)


def meaning(state: PageState[MechanismsParams]) -> Text:
    """Return the sentence for every ε and every size of the group."""
    params, found = state.params, mechanisms.drawn(state.params, state["outputs"])
    at = 0 if found.pure else DELTA_GRID.index(params.delta)
    who = [_who(params, k) for k in GROUP_GRID]
    return Text(
        strings=[
            f"{_seen(right)}: one published answer {tells(one, whom)}."
            for right, whom, one in zip(
                found.spy[:, at].ravel(),
                who * len(EPSILON_GRID),
                mechanisms.for_groups(params),
                strict=True,
            )
        ],
        dims=("epsilon", "group"),
    )


def _seen(right: float) -> str:
    return next(text for limit, text in _CURVES if right < limit)


def _who(params: MechanismsParams, k: int) -> str:
    asked = mechanisms.query(params)
    k = asked.differing(k)
    if asked.record != "one person":
        return "the team" if k == 1 else f"the {k} teams"
    return "Ada" if k == 1 else f"the {k} people"
