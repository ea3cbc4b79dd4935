"""The one sentence of Mechanisms that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import mechanisms
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID
from dpcore.grids import DELTA_GRID
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning"]

_SAYS = (
    (0.55, "The two curves almost coincide: one published answer tells next to nothing about {who}."),
    (0.75, "The curves differ a little: one published answer is a weak hint about {who}."),
    (0.95, "The curves have drawn apart: one published answer often gives {who} away."),
    (1.01, "The curves hardly overlap: almost every answer gives {who} away, and the noise protects nobody."),
)  # fmt: skip


def meaning(state: PageState[MechanismsParams]) -> Text:
    """Return the sentence for every ε and every size of the group."""
    params, found = state.params, mechanisms.drawn(state.params, state["outputs"])
    rights = found.spy[:, 0 if found.pure else DELTA_GRID.index(params.delta)]
    return Text(
        strings=[
            _sentence(right, _who(params, k))
            for row in rights
            for right, k in zip(row, GROUP_GRID, strict=True)
        ],
        dims=("epsilon", "group"),
    )


def _sentence(right: float, who: str) -> str:
    return next(text for limit, text in _SAYS if right < limit).format(who=who)


def _who(params: MechanismsParams, k: int) -> str:
    asked = mechanisms.query(params)
    k = asked.differing(k)
    if asked.record != "one person":
        return "the team" if k == 1 else f"the {k} teams"
    return "Ada" if k == 1 else f"the {k} people"
