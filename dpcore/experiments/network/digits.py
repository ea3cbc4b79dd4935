"""Private training on handwritten digits of 8 × 8 pixels, epoch by epoch, with a non-private twin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore._apart import apart
from dpcore.datasets import load
from dpcore.experiments import shared
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee
from dpcore.network import DIGITS, Recipe, accuracy, descend, training_guarantee
from dpcore.units import Unit

__all__ = [
    "CLIP_GRID",
    "EPOCHS",
    "RATES",
    "SAMPLE_RATE",
    "STEPS_AN_EPOCH",
    "Costs",
    "NetworkParams",
    "Problem",
    "Training",
    "costs",
    "guarantee",
    "guarantees",
    "problem",
    "recipe",
    "run",
    "spent",
    "trained",
    "trained_apart",
]

CLIP_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
EPOCHS: tuple[int, ...] = (5, 10, 20, 40, 80)
RATES: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)


@dataclass(frozen=True, kw_only=True)
class NetworkParams(Params):
    """Privacy parameters and settings of the training.

    ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3], ``clip_norm`` > 0, ``epochs`` of ten steps, each of
    which every picture joins with probability 0.1; ``learning_rate`` > 0, ``schedule`` "constant" or "linear".

    Examples
    --------
    >>> NetworkParams(epsilon=2.5, clip_norm=2.0).to_link()
    {'epsilon': '2.5', 'clip_norm': '2'}
    """

    epsilon: float = shared.epsilon(4.0)
    clip_norm: float = control(1.0, grid=CLIP_GRID, symbol="C")
    epochs: int = control(20, grid=EPOCHS)
    learning_rate: float = control(0.5, grid=RATES, symbol="η")
    schedule: str = control(
        "linear",
        choices=("constant", "linear"),
        symbol="ηₜ",
    )
    delta: float = shared.delta()
    seed: int = shared.seed(18)  # the most typical of 41, by `make openings`


Floats = NDArray[np.float64]
SAMPLE_RATE, STEPS_AN_EPOCH = 0.1, 10


@dataclass(frozen=True, eq=False)
class Problem:
    """Digits with pixels in [0, 1]: 1437 for training, (n, 64), and 360 for testing; ``unit``: a picture."""

    X: NDArray[np.float32]
    y: NDArray[np.int64]
    X_test: NDArray[np.float32]
    y_test: NDArray[np.int64]
    unit: Unit
    public: tuple[str, ...]

    @property
    def n_train(self) -> int:
        """Number N of training records, public."""
        return len(self.y)


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """Test accuracy after epochs 0, 1, ... up to the last finished one, (m + 1,)."""

    accuracy: Floats


@dataclass(frozen=True, kw_only=True, eq=False)
class Costs:
    """Noise multiplier at each ε of its grid, (n,), and ε `spent` by epochs 0, 1, ..., (n, epochs + 1)."""

    noise_multipliers: Floats
    spent: Floats


@lru_cache(maxsize=1)
def problem() -> Problem:
    """Return the digits, cached."""
    data = load("digits")
    X, X_test = ((part / 16).astype(np.float32) for part in (data.X, data.X_test))
    return Problem(X, data.y, X_test, data.y_test, data.unit, data.public)


@lru_cache(maxsize=256)
def recipe(params: NetworkParams) -> Recipe:
    """Return the settings of the private training, with the least noise multiplier that ε allows."""
    steps = STEPS_AN_EPOCH * params.epochs
    sigma = accounting.noise_multiplier(
        params.epsilon, params.delta, sample_rate=SAMPLE_RATE, n_steps=steps
    )
    return Recipe(
        clip_norm=params.clip_norm, noise_multiplier=sigma, sample_rate=SAMPLE_RATE, n_steps=steps,
        learning_rate=params.learning_rate, schedule=params.schedule,
    )  # fmt: skip


def guarantee(params: NetworkParams) -> Guarantee:
    """Return the guarantee of the released network for one picture."""
    found = problem()
    made = training_guarantee(
        recipe(params),
        params.delta,
        expected_n=found.n_train,
        n_weights=DIGITS.n_weights,
        unit=found.unit,
    )
    return replace(made, public=(*made.public, *found.public))


@lru_cache(maxsize=1)
def unit() -> Unit:
    """Return the privacy unit of the digits: one picture."""
    return problem().unit


def guarantees(params: NetworkParams) -> list[Guarantee]:
    """Return the guarantees of a training at every ε of the grid, each with the noise that it requires."""
    return guarantee(params).tabulated(EPSILON_GRID)


def spent(params: NetworkParams) -> Floats:
    """Return an upper bound on ε after epochs 0, 1, ... to the last, (epochs + 1,)."""
    made = recipe(params)
    steps = tuple(STEPS_AN_EPOCH * epoch for epoch in range(1, params.epochs + 1))
    by_epoch = accounting.epsilons_by_steps(
        noise_multiplier=made.noise_multiplier,
        sample_rate=SAMPLE_RATE,
        n_steps=steps,
        delta=params.delta,
    )
    return np.array([0.0, *by_epoch])


def costs(along: Iterable[NetworkParams]) -> Costs:
    """Return noise multipliers and spent ε of trainings with these parameters, which differ in ε only."""
    found = [(recipe(params).noise_multiplier, spent(params)) for params in along]
    return Costs(
        noise_multipliers=np.array([sigma for sigma, _ in found]),
        spent=np.array([by_epoch for _, by_epoch in found]),
    )


def trained(
    data: Problem,
    how: Recipe,
    seed: int,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Training]:
    """Yield the training after every epoch.

    Parameters
    ----------
    data : Problem
        Digits.
    how : Recipe
        Private, or ``how.plain()``: the same steps of the same pictures.
    seed : int
        ≥ 0.
    progress, check : callables
        Told the part done and a sentence; ``check`` is called at every step and may raise.
    """
    marks = range(0, how.n_steps + 1, STEPS_AN_EPOCH)
    found: list[float] = []
    steps = descend(
        DIGITS, data.X, data.y, how, sgd.Streams.of(seed), expected_n=data.n_train, snapshots=marks,
        check=check,
    )  # fmt: skip
    for step, weights in steps:
        found.append(accuracy(DIGITS, weights, data.X_test, data.y_test))
        epoch = step // STEPS_AN_EPOCH
        progress(step / how.n_steps, f"epoch {epoch} of {len(marks) - 1}")
        yield Training(accuracy=np.array(found))


def trained_apart(
    how: Recipe,
    seed: int,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Training]:
    """Yield as `trained` for the digits, in a worker process whose memory is freed at the end."""
    return apart(_on_digits, how, seed, progress=progress, check=check)


def _on_digits(how: Recipe, seed: int, **hooks: Callable[..., None]) -> Iterator[Training]:
    return trained(problem(), how, seed, **hooks)


@lru_cache(maxsize=4)
def run(params: NetworkParams) -> tuple[Training, Training]:
    """Return the finished private training and its non-private twin."""
    how = recipe(params)
    private, plain = (list(trained(problem(), r, params.seed))[-1] for r in (how, how.plain()))
    return private, plain
