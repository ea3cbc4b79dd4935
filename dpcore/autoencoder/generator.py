"""Private generator of synthetic pictures, which samples from one noisy Gaussian distribution for each class.

The Gaussians are distributions of cosine coefficients.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from dpcore import _checks
from dpcore._declared_bounds import warn_of_size
from dpcore._fitting import one_fit
from dpcore._random_state import ForgetsNoise
from dpcore._types import RandomState
from dpcore.autoencoder import statistics
from dpcore.autoencoder.gaussians import Gaussians, GaussianSweep, gaussians_guarantee
from dpcore.guarantee import Guarantee

if TYPE_CHECKING:
    from sklearn.base import Tags

__all__ = [
    "GENERATOR_PRESETS",
    "ClassGaussians",
    "GaussianSweep",
    "Gaussians",
    "accuracy",
    "gaussians_guarantee",
]

GENERATOR_PRESETS: dict[str, dict[str, Any]] = {
    "digits": {"n_frequencies": 6, "clip_norm": 2.5, "grey": 0.3},
    "mnist": {"n_frequencies": 10, "clip_norm": 8.0, "grey": 0.0},
}

_STEPS = 300


class ClassGaussians(ForgetsNoise, BaseEstimator):
    """Generator of synthetic labelled pictures under (ε, δ)-DP, from noisy sufficient statistics.

    The code of an image x is z = B(x - grey), scaled down to norm R if its norm is larger. The rows of B are
    low-frequency cosines, chosen without the data. For every class, Gaussian noise is added to three statistics: the
    size, Σ z and Σ z zᵀ. These define a Gaussian distribution. A synthetic picture is grey + Bᵀ z, where z is sampled
    from this distribution. Nothing is trained. Images influence the synthetic pictures only through the noisy
    statistics.

    Parameters
    ----------
    epsilon, delta : float
        Privacy budget of the whole fit, with ε ≥ 1e-12 and δ in (0, 1). For ε = inf there is no noise.
    clip_norm : float
        Largest norm R of a code, in [1e-6, 1e6]; a constant chosen without the data.
    n_frequencies : int
        Number f ≥ 1 of frequencies in each direction. A code has k = f² numbers, or fewer for small pictures.
    grey : float
        Public grey level in [0, 1] that is subtracted from every pixel first.
    image_shape : (height, width) or None
        Shape of a picture. None stands for a square if the number of pixels is a square number, and otherwise for a
        single row of pixels.
    classes : array-like (C,) or None
        The public list of classes, known without the records; a class may have no record. If it is None, the list is
        read from y, with a warning, because such a list reveals whether the only record of a class is present.
    random_state : int, Generator, RandomState or None
        Source of the noise. Use None for releases, because anybody who knows a seed can subtract the noise. Two
        releases with one seed, such as the folds of one ``cross_validate``, reveal the exact statistics.

    Attributes
    ----------
    privacy_ : Guarantee
        Guarantee (ε, δ) if one (image, label) is added or removed. Its status is "nominal" if ``classes`` is None.
        Otherwise it is "proved", or "proved_under_assumption" if ``random_state`` is not None.
    classes_ : ndarray (C,)
        Sorted list of classes.
    released_ : Gaussians
        Noisy class Gaussians, which may be published. No other attribute depends on the images.

    See Also
    --------
    GaussianSweep, gaussians_guarantee, accuracy

    Notes
    -----
    The noise is only good enough for experiments, because a real release needs a cryptographic random generator and a
    discrete mechanism. `GaussianSweep` contains the exact statistics, for people who may see them.

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", ICML, 2018.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model = ClassGaussians(epsilon=0.8, n_frequencies=6, clip_norm=2.5, classes=range(10))
    >>> images, labels = model.fit(X / 16, y).sample(5, np.random.default_rng(0))
    >>> images.shape, labels.shape, model.privacy_.status
    ((50, 64), (50,), 'proved')
    """

    def __init__(
        self,
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        clip_norm: float = 8.0,
        n_frequencies: int = 10,
        grey: float = 0.0,
        image_shape: tuple[int, int] | None = None,
        classes: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.clip_norm = clip_norm
        self.n_frequencies = n_frequencies
        self.grey = grey
        self.image_shape = image_shape
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the noisy class Gaussians to images and their classes, with the guarantee of `ClassGaussians`.

        Parameters
        ----------
        X : array-like (n, d)
            Images in [0, 1]; values outside this interval are clipped.
        y : array-like (n,)
            Class of each image. If ``classes`` is given, it must contain every class in y.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            When a parameter is outside its range, or a class is not in the list.

        Warns
        -----
        SizeFromDataWarning
            When ``classes`` is None.
        SeededNoiseWarning
            When there is noise and ``random_state`` is not None.
        """
        with one_fit(self, X):
            X, y = validate_data(self, X, y, dtype=[np.float32, np.float64])
            check_classification_targets(y)
            statistics.noise_scales(self.epsilon, self.delta, self.clip_norm)
            sweep = GaussianSweep.of(
                np.asarray(X), np.asarray(y), delta=self.delta, clip_norm=self.clip_norm,
                n_frequencies=self.n_frequencies, grey=self.grey, image_shape=self.image_shape,
                classes=self.classes, random_state=self.random_state,
            )  # fmt: skip
            warn_of_size(("classes",) * (self.classes is None))
            self.classes_ = sweep.classes
            released = sweep.at(self.epsilon)
            self._seal(released.guarantee)
        self.released_ = replace(released, guarantee=self.privacy_)  # with what the fit has noted
        return self

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee of a fit to ``n_records`` pictures, without reading a picture."""
        statistics.noise_scales(self.epsilon, self.delta, self.clip_norm)
        return gaussians_guarantee(
            self.epsilon, self.delta, clip_norm=self.clip_norm,
            classes_declared=self.classes is not None,
        )  # fmt: skip

    def sample(
        self, n_per_class: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.float32], NDArray[Any]]:
        """Return synthetic pictures (C·n_per_class, d) in [0, 1], and their classes (C·n_per_class,)."""
        check_is_fitted(self)
        images = self.released_.sample(n_per_class, rng)
        return images.reshape(-1, images.shape[-1]), np.repeat(self.classes_, n_per_class)

    def __sklearn_tags__(self) -> Tags:
        """Return the estimator tags of scikit-learn, which state that ``fit`` requires y."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def accuracy(
    X: ArrayLike,
    y: ArrayLike,
    *,
    X_test: ArrayLike,
    y_test: ArrayLike,
    classifier: str = "logistic",
    steps: int = _STEPS,
) -> float:
    """Train a classifier on pictures, usually synthetic ones, and return its accuracy on real pictures.

    Parameters
    ----------
    X, X_test : array (n, d), (m, d)
        Pictures to train on, and real pictures to test on, in [0, 1].
    y, y_test : array (n,), (m,)
        Classes of ``X`` and of ``X_test``.
    classifier : "logistic", "mlp" or "ridge"
        Logistic regression, a network with 100 hidden units, or ridge regression (the fastest).
    steps : int
        Number of training steps of "mlp", ≥ 1. With more steps the network also learns noise that all
        synthetic pictures share, and classifies fewer real pictures correctly.

    Returns
    -------
    float
        Fraction of the test pictures that are classified correctly.

    Raises
    ------
    ValueError
        When ``classifier`` is unknown, or ``steps`` is below 1.

    See Also
    --------
    ClassGaussians
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
