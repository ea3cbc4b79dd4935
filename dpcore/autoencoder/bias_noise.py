"""Bias weight perturbation (Jain et al. 2021), which adds noise to the biases of a trained autoencoder.

The paper asserts a sensitivity of 1 and claims that the result is (ε, δ)-private. This claim is false. The released
pictures are functions of the originals, the weights are released without noise, and no bound on the sensitivity is
known. Every ε in this module is therefore nominal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.autoencoder.weights import Fitted, Weights, sigmoid, weights_of
from dpcore.guarantee import Guarantee, Part
from dpcore.mechanisms import gaussian_sigma

__all__ = [
    "EPSILONS",
    "KINDS",
    "BiasNoise",
    "draw_noise",
    "nominal_guarantee",
    "perturb_biases",
    "sigmas",
]


KINDS = ("hidden", "output", "both")

EPSILONS = (0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class BiasNoise:
    """Standard normal noise for the biases of both layers, which is drawn once and scaled for every ε.

    For h hidden units and d pixels, ``hidden`` is (draws, m, h) and ``output`` is (draws, m, d). If m = 1, all images
    of a draw have the same noise vector, as in the paper by Jain et al. Otherwise m is the number of images, and
    every image has a separate noise vector.

    See Also
    --------
    draw_noise, perturb_biases
    """

    hidden: NDArray[np.float32]
    output: NDArray[np.float32]


def draw_noise(
    model: Weights | Fitted, draws: int, *, rng: np.random.Generator, images: int = 1
) -> BiasNoise:
    """Return standard normal noise for the hidden and output biases of a model.

    Parameters
    ----------
    model : Autoencoder or Weights
        The network whose biases are perturbed.
    draws : int
        Number of independent repetitions, ≥ 1.
    rng : numpy.random.Generator
        Source of the noise.
    images : int
        Number of noise vectors in a draw. It is 1 if all images share one noise vector (as in the paper by Jain et
        al.), and otherwise the number of images.

    Returns
    -------
    BiasNoise

    See Also
    --------
    BiasNoise, perturb_biases
    """
    weights = weights_of(model)
    shape = _checks.integer("draws", draws, low=1), _checks.integer("images", images, low=1)
    return BiasNoise(
        hidden=rng.standard_normal((*shape, weights.n_hidden), np.float32),
        output=rng.standard_normal((*shape, weights.n_pixels), np.float32),
    )


def sigmas(
    epsilon: ArrayLike, delta: float = 1e-5, *, kind: str, calibration: str = "classical"
) -> NDArray[np.float64]:
    """Return the noise scales on hidden and output biases, for the sensitivity 1 that Jain et al. assert.

    The calibration "classical" uses the formula of Jain et al., σ = √(2 ln(1.25/δ))/ε, which is proved only for ε <
    1. For the kind "both" it spends ε/2 on each layer, which doubles σ (and would cost 2δ).

    The calibration "analytic" returns the smallest σ for (ε, δ). It treats the kind "both" as one Gaussian vector
    with sensitivity √2.

    Parameters
    ----------
    epsilon : array (n_eps,) or float
        Nominal ε ≥ 1e-12. For ε = inf there is no noise.
    delta : float
        δ in (0, 1).
    kind : "hidden", "output" or "both"
        Layers whose biases carry noise.
    calibration : "classical" or "analytic"
        Formula of the noise scale.

    Returns
    -------
    ndarray (n_eps, 2)
        Standard deviations on the hidden and the output biases.

    Raises
    ------
    ValueError
        When an argument is not allowed.

    See Also
    --------
    perturb_biases, dpcore.mechanisms.gaussian_sigma

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.
    B. Balle and Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy: analytical
    calibration and optimal denoising", ICML, 2018.

    Examples
    --------
    >>> sigmas([0.8], kind="both").round(3).tolist()
    [[12.112, 12.112]]
    """
    _checks.one_of("kind", kind, KINDS)
    if calibration == "analytic":
        share, reach = 1.0, math.sqrt(2) if kind == "both" else 1.0
    else:
        share, reach = (0.5 if kind == "both" else 1.0), 1.0
    grid = np.atleast_1d(np.asarray(epsilon, float)).tolist()
    grid = [_checks.epsilon(e, low=_checks.SMALLEST_EPSILON) for e in grid]
    sigma = [gaussian_sigma(reach, share * e, delta=delta, calibration=calibration) for e in grid]
    return np.outer(sigma, [kind != "output", kind != "hidden"])


def perturb_biases(
    model: Weights | Fitted,
    X: ArrayLike,
    *,
    kind: str | Sequence[str] = KINDS,
    epsilon: ArrayLike = EPSILONS,
    delta: float = 1e-5,
    draws: int = 10,
    rng: np.random.Generator | None = None,
    noise: BiasNoise | None = None,
    calibration: str = "classical",
) -> NDArray[np.float32]:
    """Return reconstructions by models with Gaussian noise on their biases.

    A reconstruction is x̂ = σ(relu(x W₁ + b₁ + σ₁ Z₁) W₂ + b₂ + σ₂ Z₂), where σ without index is the logistic
    function (Jain et al. 2021, "Methodology"). σ₁ and σ₂ are the noise scales from `sigmas`. For "output" σ₁ is 0,
    and for "hidden" σ₂ is 0. Z₁ and Z₂ are standard normal; the same draws are used for every ε and kind.

    Parameters
    ----------
    model : Autoencoder or Weights
        A trained model.
    X : array (m, d)
        Images in [0, 1].
    kind : "hidden", "output", "both", or several of them
        Layers whose biases carry noise.
    epsilon : array (n_eps,) or float
        Nominal ε ≥ 1e-12. For ε = inf there is no noise.
    delta : float
        δ in (0, 1).
    draws : int
        Number of independent perturbed models, ≥ 1.
    rng : numpy.random.Generator
        Source of the noise. It is not needed if ``noise`` is given.
    noise : BiasNoise, optional
        Result of `draw_noise`, which allows several calls to use the same noise.
    calibration : "classical" or "analytic"
        Formula of the noise scales, see `sigmas`.

    Returns
    -------
    ndarray (n_eps, kinds, draws, m, d), float32
        Released pictures in [0, 1]. They are not private at any ε, see `nominal_guarantee`.

    Raises
    ------
    ValueError
        When shapes or ranges do not fit, or neither ``rng`` nor ``noise`` is given.

    See Also
    --------
    draw_noise, sigmas, nominal_guarantee

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.

    Examples
    --------
    >>> w = Weights(np.eye(4), np.zeros(4), np.eye(4), np.zeros(4))
    >>> perturb_biases(
    ...     w, np.zeros((5, 4)), kind="output", epsilon=[1, 2], rng=np.random.default_rng(0)
    ... ).shape
    (2, 1, 10, 5, 4)
    """
    weights, kinds = weights_of(model), (kind,) if isinstance(kind, str) else tuple(kind)
    images = _images(weights, X)
    unit = noise if noise is not None else draw_noise(weights, draws, rng=_needed(rng))
    scales = np.stack(
        [sigmas(epsilon, delta, kind=k, calibration=calibration) for k in kinds], 1
    ).astype(np.float32)
    before = weights.hidden(images)
    clean = weights.decode(np.maximum(before, 0))
    shape = (*scales.shape[:2], len(unit.hidden), *images.shape)
    out = np.empty(shape, np.float32)
    for place, layers in enumerate(kinds):
        logits = out[:, place]
        first, second = scales[:, place].T[:, :, None, None, None]
        if layers == "output":
            np.add(clean, second * unit.output, out=logits)
            continue
        codes = np.maximum(before + first * unit.hidden, 0)
        logits[...] = (codes.reshape(-1, weights.n_hidden) @ weights.W2).reshape(logits.shape)
        logits += weights.b2 + second * unit.output if layers == "both" else weights.b2
    return sigmoid(out, out=out)


def _needed(rng: np.random.Generator | None) -> np.random.Generator:
    if rng is None:
        raise ValueError("rng=None is not allowed without noise: give a numpy Generator.")
    return rng


def _images(weights: Weights, X: ArrayLike) -> NDArray[np.float32]:
    images = np.asarray(X, np.float32)
    if images.ndim != 2 or images.shape[1] != weights.n_pixels:
        raise ValueError(f"X has shape {images.shape}: give images (m, {weights.n_pixels}).")
    return images


def nominal_guarantee(epsilon: float, delta: float = 1e-5, *, kind: str) -> Guarantee:
    """Return the guarantee of a release by `perturb_biases`, which is nominal for any claimed ε.

    Parameters
    ----------
    epsilon, delta : float
        ε and δ that the paper by Jain et al. claims.
    kind : "hidden", "output" or "both"
        Layers whose biases carry noise.

    Returns
    -------
    Guarantee
        Guarantee with ε = ∞ and the claimed ε as ``claimed_epsilon``. Neighbours differ in one replaced record, as in
        the paper.

    See Also
    --------
    perturb_biases, gaussians_guarantee

    References
    ----------
    P. Jain, M. Gyanchandani, S. Sahu and R. Mishra, "Differentially private data release: bias
    weight perturbation method - a novel approach", 2021.

    Examples
    --------
    >>> nominal_guarantee(0.8, kind="output").epsilon
    inf
    """
    _checks.one_of("kind", kind, KINDS)
    layers = ("hidden", "output") if kind == "both" else (kind,)
    return Guarantee(
        epsilon=math.inf, delta=delta, neighbouring="replace_one", status="nominal",
        argument="The weights and the images enter without noise, and sensitivity 1 is asserted.",
        not_protected=("the images that are reconstructed", "the training images"),
        parts=tuple(
            Part(name=f"{layer} biases", epsilon=epsilon / len(layers), delta=delta,
                 mechanism="Gaussian at an asserted sensitivity of 1")
            for layer in layers
        ),
        claimed_epsilon=epsilon,
    )  # fmt: skip
