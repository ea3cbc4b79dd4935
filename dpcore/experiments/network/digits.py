"""Private and non-private training on handwritten digits of 8 × 8 pixels, epoch by epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore._worker_process import in_worker_process
from dpcore.datasets import load
from dpcore.experiments import shared
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee
from dpcore.network import DIGITS, Recipe, descend, readings, training_guarantee
from dpcore.units import Unit

__all__ = [
    "CLIP_GRID",
    "EPOCHS",
    "N_OUTCOMES",
    "N_WALL",
    "RATES",
    "SAMPLE_RATES",
    "TRAINED_AT",
    "Costs",
    "NetworkParams",
    "Outcomes",
    "Problem",
    "Sweep",
    "Training",
    "costs",
    "guarantee",
    "guarantees",
    "problem",
    "recipe",
    "run",
    "run_outcomes",
    "run_sweep",
    "spent",
    "steps_an_epoch",
    "trained",
    "trained_in_worker",
]

CLIP_GRID: tuple[float, ...] = (0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0)
EPOCHS: tuple[int, ...] = (5, 10, 20, 40, 80)
RATES: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
SAMPLE_RATES: tuple[float, ...] = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Sampling rates q at which an epoch is a whole number 1/q of steps."""
TRAINED_AT: tuple[float, ...] = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 2.0, 4.0, 20.0)
"""Values of ε from the slider's grid at which `run_sweep` trains."""
N_OUTCOMES = 6
"""Number of trainings of `run_outcomes`."""
N_WALL = 70
"""Number of test digits, from the first one on, with stored predictions in `Training.reads`."""


@dataclass(frozen=True, kw_only=True)
class NetworkParams(Params):
    """Privacy parameters and settings of the training.

    - ``epsilon`` in [0.05, 20], ``delta`` in [1e-8, 1e-3].
    - ``clip_norm`` > 0, ``learning_rate`` > 0.
    - ``sample_rate``: probability that a picture is in a step. An epoch has 1 / ``sample_rate``
      steps.
    - ``schedule``: "constant" or "linear".

    Examples
    --------
    >>> NetworkParams(epsilon=2.5, clip_norm=2.0).to_link()
    {'epsilon': '2.5', 'clip_norm': '2'}
    """

    epsilon: float = shared.epsilon(4.0)
    clip_norm: float = control(1.0, grid=CLIP_GRID, symbol="C")
    sample_rate: float = shared.sample_rate(0.1, grid=SAMPLE_RATES)
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


@dataclass(frozen=True, eq=False)
class Problem:
    """The digits: 1437 pictures for training and 360 for testing, (n, 64), with pixels in [0, 1].

    ``unit``: the privacy unit, one picture. ``public``: public facts about the data.
    """

    X: NDArray[np.float32]
    y: NDArray[np.int64]
    X_test: NDArray[np.float32]
    y_test: NDArray[np.int64]
    unit: Unit
    public: tuple[str, ...]

    @property
    def n_train(self) -> int:
        """Number N of training records, which is public."""
        return len(self.y)


@dataclass(frozen=True, kw_only=True, eq=False)
class Training:
    """State of a training after m epochs.

    - ``accuracy`` (m + 1,): test accuracy after epochs 0, 1, ..., m.
    - ``reads`` (N_WALL,): classes predicted after epoch m for the first `N_WALL` test digits.
    """

    accuracy: Floats
    reads: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """Finished private trainings at K increasing values of ε, on the same batches.

    The same noise draws are scaled for each ε.

    - ``epsilons`` (K,): the values of ε.
    - ``accuracy`` (K, epochs + 1): test accuracy after epochs 0, 1, ..., the last one.
    - ``reads`` (K, N_WALL): predicted classes of the first `N_WALL` test digits.
    """

    epsilons: Floats
    accuracy: Floats
    reads: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """S finished private trainings with the same settings, each with its own batches and noise.

    - ``accuracy`` (S,): final test accuracy.
    - ``reads`` (S, N_WALL): predicted classes of the first `N_WALL` test digits.
    """

    accuracy: Floats
    reads: NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True, eq=False)
class Costs:
    """Privacy costs of n trainings that differ only in ε.

    - ``noise_multipliers`` (n,): σ.
    - ``spent`` (n, epochs + 1): ε used up after epochs 0, 1, ..., the last one.
    """

    noise_multipliers: Floats
    spent: Floats


@lru_cache(maxsize=1)
def problem() -> Problem:
    """Return the digits; the result is cached."""
    data = load("digits")
    X, X_test = ((part / 16).astype(np.float32) for part in (data.X, data.X_test))
    return Problem(X, data.y, X_test, data.y_test, data.unit, data.public)


def steps_an_epoch(sample_rate: float) -> int:
    """Return the number of steps in an epoch, in which every picture is used once on average."""
    return round(1 / sample_rate)


@lru_cache(maxsize=256)
def recipe(params: NetworkParams) -> Recipe:
    """Return the settings of the private training with the smallest noise multiplier for the requested ε."""
    q = params.sample_rate
    steps = steps_an_epoch(q) * params.epochs
    sigma = accounting.noise_multiplier(params.epsilon, params.delta, sample_rate=q, n_steps=steps)
    return Recipe(
        clip_norm=params.clip_norm, noise_multiplier=sigma, sample_rate=q, n_steps=steps,
        learning_rate=params.learning_rate, schedule=params.schedule,
    )  # fmt: skip


def guarantee(params: NetworkParams) -> Guarantee:
    """Return the guarantee of the released network, for one picture."""
    data = problem()
    base = training_guarantee(
        recipe(params),
        params.delta,
        expected_n=data.n_train,
        n_weights=DIGITS.n_weights,
        unit=data.unit,
    )
    return replace(base, public=(*base.public, *data.public))


@lru_cache(maxsize=1)
def unit() -> Unit:
    """Return the privacy unit of the digits: one picture."""
    return problem().unit


def guarantees(params: NetworkParams) -> list[Guarantee]:
    """Return the guarantee of the training at every ε of the grid.

    Each training has the noise that its ε requires.
    """
    return guarantee(params).tabulated(EPSILON_GRID)


def spent(params: NetworkParams) -> Floats:
    """Return an upper bound (epochs + 1,) on the ε used up after epochs 0, 1, ..., the last one."""
    settings = recipe(params)
    by = steps_an_epoch(settings.sample_rate)
    steps = tuple(by * epoch for epoch in range(1, params.epochs + 1))
    by_epoch = accounting.epsilons_by_steps(
        noise_multiplier=settings.noise_multiplier,
        sample_rate=settings.sample_rate,
        n_steps=steps,
        delta=params.delta,
    )
    return np.array([0.0, *by_epoch])


def costs(along: Iterable[NetworkParams]) -> Costs:
    """Return noise multipliers and used-up ε of several trainings with parameters that differ only in ε."""
    pairs = [(recipe(params).noise_multiplier, spent(params)) for params in along]
    return Costs(
        noise_multipliers=np.array([sigma for sigma, _ in pairs]),
        spent=np.array([by_epoch for _, by_epoch in pairs]),
    )


def trained(
    data: Problem,
    how: Recipe,
    seed: int,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Training]:
    """Train on the digits; yield the state of the training after every epoch.

    Parameters
    ----------
    data : Problem
        Digits.
    how : Recipe
        Settings of a private training, or ``how.plain()`` for the same steps on the same pictures
        without privacy.
    seed : int
        Seed of batches and noise, ≥ 0.
    progress, check : callables
        ``progress`` is called with the fraction done and a sentence. ``check`` is called at every
        step and may raise.
    """
    by = steps_an_epoch(how.sample_rate)
    marks = range(0, how.n_steps + 1, by)
    accuracies: list[float] = []
    steps = descend(
        DIGITS, data.X, y=data.y, recipe=how, streams=sgd.Streams.of(seed), expected_n=data.n_train, snapshots=marks,
        check=check,
    )  # fmt: skip
    for step, weights in steps:
        reads = readings(DIGITS, weights, X=data.X_test)
        accuracies.append(float((reads == data.y_test).mean()))
        progress(step / how.n_steps, f"epoch {step // by} of {len(marks) - 1}")
        yield Training(accuracy=np.array(accuracies), reads=reads[:N_WALL].astype(np.uint8))


def trained_in_worker(
    how: Recipe,
    seed: int,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Training]:
    """Do the training of `trained` in a worker process; yield the state after every epoch.

    The end of the process frees its memory.
    """
    return in_worker_process(_on_digits, how, seed, progress=progress, check=check)


def _on_digits(how: Recipe, seed: int, **hooks: Callable[..., None]) -> Iterator[Training]:
    return trained(problem(), how, seed, **hooks)


def run_sweep(
    params: NetworkParams,
    first: float | None = None,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Sweep]:
    """Train privately at every ε of `TRAINED_AT`; after each training, yield all finished ones.

    Parameters
    ----------
    params : NetworkParams
        Settings; ε is used only as the default of ``first``.
    first : float, optional
        Trainings begin with the values of ε that are nearest to this one in ratio.
    progress, check : callables
        ``progress`` is called with the fraction done and a sentence. ``check`` is called regularly
        and may raise to stop the work.
    """
    around = np.log(params.epsilon if first is None else first)
    order = sorted(TRAINED_AT, key=lambda epsilon: abs(np.log(epsilon) - around))
    done: dict[float, Training] = {}
    for epsilon in order:
        check()
        how = recipe(params.but(epsilon=epsilon))
        (done[epsilon],) = in_worker_process(_last_on_digits, how, params.seed, check=check)
        progress(len(done) / len(order), f"{len(done)} of {len(order)}")
        known = sorted(done)
        yield Sweep(
            epsilons=np.array(known),
            accuracy=np.array([done[epsilon].accuracy for epsilon in known]),
            reads=np.array([done[epsilon].reads for epsilon in known]),
        )


def run_outcomes(
    params: NetworkParams,
    *,
    progress: Callable[[float, str], None] = lambda part, text: None,
    check: Callable[[], None] = lambda: None,
) -> Outcomes:
    """Train privately `N_OUTCOMES` times, in a worker process.

    The seeds are derived from the parameters' seed.

    Parameters
    ----------
    params : NetworkParams
        Settings, at the ε of the trainings.
    progress, check : callables
        ``progress`` is called with the fraction done and a sentence. ``check`` is called regularly
        and may raise to stop the work.
    """
    how, done = recipe(params), list[Training]()
    for seed in np.random.SeedSequence([params.seed, N_OUTCOMES]).generate_state(N_OUTCOMES):
        check()
        (last,) = in_worker_process(_last_on_digits, how, int(seed), check=check)
        done.append(last)
        progress(len(done) / N_OUTCOMES, f"{len(done)} of {N_OUTCOMES}")
    return Outcomes(
        accuracy=np.array([training.accuracy[-1] for training in done]),
        reads=np.array([training.reads for training in done]),
    )


def _last_on_digits(how: Recipe, seed: int, **hooks: Callable[..., None]) -> Iterator[Training]:
    *_, last = _on_digits(how, seed, **hooks)
    yield last


@lru_cache(maxsize=4)
def run(params: NetworkParams) -> tuple[Training, Training]:
    """Return the finished private training and the non-private one with the same steps."""
    how = recipe(params)
    private, plain = (list(trained(problem(), r, params.seed))[-1] for r in (how, how.plain()))
    return private, plain
