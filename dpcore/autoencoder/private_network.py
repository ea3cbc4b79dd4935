"""Autoencoder that is trained by DP-SGD and generates synthetic pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, accounting, per_sample, sgd
from dpcore._declared_bounds import class_index
from dpcore._fixed_order import compiled_products
from dpcore._random_state import seed_sequence
from dpcore._torch import need_torch, one_thread
from dpcore._types import Floats32, RandomState
from dpcore.accounting.accountant import steps_event
from dpcore.autoencoder import statistics
from dpcore.autoencoder.train import glorot, views
from dpcore.autoencoder.weights import Weights, sigmoid
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import gaussian_sigma
from dpcore.units import Unit

__all__ = [
    "NETWORK_PRESETS",
    "NetworkRecipe",
    "PrivateNetwork",
    "Step",
    "clipped_sum",
    "train_private",
    "train_steps",
]


@dataclass(frozen=True, kw_only=True)
class NetworkRecipe:
    """Training and release settings of the private autoencoder, chosen without the data.

    Parameters
    ----------
    n_hidden : int
        Number h ≥ 1 of hidden units.
    clip_norm : float
        Norm C in [1e-30, 1e30] to which the gradient of the mean squared error of one picture is clipped.
    sample_rate : float
        Probability q in (0, 1] that a picture joins the lot (batch) of a step (Poisson sampling).
    n_steps : int
        Number T ≥ 1 of steps.
    learning_rate : float
        Step size of Adam, in (0, 1].
    code_norm : float
        Norm R in [1e-6, 1e6] to which the code of a picture is clipped.
    share : float
        Fraction s in (0, 1) of the privacy budget for the sums of codes; the training steps get the rest. The noise
        multiplier of the sums is σ/√s, where σ is the noise multiplier at which a single Gaussian release costs the
        whole (ε, δ).

    See Also
    --------
    train_private, PrivateNetwork
    """

    n_hidden: int = 16
    clip_norm: float = 0.02
    sample_rate: float = 0.2
    n_steps: int = 400
    learning_rate: float = 0.015
    code_norm: float = 5.0
    share: float = 0.5

    def __post_init__(self) -> None:
        _checks.integer("n_hidden", self.n_hidden, low=1)
        _checks.scale("clip_norm", self.clip_norm)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.integer("n_steps", self.n_steps, low=1)
        _checks.number("learning_rate", self.learning_rate, low=0, high=1, open_low=True)
        _checks.number("code_norm", self.code_norm, low=1e-6, high=1e6)
        _checks.number("share", self.share, low=0, high=1, open_low=True, open_high=True)

    def noise(self, epsilon: float, delta: float) -> tuple[float, float]:
        """Return the noise multiplier of a training step and that of the code sums.

        With them, the release of all training steps and the code sums together is (ε, δ)-DP.
        """
        sums = gaussian_sigma(1.0, epsilon, delta=delta) / np.sqrt(self.share)
        step = accounting.noise_multiplier(
            epsilon,
            delta,
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            besides=accounting.GaussianEvent(sums),
        )
        return step, float(sums)

    def guarantee(self, epsilon: float, delta: float, noise: tuple[float, float]) -> Guarantee:
        """Return the guarantee of a training with given noise multipliers of steps and of code sums (``noise``).

        Neighbours differ in one (picture, class) that is added or removed.
        """
        steps = accounting.epsilon(
            noise_multiplier=noise[0],
            sample_rate=self.sample_rate,
            n_steps=self.n_steps,
            delta=delta,
        )
        sums = accounting.spent(accounting.GaussianEvent(noise[1]), delta)
        both = accounting.Sequence((
            steps_event(noise[0], self.sample_rate, n_steps=self.n_steps), accounting.GaussianEvent(noise[1]),
        ))  # fmt: skip
        return from_event(
            both, delta, calibrated_epsilon=epsilon, neighbouring="add_remove",
            unit=Unit(singular="picture", plural="pictures"),
            argument="Privacy loss distribution of sampled Gaussian steps and of one Gaussian release of clipped "
            "sums; inventing pictures is post-processing.",
            public=("the number of records N", "the list of classes", "the recipe of the training"),
            not_protected=("a picture that is put into the network afterwards",),
            parts=(
                Part(name=f"{self.n_steps} steps", epsilon=steps, delta=delta,
                     mechanism=f"Poisson-subsampled Gaussian, σ = {noise[0]:.3g}"),
                Part(name="sizes, sums and second moments of the codes", epsilon=sums, delta=delta,
                     mechanism=f"Gaussian on vectors of norm at most R = {self.code_norm:g}"),
            ),
        )  # fmt: skip


NETWORK_PRESETS: dict[str, NetworkRecipe] = {
    "digits": NetworkRecipe(n_hidden=24),
    "mnist": NetworkRecipe(
        n_hidden=64, sample_rate=0.004, n_steps=400, learning_rate=0.005, code_norm=12.0
    ),
}

"""Recipes by the name of the data set that each was tuned on; ε does not cover the tuning.

See docs/autoencoder_tuning.md.
"""


Step = Callable[[Floats32, Any], None]

"""Function ``watch(weights, noisy_sum)`` that gets the release of every training step, for audits.

``weights`` (p,) holds the weights before the step. ``noisy_sum`` (p,) is the noisy sum of gradients in the step.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivateNetwork:
    """Release of `train_private`, with the weights of the network and a Gaussian distribution of codes per class.

    There are C classes, and a code has h numbers. ``means`` is (C, h). ``factors`` (C, h, h) holds a matrix A for
    every class, and A Aᵀ is the covariance. Everything that is computed only from the release is post-processing and
    costs no further ε. A picture that is passed through the network afterwards is not protected.

    See Also
    --------
    train_private, NetworkRecipe, ClassGaussians
    """

    weights: Weights
    means: NDArray[np.float64]
    factors: NDArray[np.float64]
    guarantee: Guarantee

    def sample(self, n_per_class: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return synthetic pictures (C, n_per_class, d) in [0, 1] of C classes.

        A picture is σ(relu(m + A u) W₂ + b₂), where σ is the logistic function, m and A are the mean and the factor
        of its class, and u is a standard normal draw from ``rng``.
        """
        n = _checks.integer("n_per_class", n_per_class, low=1)
        unit = rng.standard_normal((len(self.means), n, self.weights.n_hidden))
        codes = unit @ self.factors.swapaxes(-1, -2) + self.means[:, None]
        return sigmoid(self.weights.decode(np.maximum(codes, 0)))


def train_private(
    X: ArrayLike,
    y: ArrayLike,
    *,
    recipe: NetworkRecipe,
    epsilon: float,
    delta: float,
    expected_n: int,
    classes: ArrayLike,
    random_state: RandomState = None,
    progress: Callable[[float], None] = lambda part: None,
    watch: Step = lambda weights, noisy: None,
) -> PrivateNetwork:
    """Train the autoencoder of Jain et al. by DP-SGD, and release private class statistics of its codes.

    Training takes T steps W ← Adam(W, (Σ clip_C(g_i) + σ₁ C Z)/(q N)) on Poisson-sampled lots of pictures i (Abadi et
    al. 2016, Algorithm 1). g_i is the gradient of the mean squared error of picture i, Z is standard normal, and N is
    ``expected_n``.

    Then three statistics of the codes z of every class are released with noise multiplier σ₂: the number of pictures,
    Σ z and Σ z zᵀ. Before, codes are clipped to norm R.

    T, C, q and R are settings of the recipe. The method `NetworkRecipe.noise` computes σ₁ and σ₂ from the joint
    privacy loss distribution, such that the training and the statistics together are (ε, δ)-DP.

    Parameters
    ----------
    X : array (n, d)
        Pictures; values outside [0, 1] are clipped.
    y : array (n,)
        Class of each picture, which must be in the list ``classes``.
    recipe : NetworkRecipe
        Settings of the training.
    epsilon, delta : float
        Privacy budget of training and statistics together, with ε in (0, inf) and δ in (0, 1).
    expected_n : int
        Public number N ≥ 1 of pictures. The noisy sum of a step is divided by qN.
    classes : array-like (C,)
        The public list of classes.
    random_state : int, Generator, RandomState or None
        Source of initial weights, lots and noise. Use None for releases.
    progress : callable
        Function that is called after every step with the completed fraction. It may raise an exception to stop the
        training.
    watch : callable
        Function that is called in every step with the weights (p,) before the step and the noisy sum (p,) of
        gradients in the step.

    Returns
    -------
    PrivateNetwork
        The release. Its ``guarantee`` is proved for neighbours that differ in one added or removed (picture, class).

    Raises
    ------
    ValueError
        When an argument is outside its range or a pixel is not finite.
    ImportError
        When torch is not installed.

    See Also
    --------
    perturb_biases, ClassGaussians, clipped_sum

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    G. Acs, L. Melis, C. Castelluccia and E. De Cristofaro, "Differentially private mixture of generative
    neural networks", IEEE Transactions on Knowledge and Data Engineering 31, 2019.
    """
    size = _checks.integer("expected_n", expected_n, low=1)
    images, (known, index) = _pixels(X), class_index(np.asarray(y), classes)
    if len(images) != len(index):
        raise ValueError(f"X has {len(images)} pictures and y {len(index)} classes: give as many.")
    budget = _checks.number("epsilon", epsilon, low=0, open_low=True)
    noise = recipe.noise(budget, delta)
    steps, sums = seed_sequence(random_state).spawn(2)
    weights = train_steps(images, recipe, noise[0], size, steps, progress=progress, watch=watch)
    means, factors = _summed(weights, images, index, len(known), recipe, noise[1], sums)
    guarantee = recipe.guarantee(epsilon, delta, noise).with_seed(random_state)
    return PrivateNetwork(weights=weights, means=means, factors=factors, guarantee=guarantee)


def _pixels(X: ArrayLike) -> Floats32:
    pixels = np.asarray(X, float)
    if pixels.ndim != 2 or not np.isfinite(pixels).all():
        raise ValueError("X is not allowed: give pictures (n, d) whose pixels are finite numbers.")
    return cast(Floats32, np.clip(pixels, 0, 1).astype(np.float32))


def train_steps(
    images: Floats32,
    recipe: NetworkRecipe,
    noise_multiplier: float,
    expected_n: int,
    source: np.random.SeedSequence,
    *,
    progress: Callable[[float], None] = lambda part: None,
    watch: Step = lambda weights, noisy: None,
) -> Weights:
    """Return the weights after the T noisy steps of `train_private` on pictures (n, d) in [0, 1]."""
    streams = sgd.Streams.spawned(source)
    torch = need_torch()
    start = glorot(images.shape[1], recipe.n_hidden, streams.start)
    flat = torch.from_numpy(np.concatenate([array.ravel() for array in start]))
    flat.grad = torch.zeros_like(flat)
    parts = views(flat, [array.shape for array in start])
    adam = torch.optim.Adam([flat], lr=recipe.learning_rate)
    q, C, chance = recipe.sample_rate, recipe.clip_norm, np.random.default_rng(streams.key)
    lots = sgd.poisson_lots(max(len(images), 1), q, n_steps=recipe.n_steps, rng=streams.lots)
    with one_thread():
        for t in range(recipe.n_steps):
            lot = lots.at(t)
            x = images[lot[lot < len(images)]]
            total = torch.from_numpy(clipped_sum(flat.numpy(), recipe.n_hidden, x, C))
            sent = per_sample.noisy(total, noise_multiplier, clip_norm=C, rng=chance)
            watch(flat.numpy().copy(), sent.numpy())
            flat.grad.copy_(sent / (q * expected_n))
            adam.step()
            progress((t + 1) / recipe.n_steps)
    return Weights(*(part.numpy() for part in parts))


def clipped_sum(
    weights: NDArray[np.float32], n_hidden: int, X: NDArray[np.float32], clip_norm: float
) -> NDArray[np.float64]:
    """Return Σ_i clip_C(g_i) (p,), where g_i is the gradient of the mean squared error of picture i.

    Every bit of the gradient of a picture depends only on this picture and the weights. Adding or removing a picture
    changes the sum by exactly the clipped gradient of the picture, which has norm at most C.

    Parameters
    ----------
    weights : ndarray (p,), float32
        W₁ (d, h), b₁ (h,), W₂ (h, d), b₂ (d,), flattened and joined; p = 2dh + d + h.
    n_hidden : int
        Number h of hidden units.
    X : ndarray (n, d), float32
        The n ≥ 0 pictures of a lot (batch), in [0, 1].
    clip_norm : float
        C in [1e-30, 1e30].
    """
    from dpcore.autoencoder import _network_compiled

    d, clip = X.shape[1], _checks.scale("clip_norm", clip_norm)
    W1, b1, W2, b2 = np.split(
        np.ascontiguousarray(weights, np.float32), np.cumsum([d * n_hidden, n_hidden, n_hidden * d])
    )
    longest = max(d, n_hidden)
    total = _network_compiled.summed(
        np.ascontiguousarray(X, np.float32), W1, b1, W2, b2,
        np.ascontiguousarray(W2.reshape(n_hidden, d).T).ravel(),
        np.arange(longest), np.zeros(longest, np.float32), clip,
    )  # fmt: skip
    return cast(NDArray[np.float64], clip / 2.0**24 * total.astype(float))


def _summed(
    weights: Weights,
    images: Floats32,
    index: NDArray[np.int64],
    n_classes: int,
    recipe: NetworkRecipe,
    noise_multiplier: float,
    source: np.random.SeedSequence,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # Not by a product of matrices: it rounds a picture's code by its place among the others.
    hidden = compiled_products(images, weights.W1.T) + weights.b1
    codes = statistics.clip_codes(np.maximum(hidden, 0), recipe.code_norm)
    exact = statistics.summarise(codes, index, n_classes)
    unit = statistics.draw_unit(n_classes, weights.n_hidden, np.random.default_rng(source))
    scales = statistics.shared_scales(noise_multiplier, recipe.code_norm)
    return statistics.repair(statistics.add_noise(exact, unit, scales))
