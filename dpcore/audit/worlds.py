"""Specification of an audit: two neighbouring data sets, a claim, and an attack score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.guarantee import Guarantee

__all__ = ["Worlds"]


@dataclass(frozen=True, kw_only=True)
class Worlds:
    """Worst known neighbours of one mechanism, and a score of its releases.

    An attacker who sees one release says "the canary is in" when the score is large. Scores of
    independent releases in both worlds give a lower bound on the ε that the mechanism really has.

    Parameters
    ----------
    name : str
        Of the mechanism, unique: "laplace", "DPGLVQ, Poisson lots".
    neighbours : str
        The two data sets in one sentence, and the neighbouring relation.
    canary : str
        Which record is in only one of the data sets, and why it is the worst case.
    score : str
        Score that the attacker computes from a release.
    claim : callable () -> Guarantee
        Guarantee of the mechanism for these worlds.
    release : callable (bool, Generator) -> float
        Runs the mechanism once, with the canary (True) or without it, on noise from the generator
        alone, and returns the score; large scores speak for the canary.
    threshold : float or None
        From theory, where the score is a likelihood ratio; None: chosen on other trainings. Of a
        Gaussian one: where both errors are alike, which suits the Gaussian-DP bound.
    gaussian : bool
        Whether the release is Gaussian noise on a vector, or made from that alone: its trade-off
        curve is then nowhere below a Gaussian one, and the Gaussian-DP bound holds.

    See Also
    --------
    two_worlds, dpcore.audit.run.audit

    References
    ----------
    M. Nasr et al., "Adversary instantiation: lower bounds for differentially private machine
    learning", IEEE Symposium on Security and Privacy, 2021.
    M. Jagielski, J. Ullman and A. Oprea, "Auditing differentially private machine learning: how
    private is private SGD?", NeurIPS, 2020.
    """

    name: str
    neighbours: str
    canary: str
    score: str
    claim: Callable[[], Guarantee]
    release: Callable[[bool, np.random.Generator], float]
    threshold: float | None = None
    gaussian: bool = False
