"""Gaussian models of picture classes, as a noisy release and as exact statistics, which are secret."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, mechanisms
from dpcore._declared_bounds import class_index
from dpcore._fixed_order import compiled_products
from dpcore._random_state import generator
from dpcore._types import RandomState
from dpcore.accounting import GaussianEvent
from dpcore.autoencoder import statistics
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.units import Unit

__all__ = ["GaussianSweep", "Gaussians", "gaussians_guarantee"]

PICTURE = Unit(singular="picture", plural="pictures")


@dataclass(frozen=True, kw_only=True, eq=False)
class Gaussians:
    """Released Gaussian distributions of codes, one for each class, and the map from codes to pictures.

    There are C classes, k numbers in a code and d pixels in a picture. ``means`` is (C, k). ``factors`` (C, k, k)
    holds a matrix A for every class, and A Aᵀ is the covariance. The code z gives the picture ``grey`` + z ``basis``,
    where ``basis`` is (k, d). Everything computed from this release is post-processing and costs no further ε.
    """

    means: NDArray[np.float64]
    factors: NDArray[np.float64]
    basis: NDArray[np.float32]
    grey: float
    guarantee: Guarantee

    def sample(self, n_per_class: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return synthetic pictures (C, n_per_class, d) in [0, 1] of C classes.

        A picture is clip(grey + (m + A u) B), where m and A are the mean and the factor of its class, B is the basis,
        and u is a standard normal draw from ``rng``. Generators with equal seeds give the same u at every ε.
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


@dataclass(frozen=True, kw_only=True, eq=False)
class GaussianSweep:
    """Exact statistics and one noise draw, from which the data holder computes class Gaussians for any ε.

    This object is NOT a release. Publish only the result of one call of `at`, and never this object. Two releases
    with differently scaled copies of the same noise reveal the exact statistics.

    Parameters
    ----------
    exact, unit : Statistics
        Exact statistics of the data, and standard normal noise of the same shapes.
    classes : ndarray (C,)
        The C classes in the order of the statistics.
    basis : ndarray (k, d)
        Basis of the codes, which have k numbers.
    grey, clip_norm, delta : float
        Grey level that is subtracted from every pixel, largest norm of a code, and δ; see `ClassGaussians`.
    declared : bool
        True if the caller declared the list of classes, and False if it was read from the data.
    random_state : object
        Random state of the noise. If it is a seed, the guarantee assumes that the seed stays secret.

    See Also
    --------
    ClassGaussians

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    """

    exact: statistics.Statistics
    unit: statistics.Statistics
    classes: NDArray[Any]
    basis: NDArray[np.float32]
    grey: float
    clip_norm: float
    delta: float
    declared: bool
    random_state: RandomState

    @classmethod
    def of(
        cls,
        X: NDArray[np.floating[Any]],
        y: NDArray[Any],
        *,
        delta: float,
        clip_norm: float,
        n_frequencies: int,
        grey: float,
        image_shape: tuple[int, int] | None = None,
        classes: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> Self:
        """Compute the exact statistics of the classes of some pictures, and draw noise for these statistics.

        Parameters
        ----------
        X : ndarray (n, d)
            Pictures of d pixels in [0, 1].
        y : ndarray (n,)
            Class of every picture.
        delta, clip_norm, n_frequencies, grey, image_shape, classes, random_state
            Parameters of `ClassGaussians`.

        Returns
        -------
        GaussianSweep
            The statistics and the noise, from which `at` computes class Gaussians for any ε.
        """
        level = _checks.number("grey", grey, low=0, high=1)
        known, index = class_index(np.asarray(y), classes)
        basis = statistics.cosine_basis(_shape(image_shape, X.shape[1]), n_frequencies)
        images = np.clip(X, 0, 1).astype(np.float32)
        # Not by a product of matrices: it rounds a picture's code by its place among the others.
        codes = compiled_products(images - np.float32(level), basis)
        exact = statistics.summarise(statistics.clip_codes(codes, clip_norm), index, len(known))
        unit = statistics.draw_unit(len(known), len(basis), generator(random_state))
        return cls(
            exact=exact, unit=unit, classes=known, basis=basis, grey=level, clip_norm=clip_norm,
            delta=delta, declared=classes is not None, random_state=random_state,
        )  # fmt: skip

    def again(self, *, delta: float, random_state: RandomState) -> Self:
        """Return a copy with the same exact statistics, another δ and new noise."""
        unit = statistics.draw_unit(len(self.classes), len(self.basis), generator(random_state))
        return replace(self, unit=unit, delta=delta, random_state=random_state)

    def at(self, epsilon: float) -> Gaussians:
        """Return the class Gaussians with the noise scaled for ε ≥ 1e-12; for ε = inf there is no noise."""
        scales = statistics.noise_scales(epsilon, self.delta, self.clip_norm)
        means, factors = statistics.repair(statistics.add_noise(self.exact, self.unit, scales))
        privacy = gaussians_guarantee(
            epsilon, self.delta, clip_norm=self.clip_norm, classes_declared=self.declared
        )
        return Gaussians(
            means=means, factors=factors, basis=self.basis, grey=self.grey,
            guarantee=privacy.with_seed(self.random_state),
        )  # fmt: skip


def _shape(image_shape: tuple[int, int] | None, n_pixels: int) -> tuple[int, int]:
    if image_shape is None:
        side = math.isqrt(n_pixels)
        return (side, side) if side * side == n_pixels else (1, n_pixels)
    high, wide = image_shape
    if high * wide != n_pixels:
        raise ValueError(
            f"image_shape={image_shape!r} is not allowed for {n_pixels} pixels: "
            "give height and width whose product that is."
        )
    return high, wide


def gaussians_guarantee(
    epsilon: float,
    delta: float,
    *,
    clip_norm: float,
    classes_declared: bool = True,
    unit: Unit = PICTURE,
) -> Guarantee:
    """Return the guarantee of `ClassGaussians`, which is (ε, δ) if one (image, label) is added or removed.

    Parameters
    ----------
    epsilon, delta, clip_norm : float
        ε and δ of the release, and the norm to which the code of an image is clipped; see `ClassGaussians`.
    classes_declared : bool
        Whether the list of classes was declared. If it was read from the data, the guarantee is nominal, because the
        list reveals whether the only record of a class is present.
    unit : Unit
        Privacy unit, with a noun for one image and the maximum number of images of one person.

    Returns
    -------
    Guarantee

    See Also
    --------
    ClassGaussians, nominal_guarantee

    References
    ----------
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.
    """
    part = Part(
        name="sizes, sums and second moments of the classes", epsilon=epsilon, delta=delta,
        mechanism=f"analytic Gaussian on vectors of norm at most R = {clip_norm:g}",
    )  # fmt: skip
    return from_event(
        GaussianEvent(mechanisms.gaussian_sigma(1.0, epsilon, delta=delta)), delta, calibrated_epsilon=epsilon,
        neighbouring="add_remove", unit=unit,
        status="proved" if classes_declared else "nominal",
        argument="One Gaussian release of clipped statistics; sampling is post-processing."
        + " The list of classes was read from the data, which nothing pays for."
        * (not classes_declared),
        public=(
            "the list of classes" + " (here READ from the data: a leak)" * (not classes_declared),
            "the shape of a picture", "the clip norm and the basis",
        ),
        parts=(part,),
    )  # fmt: skip
