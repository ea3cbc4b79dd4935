"""Autoencoder of Jain et al. (2021) with one hidden layer, as a scikit-learn transformer.

Pixels are numbers in [0, 1] in this whole package; `pixels` computes them from the units of a data set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._copies import CountsCopies
from dpcore._fitting import one_fit
from dpcore._random_state import generator
from dpcore._types import Floats32, RandomState
from dpcore.autoencoder import weight_cache
from dpcore.autoencoder.weights import Weights, sigmoid
from dpcore.guarantee import Guarantee

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = ["PRESETS", "Autoencoder", "preset"]

PRESETS: dict[str, dict[str, Any]] = {
    "digits": {"n_hidden": 16, "epochs": 120, "batch_size": 64, "learning_rate": 3e-3},
    "mnist": {"n_hidden": 64, "epochs": 10, "batch_size": 128, "learning_rate": 2e-3},
}


def preset(name: str, **changes: Any) -> Autoencoder:
    """Return an untrained `Autoencoder` with the parameters for "digits" or "mnist", changed by ``changes``.

    See Also
    --------
    Autoencoder
    """
    return Autoencoder(**{**PRESETS[_checks.one_of("name", name, tuple(PRESETS))], **changes})


class Autoencoder(CountsCopies, TransformerMixin, BaseEstimator):
    """Autoencoder with d inputs, h rectified hidden units and d sigmoid outputs.

    The reconstruction of an image x is x̂ = σ(relu(x W₁ + b₁) W₂ + b₂), where σ is the logistic function. Adam
    minimises the mean squared error, starting from Glorot's weights. Jain et al. (2021, section "Results and
    discussion") use d = 784 and h = 64.

    Parameters
    ----------
    n_hidden : int
        Number h ≥ 1 of hidden units.
    epochs, batch_size : int
        Number of passes over the data, and number of images in a step, both ≥ 1.
    learning_rate : float
        Step size of Adam, > 0.
    cache : bool
        Whether trained weights are stored in `dpcore.disk_cache.folder` and reused. This happens only if
        ``random_state`` is an int.
    random_state : int, Generator, RandomState or None
        Source of the initial weights and of the order of the images. The same int gives the same weights on the same
        machine. Training adds no noise.

    Attributes
    ----------
    weights_ : Weights
        W₁ (d, h), b₁ (h,), W₂ (h, d), b₂ (d,), float32.
    loss_curve_ : ndarray (epochs,)
        Mean training loss of every epoch.
    privacy_ : Guarantee
        Guarantee with ε = ∞, because training adds no noise.

    See Also
    --------
    preset, perturb_biases, ClassGaussians

    Notes
    -----
    Images have pixels in [0, 1]; values outside this interval are clipped. Training needs torch and runs on one
    thread.

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from dpcore.autoencoder.scaling import pixels
    >>> X = pixels(load_digits().data, 0, high=16)
    >>> model = Autoencoder(n_hidden=16, epochs=2, batch_size=64, random_state=0).fit(X)
    >>> model.transform(X).shape, model.reconstruct(X).shape, model.privacy_.epsilon
    ((1797, 16), (1797, 64), inf)
    """

    def __init__(
        self,
        *,
        n_hidden: int = 64,
        epochs: int = 10,
        batch_size: int = 128,
        learning_rate: float = 2e-3,
        cache: bool = False,
        random_state: RandomState = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.cache = cache
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        progress: Callable[[float, float], None] | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> Self:
        """Train the weights on images, without privacy.

        Parameters
        ----------
        X : array-like (n, d)
            Images in [0, 1]; values outside this interval are clipped.
        y : object
            Ignored.
        progress : callable, optional
            Function that is called after every epoch with the completed fraction and the loss.
        check : callable, optional
            Function that is called after every epoch. It may raise an exception to stop the training; the estimator
            is then unfitted.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range.
        """
        with one_fit(self, X):
            images = self._images(X, reset=True)
            self._check()
            seed = self._seed()
            file = weight_cache.path(images, self._recipe(seed)) if self._uses_cache() else None
            training = weight_cache.read(file) if file else None
            if training is None:
                training = self._train(images, seed, progress, check)
                if file is not None:
                    weight_cache.write(file, *training)
            self.weights_, self.loss_curve_ = training
            self.privacy_ = Guarantee(
                epsilon=np.inf, delta=0.0, neighbouring="replace_one", status="nominal",
                argument="Trained without noise: nothing is promised.",
            )  # fmt: skip
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the codes relu(x W₁ + b₁) (n, h) of images (n, d)."""
        check_is_fitted(self)
        return np.maximum(self.weights_.hidden(self._images(X)), 0)

    def inverse_transform(self, codes: ArrayLike) -> NDArray[np.float32]:
        """Return the images (n, d) decoded from codes (n, h)."""
        check_is_fitted(self)
        return sigmoid(self.weights_.decode(np.asarray(codes, np.float32)))

    def reconstruct(self, X: ArrayLike) -> NDArray[np.float32]:
        """Return the reconstructions (n, d) of images (n, d)."""
        return self.inverse_transform(self.transform(X))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the negative mean squared error per pixel on images X (n, d)."""
        return -float(np.square(self.reconstruct(X) - self._images(X)).mean())

    def _images(self, X: ArrayLike, reset: bool = False) -> NDArray[np.float32]:
        images = validate_data(self, X, reset=reset, dtype=[np.float32, np.float64])
        return cast(Floats32, np.clip(images, 0, 1).astype(np.float32, copy=False))

    def _check(self) -> None:
        _checks.integer("n_hidden", self.n_hidden, low=1)
        _checks.integer("epochs", self.epochs, low=1)
        _checks.integer("batch_size", self.batch_size, low=1)
        _checks.number("learning_rate", self.learning_rate, low=0, open_low=True)

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(generator(self.random_state).integers(2**31))

    def _uses_cache(self) -> bool:
        return bool(self.cache) and isinstance(self.random_state, int | np.integer)

    def _recipe(self, seed: int) -> tuple[float, ...]:
        return (self.n_hidden, self.epochs, self.batch_size, self.learning_rate, seed)

    def _train(
        self,
        images: NDArray[np.float32],
        seed: int,
        progress: Callable[[float, float], None] | None,
        check: Callable[[], None],
    ) -> tuple[Weights, NDArray[np.float64]]:
        from dpcore.autoencoder.train import train

        return train(
            images, n_hidden=self.n_hidden, epochs=self.epochs, batch_size=self.batch_size,
            learning_rate=self.learning_rate, seed=seed, progress=progress, check=check,
        )  # fmt: skip

    def __sklearn_tags__(self) -> Tags:
        """Return the estimator tags of scikit-learn, which state that float32 images give float32 codes."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags
