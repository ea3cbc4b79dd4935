"""The one sentence of Gradient descent that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from ui.live import Text
from ui.runner import PageState
from ui.words import text
from ui.words.protection import tells

__all__ = ["meaning"]

T = text.beside(__file__)


def meaning(state: PageState[DescentParams]) -> Text:
    """Return the sentence for every amount of noise and every δ."""
    params = state.params
    if params.parts != "both":
        return Text(strings=[T(f"meaning.{params.parts}")])
    if params.noise == "example":
        return Text(strings=[T("meaning.unproved")])
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    return Text(
        strings=[T("meaning.private", tells=tells(one)) for one in descent.guarantees(params)],
        dims=(handle, "delta"),
    )
