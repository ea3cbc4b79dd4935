"""Worst-case neighbouring data sets for audits of the methods of the Choose ε page, with the noise of each method.

There are three kinds of pairs:

- two labels of a single record, for gradient descent;
- two opposite vectors of a single record, for the generator's sums;
- two user tables that differ in one row, for the preparation of a table and a training on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.audit.likelihood_ratios import clipped, step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.autoencoder import statistics
from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.descent import Model, Softmax, SoftmaxNetwork, descend
from dpcore.experiments.choose import estimators
from dpcore.experiments.choose.estimators import guarantee
from dpcore.experiments.choose.problem import ChooseParams, Problem, named_problem
from dpcore.guarantee import Guarantee

__all__ = [
    "WORLDS",
    "problems",
    "tables",
]

Floats = NDArray[np.float64]
_PARAMS = ChooseParams(epsilon=4.0, dataset="iris")
# Far out, with a constant: gradients of norm C and more whatever the weights near their start are.
_RECORD = np.array([[8.0, 1.0]])
_CLIP = 0.5
_CODE = np.array([[_CLIP, 0.0]])


def _claim() -> Guarantee:
    """Return the guarantee that the page states for one result on the data set iris.

    All facts that the methods use, such as bounds, are public for this data set.
    """
    return guarantee(_PARAMS, named_problem(_PARAMS.dataset))


def _descent(name: str, model: Model, gradient: Callable[[Floats, float], Floats]) -> Worlds:
    """Return the audit of gradient descent by an attacker who sees every step.

    Steps are so small that every gradient is clipped in every step.
    """
    recipe = replace(estimators.RECIPES[name], learning_rate=1e-4)
    sigma = estimators.step_noise(_PARAMS.epsilon, _PARAMS.delta, recipe.n_steps)

    def _release(canary: bool, rng: np.random.Generator) -> float:
        seed = np.random.SeedSequence(rng.integers(2**32, size=8).tolist())
        weights = descend(
            model, _RECORD, y=np.array([float(canary)]), recipe=recipe, noise_multiplier=np.array([sigma]),
            streams=sgd.Streams.spawned(seed), snapshots=np.arange(recipe.n_steps + 1), expected_n=1,
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
    """Return p - e_y (T, 2), for the scores (T, 2) of two classes.

    p are the softmax probabilities, and e_y is the indicator of the class y = ``label``.
    """
    p = 1 / (1 + np.exp(scores[:, 0] - scores[:, 1]))
    slope = p - label
    return np.column_stack([-slope, slope])


def _softmax(weights: Floats, label: float) -> Floats:
    """Return the gradient (T, 4) of softmax regression for the audited record, at T weight vectors.

    It is (p - e_y) x, with the softmax probabilities p and the indicator e_y of the class y =
    ``label``.
    """
    x = _RECORD[0]
    slope = _slope(weights.reshape(-1, 2, 2) @ x, label)
    return cast(Floats, (slope[:, :, None] * x).reshape(len(weights), -1))


def _network(weights: Floats, label: float) -> Floats:
    """Return the gradient (T, 6) of a network with one hidden unit for the audited record, at T weight vectors."""
    x, first, second = _RECORD[0], weights[:, :2], weights[:, 2:].reshape(-1, 2, 2)
    h = np.tanh(first @ x)
    inside = np.column_stack([h, np.ones_like(h)])
    slope = _slope((second * inside[:, None]).sum(-1), label)
    back = (slope * second[:, :, 0]).sum(-1) * (1 - h * h)
    last = (slope[:, :, None] * inside[:, None]).reshape(len(weights), -1)
    return np.hstack([back[:, None] * x, last])


def _sums(canary: bool, rng: np.random.Generator) -> float:
    """Return the log-likelihood ratio of noisy class statistics between two data sets with one record each.

    The record of the first data set has a vector whose length is the clipping norm. The record of the
    second data set has the opposite vector. With ``canary`` the statistics are from the first data set,
    otherwise from the second.
    """
    scales = estimators.sums_noise(_PARAMS.epsilon, _PARAMS.delta, _CLIP)
    there, without = (statistics.summarise(sign * _CODE, np.array([0]), 2) for sign in (1, -1))
    unit = statistics.draw_unit(2, _CODE.shape[1], rng)
    seen = statistics.add_noise(there if canary else without, unit, scales)
    move = there.sums - without.sums
    return float((move * seen.sums).sum()) / scales[1] ** 2


_OWN_PARAMS = ChooseParams(epsilon=1.0, dataset="own", method="softmax", beforehand="yes")
_COLUMNS = tuple("abcdef")
_N = 2000
_PROBES = 40  # trainings of each world that the direction of the attack is learned from


def tables(n: int = _N) -> tuple[bytes, bytes]:
    """Return two CSV tables of n rows that differ only in the class of the first row.

    Each table has six yes-or-no columns and a class.
    """
    rng = np.random.default_rng(7)
    cells, kinds = rng.integers(0, 2, (n, len(_COLUMNS))), rng.integers(0, 2, n)
    files = []
    for first in (kinds[0], 1 - kinds[0]):
        rows = [*zip(cells.tolist(), [first, *kinds[1:]], strict=True)]
        lines = [",".join([*map(str, row), ("no", "yes")[kind]]) for row, kind in rows]
        files.append("\n".join([",".join([*_COLUMNS, "kind"]), *lines]).encode())
    return files[0], files[1]


@lru_cache(maxsize=1)
def problems() -> tuple[Problem, Problem]:
    """Return the learning problems of the two neighbouring user tables, with all facts declared."""
    said = OwnChoices(
        task="classification", target="kind", features=_COLUMNS, public=("n", "classes"), n_rows=_N,
        classes=("no", "yes"), bounds=dict.fromkeys(_COLUMNS, (0.0, 1.0)),
    )  # fmt: skip
    first, second = (own_table(read_csv(raw), said) for raw in tables())
    return Problem(first.data, own=first), Problem(second.data, own=second)


def _trained(canary: bool, seed: int) -> Floats:
    problem = problems()[int(canary)]
    epsilons = np.array([_OWN_PARAMS.epsilon])
    weights = estimators.trained("softmax", problem, epsilons, _OWN_PARAMS.delta, seed)[1]
    return np.asarray(weights[0])


@lru_cache(maxsize=1)
def _direction() -> tuple[Floats, float]:
    """Return a linear test that decides from the w weights of a model on which of two tables it was trained.

    The test is a direction (w,) in weight space and a threshold: the dot product of the direction
    with the midpoint of the two tables' mean weights. Both are learned from trainings that the
    audit does not use.
    """
    trainings = [
        np.array([_trained(there, 10**9 + k) for k in range(_PROBES)]) for there in (False, True)
    ]
    means = [weights.mean(axis=0) for weights in trainings]
    spread = np.mean([np.cov(weights.T) for weights in trainings], axis=0)
    # Trainings are few: a ridge of the mean variance keeps directions without any spread small.
    ridge = np.trace(spread) / len(spread) * np.eye(len(spread))
    towards = np.linalg.solve(spread + ridge, means[1] - means[0])
    return towards, float(towards @ (means[0] + means[1]) / 2)


def _release(canary: bool, rng: np.random.Generator) -> float:
    towards, middle = _direction()
    return float(_trained(canary, int(rng.integers(10**9))) @ towards - middle)


def _own_claim() -> Guarantee:
    return guarantee(_OWN_PARAMS, problems()[0], "softmax")


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
    Worlds(
        name="own table, softmax",
        neighbours="2,000 rows of an own table, one of them with another class; replace_one, everything declared",
        canary="the class of one row: a division by class would draw new parts of two classes",
        score="linear test between the published weights of both tables, learned from other trainings",
        claim=_own_claim,
        release=_release,
    ),
)
