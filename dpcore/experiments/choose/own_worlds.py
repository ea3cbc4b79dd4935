"""Two neighbouring tables of a person's own, through their whole preparation and a training of Choose ε.

The attack is on the published weights: it measures what the preparation of the table adds
to the training's own promise. A division by class, as it once was, let the same attack tell the two tables apart
in 97.7 % of releases at ε = 1.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.worlds import Worlds
from dpcore.datasets import OwnChoices, own_table, read_csv
from dpcore.experiments.choose import classifiers
from dpcore.experiments.choose.guarantee import guarantee
from dpcore.experiments.choose.params import ChooseParams
from dpcore.experiments.choose.problem import Problem
from dpcore.guarantee import Guarantee

__all__ = ["WORLDS", "problems", "tables"]

Floats = NDArray[np.float64]
_PARAMS = ChooseParams(epsilon=1.0, dataset="own", method="softmax", beforehand="yes")
_COLUMNS = tuple("abcdef")
_N = 2000
_PROBES = 40  # trainings of each world that the direction of the attack is learned from


def tables(n: int = _N) -> tuple[bytes, bytes]:
    """Return a table of n rows with six yes-or-no columns, and the same with another class in its first row."""
    rng = np.random.default_rng(7)
    cells, kinds = rng.integers(0, 2, (n, len(_COLUMNS))), rng.integers(0, 2, n)
    found = []
    for first in (kinds[0], 1 - kinds[0]):
        rows = [*zip(cells.tolist(), [first, *kinds[1:]], strict=True)]
        lines = [",".join([*map(str, row), ("no", "yes")[kind]]) for row, kind in rows]
        found.append("\n".join([",".join([*_COLUMNS, "kind"]), *lines]).encode())
    return found[0], found[1]


@lru_cache(maxsize=1)
def problems() -> tuple[Problem, Problem]:
    """Return what the page trains on, of either table, with everything declared."""
    said = OwnChoices(
        task="classification", target="kind", features=_COLUMNS, public=("n", "classes"), n_rows=_N,
        classes=("no", "yes"), bounds=dict.fromkeys(_COLUMNS, (0.0, 1.0)),
    )  # fmt: skip
    first, second = (own_table(read_csv(raw), said) for raw in tables())
    return Problem(first.data, own=first), Problem(second.data, own=second)


def _trained(canary: bool, seed: int) -> Floats:
    problem = problems()[int(canary)]
    epsilons = np.array([_PARAMS.epsilon])
    weights = classifiers.trained("softmax", problem, epsilons, _PARAMS.delta, seed)[1]
    return np.asarray(weights[0])


@lru_cache(maxsize=1)
def _direction() -> tuple[Floats, float]:
    """The linear test between the two tables, learned from trainings of its own: direction (w,) and middle."""
    found = [
        np.array([_trained(there, 10**9 + k) for k in range(_PROBES)]) for there in (False, True)
    ]
    means = [weights.mean(axis=0) for weights in found]
    spread = np.mean([np.cov(weights.T) for weights in found], axis=0)
    # Trainings are few: a ridge of the mean variance keeps directions without any spread small.
    ridge = np.trace(spread) / len(spread) * np.eye(len(spread))
    towards = np.linalg.solve(spread + ridge, means[1] - means[0])
    return towards, float(towards @ (means[0] + means[1]) / 2)


def _release(canary: bool, rng: np.random.Generator) -> float:
    towards, middle = _direction()
    return float(_trained(canary, int(rng.integers(10**9))) @ towards - middle)


def _claim() -> Guarantee:
    return guarantee(_PARAMS, problems()[0], "softmax")


WORLDS: tuple[Worlds, ...] = (
    Worlds(
        name="own table, softmax",
        neighbours="2,000 rows of an own table, one of them with another class; replace_one, everything declared",
        canary="the class of one row: a division by class would draw new parts of two classes",
        score="linear test between the published weights of both tables, learned from other trainings",
        claim=_claim,
        release=_release,
    ),
)
