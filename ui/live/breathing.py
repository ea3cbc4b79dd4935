"""Animation of a figure through outcomes, the results of other random draws, while no control is moved.

Such figures are called hypothetical outcome plots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

__all__ = ["OUTCOME", "Breathing"]

OUTCOME = "outcome"
"""Name of the dimension with one entry for each outcome.

The browser steps along this dimension."""
_NAMED = re.compile(r"\{(\w+)(?::[^}]*)?\}")


@dataclass(frozen=True, kw_only=True)
class Breathing:
    """Animation of a figure through other random draws of the same release, one after the other.

    An outcome is one of these draws. If there is a neighbouring data set, in which one person's
    record is missing or replaced by another, outcomes with the same number have the same noise in
    both data sets.

    Arrays and sliders:

    - ``instead``: names of the arrays with the dimension `OUTCOME`, by the name of the drawn array
      that each replaces; "" hides the drawn array during the animation.
    - ``without``: the same for the neighbouring data set.
    - ``at``: for each slider to which the browser responds without the server, the value at which
      the outcomes were drawn. At other values no outcome is shown.

    Texts:

    - ``label``: text shown with an outcome; it may contain ``{outcome}`` (the number of the outcome),
      ``{outcomes}`` (the number of all outcomes) and names of scalar arrays in braces.
    - ``label_without``: the same for the neighbouring data set.
    - ``still``: text shown with the draw that the figure displays before the animation.
    - ``elsewhere``: text shown while the controls have other values than ``at``; the buttons do not
      work then.
    - ``take_out`` and ``put_back``: labels of the button that switches between the data sets.
    - ``choose`` and ``tap``: texts that tell how to choose another person with keys and by touch.
      ``waits``: text shown until the server has answered.

    Person and records:

    - ``person``: name of an array that locates the person: a position (1, 2) in a panel, or the
      number (1,) of a picture in a mosaic. A click there has the effect of the button.
    - ``dots``: name of an array (n, 2) with the positions of all records. If the person is a
      picture, it is the name of the array of pictures. A click on a record sets the control
      ``record`` to the number of this record.
    - ``numbers``: name of an array with the number of each record or of each column of the mosaic.
      By default records are counted from 1 in the order of ``dots``.

    References
    ----------
    Hullman, Resnick and Adar (2015). Hypothetical outcome plots outperform error bars and violin plots for
    inferences about reliability of variable ordering. PLoS ONE 10(11).
    """

    n_outcomes: int
    label: str
    still: str
    instead: Mapping[str, str]
    elsewhere: str = ""
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
        """Yield pairs of array names: a drawn array, and the array that replaces it during the animation.

        The pairs of both neighbouring data sets are included.
        """
        for world in (self.instead, self.without):
            yield from ((name, other) for name, other in world.items() if other)

    def text_arrays(self) -> set[str]:
        """Return the names of the arrays whose values appear in the animation's texts."""
        words = (self.label, self.still, self.label_without)
        return {name for text in words for name in _NAMED.findall(text)} - {OUTCOME, "outcomes"}

    def needed(self) -> list[str]:
        """Return the names of all arrays that the animation needs besides the drawn ones.

        These are the replacements, the arrays in texts, and the arrays ``person`` and ``numbers``.
        """
        others = [other for _, other in self.stand_ins()]
        return [
            *others,
            *self.text_arrays(),
            *filter(None, [self.person, self.numbers if self.record else ""]),
        ]

    def of(self, names: set[str]) -> Breathing | None:
        """Return the animation restricted to the arrays in ``names``.

        Return None if it replaces none of them.
        """
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
