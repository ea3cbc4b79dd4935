"""Evidence on printed formulas: for each formula, a function that computes the verdict on it.

`EVIDENCE` has a function without arguments for every formula that makes a statement, and `judge`
runs them. ``python -m dpcore verdicts`` writes the verdicts into a file.
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
"""Functions that compute the evidence on a formula, by the formula's number.

A formula without a function is a note.
"""


def judge(names: Iterable[str] | None = None) -> dict[str, Evidence]:
    """Compute the verdicts on the named formulas.

    If ``names`` is None, these are all formulas with evidence.
    """
    return {name: EVIDENCE[name]() for name in (EVIDENCE if names is None else names)}
