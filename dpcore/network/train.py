"""DP-SGD of a convolutional network (Abadi et al. 2016, Algorithm 1), and its guarantee."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, _noise, accounting, sgd
from dpcore._noise import Normals
from dpcore._torch import one_thread
from dpcore._types import Floats32
from dpcore.guarantee import Guarantee, Part
from dpcore.network.architecture import ConvNet
from dpcore.network.clipping import clipped_sum, scores
from dpcore.units import Unit

__all__ = [
    "WEIGHT_LIMIT",
    "Recipe",
    "accuracy",
    "descend",
    "readings",
    "tame",
    "training_guarantee",
]


WEIGHT_LIMIT = 1e3

"""Largest absolute value of a weight.

Larger weights are clipped after every step, so that all numbers stay finite. The clipping is post-processing.
"""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Settings of one training by DP-SGD.

    Parameters
    ----------
    clip_norm : float or None
        Clip norm C in [1e-30, 1e30]; None does not clip, and there is no guarantee.
    noise_multiplier : float
        σ ≥ 0; with 0 there is no guarantee.
    sample_rate : float
        q in (0, 1], probability that a picture joins a step (Poisson sampling).
    n_steps : int
        Number T ≥ 1 of steps.
    learning_rate : float
        η > 0, the learning rate of the first step.
    schedule : "constant" or "linear"
        Learning rate of step t: η_t = η, or η (1 - t/T).

    See Also
    --------
    descend

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """

    clip_norm: float | None = 1.0
    noise_multiplier: float = 1.0
    sample_rate: float = 0.1
    n_steps: int = 100
    learning_rate: float = 0.25
    schedule: str = "constant"

    def __post_init__(self) -> None:
        if self.clip_norm is not None:
            _checks.scale("clip_norm", self.clip_norm)
        _checks.number("noise_multiplier", self.noise_multiplier, low=0)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.integer("n_steps", self.n_steps, low=1)
        _checks.number("learning_rate", self.learning_rate, low=0, open_low=True)
        _checks.one_of("schedule", self.schedule, ("constant", "linear"))
        if self.clip_norm is None and self.noise_multiplier:
            raise ValueError(
                "noise_multiplier > 0 without a clip_norm is not allowed: the noise is σ C. "
                "Give a clip_norm, or noise_multiplier=0."
            )

    def plain(self) -> Recipe:
        """Return a copy of these settings that neither clips nor adds noise."""
        return Recipe(
            clip_norm=None, noise_multiplier=0.0, sample_rate=self.sample_rate, n_steps=self.n_steps,
            learning_rate=self.learning_rate, schedule=self.schedule,
        )  # fmt: skip

    def epsilon(self, delta: float, n_steps: int | None = None, accountant: str = "pld") -> float:
        """Return the ε of the first ``n_steps`` steps at δ in (0, 1), for one added or removed picture.

        ``n_steps`` None stands for all steps.
        """
        if self.clip_norm is None:
            return float("inf")
        steps = self.n_steps if n_steps is None else n_steps
        return accounting.epsilon(
            noise_multiplier=self.noise_multiplier,
            sample_rate=self.sample_rate,
            n_steps=steps,
            delta=delta,
            accountant=accountant,
        )


def tame(X: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return pictures (n, d) as float32, clipped to [0, 1], with NaN replaced by 0."""
    pixels = np.clip(np.nan_to_num(np.asarray(X), nan=0.0), 0, 1)
    return cast(Floats32, pixels.astype(np.float32, order="C", copy=False))


def accuracy(
    network: ConvNet, weights: NDArray[np.float32], *, X: NDArray[np.float32], y: NDArray[np.int64]
) -> float:
    """Return the fraction of pictures X (n, side²) whose class y (n,) has the largest score."""
    return float((readings(network, weights, X=X) == y).mean())


def readings(
    network: ConvNet, weights: NDArray[np.float32], *, X: NDArray[np.float32]
) -> NDArray[np.int64]:
    """Return the class (n,) with the largest score for each picture of X (n, side²)."""
    classes: NDArray[np.int64] = scores(network, weights, X=tame(X)).argmax(1).astype(np.int64)
    return classes


def descend(
    network: ConvNet,
    X: NDArray[np.float32],
    *,
    y: NDArray[np.int64],
    recipe: Recipe,
    streams: sgd.Streams,
    expected_n: int,
    snapshots: Collection[int],
    resume: tuple[int, NDArray[np.float32]] | None = None,
    without: int | None = None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """Train the network by DP-SGD; yield (step, weights) after every step in ``snapshots``.

    Step t is W ← W - η_t/(qN) (Σ clip_C(g_i) + σ C Z_t). g_i are the gradients of the pictures in the step's lot
    (Poisson-sampled batch), and Z_t is standard normal.

    The lots of all steps are drawn before the first step, and Z_t depends only on the key of the noise stream and on
    t. So a training can be resumed from any snapshot, with the same result.

    All snapshots together are (ε, δ)-DP with ε = ``recipe.epsilon(δ)``. Neighbours differ in one added or removed
    picture. N is public and the same for both neighbours.

    Parameters
    ----------
    network : ConvNet
        The network to train.
    X : ndarray (n, side²)
        Pictures; pixels are clipped to [0, 1].
    y : ndarray (n,)
        Classes from 0 to n_classes - 1.
    recipe : Recipe
        Settings of the training.
    streams : dpcore.sgd.Streams
        Random streams of starting weights, lots and noise.
    expected_n : int
        Public N ≥ 1. Steps are divided by qN, for any true number of pictures.
    snapshots : collection of int
        Steps from 0 to T after which weights are yielded.
    resume : (int, ndarray (n_weights,)), optional
        A step and the weights after it, from an earlier call with the same arguments.
    without : int, optional
        Index of a picture to leave out; the lots of all other pictures are unchanged.
    check : callable, optional
        Called before every step; may raise to stop the training.

    Yields
    ------
    step : int
        Number of steps done.
    weights : ndarray (n_weights,), float32
        Weights after these steps.

    Raises
    ------
    ValueError
        When a class is outside its range, or a picture does not have side² pixels.

    See Also
    --------
    Recipe, clipped_sum, dpcore.accounting.epsilon

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """
    size = _checks.integer("expected_n", expected_n, low=1)
    pictures, classes = _checked(network, X, y)
    lots = sgd.poisson_lots(
        len(classes), recipe.sample_rate, n_steps=recipe.n_steps, rng=streams.lots
    )
    lots = lots if without is None else lots.without(without)
    rates = sgd.step_sizes(recipe.learning_rate, recipe.n_steps, schedule=recipe.schedule)
    normals = Normals(streams.key, network.n_weights)
    first, weights = resume or (0, network.start(streams.start))
    if resume is None and 0 in snapshots:
        yield 0, weights
    for t in range(first, recipe.n_steps):
        check()
        lot = lots.at(t)
        with one_thread():
            total = clipped_sum(
                network, weights, X=pictures[lot], y=classes[lot], clip_norm=recipe.clip_norm
            )
        if recipe.clip_norm is not None and recipe.noise_multiplier:
            total += recipe.noise_multiplier * recipe.clip_norm * normals(t).astype(float)
        moved = weights - float(rates[t]) / (recipe.sample_rate * size) * total
        weights = np.clip(moved, -WEIGHT_LIMIT, WEIGHT_LIMIT).astype(np.float32)
        if t + 1 in snapshots:
            yield t + 1, weights


def _checked(
    network: ConvNet, X: NDArray[np.float32], y: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    pictures, classes = np.asarray(X), np.asarray(y)
    if pictures.shape != (len(classes), network.side**2):
        raise ValueError(
            f"X of shape {pictures.shape} is not allowed: give {len(classes)} rows, one for each of y, of "
            f"{network.side**2} pixels."
        )
    whole = classes.astype(np.int64)
    if len(whole) and not (
        (whole == classes).all() and whole.min() >= 0 and whole.max() < network.n_classes
    ):
        raise ValueError(
            f"y holds a class that is not allowed: give whole numbers from 0 to {network.n_classes - 1}."
        )
    return tame(pictures), whole


PICTURE = Unit(singular="picture", plural="pictures")

_NOTHING = "Neither clipped nor noised: nothing is promised."

_PROVED = (
    "Each picture's gradient is clipped to C before noise is added once to their sum (Abadi et al. 2016). "
    "The privacy loss distributions of the T Poisson-sampled steps are composed."
)


def training_guarantee(
    recipe: Recipe, delta: float, *, expected_n: int, n_weights: int, unit: Unit | None = None
) -> Guarantee:
    """Return the joint guarantee of a training's weights after all of its steps.

    Parameters
    ----------
    recipe : Recipe
        Settings of the training.
    delta : float
        δ in (0, 1).
    expected_n : int
        Public N ≥ 1, the number of pictures by which steps are divided.
    n_weights : int
        Number of weights. It is also the number of normal variates in a step. The random generator truncates their
        tails, and this adds to δ.
    unit : Unit or None
        Privacy unit: what one picture is, and the maximum number of pictures per person; one picture by default.

    Returns
    -------
    Guarantee
        The guarantee for neighbours that differ in one added or removed picture. Its status is nominal without
        clipping or without noise.

    See Also
    --------
    Recipe, descend
    """
    epsilon = recipe.epsilon(delta)
    if math.isinf(epsilon):
        return Guarantee(
            epsilon=epsilon, delta=0.0, neighbouring="add_remove", status="nominal", argument=_NOTHING
        )  # fmt: skip
    normals = recipe.n_steps * n_weights
    beyond = _noise.beyond_reach(normals, 1 / recipe.noise_multiplier)
    delta = min(1.0, delta + _noise.tail_delta(_noise.missing_mass(normals), beyond, epsilon))
    steps = accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(recipe.noise_multiplier), recipe.sample_rate),
        recipe.n_steps,
    )
    mechanism = f"Poisson-subsampled Gaussian, σ = {recipe.noise_multiplier:.3g}, q = {recipe.sample_rate:.3g}"
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status="proved", argument=_PROVED,
        event=steps, n_records=expected_n, unit=PICTURE if unit is None else unit,
        noise_gap=_noise.missing_mass(normals),
        public=(
            f"the number of training pictures N = {expected_n}, so also the expected size of a random "
            f"group, qN = {recipe.sample_rate * expected_n:g}, and the ten classes",
            "the bounds 0 and 1 of every pixel, and every setting",
        ),
        not_protected=(
            "anybody, once it is known who was in which random group (lot): that has to stay secret",
            "the accuracies on test pictures: those are taken to be public",
            "settings that somebody chooses by looking at results: that choice costs extra",
        ),
        parts=(
            Part(name=f"{recipe.n_steps} steps", epsilon=epsilon, delta=delta, mechanism=mechanism),
        ),
    )  # fmt: skip
