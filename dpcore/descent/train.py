"""DP-SGD of a small model at many noise levels together, with a choice of clipping rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, _draws, sgd
from dpcore._fixed_order import dots
from dpcore.descent.models import Model

__all__ = [
    "CLIPPING",
    "LARGEST_LOT",
    "ROOM",
    "Path",
    "Recipe",
    "clipped_sum",
    "descend",
    "gradients",
    "norms",
]

Floats = NDArray[np.float64]
CLIPPING = ("example", "batch", "none")
NOISE = ("lot", "example")
_FARTHEST = 1e50
ROOM = 1e-5
"""Fraction of the clipping norm C that is reserved for rounding errors in the sum over a lot.

For n records, summed in any order, these errors are at most 2 · n² · 2⁻⁵³ · C. This is less than the reserve for n up
to `LARGEST_LOT`.
"""
LARGEST_LOT = 200_000


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Settings of one training by DP-SGD.

    Parameters
    ----------
    clip_norm : float
        Clip norm C in [1e-30, 1e30].
    sample_rate : float
        q in (0, 1], probability that a record joins a lot (Poisson sampling).
    n_steps : int
        Number T ≥ 1 of steps.
    learning_rate : float
        η in [1e-30, 1e30].
    clipping : "example", "batch" or "none"
        "example" clips each record's gradient to norm C (sensitivity C). "batch" clips the lot's mean gradient to
        norm C (sensitivity 2C) and does not divide it by qN. "none" does not clip, so there is no guarantee.
    noise : "lot" or "example"
        "lot" adds noise once to the sum, as the proof requires. "example" adds noise to every record's gradient, as
        printed on some lecture slides. The noise of the sum is then √|lot| times larger.

    See Also
    --------
    descend

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """

    clip_norm: float = 1.0
    sample_rate: float = 0.1
    n_steps: int = 100
    learning_rate: float = 1.0
    clipping: str = "example"
    noise: str = "lot"

    def __post_init__(self) -> None:
        _checks.scale("clip_norm", self.clip_norm)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.integer("n_steps", self.n_steps, low=1)
        _checks.scale("learning_rate", self.learning_rate)
        _checks.one_of("clipping", self.clipping, CLIPPING)
        _checks.one_of("noise", self.noise, NOISE)


@dataclass(frozen=True, kw_only=True)
class Path:
    """Weights of V models during training, and the lots and the noise of the training.

    The training has T steps.

    - ``weights`` (V, S, n_weights) are the weights at S snapshots.
    - ``steps`` (S,) are the numbers of steps before the snapshots, from 0 to T.
    - ``lots`` are the Poisson samples of records.
    - ``unit`` (T, n_weights) is the standard normal noise of every step.

    See Also
    --------
    descend
    """

    weights: Floats
    steps: NDArray[np.int64]
    lots: sgd.Lots
    unit: Floats


def norms(factors: list[tuple[Floats, Floats]]) -> Floats:
    """Return the norms (V, n) of n records' gradients in V models.

    The norm is √Σ ‖inputs‖²‖errors‖², summed over the layers. ``factors`` are the (inputs, errors) of every layer,
    from ``Model.factors``.
    """
    square = sum(dots(a, a) * dots(e, e) for a, e in factors)
    return cast(Floats, np.sqrt(np.asarray(square)))


def clipped_sum(factors: list[tuple[Floats, Floats]], scale: Floats) -> Floats:
    """Return the sum Σ_i scale_i g_i (V, n_weights) of n records' gradients g_i in V models.

    ``scale`` is (V, n). ``factors`` are the (inputs, errors) of every layer, from ``Model.factors``.
    """
    parts = [
        (np.swapaxes(errors * scale[..., None], -1, -2) @ inputs).reshape(len(scale), -1)
        for inputs, errors in factors
    ]
    return np.concatenate(parts, axis=1)


def gradients(factors: list[tuple[Floats, Floats]]) -> Floats:
    """Return the gradients (V, n, n_weights) of n records in V models, which figures show.

    ``factors`` are the (inputs, errors) of every layer, from ``Model.factors``.
    """
    parts = []
    for inputs, errors in factors:
        outer = (
            errors[..., :, None]
            * np.broadcast_to(inputs, (*errors.shape[:2], inputs.shape[-1]))[..., None, :]
        )
        # Not -1, because a sample may be empty.
        parts.append(outer.reshape(*errors.shape[:2], errors.shape[-1] * inputs.shape[-1]))
    return np.concatenate(parts, axis=-1)


def descend(
    model: Model,
    X: Floats,
    *,
    y: Floats,
    recipe: Recipe,
    noise_multiplier: Floats,
    streams: sgd.Streams,
    snapshots: NDArray[np.int64],
    without: int | None = None,
    expected_n: int | None = None,
    check: Callable[[], None] = lambda: None,
) -> Path:
    """Train together V models that differ only in their noise.

    A step is W ← W - η/(qN) (Σ clip_C(g_i) + σ C Z). g_i is the gradient of record i of the step's lot
    (Poisson-sampled batch). Z is standard normal and the same for all models. `Recipe` lists variants of this step.

    Neighbouring data sets differ in one added or removed record. N sets the scale of the noise in W, so it must be
    public, and the same for both neighbours. With clipping "example" and noise "lot" (Abadi et al. 2016, Algorithm 1)
    a training is (ε, δ)-DP with ε = ``accounting.epsilon(σ, q, T, δ)``. With clipping "batch" ε is the result for
    σ/2.

    Parameters
    ----------
    model : Model
        The model to train.
    X : ndarray (N, d + 1)
        Records with a constant last feature, scaled by public bounds.
    y : ndarray (N,)
        Labels 0 or 1, or class numbers.
    recipe : Recipe
        Settings of the training.
    noise_multiplier : ndarray (V,)
        Noise multiplier σ ≥ 0 of each model.
    streams : dpcore.sgd.Streams
        Random streams of starting weights, lots and noise.
    snapshots : ndarray (S,)
        Steps before which the weights are stored, from 0 to T, in non-decreasing order.
    without : int, optional
        Index of a record to leave out; N and the lots of all other records are unchanged.
    expected_n : int, optional
        Public N ≥ 1. None takes len(y); if that number is private, the guarantee does not hold.
    check : callable, optional
        Called at every snapshot; may raise to stop the training.

    Returns
    -------
    Path
        The weights at the snapshots, the lots and the noise.

    See Also
    --------
    Recipe, Path, dpcore.accounting.epsilon

    References
    ----------
    M. Abadi et al., "Deep learning with differential privacy", CCS, 2016.
    """
    sigma = np.asarray(noise_multiplier, float)
    size = len(y) if expected_n is None else _checks.integer("expected_n", expected_n, low=1)
    if np.abs(X).max(initial=0) > _FARTHEST or not np.isfinite(sigma).all():
        raise ValueError(f"X beyond ±{_FARTHEST:g} or a noise_multiplier that is not finite is not "
                         "allowed: scale the features by public bounds.")  # fmt: skip
    _refuse_large(recipe.sample_rate * size)
    lots = sgd.poisson_lots(len(y), recipe.sample_rate, n_steps=recipe.n_steps, rng=streams.lots)
    lots = lots if without is None else lots.without(without)
    rng = np.random.default_rng(streams.key)
    unit = _draws.normal(rng, (recipe.n_steps, model.n_weights))
    weights = np.tile(model.start(streams.start), (len(sigma), 1))
    saved_weights = np.empty((len(sigma), len(snapshots), model.n_weights))
    places = np.searchsorted(snapshots, np.arange(recipe.n_steps + 2))
    for t in range(recipe.n_steps + 1):
        if places[t + 1] > places[t]:
            saved_weights[:, places[t] : places[t + 1]] = weights[:, None]
            check()
        if t < recipe.n_steps:
            lot = lots.at(t)
            move = recipe.learning_rate * step(
                model, weights, X[lot], y[lot], recipe, sigma[:, None] * unit[t], size
            )
            # Post-processing: NaN weights would defeat the clipping of the next step.
            weights = np.clip(weights - move, -_FARTHEST, _FARTHEST)
    return Path(weights=saved_weights, steps=np.asarray(snapshots, np.int64), lots=lots, unit=unit)


def _refuse_large(expected_lot: float) -> None:
    # Uses the declared number: the lots reveal the true number of records.
    if expected_lot > LARGEST_LOT // 2:
        raise ValueError(
            f"sample_rate times the number of records is {expected_lot:g}, which is not allowed: sums over lots "
            f"of more than {LARGEST_LOT // 2:,} records round too much for the bound on one record. Give a smaller "
            "sample_rate."
        )


def step(
    model: Model,
    weights: Floats,
    X: Floats,
    y: Floats,
    recipe: Recipe,
    noise: Floats,
    n_samples: int,
) -> Floats:
    """Return the noisy mean gradient (V, n_weights) of one lot (Poisson-sampled batch).

    The recipe specifies clipping and noise. With clipping "example", gradients are clipped to a norm slightly below
    C, and the margin covers the rounding error of their sum. A record's clipped gradient has the same bits in any lot
    (see `models`). Adding or removing a record therefore changes the sum by at most C.

    Parameters
    ----------
    model, recipe
        The trained model, and the settings of the training.
    weights : ndarray (V, n_weights)
        Present weights of the V models.
    X, y : ndarrays (n, d + 1), (n,)
        The lot, possibly empty.
    noise : ndarray (V, n_weights)
        σ times standard normal noise.
    n_samples : int
        Public N; the sum is divided by the expected size qN of a lot.
    """
    factors = model.factors(weights, X, y)
    clip = recipe.clip_norm
    if recipe.noise == "example":
        noise = noise * np.sqrt(len(y))  # the sum of |lot| independent noises
    if recipe.clipping == "batch":
        mean = clipped_sum(factors, np.full((len(weights), len(y)), 1 / max(len(y), 1)))
        length = np.sqrt(np.square(mean).sum(-1, keepdims=True))
        return cast(Floats, mean / np.maximum(1, length / ((1 - 1e-12) * clip)) + noise * clip)
    scale = np.ones((len(weights), len(y)))
    if recipe.clipping == "example":
        # Less than C by what the rounding of the sum may take. A norm beyond all numbers (inf · 0 for a
        # record far out) leaves nothing that could be clipped.
        ratios = norms(factors) / ((1 - ROOM) * clip)
        scale = np.where(np.isfinite(ratios), 1 / np.maximum(1, ratios), 0.0)
    return (clipped_sum(factors, scale) + noise * clip) / (recipe.sample_rate * n_samples)
