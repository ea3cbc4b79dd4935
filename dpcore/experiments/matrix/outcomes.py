"""Many possible outcomes of the same private matrix training, in two neighbouring worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore._types import AnyArray
from dpcore.experiments import relevance
from dpcore.experiments.matrix.disk_cache import Hooks, cached
from dpcore.experiments.matrix.matrix_view import matrix_view
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.matrix.sweep import relevances
from dpcore.experiments.relevance import budget, chosen_person
from dpcore.experiments.relevance.outcomes import World, without_clipping, without_noise
from dpcore.experiments.relevance.sweep import starts
from dpcore.lvq import matrix_train

__all__ = ["MatrixOutcomes", "n_draws_for", "run_outcomes", "whole_outcomes"]

_NODES = 7


@dataclass(frozen=True, kw_only=True)
class MatrixOutcomes:
    """Released models of D draws at a few noise levels, with the person and without.

    ``nodes`` (K,) σ; ``errors`` (D, K) and ``prototypes`` (D, K, P, 3) on the map, with the person;
    ``method_errors`` and ``plain_errors`` (D,) of the same steps without noise, clipped and not; ``profiles`` and
    ``without_record_profiles`` (D, K, d), relevances in both worlds; ``with_record`` and ``without_record``
    (D, K, 1, P d + l d), all that is released as one vector.
    """

    params: MatrixParams
    nodes: NDArray[np.float64]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    prototypes: NDArray[np.float32]
    profiles: NDArray[np.float32]
    without_record_profiles: NDArray[np.float32]
    with_record: NDArray[np.float32]
    without_record: NDArray[np.float32]

    def released(self) -> relevance.Outcomes:
        """Return both worlds as the outcomes that the spy of the prototype page takes apart."""
        return relevance.Outcomes(
            params=self.params, nodes=self.nodes, errors=self.errors,
            method_errors=self.method_errors, plain_errors=self.plain_errors,
            with_record=self.with_record, without_record=self.without_record,
        )  # fmt: skip


def n_draws_for(problem: MatrixProblem) -> int:
    """Return how many draws to make: 30, or 10 where one training takes long."""
    return 30 if problem.X.size < 200_000 else 10


def run_outcomes(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    n_draws: int | None = None,
    nodes: NDArray[np.float64] | None = None,
    threads: int = 1,
    check: Callable[[], None] | None = None,
) -> Iterator[MatrixOutcomes]:
    """Yield the outcomes of 1, 2, ..., ``n_draws`` draws as they are made.

    Draw j uses the noise of (seed, j + 1), the same in both worlds, so that they differ by the
    person alone.

    Parameters
    ----------
    problem : MatrixProblem
        The data, with the person.
    params : MatrixParams
        Everything but ε.
    n_draws : int, optional
        Draws in each world.
    nodes : ndarray (K,), optional
        Noise multipliers; the default covers the ε grid.
    threads, check
        As in `run_sweep`.

    Yields
    ------
    MatrixOutcomes
    """
    nodes = budget.noise_nodes(params, _NODES) if nodes is None else nodes
    person = chosen_person(problem, params)
    worlds = [World(problem, params, person, present) for present in (True, False)]
    kept: dict[str, list[AnyArray]] = {name: [] for name in _KEPT}
    for draw in range(1, (n_draws or n_draws_for(problem)) + 1):
        with_person, without = (
            _train(world, params, nodes, draw, threads, check, references=world is worlds[0])
            for world in worlds
        )
        for name, value in _numbers(problem, with_person, without).items():
            kept[name].append(value)
        yield MatrixOutcomes(
            params=params, nodes=nodes, **{k: np.array(v) for k, v in kept.items()}
        )


def whole_outcomes(
    problem: MatrixProblem,
    params: MatrixParams,
    *,
    report: Callable[[MatrixOutcomes], None] | None = None,
    check: Callable[[], None] | None = None,
) -> MatrixOutcomes:
    """Return the outcomes of all draws.

    Those of large data sets are kept on disk, see `disk_cache.cached`.

    Parameters
    ----------
    problem : MatrixProblem
        The data, with the person.
    params : MatrixParams
        Everything but ε.
    report, check : callables, optional
        Told the outcomes after every draw; as in `run_sweep`.

    Returns
    -------
    MatrixOutcomes
    """
    still = params.but(epsilon=1.0, matrix_noise_std=0.025)
    return cached(_whole, "outcomes", still, problem, (report, check))


def _whole(what: str, params: MatrixParams, problem: MatrixProblem, hooks: Hooks) -> MatrixOutcomes:
    report, check = hooks
    for found in run_outcomes(problem, params, check=check):
        if report is not None:
            report(found)
    return found


_KEPT = (
    "errors",
    "method_errors",
    "plain_errors",
    "prototypes",
    "profiles",
    "without_record_profiles",
    "with_record",
    "without_record",
)


def _numbers(
    problem: MatrixProblem, one: matrix_train.MatrixPath, other: matrix_train.MatrixPath
) -> dict[str, AnyArray]:
    def flat(path: matrix_train.MatrixPath) -> NDArray[np.float32]:
        parts = [a.reshape(len(a), -1) for a in path]
        return np.concatenate(parts, axis=1)[:, None]

    errors = problem.matrix_errors(one.prototypes[:, 0], one.omegas[:, 0])
    one = matrix_train.MatrixPath(*(part[:-2] for part in one))  # all but the references
    W, Omega = one.prototypes[:, 0], one.omegas[:, 0]
    return {
        "errors": errors[:-2],
        "method_errors": errors[-2],
        "plain_errors": errors[-1],
        "prototypes": matrix_view(problem, W, Omega).prototypes,
        "profiles": relevances(Omega).astype(np.float32),
        "without_record_profiles": relevances(other.omegas[:, 0]).astype(np.float32),
        "with_record": flat(one),
        "without_record": flat(other),
    }


def _train(
    world: World[MatrixProblem],
    params: MatrixParams,
    nodes: NDArray[np.float64],
    draw: int,
    threads: int,
    check: Callable[[], None] | None,
    *,
    references: bool = False,
) -> matrix_train.MatrixPath:
    """Train one draw at all nodes in one of the worlds; with references, without noise too, clipped and not."""
    problem, runs = world.problem, len(nodes) + (2 if references else 0)
    steps = budget.n_steps(params.epochs, params.sample_rate)
    chance = sgd.Streams.of(params.seed, draw)
    start = starts(problem, params, nodes, chance.start, world.sums, world.counts)[:runs]
    return matrix_train.sweep(
        world.X, problem.y, start, problem.first, problem.labels,
        world.lots(params, steps, chance.lots),
        noise_multiplier=without_noise(nodes)[:runs],
        clip_norm=without_clipping(len(nodes), params.clip_norm)[:runs], learning_rate=params.learning_rate,
        expected_lot=budget.expected_lot(params, problem.n_declared), key=chance.key,
        snapshots=np.array([steps]), bounds=(-1.0, 1.0) if params.project else None,
        threads=threads, check=check,
    )  # fmt: skip
