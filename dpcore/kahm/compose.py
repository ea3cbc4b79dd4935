"""A wide, conditionally deep kernel affine hull machine of one data set."""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore._copies import CountsCopies
from dpcore._fitting import one_fit
from dpcore._random_state import generator
from dpcore._types import RandomState
from dpcore.guarantee import Guarantee
from dpcore.kahm.guarantee import no_guarantee
from dpcore.kahm.wide import Deep, HullOptions, fit_blocks, wide_distance

__all__ = ["WideDeepKAHM"]

Array = NDArray[np.float64]


class WideDeepKAHM(CountsCopies, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Wide, conditionally deep kernel affine hull machine of one data set.

    The N records are divided into ⌈N/N_b⌉ blocks s, each with a machine of L layers. The machine of a block maps a
    point y to an image at the distance Γ_s(y). W(y) is the nearest of the images of y under all blocks. Its distance
    from y is Γ_W(y) = min_s Γ_s(y). The k-means split follows the code of the paper's first author. The layers follow
    earlier papers of the authors, as we remember these papers. A fit costs O(N N_b²), a query O(N(n + p)).

    Parameters
    ----------
    n_components : int
        Largest dimension n ≥ 1 of the encoding; 10 to 20 suits pictures.
    n_layers : int
        Number L ≥ 1 of layers; more than one changed no accuracy that we measured.
    block_size : int
        Number N_b ≥ 2 of records in a block.
    split : "kmeans", "random" or "none"
        Method of forming blocks. Do not use k-means on noisy data, because its clusters follow the noise.
    tau_factor, tol : float
        Strength of smoothing τ/M₀, and relative precision of λ, see `KAHM`.
    n_jobs : int or None
        Number of threads, over blocks.
    random_state : int, Generator, RandomState or None
        Source of the split into blocks. There is no noise that it could reveal.

    Attributes
    ----------
    machines_ : tuple of Deep
        The machine of each block. The machines contain the records.
    privacy_ : Guarantee
        No privacy: ε = inf.

    See Also
    --------
    KAHM, KAHMClassifier

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.

    Examples
    --------
    >>> ring = np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]] * 5)
    >>> model = WideDeepKAHM(n_components=2).fit(ring)
    >>> bool(model.distance([[3.0, 3.0]])[0] > model.distance([[1.0, 0.0]])[0])
    True
    """

    def __init__(
        self,
        *,
        n_components: int = 20,
        n_layers: int = 1,
        block_size: int = 1000,
        split: str = "kmeans",
        tau_factor: float = 2.0,
        tol: float = 1e-6,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.n_layers = n_layers
        self.block_size = block_size
        self.split = split
        self.tau_factor = tau_factor
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit the machines of all blocks, without privacy.

        Parameters
        ----------
        X : array-like (N, p)
            Records, best scaled to [0, 1], inside ±1e100.
        y : object
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter or a value is outside its range.
        """
        with one_fit(self, X):
            options = HullOptions(
                n_components=self.n_components, n_layers=self.n_layers, block_size=self.block_size,
                split=self.split, tau_factor=self.tau_factor, tol=self.tol,
            )  # fmt: skip
            X = np.asarray(validate_data(self, X, dtype=np.float64))
            rng = generator(self.random_state)
            self.machines_: tuple[Deep, ...] = fit_blocks([X], options, rng, self.n_jobs)[0]
            self.privacy_: Guarantee = no_guarantee()
        return self

    def transform(self, X: ArrayLike) -> Array:
        """Return the images W(y) (M, p) of the M rows y of X (M, p).

        ``set_output`` can request a data frame.
        """
        X = self._queries(X)
        images, reach = zip(*(machine.image(X) for machine in self.machines_), strict=True)
        return cast(Array, np.stack(images)[np.argmin(reach, axis=0), np.arange(len(X))])

    def distance(self, X: ArrayLike) -> Array:
        """Return the distances Γ_W(y) (M,) between the M rows y of X (M, p) and their images."""
        return wide_distance(self.machines_, self._queries(X))

    def _queries(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))
