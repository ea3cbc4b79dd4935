"""Federated classification: each party keeps its data and returns only distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._fitting import one_fit
from dpcore._random_state import generator
from dpcore._types import RandomState
from dpcore._warnings import warn
from dpcore.guarantee import Guarantee
from dpcore.kahm.classify import ByDistance, KAHMClassifier

__all__ = ["FederatedKAHMClassifier", "FewRecordsWarning", "Party", "combine", "split_parties"]


def split_parties(
    y: ArrayLike, n_parties: int, *, skew: float = 0.0, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Split records among Q parties, and return the party of each record.

    The records of a class are divided in proportions drawn from a Dirichlet distribution of concentration 1/skew. A
    skew of 0 gives equal proportions. A skew of inf gives all records of class c to party c mod Q.

    Parameters
    ----------
    y : array-like (N,)
        Class of each record.
    n_parties : int
        Number Q ≥ 1 of parties.
    skew : float
        Inequality of the split, at least 0 or inf; 10/3 means Dirichlet(0.3).
    rng : numpy.random.Generator
        Source of the proportions and of the assignment of records.

    Returns
    -------
    ndarray (N,)
        Number of the party in [0, Q). A party may get no record.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    Party, FederatedKAHMClassifier

    Examples
    --------
    >>> parties = split_parties([0] * 6 + [1] * 6, 3, rng=np.random.default_rng(0))
    >>> np.bincount(parties).tolist()
    [4, 4, 4]
    """
    Q = _checks.integer("n_parties", n_parties, low=1)
    if skew != math.inf:
        _checks.number("skew", skew, low=0)
    classes, index = np.unique(np.asarray(y), return_inverse=True)
    if math.isinf(skew):
        return index.astype(np.int64) % Q
    parties = np.empty(len(index), np.int64)
    offset = 0
    for one in range(len(classes)):
        rows = rng.permutation(np.flatnonzero(index == one))
        if skew == 0:
            # Round robin across classes, so that parties have equal sizes.
            parties[rows] = (np.arange(len(rows)) + offset) % Q
            offset += len(rows)
        else:
            shares = rng.dirichlet(np.full(Q, 1 / skew))
            ends = np.cumsum(shares)[:-1] * len(rows)
            parties[rows] = np.searchsorted(ends, np.arange(len(rows)), side="right")
    return parties


Array = NDArray[np.float64]

_FEW = 50


class FewRecordsWarning(UserWarning):
    """Warning that a party (a data owner) has too few records of a class.

    Noise then dominates the party's distances to this class.
    """


@dataclass(frozen=True)
class Party:
    """Data holder (party) that returns nothing but the distances of queries to classes.

    ``classes`` (k,) are the classes of the whole federation, and ``counts`` (k,) are the numbers of the party's
    records in these classes. A distance is computed from the party's data. It is private only if the party's model
    was fitted to fabricated data.

    See Also
    --------
    FederatedKAHMClassifier, split_parties
    """

    classes: NDArray[Any]
    counts: NDArray[np.int64]
    _model: KAHMClassifier

    @classmethod
    def fitted(
        cls,
        model: KAHMClassifier,
        X: Array,
        y: NDArray[Any],
        classes: NDArray[Any],
        rng: np.random.Generator | None = None,
    ) -> Party:
        """Return a party whose ``model`` is fitted to the party's records X (n, p) and their classes y (n,).

        The noise comes from ``rng`` if given, else from the model's ``random_state``. Anybody who knows this source
        can subtract the noise, so the guarantee assumes that the source is secret.
        """
        classifier = model.fit(X, y) if rng is None else model._fit_from(X, y, rng, rng)
        return cls(classes, _counts(y, classes), classifier)

    @property
    def privacy(self) -> Guarantee:
        """Guarantee of all distances that the party returns, for one of its records."""
        return self._model.privacy_

    def distances(self, X: ArrayLike) -> Array:
        """Return the distances (M, k) of M queries X (M, p) to k classes; inf for classes without records."""
        own = self._model.distances(X)
        distances = np.full((len(own), len(self.classes)), math.inf)
        distances[:, np.searchsorted(self.classes, self._model.classes_)] = own
        return distances


def _counts(y: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    return np.array([(y == one).sum() for one in classes], np.int64)


def combine(answers: Sequence[ArrayLike]) -> Array:
    """Return the smallest distance min_q Γ_{q,c} (M, k) over parties q, for M queries and k classes c.

    ``answers`` are the distances (M, k) of the parties, in any order.

    See Also
    --------
    FederatedKAHMClassifier, Party

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.
    """
    return cast(Array, np.minimum.reduce([np.asarray(answer, float) for answer in answers]))


class FederatedKAHMClassifier(ByDistance):
    """Classifier over several parties q that uses only the distances Γ_{q,c}(y) of a query y to their classes c.

    The predicted class is argmin_c min_q Γ_{q,c}(y). The rule follows the code published by M. Kumar, the first
    author of the paper. Without noise the classifier is almost as accurate as one classifier on all data. With strong
    noise and few records per party, noise dominates the smallest distance.

    Parameters
    ----------
    estimator : KAHMClassifier or None
        The classifier that every party fits. Its ``epsilon`` sets the guarantee of a party's distances. Its
        ``bounds`` have to be public, so that distances of different parties are comparable.
    n_parties : int
        Number Q ≥ 1 of parties, if `fit` is called without ``parties``.
    skew : float
        Inequality of the split into parties, ≥ 0 or inf, see `split_parties`.
    random_state : int, Generator, RandomState or None
        Source of the split and of the noise of every party. It replaces the ``random_state`` of ``estimator``. Use
        None for releases, because anybody who knows a seed can subtract the noise. Two releases with one seed, such
        as the folds of one ``cross_validate``, reveal the data.

    Attributes
    ----------
    parties_ : tuple of Party
        The parties that hold at least one record.
    classes_ : ndarray (k,)
        Classes of all parties.
    privacy_ : Guarantee
        Guarantee for the features of any one record. Each record is held by one party only, so the ε of
        different parties do not add up (parallel composition). Labels and the party of each record are
        public. For its status see `KAHMClassifier`.

    See Also
    --------
    KAHMClassifier, Party, combine

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.

    Examples
    --------
    >>> X, y = [[0.0], [0.1], [0.9], [1.0]] * 4, [0, 0, 1, 1] * 4
    >>> FederatedKAHMClassifier(n_parties=2, random_state=0).fit(X, y).predict([[0.2]]).tolist()
    [0]
    """

    def __init__(
        self,
        *,
        estimator: KAHMClassifier | None = None,
        n_parties: int = 5,
        skew: float = 0.0,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_parties = n_parties
        self.skew = skew
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, parties: ArrayLike | None = None) -> Self:
        """Fit the machines of every party to the records of this party.

        Parameters
        ----------
        X : array-like (N, p)
            Records of all parties.
        y : array-like (N,)
            Class of each record, which is public.
        parties : array-like (N,) or None
            Party of each record, public. None splits the records by ``n_parties`` and ``skew``.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range.

        Warns
        -----
        FewRecordsWarning
            When a party has fewer than 50 noisy records of a class it holds.
        SeededNoiseWarning
            When there is noise and ``random_state`` is not None.
        """
        with one_fit(self, X):
            X, y = (np.asarray(a) for a in validate_data(self, X, y, dtype=np.float64))
            check_classification_targets(y)
            rng = generator(self.random_state)
            self.classes_ = np.unique(y)
            if parties is None:
                owner: NDArray[Any] = split_parties(y, self.n_parties, skew=self.skew, rng=rng)
            else:
                owner = np.asarray(parties)
                if owner.shape != y.shape:
                    raise ValueError(
                        f"parties of shape {owner.shape} are not allowed: give {y.shape}, one each."
                    )
            self.parties_ = tuple(
                self._party(X[owner == q], y[owner == q], rng) for q in np.unique(owner)
            )
            self._seal(self._guarantee())
            self._warn()
        return self

    def _party(self, X: Array, y: NDArray[Any], rng: np.random.Generator) -> Party:
        model = clone(self.estimator) if self.estimator is not None else KAHMClassifier()
        model.set_params(random_state=None)  # source of the noise below; it is not stored
        model._fit_from(X, y, rng.spawn(1)[0], self.random_state)
        return Party(self.classes_, _counts(y, self.classes_), model)

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee that a fit to records of this shape would have; no record is read."""
        party = KAHMClassifier() if self.estimator is None else self.estimator
        one = party._planned(n_records, n_features)
        return one if math.isinf(one.epsilon) else replace(one, argument=one.argument + _PARALLEL)

    def _warn(self) -> None:
        counts = np.concatenate([party.counts[party.counts > 0] for party in self.parties_])
        if math.isfinite(self.parties_[0].privacy.epsilon) and counts.min() < _FEW:
            warn(
                f"a party has {counts.min()} noisy records of a class: with fewer than about {_FEW} "
                "the least distance follows the noise. Use fewer parties or a larger epsilon.",
                FewRecordsWarning,
                stacklevel=3,
            )

    def _guarantee(self) -> Guarantee:
        one = max(
            (party.privacy for party in self.parties_), key=lambda guarantee: guarantee.epsilon
        )
        if math.isinf(one.epsilon):
            return one
        return replace(one, argument=one.argument + _PARALLEL)

    def distances(self, X: ArrayLike) -> Array:
        """Return the distances (M, k) of M queries X (M, p) to k classes, each the smallest over all parties."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
        return combine([party.distances(X) for party in self.parties_])


_PARALLEL = " Every record is with one party, so the answers of different parties do not add up."
