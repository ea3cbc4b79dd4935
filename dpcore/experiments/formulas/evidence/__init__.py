"""Evidence on printed formulas: for each formula, a function that computes the verdict on it.

`EVIDENCE` has a function without arguments for every formula that makes a statement; `judge` runs
them. ``python -m dpcore verdicts`` writes the verdicts into a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType

from dpcore.experiments.formulas.evidence import (
    autoencoder,
    hulls,
    lecture,
    relevance,
)
from dpcore.experiments.formulas.evidence.kinds import (
    Evidence,
    Trial,
    at_least,
    at_most,
    equal,
    readings,
)

__all__ = ["EVIDENCE", "Evidence", "Trial", "at_least", "at_most", "equal", "judge", "readings"]

EVIDENCE: MappingProxyType[str, Callable[[], Evidence]] = MappingProxyType({
    **relevance.EVIDENCE, **hulls.EVIDENCE, **autoencoder.EVIDENCE, **lecture.EVIDENCE, **lecture.SLIDES,
})  # fmt: skip
"""By a formula's number; a formula without is a note."""


def judge(names: Iterable[str] | None = None) -> dict[str, Evidence]:
    """Compute the verdicts on the formulas with these names, or on all of them for None."""
    return {name: EVIDENCE[name]() for name in (EVIDENCE if names is None else names)}
