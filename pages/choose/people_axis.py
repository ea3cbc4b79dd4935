"""Second scale of the ε axis: the largest number of 100 membership guesses that can be right."""

from __future__ import annotations

from collections.abc import Iterator

from scipy.optimize import brentq

from dpcore.guarantee import Guarantee
from ui.figure_kit.common import EPSILONS
from ui.live import Axis
from ui.words import text
from ui.words.numbers import show

__all__ = ["PEOPLE", "bounds", "people_axis"]

T = text.load_text(__file__)
PEOPLE = (52, 55, 60, 70, 80, 90, 95, 99, 99.9)
"""Numbers of right guesses, of 100, at which the scale has a tick."""


def bounds(promise: Guarantee) -> list[float]:
    """Return the largest accuracy of an attacker's guess that a guarantee like ``promise`` allows at every ε."""
    return [one.accuracy_bound() for one in promise.tabulated(EPSILONS)]


def people_axis(promise: Guarantee, records: str) -> Axis:
    """Return the second scale of the ε axis, in right guesses of 100.

    A tick with the number n is at the ε that allows an attacker at most n right guesses. ``records`` is the word for
    records in the title. If the guarantee is nominal, the title says that nothing is proved.
    """
    ticks = dict(_places(promise))
    nominal = "_nominal" if promise.status == "nominal" else ""
    return Axis(
        title=T(f"panels.cost.people{nominal}", records=records),
        ticks=tuple(ticks),
        words=tuple(show(number) for number in ticks.values()),
    )


def _places(promise: Guarantee) -> Iterator[tuple[float, float]]:
    """Yield the ticks of the second scale as pairs: an ε, and the number of right guesses that this ε allows."""

    def allows(epsilon: float) -> float:
        (one,) = promise.tabulated([epsilon])
        return 100 * one.accuracy_bound()

    low, high = EPSILONS[0], EPSILONS[-1]
    for number in PEOPLE:
        if allows(low) <= number <= allows(high):
            yield float(brentq(lambda epsilon, n=number: allows(epsilon) - n, low, high)), number
