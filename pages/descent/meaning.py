"""The one sentence of Gradient descent that says what its figure shows now."""

from __future__ import annotations

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from ui.live import Text
from ui.runner import PageState
from ui.words.protection import tells

__all__ = ["meaning"]

_RIGHT = (
    "The private model gets {accuracy} new cases right, and without privacy it would be {best}."
)
_NOTHING = {
    "clip": "Without noise, the model itself may show who took part.",
    "noise": "Without a cap, one person may move the model as far as they like, and noise cannot hide that.",
    "neither": "There is no privacy in this setting.",
}


def meaning(state: PageState[DescentParams]) -> Text:
    """Return the sentence for every amount of noise and every δ."""
    params = state.params
    if params.parts != "both":
        right = "The model gets {accuracy} new cases right."
        return Text(strings=[f"{right} {_NOTHING[params.parts]}"])
    if params.noise == "example":
        return Text(strings=[f"{_RIGHT} For noise that is added in this way, nothing is proved."])
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    return Text(
        strings=[f"{_RIGHT} It {tells(one)}." for one in descent.guarantees(params)],
        dims=(handle, "delta"),
    )
