"""Synthetic pictures with a proved guarantee: class Gaussians of low-frequency cosines."""

from __future__ import annotations

import math
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._chance import generator
from dpcore.autoencoder import statistics
from dpcore.guarantee import Guarantee, Part

__all__ = [
    "GENERATOR_PRESETS",
    "ClassGaussians",
    "Gaussians",
    "accuracy",
    "gaussians_guarantee",
]

GENERATOR_PRESETS: dict[str, dict[str, Any]] = {
    "digits": {"n_frequencies": 6, "clip_norm": 2.5, "grey": 0.3},
    "mnist": {"n_frequencies": 10, "clip_norm": 8.0, "grey": 0.0},
}

_STEPS = 300


@dataclass(frozen=True, kw_only=True, eq=False)
class Gaussians:
    """Released class Gaussians: means (C, k), factors (C, k, k), and how codes become pictures.

    Everything made from it is post-processing and costs nothing more.
    """

    means: NDArray[np.float64]
    factors: NDArray[np.float64]
    basis: NDArray[np.float32]
    grey: float
    guarantee: Guarantee

    def sample(self, n_per_class: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return synthetic pictures (C, n_per_class, d) in [0, 1].

        clip(grey + (m + A u) B) with standard normal u from ``rng``: the same generator gives the
        same people at every ε.
        """
        n = _checks.integer("n_per_class", n_per_class, low=1)
        n_classes, k = self.means.shape
        unit = rng.standard_normal((n_classes, n, k), np.float32)
        codes = unit @ self.factors.astype(np.float32).swapaxes(-1, -2)
        codes += self.means.astype(np.float32)[:, None]
        out = codes.reshape(-1, k) @ self.basis
        out += np.float32(self.grey)
        np.clip(out, 0, 1, out=out)
        return np.asarray(out.reshape(n_classes, n, -1), np.float32)


class ClassGaussians(BaseEstimator):
    """Synthetic labelled pictures under (ε, δ)-DP from noisy sufficient statistics.

    z = B(x - grey), shortened to norm R; for every class its size, Σ z and Σ z zᵀ with Gaussian
    noise; a Gaussian from them; pictures grey + Bᵀ z from that. B are low-frequency cosines, which
    no data touched. Nothing is trained, and no image enters the pictures except through the noise.

    Parameters
    ----------
    epsilon, delta : float
        The whole budget: ε > 0 (inf: no noise at all), δ in (0, 1).
    clip_norm : float
        R > 0, in pixels of [0, 1]; a constant chosen without the data.
    n_frequencies : int
        f ≥ 1 per direction: k = f² numbers describe a picture.
    grey : float
        Public level in [0, 1] that is taken off every pixel first.
    image_shape : (height, width) or None
        None: square where the number of pixels is one, else a single line.
    random_state : int, Generator, RandomState or None
        The same int gives the same noise at every ε.

    Attributes
    ----------
    privacy_ : Guarantee
        (ε, δ) for one (image, label) added or removed: proved.
    classes_ : ndarray (C,)
        Taken as public.
    released_ : Gaussians
        What may be published.

    Notes
    -----
    The fitted object also holds the exact statistics, for `at`: publish ``released_``, not the
    object. Noise is made for experiments; a real release needs a cryptographic generator and a
    discrete mechanism.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model = ClassGaussians(epsilon=0.8, n_frequencies=6, clip_norm=2.5, random_state=0)
    >>> images, labels = model.fit(X / 16, y).sample(5, np.random.default_rng(0))
    >>> images.shape, labels.shape, model.privacy_.status
    ((50, 64), (50,), 'proved')
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float = 8.0,
        n_frequencies: int = 10,
        grey: float = 0.0,
        image_shape: tuple[int, int] | None = None,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip_norm = clip_norm
        self.n_frequencies = n_frequencies
        self.grey = grey
        self.image_shape = image_shape
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to images X (n, d) in [0, 1] and classes y (n,); see the class for the guarantee."""
        found, y = validate_data(self, X, y, dtype=[np.float32, np.float64])
        images = np.asarray(found, np.float32)
        check_classification_targets(y)
        grey = _checks.number("grey", self.grey, low=0, high=1)
        self._scales(self.epsilon)
        self.classes_, index = np.unique(y, return_inverse=True)
        self._basis = statistics.cosine_basis(self._shape(images.shape[1]), self.n_frequencies)
        codes = np.asarray((np.clip(images, 0, 1) - np.float32(grey)) @ self._basis.T, np.float32)
        kept = statistics.clip_codes(codes, self.clip_norm)
        self._exact = statistics.summarise(kept, index, len(self.classes_))
        return self._release()

    def again(self, *, delta: float, random_state: Any) -> Self:
        """Return a copy with another δ and other noise, from the same exact statistics.

        For a page that shows many: the data are not read again. Each one published costs its own
        (ε, δ).
        """
        check_is_fitted(self)
        return copy(self).set_params(delta=delta, random_state=random_state)._release()

    def _release(self) -> Self:
        rng = generator(self.random_state)
        self._unit = statistics.draw_unit(len(self.classes_), len(self._basis), rng)
        self.released_ = self.at(self.epsilon)
        self.privacy_ = self.released_.guarantee
        return self

    def at(self, epsilon: float) -> Gaussians:
        """Return the Gaussians for another ε > 0 with the same unit noise, for a slider.

        Publish one of them only: two releases that differ by a scaling of the same noise give the
        exact statistics away.
        """
        check_is_fitted(self)
        noisy = statistics.add_noise(self._exact, self._unit, self._scales(epsilon))
        means, factors = statistics.repair(noisy)
        return Gaussians(
            means=means, factors=factors, basis=self._basis, grey=self.grey,
            guarantee=gaussians_guarantee(epsilon, self.delta, self.clip_norm),
        )  # fmt: skip

    def sample(
        self, n_per_class: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[Any]]:
        """Return synthetic pictures (C·n_per_class, d) in [0, 1] and their classes (C·n_per_class,)."""
        check_is_fitted(self)
        images = self.released_.sample(n_per_class, rng)
        return images.reshape(-1, images.shape[-1]), np.repeat(self.classes_, n_per_class)

    def _scales(self, epsilon: float) -> tuple[float, float, float]:
        return statistics.noise_scales(epsilon, self.delta, self.clip_norm)

    def _shape(self, n_pixels: int) -> tuple[int, int]:
        if self.image_shape is None:
            side = math.isqrt(n_pixels)
            return (side, side) if side * side == n_pixels else (1, n_pixels)
        high, wide = self.image_shape
        if high * wide != n_pixels:
            raise ValueError(
                f"image_shape={self.image_shape!r} is not allowed for {n_pixels} pixels: "
                "give height and width whose product that is."
            )
        return high, wide

    def __sklearn_tags__(self):
        """Say that classes are needed."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def gaussians_guarantee(epsilon: float, delta: float, clip_norm: float) -> Guarantee:
    """Return what `ClassGaussians` promise: (ε, δ) for one (image, label) added or removed.

    Parameters
    ----------
    epsilon, delta, clip_norm : float
        As of `ClassGaussians`.

    Returns
    -------
    Guarantee
        Proved.
    """
    part = Part(
        name="sizes, sums and second moments of the classes", epsilon=epsilon, delta=delta,
        mechanism=f"analytic Gaussian on vectors of norm at most R = {clip_norm:g}",
    )  # fmt: skip
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status="proved",
        argument="One Gaussian release of clipped statistics; sampling is post-processing.",
        public=("the classes", "the shape of a picture", "the clip norm and the basis"),
        parts=(part,),
    )  # fmt: skip


def accuracy(
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    *,
    classifier: str = "logistic",
    steps: int = _STEPS,
) -> float:
    """Return how well a classifier trained on (synthetic) pictures does on real ones.

    Parameters
    ----------
    X, X_test : array (n, d), (m, d)
        Pictures to learn from and real ones to test on, in [0, 1].
    y, y_test : array (n,), (m,)
        Their classes.
    classifier : "logistic", "mlp" or "ridge"
        Logistic regression, 100 hidden units, or least squares (the fastest).
    steps : int
        Of "mlp", ≥ 1. More steps learn noise that the pictures share, and do worse on real ones.

    Returns
    -------
    float
        Share of the test pictures in the right class.

    Raises
    ------
    ValueError
        For another classifier.
    """
    _checks.one_of("classifier", classifier, ("ridge", "logistic", "mlp"))
    most = _checks.integer("steps", steps, low=1)
    return float(_learnt(classifier, np.asarray(X), np.asarray(y), most).score(X_test, y_test))


def _learnt(classifier: str, X: NDArray[Any], y: NDArray[Any], steps: int) -> Any:
    if classifier == "ridge":
        from sklearn.linear_model import RidgeClassifier

        return RidgeClassifier(alpha=10.0).fit(X, y)
    if classifier == "logistic":
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=0.1, max_iter=300, tol=1e-3).fit(X, y)
    from sklearn.neural_network import MLPClassifier

    size = min(200, len(X))
    model = MLPClassifier((100,), random_state=0, batch_size=size)
    for _ in range(max(1, round(steps * size / len(X)))):
        model.partial_fit(X, y, classes=np.unique(y))
    return model
