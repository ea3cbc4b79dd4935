"""Specification of an audit: two neighbouring data sets, a claim, and an attack score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.guarantee import Guarantee

__all__ = ["Worlds"]


@dataclass(frozen=True, kw_only=True)
class Worlds:
    """Specification of an audit: neighbouring data sets of a mechanism, and a score of its releases.

    The two data sets (worlds) are the worst known neighbours. They differ in one record, the canary. An attacker who
    sees one release guesses that the canary is in the data when the score is large. Scores of independent releases on
    both data sets give a lower bound on the actual ε of the mechanism.

    Parameters
    ----------
    name : str
        Unique name of the audited mechanism, such as "laplace" or "DPGLVQ, Poisson lots".
    neighbours : str
        The two data sets in one sentence, and the neighbouring relation.
    canary : str
        The record that is in only one of the data sets, and why it is the worst case.
    score : str
        Score that the attacker computes from a release.
    claim : callable () -> Guarantee
        Returns the claimed guarantee of the mechanism for these data sets.
    release : callable (bool, Generator) -> float
        Runs the mechanism once, with the canary (True) or without it, and returns the score. The generator supplies
        all noise. Large scores speak for the canary.
    threshold : float or None
        Threshold on the score, if theory gives one; the score is then a likelihood ratio. For a Gaussian release it
        is the threshold of `gaussian_bound`, where both error rates are equal. If it is None, the audit chooses the
        threshold on additional releases; their errors are not counted.
    gaussian : bool
        Whether the release is a vector with Gaussian noise, or is computed only from such a vector. Its trade-off
        curve is then nowhere below a Gaussian one, so that the Gaussian-DP bound is valid.

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
