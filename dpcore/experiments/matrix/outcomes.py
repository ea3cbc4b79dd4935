"""Many possible outcomes of the same private matrix training, in two neighbouring worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.experiments import relevance
from dpcore.experiments.matrix.matrix_view import matrix_view, relevances
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem
from dpcore.experiments.matrix.training import Hooks, cached
from dpcore.experiments.relevance import budget, chosen_person
from dpcore.experiments.relevance.outcomes import run_worlds
from dpcore.experiments.relevance.training import Paths

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

    Draw j uses the noise of (seed, j), the same in both worlds, so that they differ by the
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
    kept: dict[str, list[AnyArray]] = {name: [] for name in _KEPT}
    wanted = n_draws or n_draws_for(problem)
    for with_person, without in run_worlds(
        problem, params, person, n_draws=wanted, nodes=nodes, threads=threads, check=check
    ):
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

    Those of large data sets are kept on disk, see `cached`.

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


def _numbers(problem: MatrixProblem, one: Paths, other: Paths) -> dict[str, AnyArray]:
    errors = problem.matrix_errors(one.prototypes[:, 0], one.matrices[:, 0])
    one = Paths(one.prototypes[:-2], one.matrices[:-2])  # all but the references
    W, Omega = one.prototypes[:, 0], one.matrices[:, 0]
    return {
        "errors": errors[:-2],
        "method_errors": errors[-2],
        "plain_errors": errors[-1],
        "prototypes": matrix_view(problem, W, Omega).prototypes,
        "profiles": relevances(Omega).astype(np.float32),
        "without_record_profiles": relevances(other.matrices[:, 0]).astype(np.float32),
        "with_record": _released(one),
        "without_record": _released(other),
    }


def _released(path: Paths) -> NDArray[np.float32]:
    """All that is released as one vector, (K, 1, P d + l d)."""
    parts = [part.reshape(len(part), -1) for part in (path.prototypes, path.matrices)]
    return np.concatenate(parts, axis=1)[:, None]
