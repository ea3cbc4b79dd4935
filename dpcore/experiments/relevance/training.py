"""Prototype and matrix trainings at all noise levels at once, and sweeps over the noise or another setting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore._types import Floats
from dpcore.experiments.grids import CLIP_NORM_GRID, DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.budget import starts
from dpcore.experiments.relevance.params import (
    Problem,
    RelevanceParams,
    problem_of,
    with_prototypes,
)
from dpcore.lvq import gradient_norms, matrix_train, train

__all__ = [
    "LINES",
    "NORM_EDGES",
    "Levels",
    "Line",
    "Model",
    "Paths",
    "Sweep",
    "along",
    "draft_sweep",
    "padded",
    "padded_labels",
    "run_line",
    "run_loop",
    "run_sweep",
    "timeline",
    "train_levels",
]

NORM_EDGES = np.linspace(0, 2.5, 51)
LINES = ("clip_norm", "sample_rate", "learning_rate", "init_share", "prototypes_per_class")
P = TypeVar("P", bound=Problem)
Q = TypeVar("Q", bound=RelevanceParams)


# The loop -----------------------------------------------------------------------------------------


class Paths(NamedTuple):
    """Models of K parallel trainings, each stored at S steps.

    - ``prototypes`` (K, S, P, d): P prototypes of d features.
    - ``omegas`` (K, S, l, d): matrices Ω of l rows. None if only prototypes are trained.
    """

    prototypes: NDArray[np.float32]
    omegas: NDArray[np.float32] | None

    @property
    def matrices(self) -> NDArray[np.float32]:
        """Matrices Ω (K, S, l, d) of K trainings at S stored steps."""
        assert self.omegas is not None, "Λ = I was not trained"
        return self.omegas


def run_loop(
    problem: Problem,
    params: RelevanceParams,
    start: NDArray[np.float32],
    lots: sgd.Lots,
    *,
    X: NDArray[np.float32] | None = None,
    **options: Any,
) -> Paths:
    """Train K models in parallel: only prototypes, or prototypes and the matrix Ω.

    Parameters
    ----------
    problem : Problem
        The data. If its ``first`` is None, only prototypes are trained.
    params : RelevanceParams
        Learning rate and projection.
    start : ndarray (K, P, d)
        The initial prototypes.
    lots : Lots
        The records of each step.
    X : ndarray (n, d), optional
        Records that replace the training records of ``problem``, with the same classes.
    **options
        Arguments of `dpcore.lvq.train.sweep`: ``noise_multiplier``, ``clip_norm``, ``key``,
        ``snapshots``, ...

    Returns
    -------
    Paths
        ``prototypes`` (K, S, P, d) and ``omegas`` (K, S, l, d) or None.
    """
    X = problem.X if X is None else X
    options |= {
        "learning_rate": params.learning_rate,
        "expected_lot": budget.expected_lot(params, problem.n_declared),
        "bounds": (-1.0, 1.0) if params.project else None,
    }
    if problem.first is None:
        return Paths(train.sweep(X, problem.y, start, problem.labels, lots, **options), None)
    path = matrix_train.sweep(X, problem.y, start, problem.first, problem.labels, lots, **options)
    return Paths(*path)


def train_levels(
    problem: Problem,
    params: RelevanceParams,
    nodes: NDArray[np.float64],
    snapshots: NDArray[np.int64],
    *,
    references: bool = True,
    **options: Any,
) -> Paths:
    """Train at K noise levels on the same batches, with the same noise draws scaled for each level.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        All settings except ε.
    nodes : ndarray (K,)
        Noise multipliers.
    snapshots : ndarray (S,)
        Numbers of the steps at which models are stored; the last one ends the training.
    references : bool
        Whether to train two models without noise too, first with clipping, then without.
    **options
        ``threads``, ``progress`` and ``check`` of the loop.

    Returns
    -------
    Paths
        Stored models of the K trainings, followed by the two trainings without noise.
    """
    chance = sgd.Streams.of(params.seed, 0)
    lots = budget.lots(params, len(problem.y), int(snapshots[-1]), chance.lots)
    start = starts(problem, params, nodes, chance.start)
    n_runs = len(nodes) + (2 if references else 0)
    return run_loop(
        problem, params, start[:n_runs], lots, key=chance.key, snapshots=snapshots,
        **noise_and_clipping(params, nodes, n_runs), **options,
    )  # fmt: skip


def noise_and_clipping(
    params: RelevanceParams, nodes: NDArray[np.float64], n_runs: int
) -> dict[str, Any]:
    """Return the noise multipliers and clipping norms of ``n_runs`` trainings, as arguments by name.

    The trainings at the K noise levels ``nodes`` come first. Two references without noise follow,
    one with clipping and one without.
    """
    clip_norms = np.concatenate([np.full(len(nodes) + 1, params.clip_norm), [np.inf]])
    return {
        "noise_multiplier": np.concatenate([nodes, [0.0, 0.0]])[:n_runs],
        "clip_norm": clip_norms[:n_runs],
    }


# Sweeps -------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Trainings at K noise levels, each stored at S epochs.

    - ``nodes`` (K,): noise multipliers σ.
    - ``epochs`` (S,): epochs at which models are stored.
    - ``errors`` (K, S): test errors.
    - ``method_errors`` (S,): test errors with clipping, without noise (ε = ∞).
    - ``plain_errors`` (S,): test errors without clipping and noise.
    """

    params: RelevanceParams
    nodes: NDArray[np.float64]
    epochs: NDArray[np.float64]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]

    @property
    def end(self) -> int:
        """Index of the stored epoch at the end of the requested training."""
        return int(np.abs(self.epochs - self.params.epochs).argmin())

    def places(self) -> NDArray[np.float64]:
        """Return the fractional index (n_epsilon,), among the noise levels, of the σ for every ε of the grid."""
        where = DELTA_GRID.index(self.params.delta), EPOCHS_GRID.index(self.params.epochs)
        return budget.index_table(self.params, self.nodes)[:, *where].astype(float)

    def place(self, epsilon: float) -> float:
        """Return the fractional index, among the noise levels, of the σ for one ε of the grid."""
        return float(self.places()[EPSILON_GRID.index(self.params.but(epsilon=epsilon).epsilon)])

    def between(self, epsilon: float, values: NDArray[Any]) -> NDArray[Any]:
        """Linearly interpolate values (K, ...), given at the K noise levels, at one ε of the grid.

        The result has the shape (...).
        """
        place = self.place(epsilon)
        low = min(int(place), len(self.nodes) - 1)
        high, part = min(low + 1, len(self.nodes) - 1), place - low
        return cast("NDArray[Any]", (1 - part) * values[low] + part * values[high])

    def over_epsilon(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Linearly interpolate values (K, ...), given at the K noise levels, at every ε of the grid.

        The result has the shape (n_epsilon, ...).
        """
        places = self.places()
        low = np.minimum(places.astype(int), len(self.nodes) - 1)
        high = np.minimum(low + 1, len(self.nodes) - 1)
        part = (places - low).reshape(-1, *[1] * (values.ndim - 1))
        return cast(Floats, (1 - part) * values[low] + part * values[high])


@dataclass(frozen=True, kw_only=True)
class Model:
    """The released model at one ε of a sweep.

    - ``prototypes`` (P, d): P prototypes on [-1, 1]^d.
    - ``accuracy``: test accuracy.
    - ``noise_multiplier``: σ.
    """

    prototypes: NDArray[np.float32]
    accuracy: float
    noise_multiplier: float


@dataclass(frozen=True, kw_only=True)
class Sweep(Levels):
    """Private prototypes at every noise level and epoch, and non-private references.

    - ``prototypes`` (K, S, P, d): P private prototypes on [-1, 1]^d at K noise levels and S epochs.
    - ``method_prototypes`` (S, P, d): prototypes trained with clipping, without noise.
    - ``plain_prototypes`` (S, P, d): prototypes trained without noise and clipping.
    - ``norm_counts`` (K, bins): normalised histogram of the records' gradient norms at the end of
      the training.
    - ``clipped`` (K,): fraction of records with a gradient norm above the clipping norm at the end.
    """

    prototypes: NDArray[np.float32]
    method_prototypes: NDArray[np.float32]
    plain_prototypes: NDArray[np.float32]
    norm_counts: NDArray[np.float32]
    clipped: NDArray[np.float32]

    def at(self, epsilon: float) -> Model:
        """Return the released model at one ε of the grid, interpolated between the noise levels.

        Parameters
        ----------
        epsilon : float
            A value of ``dpcore.experiments.grids.EPSILON_GRID``. δ and the number of epochs are
            from the sweep's ``params``.

        Returns
        -------
        Model
            The model at the end of the training.

        Raises
        ------
        ValueError
            When ``epsilon`` is not on the grid.
        """
        params = self.params.but(epsilon=epsilon)
        return Model(
            prototypes=self.between(epsilon, self.prototypes[:, self.end]),
            accuracy=float(1 - self.between(epsilon, self.errors[:, self.end])),
            noise_multiplier=float(budget.chosen_multiplier(params)[0]),
        )

    def accuracies(self) -> NDArray[np.float64]:
        """Return the accuracy (n_epsilon,) of the released model at every ε of the grid.

        The accuracy is interpolated linearly between noise levels.
        """
        return 1 - self.over_epsilon(self.errors[:, self.end])


def timeline(sample_rate: float, last: float) -> NDArray[np.int64]:
    """Return the numbers of the steps at which prototypes are stored.

    The steps are dense at first. Later there is one for every epoch of the grid.

    Parameters
    ----------
    sample_rate : float
        q in (0, 1]; an epoch is 1/q steps.
    last : float
        The last epoch.

    Returns
    -------
    ndarray (S,)
        Increasing step numbers from 0.
    """
    dense = last * np.linspace(0, 1, 33) ** 2
    grid = [epochs for epochs in EPOCHS_GRID if epochs <= last]
    return np.unique(np.rint(np.union1d(dense, grid) / sample_rate).astype(np.int64))


def run_sweep(
    problem: Problem,
    params: RelevanceParams,
    *,
    nodes: NDArray[np.float64] | None = None,
    last_epoch: float = EPOCHS_GRID[-1],
    references: bool = True,
    threads: int = 2,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Sweep:
    """Train at every noise level on the same batches, and train references without noise.

    One reference has clipping, the other one has not.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        All settings except ε, which is the axis of the sweep.
    nodes : ndarray (K,), optional
        Noise multipliers; by default a grid that covers all ε.
    last_epoch : float
        Last epoch of the training; the results of shorter trainings are snapshots of this training.
    references : bool
        Whether to train the references as well; their results are NaN otherwise.
    threads : int
        Number of threads over noise levels; the result does not depend on it.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise
        to stop the training.

    Returns
    -------
    Sweep
    """
    nodes = budget.noise_nodes(params) if nodes is None else nodes
    steps = timeline(params.sample_rate, last_epoch)
    paths = train_levels(
        problem, params, nodes, steps, references=references, threads=threads, progress=progress, check=check
    ).prototypes  # fmt: skip
    errors = problem.errors(paths)
    if not references:
        paths, errors = (
            np.concatenate([a, np.full((2, *a.shape[1:]), np.nan)]) for a in (paths, errors)
        )
    norm_counts, clipped = _norms(problem, params, steps, paths[: len(nodes)])
    return Sweep(
        params=params,
        nodes=nodes,
        epochs=(steps * params.sample_rate).astype(float),
        prototypes=paths[:-2].astype(np.float32),
        errors=errors[:-2],
        method_prototypes=paths[-2].astype(np.float32),
        method_errors=errors[-2],
        plain_prototypes=paths[-1].astype(np.float32),
        plain_errors=errors[-1],
        norm_counts=norm_counts,
        clipped=clipped,
    )


def draft_sweep(problem: Problem, params: RelevanceParams) -> Sweep:
    """Return a preview of the sweep at the single noise level (K = 1) for ``params.epsilon``."""
    return run_sweep(
        problem,
        params,
        nodes=budget.chosen_multiplier(params),
        last_epoch=params.epochs,
        references=False,
        threads=1,
    )


def _norms(
    problem: Problem,
    params: RelevanceParams,
    steps: NDArray[np.int64],
    paths: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    at = int(np.searchsorted(steps, budget.n_steps(params.epochs, params.sample_rate)))
    at = min(at, len(steps) - 1)
    norms = np.stack(
        [gradient_norms(problem.X, problem.y, W=W[at], labels=problem.labels) for W in paths]
    )
    top = NORM_EDGES[-1] * (1 - 1e-9)
    counts = [np.histogram(np.minimum(row, top), NORM_EDGES)[0] for row in norms]
    share = (norms > params.clip_norm).mean(axis=1)
    shares = (np.array(counts) / len(problem.y)).astype(np.float32)
    return shares, share.astype(np.float32)


# Trainings along a handle: it is drawn without a server ------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Line:
    """Trainings at one ε for V values of one other parameter, each stored at the S epochs of a sweep.

    - ``prototypes`` (V, S, P, d): P prototypes of d features, padded with NaN where there are
      fewer.
    - ``errors`` (V, S): test errors.
    - ``method_errors`` (V, S): test errors with clipping, without noise.
    - ``plain_errors`` (V, S): test errors without clipping and noise.
    - ``noise_multipliers`` (V,): σ.
    - ``clipped`` (V,): fraction of records with a gradient norm above the clipping norm at the end
      of the training.
    - ``labels`` (V, P): classes of the prototypes. None if the parameter is not the number of
      prototypes.
    - ``bests`` (V, P, d), ``best_errors`` (V,): prototypes without privacy and their test errors,
      NaN until computed. None if the parameter is not the number of prototypes.
    """

    prototypes: NDArray[np.float32]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    noise_multipliers: NDArray[np.float64]
    clipped: NDArray[np.float32]
    labels: NDArray[np.int64] | None = None
    bests: NDArray[np.float32] | None = None
    best_errors: NDArray[np.float64] | None = None


def run_line(
    problem: Problem,
    params: RelevanceParams,
    name: str,
    *,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> Line:
    """Train at ``params.epsilon`` for every value of the slider ``name``.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        All other settings. Each training ends after ``params.epochs`` epochs. The result has all epochs
        of a sweep; at the later epochs the final model of the training is repeated.
    name : str
        One of ``LINES``.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise
        to stop the work.

    Returns
    -------
    Line
    """
    steps = timeline(params.sample_rate, EPOCHS_GRID[-1])
    epochs = (steps * params.sample_rate).astype(np.float64)
    if name == "clip_norm":
        return _along_clip_norm(problem, params, epochs, progress, check)
    return _along(name, problem, params, epochs, progress, check)


def _along_clip_norm(
    problem: Problem,
    params: RelevanceParams,
    epochs: NDArray[np.float64],
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
) -> Line:
    sigma = budget.chosen_multiplier(params)
    last = budget.n_steps(params.epochs, params.sample_rate)
    wanted = np.minimum(np.rint(epochs / params.sample_rate).astype(np.int64), last)
    steps, back = np.unique(wanted, return_inverse=True)
    chance = sgd.Streams.of(params.seed, 0)
    n_values = len(CLIP_NORM_GRID)
    start = starts(problem, params, sigma, chance.start)  # private, clipped and plain
    lots = budget.lots(params, len(problem.y), last, chance.lots)
    trained = run_loop(
        problem, params, np.repeat(start, [n_values, n_values, 1], axis=0), lots,
        noise_multiplier=np.concatenate([np.repeat(sigma, n_values), np.zeros(n_values + 1)]),
        clip_norm=np.array([*CLIP_NORM_GRID, *CLIP_NORM_GRID, np.inf]),
        key=chance.key, snapshots=steps, progress=progress, check=check,
    ).prototypes  # fmt: skip
    paths = trained[:n_values, back]
    errors = problem.errors(trained)[:, back]
    return Line(
        prototypes=paths,
        errors=errors[:n_values],
        method_errors=errors[n_values:-1],
        plain_errors=np.repeat(errors[-1:], n_values, axis=0),
        noise_multipliers=np.repeat(sigma, n_values),
        clipped=np.array([
            (gradient_norms(problem.X, problem.y, W=end, labels=problem.labels) > clip_norm).mean()
            for end, clip_norm in zip(paths[:, -1], CLIP_NORM_GRID, strict=True)
        ], np.float32),
    )  # fmt: skip


def along(
    problem: P,
    params: Q,
    name: str,
    named: Callable[[Q], P],
    progress: Callable[[float], None] | None = None,
) -> Iterator[tuple[P, Q]]:
    """Yield the problem and the parameters for every value of the slider ``name``.

    Parameters
    ----------
    problem : Problem
        The data, with the number of prototypes of ``params``.
    params : RelevanceParams
        All other settings.
    name : str
        The field that varies.
    named : callable
        Function that returns the cached problem for parameters that name a data set.
    progress : callable, optional
        Called with the fraction done after each value.

    Yields
    ------
    (Problem, RelevanceParams)
    """
    grid = params.controls()[name].grid or ()
    for k, value in enumerate(grid):
        here = params.but(**{name: value})
        yield with_prototypes(problem, here, named), here
        if progress is not None:
            progress((k + 1) / len(grid))


def _along(
    name: str,
    problem: Problem,
    params: RelevanceParams,
    epochs: NDArray[np.float64],
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
) -> Line:
    paths, errors, sigmas, clipped, problems = [], [], [], [], []
    for there, here in along(problem, params, name, problem_of, progress):
        sigma = budget.chosen_multiplier(here)
        sweep = run_sweep(
            there, here, nodes=sigma, last_epoch=params.epochs, threads=1, check=check
        )
        at = np.abs(sweep.epochs[:, None] - np.minimum(epochs, params.epochs)).argmin(0)
        problems.append(there)
        paths.append(sweep.prototypes[0, at])
        errors.append(
            [one[at] for one in (sweep.errors[0], sweep.method_errors, sweep.plain_errors)]
        )
        sigmas.append(sigma[0])
        clipped.append(sweep.clipped[0])
    more = _models(problems) if name == "prototypes_per_class" else {}
    private, method, plain = np.array(errors).swapaxes(0, 1)
    return Line(
        prototypes=padded(paths),
        errors=private,
        method_errors=method,
        plain_errors=plain,
        noise_multipliers=np.array(sigmas),
        clipped=np.array(clipped),
        **more,
    )


def _models(problems: Sequence[Problem]) -> dict[str, Any]:
    """Return the fields of `Line` that describe prototypes, by name: the classes, and the models without privacy.

    Models that are neither cached nor quick to compute are NaN.
    """
    known = [one.best_known for one in problems]
    bests = [
        one.best if there else np.full((len(one.labels), one.X.shape[1]), np.nan, np.float32)
        for one, there in zip(problems, known, strict=True)
    ]
    return {
        "labels": padded_labels(problems),
        "bests": padded(bests),
        "best_errors": np.array(
            [
                one.best_error if there else np.nan
                for one, there in zip(problems, known, strict=True)
            ]
        ),
    }


def padded_labels(problems: Sequence[Problem]) -> NDArray[np.int64]:
    """Return the prototypes' classes in V problems as one array (V, P), padded with 0.

    P is the largest number of prototypes in a problem.
    """
    most = max(len(one.labels) for one in problems)
    return np.array([np.pad(one.labels, (0, most - len(one.labels))) for one in problems])


def padded(parts: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return arrays of prototypes (..., P, k) as one array, padded with NaN.

    The number P of prototypes may differ between the arrays.
    """
    most = max(part.shape[-2] for part in parts)
    return np.array([
        np.pad(part, [(0, 0)] * (part.ndim - 2) + [(0, most - part.shape[-2]), (0, 0)],
               constant_values=np.nan)
        for part in parts
    ])  # fmt: skip
