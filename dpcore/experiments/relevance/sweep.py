"""One training for all noise levels at once: the private prototypes at every σ and every epoch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.lvq import gradient_norms, init, train

__all__ = ["NORM_EDGES", "Model", "Sweep", "run_sweep", "starts", "timeline"]

NORM_EDGES = np.linspace(0, 2.5, 51)


@dataclass(frozen=True, kw_only=True)
class Model:
    """One point of a sweep: ``prototypes`` (P, d) on [-1, 1]^d, test ``accuracy``, its σ."""

    prototypes: NDArray[np.float32]
    accuracy: float
    noise_multiplier: float


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Private prototypes at every noise level and epoch, with the references beside them.

    ``nodes`` (K,) σ; ``epochs`` (S,) of the snapshots; ``prototypes`` (K, S, P, d) on [-1, 1]^d and
    ``errors`` (K, S) on the test part; ``method_*`` the same without noise but clipped (ε = ∞), and
    ``plain_*`` neither clipped nor noised: (S, P, d) and (S,). ``norm_counts`` (K, bins) is the
    histogram of the records' gradient norms at the end, ``clipped`` (K,) the share above C.
    """

    params: RelevanceParams
    nodes: NDArray[np.float64]
    epochs: NDArray[np.float64]
    prototypes: NDArray[np.float32]
    errors: NDArray[np.float64]
    method_prototypes: NDArray[np.float32]
    method_errors: NDArray[np.float64]
    plain_prototypes: NDArray[np.float32]
    plain_errors: NDArray[np.float64]
    norm_counts: NDArray[np.float32]
    clipped: NDArray[np.float32]

    def at(self, epsilon: float) -> Model:
        """Return the model at one ε of the grid, interpolated between the noise nodes.

        Parameters
        ----------
        epsilon : float
            A value of ``dpcore.experiments.grids.EPSILON_GRID``; δ and E are those of ``params``.

        Returns
        -------
        Model
            At the end of training.

        Raises
        ------
        ValueError
            When ``epsilon`` is not on the grid.
        """
        params = self.params.but(epsilon=epsilon)
        k = EPSILON_GRID.index(params.epsilon)
        every, end = self._places()
        u = every[k]
        low = min(int(u), len(self.nodes) - 1)
        high, part = min(low + 1, len(self.nodes) - 1), float(u - low)
        pair = self.prototypes[[low, high], end]
        errors = self.errors[[low, high], end]
        return Model(
            prototypes=(1 - part) * pair[0] + part * pair[1],
            accuracy=float(1 - (1 - part) * errors[0] - part * errors[1]),
            noise_multiplier=float(budget.noise_multipliers(params)[k]),
        )

    def accuracies(self) -> NDArray[np.float64]:
        """Return the accuracy of the model at every ε of the grid, as `at` gives it one by one, (n_epsilon,)."""
        u, end = self._places()
        low = np.minimum(u.astype(int), len(self.nodes) - 1)
        part = (u - low.astype(u.dtype)).astype(float)
        first, second = (
            self.errors[node, end] for node in (low, np.minimum(low + 1, len(self.nodes) - 1))
        )
        return np.asarray(1 - (1 - part) * first - part * second)

    def _places(self) -> tuple[NDArray[np.float32], int]:
        """Where every ε of the grid lies among the nodes, (n_epsilon,), and the end of training among the epochs."""
        delta, epochs = DELTA_GRID.index(self.params.delta), EPOCHS_GRID.index(self.params.epochs)
        end = int(np.abs(self.epochs - self.params.epochs).argmin())
        return budget.index_table(self.params, self.nodes)[:, delta, epochs], end


def timeline(sample_rate: float, last: float) -> NDArray[np.int64]:
    """Return the steps at which prototypes are kept: dense at first, every epoch of the grid.

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
    """Train at every noise node, once clipped without noise and once plainly, on the same lots.

    Parameters
    ----------
    problem : Problem
        The data.
    params : RelevanceParams
        Everything but ε, which is the axis of the sweep.
    nodes : ndarray (K,), optional
        Noise multipliers; the default covers the ε grid.
    last_epoch : float
        Training goes on to here; every shorter training is a snapshot of it.
    references : bool
        Whether to train without noise as well, clipped and plain; those parts are NaN otherwise.
    threads : int
        Threads over noise levels; the result does not depend on it.
    progress, check : callables, optional
        Told the fraction done; called now and then: what it raises ends the training.

    Returns
    -------
    Sweep
    """
    nodes = budget.noise_nodes(params) if nodes is None else nodes
    steps = timeline(params.sample_rate, last_epoch)
    chance = sgd.Streams.of(params.seed, 0)
    lots = budget.lots(params, len(problem.y), int(steps[-1]), chance.lots)
    n_runs = len(nodes) + (2 if references else 0)
    start = starts(problem, params, nodes, chance.start)[:n_runs]
    paths = train.sweep(
        problem.X, problem.y, start, problem.labels, lots,
        noise_multiplier=np.concatenate([nodes, [0.0, 0.0]])[:n_runs],
        clip_norm=np.concatenate([np.full(len(nodes) + 1, params.clip_norm), [np.inf]])[:n_runs],
        learning_rate=params.learning_rate,
        expected_lot=budget.expected_lot(params, problem.n_declared),
        key=chance.key,
        snapshots=steps,
        bounds=(-1.0, 1.0) if params.project else None,
        threads=threads,
        progress=progress,
        check=check,
    )  # fmt: skip
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


def starts(
    problem: Problem,
    params: RelevanceParams,
    nodes: NDArray[np.float64],
    rng: np.random.Generator,
    sums: NDArray[np.float64] | None = None,
    counts: NDArray[np.float64] | None = None,
) -> NDArray[np.float32]:
    """Return the private start at each node and two starts without noise, (K + 2, P, d).

    ``sums`` (k, d) and ``counts`` (k,) replace the problem's own in a neighbouring world.
    """
    scales = budget.start_scales(params, nodes, problem.X.shape[1])
    scales = np.concatenate([scales, np.zeros((2, 2))])
    kind = "gaussian" if params.recipe == "tight" else "laplace"
    return init.start(
        problem.sums if sums is None else sums,
        problem.counts if counts is None else counts,
        count_scale=scales[:, 0],
        sum_scale=scales[:, 1],
        kind=kind,
        prototypes_per_class=problem.prototypes_per_class,
        rng=rng,
    )


def _norms(
    problem: Problem,
    params: RelevanceParams,
    steps: NDArray[np.int64],
    paths: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    at = int(np.searchsorted(steps, budget.n_steps(params.epochs, params.sample_rate)))
    at = min(at, len(steps) - 1)
    norms = np.stack([gradient_norms(problem.X, problem.y, W[at], problem.labels) for W in paths])
    top = NORM_EDGES[-1] * (1 - 1e-9)
    counts = [np.histogram(np.minimum(row, top), NORM_EDGES)[0] for row in norms]
    share = (norms > params.clip_norm).mean(axis=1)
    shares = (np.array(counts) / len(problem.y)).astype(np.float32)
    return shares, share.astype(np.float32)
