"""Many possible outcomes of the same private training: its spread, and two neighbouring worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import RelevanceParams
from dpcore.experiments.relevance.problem import Problem
from dpcore.experiments.relevance.sweep import starts
from dpcore.lvq import train

__all__ = ["Outcomes", "Person", "chosen_person", "run_outcomes"]

N_NODES = 13


@dataclass(frozen=True, kw_only=True)
class Person:
    """The one record that the two worlds differ in: its row, and where it was moved to.

    ``row`` indexes the training records; ``x`` (d,) is its place on [-1, 1]^d in the first world.
    In the second world the record is absent.
    """

    row: int
    x: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """Final prototypes of many draws at a few noise levels, with and without one person.

    ``nodes`` (K,) σ; ``errors`` (D, K) with the person; ``with_record`` and ``without_record`` (D, K, P, d) on
    [-1, 1]^d, drawn with the same noise and lots, so that they differ by the person alone.
    """

    params: RelevanceParams
    nodes: NDArray[np.float64]
    errors: NDArray[np.float64]
    with_record: NDArray[np.float32]
    without_record: NDArray[np.float32]


def chosen_person(problem: Problem, params: RelevanceParams) -> Person:
    """Return the record the parameters choose, moved as they say (2-D only), in the domain.

    ``params.person`` is a percentage: 0 is the record farthest from the mean of its class, the one
    with most to lose; 100 the nearest.
    """
    means = problem.sums / problem.counts[:, None]
    far = np.square(problem.X - means[problem.y]).sum(axis=1)
    order = np.argsort(-far, kind="stable")
    row = int(order[round(params.person / 100 * (len(order) - 1))])
    place = problem.X[row].astype(float)
    if len(place) == 2:
        place = np.clip(place + np.array([params.person_dx, params.person_dy]), -1, 1)
    return Person(row=row, x=tuple(float(v) for v in place))


def run_outcomes(
    problem: Problem,
    params: RelevanceParams,
    person: Person,
    *,
    n_draws: int = 40,
    nodes: NDArray[np.float64] | None = None,
    threads: int = 2,
    check: Callable[[], None] | None = None,
) -> Iterator[Outcomes]:
    """Yield the outcomes of 1, 2, ..., ``n_draws`` draws as they are made.

    Parameters
    ----------
    problem : Problem
        The data, with the person.
    params : RelevanceParams
        Everything but ε; draw j uses the noise of (seed, j + 1).
    person : Person
        Who is moved in the first world and absent in the second.
    n_draws : int
        How many outcomes to draw in each world.
    nodes : ndarray (K,), optional
        Noise multipliers; the default covers the ε grid.
    threads, check
        As in `run_sweep`.

    Yields
    ------
    Outcomes
        With D = 1, 2, ... draws.
    """
    nodes = budget.noise_nodes(params, N_NODES) if nodes is None else nodes
    worlds = _World(problem, person, True), _World(problem, person, False)
    errors: list[NDArray[np.float64]] = []
    finals: tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]] = ([], [])
    for draw in range(1, n_draws + 1):
        for world, found in zip(worlds, finals, strict=True):
            found.append(world.draw(params, nodes, draw, threads, check))
        errors.append(problem.errors(finals[0][-1]))
        yield Outcomes(
            params=params,
            nodes=nodes,
            errors=np.array(errors),
            with_record=np.array(finals[0]),
            without_record=np.array(finals[1]),
        )


class _World:
    """The training data with the person moved (present) or left out of every sum and lot."""

    def __init__(self, problem: Problem, person: Person, with_record: bool) -> None:
        self.problem, self.row, self.with_record = problem, person.row, with_record
        self.X = problem.X.copy()
        self.X[person.row] = person.x
        self.sums, self.counts = problem.sums.copy(), problem.counts.copy()
        label = problem.y[person.row]
        self.sums[label] -= problem.X[person.row]
        if with_record:
            self.sums[label] += self.X[person.row]
        else:
            self.counts[label] -= 1

    def draw(
        self,
        params: RelevanceParams,
        nodes: NDArray[np.float64],
        draw: int,
        threads: int,
        check: Callable[[], None] | None,
    ) -> NDArray[np.float32]:
        steps = budget.n_steps(params.epochs, params.sample_rate)
        chance = sgd.Streams.of(params.seed, draw)
        lots = sgd.poisson_lots(len(self.X), params.sample_rate, steps, chance.lots)
        if not self.with_record:
            lots = lots.without(self.row)
        start = starts(self.problem, params, nodes, chance.start, self.sums, self.counts)
        return train.sweep(
            self.X,
            self.problem.y,
            start[: len(nodes)],
            self.problem.labels,
            lots,
            noise_multiplier=nodes,
            clip_norm=params.clip_norm,
            learning_rate=params.learning_rate,
            expected_lot=params.sample_rate * len(self.X),
            key=chance.key,
            snapshots=np.array([steps]),
            bounds=(-1.0, 1.0) if params.project else None,
            threads=threads,
            check=check,
        )[:, 0]
