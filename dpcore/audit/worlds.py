"""Specification of an audit, with two neighbouring data sets (worlds), a claim and an attack score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.guarantee import Guarantee

__all__ = ["Worlds"]


@dataclass(frozen=True, kw_only=True)
class Worlds:
    """Specification of the audit of a mechanism on two neighbouring data sets, with a score of the releases.

    The two data sets (worlds) are the worst known neighbours. They differ in one record, the canary. An attacker who
    sees one release guesses that the canary is in the data if the score of the release is large. The scores of
    independent releases on both data sets give a lower bound on the actual ε of the mechanism.

    Parameters
    ----------
    name : str
        Unique name of the audited mechanism, such as "laplace" or "DPGLVQ, Poisson lots".
    neighbours : str
        Description of the two data sets and their neighbouring relation.
    canary : str
        Description of the record that is in only one of the data sets, and the reason why it is the worst case.
    score : str
        Description of the score that the attacker computes from a release.
    claim : callable () -> Guarantee
        Function that returns the claimed guarantee of the mechanism for these data sets.
    release : callable (bool, Generator) -> float
        Function that runs the mechanism once, with the canary (True) or without it (False), and returns the score.
        The generator supplies all noise. Large scores speak for the canary.
    threshold : float or None
        Threshold on the score that theory gives, or None. If it is None, the audit chooses the threshold on
        additional releases, in which no errors are counted. For a Gaussian mechanism it is the threshold for
        `gaussian_bound`, at which both error rates are equal.
    gaussian : bool
        Whether the release is a vector with Gaussian noise, or is computed only from such a vector. `gaussian_bound`
        is then valid, because the trade-off function is nowhere below that of a Gaussian mechanism.

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
