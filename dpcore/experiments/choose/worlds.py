"""The worst neighbours of what Choose ε trains with noise of its own: descent, and the generator's sums.

One record is replaced by its opposite. The other methods of the page are estimators, or draws of them, that are
audited beside their own modules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.audit.likelihood_ratios import clipped, step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.autoencoder import statistics
from dpcore.descent import Model, Softmax, SoftmaxNetwork, descend
from dpcore.experiments.choose import classifiers
from dpcore.experiments.choose.guarantee import guarantee
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import named_problem
from dpcore.guarantee import Guarantee

__all__ = ["WORLDS"]

Floats = NDArray[np.float64]
_PARAMS = ChooseParams(epsilon=4.0, dataset="iris")
# Far out, with a constant: gradients of norm C and more whatever the weights near their start are.
_RECORD = np.array([[8.0, 1.0]])
_CLIP = 0.5
_CODE = np.array([[_CLIP, 0.0]])


def _claim() -> Guarantee:
    """What the page says of one result; of iris everything is public, as of the records here."""
    return guarantee(_PARAMS, named_problem(_PARAMS.dataset))


def _descent(name: str, model: Model, gradient: Callable[[Floats, float], Floats]) -> Worlds:
    """Every step of the page's descent; steps so small that gradients stay as long as clipping allows."""
    recipe = replace(classifiers.RECIPES[name], learning_rate=1e-4)
    sigma = classifiers.step_noise(_PARAMS.epsilon, _PARAMS.delta, recipe.n_steps)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        seed = np.random.SeedSequence(rng.integers(2**32, size=8).tolist())
        weights = descend(
            model, _RECORD, np.array([float(canary)]), recipe, np.array([sigma]),
            sgd.Streams.spawned(seed), snapshots=np.arange(recipe.n_steps + 1), expected_n=1,
        ).weights[0]  # fmt: skip
        seen = -np.diff(weights, axis=0) / recipe.learning_rate
        mine, other = (clipped(gradient(weights[:-1], label), recipe.clip_norm) for label in (1, 0))
        return step_evidence(seen, mine, scale=sigma * recipe.clip_norm, replaced=other)

    return Worlds(
        name=f"Choose ε, {name}",
        neighbours="one record with class 0 or 1; replace_one",
        canary="so far out that its gradient has the clipping norm, with the opposite class",
        score="log-likelihood ratio of all steps",
        claim=_claim,
        release=_release,
        threshold=0.0,
        gaussian=True,
    )


def _slope(scores: Floats, label: float) -> Floats:
    """p - e_y of two classes, (T, 2), for scores (T, 2)."""
    p = 1 / (1 + np.exp(scores[:, 0] - scores[:, 1]))
    slope = p - label
    return np.column_stack([-slope, slope])


def _softmax(weights: Floats, label: float) -> Floats:
    """The gradient (T, 4) of softmax regression, (p - e_y) x."""
    x = _RECORD[0]
    slope = _slope(weights.reshape(-1, 2, 2) @ x, label)
    return cast(Floats, (slope[:, :, None] * x).reshape(len(weights), -1))


def _network(weights: Floats, label: float) -> Floats:
    """The gradient (T, 6) of a network with one hidden unit, by the chain rule."""
    x, first, second = _RECORD[0], weights[:, :2], weights[:, 2:].reshape(-1, 2, 2)
    h = np.tanh(first @ x)
    inside = np.column_stack([h, np.ones_like(h)])
    slope = _slope((second * inside[:, None]).sum(-1), label)
    back = (slope * second[:, :, 0]).sum(-1) * (1 - h * h)
    last = (slope[:, :, None] * inside[:, None]).reshape(len(weights), -1)
    return np.hstack([back[:, None] * x, last])


def _sums(canary: bool, rng: np.random.Generator) -> float:
    """Log-likelihood ratio of sizes, sums and moments: a code of the clipping norm, or the opposite one."""
    scales = classifiers.sums_noise(_PARAMS.epsilon, _PARAMS.delta, _CLIP)
    there, without = (statistics.summarise(sign * _CODE, np.array([0]), 2) for sign in (1, -1))
    unit = statistics.draw_unit(2, _CODE.shape[1], rng)
    seen = statistics.add_noise(there if canary else without, unit, scales)
    move = there.sums - without.sums
    return float((move * seen.sums).sum()) / scales[1] ** 2


WORLDS: tuple[Worlds, ...] = (
    _descent("softmax", Softmax(1, 2), _softmax),
    _descent("network", SoftmaxNetwork(1, 2, width=1), _network),
    Worlds(
        name="Choose ε, invented people",
        neighbours="one record of a class or its opposite; replace_one",
        canary="its code has the clipping norm: it moves the sums by twice that",
        score="log-likelihood ratio of the noisy sums",
        claim=_claim,
        release=_sums,
        threshold=0.0,
        gaussian=True,
    ),
)
