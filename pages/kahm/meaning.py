"""The one sentence of Affine hulls that says what its figure shows now."""

from __future__ import annotations

import numpy as np

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.kahm.params import STAGE_GRID
from pages.kahm.figure_picture import STAGES, noise_to_signal
from ui.live import Text
from ui.runner import PageState
from ui.words.numbers import show

__all__ = ["meaning"]

_WIDE = 2.0  # from here on the smoothed points are spread far beyond the real ones


def meaning(state: PageState[KahmParams]) -> Text:
    """Return what is to be seen at every ε and every value of the stage slider."""
    wide = np.broadcast_to(noise_to_signal(state["picture"]) > _WIDE, len(EPSILON_GRID))
    return Text(
        strings=[
            _seen(stage, state.params.rounds, drowned=bool(at))
            for at in wide
            for stage in STAGE_GRID
        ],
        dims=("epsilon", "stage"),
    )


def _seen(stage: float, published: int, *, drowned: bool) -> str:
    """What one stage shows, and whether it has the rounds of smoothing that are published."""
    low = int(stage)
    if stage != low:
        return f"The points are on their way, from {STAGES[low]} to {STAGES[low + 1]}."
    if low == 0:
        return "You see the real records: nothing has been done to them yet."
    if low == 1:
        noisy = "Every value has its noise now: this is all that the next stages may read."
        return f"{noisy} It is published as it is." if published == 0 else noisy
    if drowned:
        return (
            "The noise is wider than the points are spread, and smoothing brings little of their shape back. "
            "How private the points are, ε says."
        )
    rounds = low - 1
    if rounds == published:
        shown = "this is what would be published"
    elif published == 0:
        shown = "the noisy values themselves would be published"
    else:
        shown = f"{_rounds(published)} would be published"
    return (
        f"The points are invented now, after {_rounds(rounds)} of smoothing: {shown}. "
        "How private the points are, ε says."
    )


def _rounds(n: int) -> str:
    return show(n, "count round")
