"""The one sentence of Affine hulls that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.kahm.params import STAGE_GRID
from pages.kahm.figure_picture import STAGES
from ui.live import Text
from ui.runner import PageState

__all__ = ["meaning"]


def meaning(state: PageState[KahmParams]) -> Text:
    """Return what is to be seen at every value of the stage slider."""
    return Text(strings=[_seen(stage) for stage in STAGE_GRID], dims=("stage",))


def _seen(stage: float) -> str:
    low = int(stage)
    if stage != low:
        return f"The points are on their way, from {STAGES[low]} to {STAGES[low + 1]}."
    if low == 0:
        return "You still see the real people: nothing has been done to them yet."
    if low == 1:
        return "Every value has its noise now: this is all that the next stages may read."
    rounds = f"{low - 1} round{'s' if low > 2 else ''}"
    return (
        f"The people are invented now, after {rounds} of smoothing: this is what would be published. "
        "Only ε says how well that protects a person."
    )
