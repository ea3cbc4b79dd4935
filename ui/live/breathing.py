"""Outcomes that a live figure steps through while no hand is on a handle (hypothetical outcome plots)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["OUTCOME", "Breathing"]

OUTCOME = "outcome"
"""The dimension of an array that holds one entry for each outcome: the browser steps along it."""
_NAMED = re.compile(r"\{(\w+)(?::[^}]*)?\}")


@dataclass(frozen=True, kw_only=True)
class Breathing:
    """Outcomes of the same release that stand in for this draw, one after the other.

    ``instead`` names, for an array that is drawn, the one over `OUTCOME` that stands in for it; "" leaves an
    array out meanwhile. ``without`` names what stands in for it in the world without one person, where the same
    outcome has the same noise. ``label`` is said of the outcome in view: it may hold ``{outcome}`` (its number),
    ``{outcomes}`` (how many) and scalar arrays; ``still`` is said of this draw. ``label_without`` is said, and
    ``take_out`` and ``put_back`` are the words of the button, where there are two worlds. ``person`` names the
    array (1, 2) of the person's place on a map: who clicks there presses that button.

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

    def stand_ins(self) -> Iterator[tuple[str, str]]:
        """Yield each array that is drawn and what stands in for it, in both worlds."""
        for world in (self.instead, self.without):
            yield from ((name, other) for name, other in world.items() if other)

    def told(self) -> set[str]:
        """The arrays that its words name."""
        words = (self.label, self.still, self.label_without)
        return {name for text in words for name in _NAMED.findall(text)} - {OUTCOME, "outcomes"}

    def of(self, names: set[str]) -> Breathing | None:
        """Return the part about the arrays in ``names``; None where nothing of them has outcomes."""
        instead, without = (
            {name: other for name, other in world.items() if name in names}
            for world in (self.instead, self.without)
        )
        if not any(instead.values()):
            return None
        kept = vars(self) | {
            "instead": instead,
            "without": without if any(without.values()) else {},
            "person": self.person if self.person in names else "",
        }
        return Breathing(**kept)
