"""One matrix training for all noise levels at once: prototypes and Ω at every σ through training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore._types import Floats
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.sweep import starts
from dpcore.lvq import matrix, matrix_train

__all__ = ["N_NODES", "MatrixModel", "MatrixSweep", "relevances", "run_sweep", "timeline"]

N_NODES = 13
_SNAPSHOTS = 9


@dataclass(frozen=True, kw_only=True)
class MatrixModel:
    """One point of a sweep: ``prototypes`` (P, d), ``omega`` (l, d), ``relevances`` (d,), sum 1."""

    prototypes: NDArray[np.float32]
    omega: NDArray[np.float32]
    relevances: NDArray[np.float64]
    accuracy: float
    noise_multiplier: float


@dataclass(frozen=True, kw_only=True)
class MatrixSweep:
    """Private models at every noise level through training, with the references beside them.

    ``nodes`` (K,) σ; ``epochs`` (S,) of the snapshots; ``prototypes`` (K, S, P, d) and ``omegas``
    (K, S, l, d); ``errors`` (K, S) on the test part; ``method_errors`` and ``plain_errors`` (S,)
    without noise, clipped and not; ``clipped`` (K,) the share of records above C at the end.
    """

    params: MatrixParams
    nodes: NDArray[np.float64]
    epochs: NDArray[np.float64]
    prototypes: NDArray[np.float32]
    omegas: NDArray[np.float32]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    clipped: NDArray[np.float64]

    def place(self, epsilon: float) -> float:
        """Return where an ε of the grid lies among the noise nodes, as a fractional index."""
        return float(self._places()[EPSILON_GRID.index(self.params.but(epsilon=epsilon).epsilon)])

    def _places(self) -> NDArray[np.float64]:
        """Where every ε of the grid lies among the noise nodes, (n_epsilon,)."""
        where = DELTA_GRID.index(self.params.delta), EPOCHS_GRID.index(self.params.epochs)
        return budget.index_table(self.params, self.nodes)[:, *where].astype(float)

    def relevances(self) -> NDArray[np.float64]:
        """Return the relevances of the released model at every ε of the grid, as `at` has them, (n_epsilon, d)."""
        places = self._places()
        low = places.astype(int)
        high = np.minimum(low + 1, len(self.nodes) - 1)
        at_nodes, part = relevances(self.omegas[:, -1]), (places - low)[:, None]
        return cast(Floats, (1 - part) * at_nodes[low] + part * at_nodes[high])

    def at(self, epsilon: float) -> MatrixModel:
        """Return the released model at one ε of the grid, interpolated between the noise nodes.

        Parameters
        ----------
        epsilon : float
            A value of ``dpcore.experiments.grids.EPSILON_GRID``; δ and E are those of ``params``.

        Returns
        -------
        MatrixModel
            Relevances are interpolated as they are drawn.
        """
        place = self.place(epsilon)
        low = min(int(place), len(self.nodes) - 1)
        high, part = min(low + 1, len(self.nodes) - 1), place - low
        pair = [low, high]

        def mean(a: NDArray[np.floating]) -> NDArray[np.floating]:
            return cast("NDArray[np.floating]", (1 - part) * a[0] + part * a[1])

        sigmas = budget.noise_multipliers(self.params)
        return MatrixModel(
            prototypes=mean(self.prototypes[pair, -1]).astype(np.float32),
            omega=mean(self.omegas[pair, -1]).astype(np.float32),
            relevances=mean(relevances(self.omegas[pair, -1])).astype(float),
            accuracy=float(1 - mean(self.errors[pair, -1])),
            noise_multiplier=float(sigmas[EPSILON_GRID.index(epsilon)]),
        )


def relevances(omegas: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the diagonals of Λ = ΩᵀΩ scaled to sum 1, (..., l, d) -> (..., d)."""
    squares = np.square(omegas.astype(float)).sum(-2)
    return cast(Floats, squares / np.maximum(squares.sum(-1, keepdims=True), 1e-30))


def timeline(sample_rate: float, last: float) -> NDArray[np.int64]:
    """Return the steps at which models are kept, dense at first, from 0 to ``last`` epochs, (S,)."""
    epochs = last * np.linspace(0, 1, _SNAPSHOTS) ** 2
    return np.unique(np.rint(epochs / sample_rate).astype(np.int64))


def run_sweep(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    nodes: NDArray[np.float64] | None = None,
    last_epoch: float | None = None,
    references: bool = True,
    threads: int = 2,
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> MatrixSweep:
    """Train at every noise node, once clipped without noise and once plainly, on the same lots.

    Parameters
    ----------
    problem : MatrixProblem
        The data.
    params : MatrixParams
        Everything but ε, which is the axis of the sweep.
    nodes : ndarray (K,), optional
        Noise multipliers; the default covers the ε grid.
    last_epoch : float, optional
        Stop here, earlier than ``params.epochs``: a quick look with the noise of the whole.
    references : bool
        Whether to train without noise as well; those errors are NaN otherwise.
    threads, progress, check
        As in `dpcore.experiments.relevance.run_sweep`.

    Returns
    -------
    MatrixSweep
    """
    nodes = budget.noise_nodes(params, N_NODES) if nodes is None else nodes
    K, more = len(nodes), 2 if references else 0
    steps = timeline(params.sample_rate, last_epoch or params.epochs)
    chance = sgd.Streams.of(params.seed, 0)
    path = matrix_train.sweep(
        problem.X, problem.y, starts(problem, params, nodes, chance.start)[: K + more],
        problem.first, problem.labels,
        budget.lots(params, len(problem.y), int(steps[-1]), chance.lots),
        noise_multiplier=np.concatenate([nodes, [0.0, 0.0]])[: K + more],
        clip_norm=np.concatenate([np.full(K + 1, params.clip_norm), [np.inf]])[: K + more],
        learning_rate=params.learning_rate, expected_lot=budget.expected_lot(params, problem.n_declared),
        key=chance.key, snapshots=steps, bounds=(-1.0, 1.0) if params.project else None,
        threads=threads, progress=progress, check=check,
    )  # fmt: skip
    errors = problem.matrix_errors(path.prototypes, path.omegas)
    unknown = np.full(len(steps), np.nan)
    return MatrixSweep(
        params=params,
        nodes=nodes,
        epochs=(steps * params.sample_rate).astype(float),
        prototypes=path.prototypes[:K],
        omegas=path.omegas[:K],
        errors=errors[:K],
        method_errors=errors[K] if references else unknown,
        plain_errors=errors[K + 1] if references else unknown,
        clipped=_clipped(problem, params, path.prototypes[:K, -1], path.omegas[:K, -1]),
    )


def _clipped(
    problem: MatrixProblem,
    params: MatrixParams,
    W: NDArray[np.float32],
    Omega: NDArray[np.float32],
) -> NDArray[np.float64]:
    rows = slice(0, 2000)  # enough for a share
    X, y = problem.X[rows], problem.y[rows]
    norms = [
        matrix.gradient_norms(X, y, w, o, problem.labels) for w, o in zip(W, Omega, strict=True)
    ]
    return np.array([(row > params.clip_norm).mean() for row in norms])
