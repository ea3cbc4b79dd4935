"""Outcomes of random draws that a figure cycles through while no control is moved (hypothetical outcome plots)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

__all__ = ["OUTCOME", "Breathing"]

OUTCOME = "outcome"
"""The dimension of an array that holds one entry for each outcome: the browser steps along it."""
_NAMED = re.compile(r"\{(\w+)(?::[^}]*)?\}")


@dataclass(frozen=True, kw_only=True)
class Breathing:
    """Animation through other draws of the same release, which replace the displayed draw one after the other.

    ``instead`` maps a drawn array to the array with the dimension `OUTCOME` that replaces it; "" hides the drawn
    array during the animation. ``without`` does the same for the neighbouring data set, in which one person's record
    is missing or replaced by another. Outcomes with the same number have the same noise in both data sets.

    ``label`` is the text on an outcome; it may contain ``{outcome}`` (the number of the outcome), ``{outcomes}`` (how
    many there are) and names of scalar arrays in braces. ``still`` is the text on the displayed draw. If there is a
    neighbouring data set, ``label_without`` is the text on its outcomes, and ``take_out`` and ``put_back`` label the
    button that switches between the data sets.

    ``person`` names an array with the place of the person: a position (1, 2) in a panel, or the number (1,) of a
    picture in a mosaic. A click on this place works like the button. ``at`` maps names of sliders to the values at
    which the outcomes were drawn, for sliders that the browser follows without the server; at other values no
    outcome is shown.

    ``dots`` names an array (n, 2) with the positions of all records. A click on one of them sets the control
    ``record`` to the number of this record, counted from 1: its place in ``dots``, or its entry in the array
    ``numbers``. If the person is a picture, ``dots`` names the array of the pictures, and ``numbers`` has an entry
    for each column of the mosaic. ``choose`` and ``tap`` are the texts on this choice by keys and by touch, ``waits``
    is the text until the server has answered.

    References
    ----------
    Hullman, Resnick and Adar (2015). Hypothetical outcome plots outperform error bars and violin plots for
    inferences about reliability of variable ordering. PLoS ONE 10(11).
    """

    n_outcomes: int
    label: str
    still: str
    instead: Mapping[str, str]
    without: Mapping[str, str] = field(default_factory=dict)
    label_without: str = ""
    take_out: str = ""
    put_back: str = ""
    person: str = ""
    at: Mapping[str, float] = field(default_factory=dict)
    dots: str = ""
    record: str = ""
    numbers: str = ""
    choose: str = ""
    tap: str = ""
    waits: str = ""

    def stand_ins(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of a drawn array and the array of outcomes that replaces it, for both data sets."""
        for world in (self.instead, self.without):
            yield from ((name, other) for name, other in world.items() if other)

    def text_arrays(self) -> set[str]:
        """Return the names of the arrays whose values appear in the texts of the animation."""
        words = (self.label, self.still, self.label_without)
        return {name for text in words for name in _NAMED.findall(text)} - {OUTCOME, "outcomes"}

    def needed(self) -> list[str]:
        """Return the names of all arrays of the animation: replacements, those in texts, and the person's place."""
        others = [other for _, other in self.stand_ins()]
        return [
            *others,
            *self.text_arrays(),
            *filter(None, [self.person, self.numbers if self.record else ""]),
        ]

    def of(self, names: set[str]) -> Breathing | None:
        """Return the animation restricted to the arrays in ``names``; None if it replaces none of them."""
        instead, without = (
            {name: other for name, other in world.items() if name in names}
            for world in (self.instead, self.without)
        )
        if not any(instead.values()):
            return None
        fields = vars(self) | {
            "instead": instead,
            "without": without if any(without.values()) else {},
            "record": self.record if self.dots in names else "",
        }
        return Breathing(**fields)

    def alone(self) -> Breathing:
        """Return this animation without the choice of another person, for figures without a server."""
        return replace(self, record="")
