"""Scaler that uses declared bounds instead of the data, for pipelines that end with a private estimator."""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore.lvq.domain import Box

__all__ = ["BoundedScaler"]


class BoundedScaler(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Transformer that scales every feature from its declared bounds to [-1, 1], for scikit-learn pipelines.

    A value x becomes clip((x - (high + low)/2) / ((high - low)/2), -1, 1). Only the number of features is read from
    the data. A record therefore affects no other scaled record, and the guarantee of later steps holds.

    In contrast, a scaler that uses means or extremes of the data, such as scikit-learn's ``StandardScaler`` or
    ``MinMaxScaler``, changes all records when one record changes. The ε of later steps is then nominal, because it
    does not cover this change.

    Parameters
    ----------
    bounds : (low, high)
        Declared bounds of the features, each a number or an array (d,). Values outside the bounds are clipped.

    Attributes
    ----------
    n_features_in_ : int
        Number d of features.

    See Also
    --------
    dpcore.lvq.DPGLVQ

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from dpcore.lvq import DPGLVQ
    >>> X, y = [[20.0], [30.0], [70.0], [80.0]] * 50, [0, 0, 1, 1] * 50
    >>> private = DPGLVQ(epsilon=4.0, bounds=(-1, 1), expected_n=200, classes=[0, 1], sample_rate=0.1)
    >>> model = make_pipeline(BoundedScaler(bounds=(0, 100)), private).fit(X, y)
    >>> model[-1].privacy_.status
    'proved'
    """

    def __init__(self, *, bounds: tuple[ArrayLike, ArrayLike] = (-1.0, 1.0)) -> None:
        self.bounds = bounds

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Validate the bounds and store the number of features; the values in the records are not used.

        Parameters
        ----------
        X : array (n, d)
            Finite records; only their number of features is stored.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When the bounds are not d finite intervals.
        """
        validate_data(self, X, dtype=np.float64)
        self._box()
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return records scaled to [-1, 1]^d; each scaled record depends on only one record.

        Parameters
        ----------
        X : array (n, d)
            Finite records.

        Returns
        -------
        ndarray (n, d)
            Scaled records.
        """
        check_is_fitted(self, "n_features_in_")
        records, box = self._records(X), self._box()
        inside = np.clip(records, box.low, box.high)
        return cast("NDArray[np.float64]", np.clip((inside - box.middle) / box.half, -1.0, 1.0))

    def inverse_transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return scaled points (n, d) in the original units; values that were clipped are returned as the bound."""
        check_is_fitted(self, "n_features_in_")
        box = self._box()
        return box.middle + box.half * self._records(X)

    def _records(self, X: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def _box(self) -> Box:
        return Box.declared(cast(Any, self.bounds), self.n_features_in_)
