"""Prototypes and test errors of repeated private trainings on two neighbouring data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.budget import starts
from dpcore.experiments.relevance.params import Problem, RelevanceParams
from dpcore.experiments.relevance.training import Paths, noise_and_clipping, run_loop

__all__ = [
    "Outcomes",
    "Person",
    "World",
    "chosen_person",
    "draft_outcomes",
    "replacement",
    "run_outcomes",
    "run_worlds",
]

N_NODES = 13


@dataclass(frozen=True, kw_only=True)
class Person:
    """The record in which two neighbouring data sets differ.

    - ``row``: index among the training records.
    - ``x`` (d,): position on [-1, 1]^d in the first data set.

    In the second data set the record is absent. If batches have a fixed size, it is replaced
    instead. Its replacement is a copy of the other record of its class that is nearest to the class
    mean.
    """

    row: int
    x: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """Final prototypes of D repeated trainings at K noise levels, with and without one person's record.

    - ``nodes`` (K,): noise multipliers σ.
    - ``errors`` (D, K): test errors of trainings with the record.
    - ``method_errors`` (D,): test errors of the same steps with clipping, without noise.
    - ``plain_errors`` (D,): test errors of the same steps without clipping and noise.
    - ``with_record`` and ``without_record`` (D, K, P, d): P prototypes on [-1, 1]^d. Both trainings
      have the same noise and batches, so that they differ only because of the record.
    """

    params: RelevanceParams
    nodes: NDArray[np.float64]
    errors: NDArray[np.float64]
    method_errors: NDArray[np.float64]
    plain_errors: NDArray[np.float64]
    with_record: NDArray[np.float32]
    without_record: NDArray[np.float32]


def chosen_person(problem: Problem, params: RelevanceParams) -> Person:
    """Return the record that the parameters choose.

    ``params.record`` is the number of the record, counted from 1. A number that is too large means
    the last record. With the number 0, the record is chosen by its rank ``params.person`` in
    percent. Rank 0 is the record farthest from the mean of its class, rank 100 the nearest.

    In a 2-D data set the record is shifted by the parameters' offset, inside the bounds.
    """
    row = min(params.record, len(problem.y)) - 1 if params.record else _ranked(problem, params)
    place = problem.X[row].astype(float)
    if len(place) == 2:
        place = np.clip(place + np.array([params.person_dx, params.person_dy]), -1, 1)
    return Person(row=row, x=tuple(float(v) for v in place))


def _ranked(problem: Problem, params: RelevanceParams) -> int:
    """Return the index of the record with the rank ``params.person`` percent.

    The rank is by distance from the class mean, the largest first.
    """
    means = problem.sums / problem.counts[:, None]
    far = np.square(problem.X - means[problem.y]).sum(axis=1)
    order = np.argsort(-far, kind="stable")
    return int(order[round(params.person / 100 * (len(order) - 1))])


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
    """Yield the final prototypes on two neighbouring data sets, after each repeated training.

    Parameters
    ----------
    problem : Problem
        The data, including the person's record.
    params : RelevanceParams
        All settings except ε. Repetition j uses the noise of (seed, j).
    person : Person
        The record in which the data sets differ. It is at the position ``person.x`` in the first
        data set, and absent or replaced in the second one.
    n_draws : int
        Number of draws for each of the two data sets.
    nodes : ndarray (K,), optional
        Noise multipliers; by default a grid that covers all ε.
    threads, check
        Number of threads, and a function that is called regularly and may raise to stop the work.

    Yields
    ------
    Outcomes
        The prototypes and test errors of the D = 1, 2, ... draws finished so far.
    """
    nodes = budget.noise_nodes(params, N_NODES) if nodes is None else nodes
    errors: list[NDArray[np.float64]] = []
    with_record, without_record = [], []
    for here, there in run_worlds(
        problem, params, person, n_draws=n_draws, nodes=nodes, threads=threads, check=check
    ):
        errors.append(problem.errors(here.prototypes[:, 0]))
        with_record.append(here.prototypes[:-2, 0])
        without_record.append(there.prototypes[:, 0])
        known = np.array(errors)
        yield Outcomes(
            params=params,
            nodes=nodes,
            errors=known[:, :-2],
            method_errors=known[:, -2],
            plain_errors=known[:, -1],
            with_record=np.array(with_record),
            without_record=np.array(without_record),
        )


def draft_outcomes(problem: Problem, params: RelevanceParams, n_draws: int = 8) -> Outcomes:
    """Return preliminary prototypes from a few repeated trainings, only at the ε of ``params``."""
    person, nodes = chosen_person(problem, params), budget.chosen_multiplier(params)
    *_, last = run_outcomes(problem, params, person, n_draws=n_draws, nodes=nodes, threads=1)
    return last


def run_worlds(
    problem: Problem,
    params: RelevanceParams,
    person: Person,
    *,
    n_draws: int,
    nodes: NDArray[np.float64],
    threads: int,
    check: Callable[[], None] | None,
) -> Iterator[tuple[Paths, Paths]]:
    """Yield the final models on both neighbouring data sets, one repetition of the training after another.

    - First data set, with the person's record: models (K + 2, 1, P, d). The last two are references
      without noise, first with clipping and then without.
    - Second data set: models (K, 1, P, d).

    Repetition j ≥ 1 uses the noise of (seed, j) for both data sets, so that the models differ only
    because of the record.
    """
    worlds = [World(problem, params, person, present) for present in (True, False)]
    for draw in range(1, n_draws + 1):
        here, there = (
            world.draw(params, nodes, draw, threads, check, references=world is worlds[0])
            for world in worlds
        )
        yield here, there


class World:
    """One of two neighbouring training data sets: the person's record is present, replaced or left out.

    A record that is left out still has a row in ``X``, but is in no batch and no sum.

    - ``X`` (n, d): n records of d features.
    - ``sums`` (k, d) and ``counts`` (k,): sums and sizes of the k classes of this data set.
    """

    def __init__(
        self, problem: Problem, params: RelevanceParams, person: Person, with_record: bool
    ) -> None:
        self.problem, self.row = problem, person.row
        self.missing = not with_record and params.lots == "poisson"
        self.X = problem.X.copy()
        self.X[person.row] = (
            person.x if with_record else problem.X[replacement(problem, person.row)]
        )
        self.sums, self.counts = problem.sums.copy(), problem.counts.copy()
        label = problem.y[person.row]
        self.sums[label] -= problem.X[person.row]
        if self.missing:
            self.counts[label] -= 1
        else:
            self.sums[label] += self.X[person.row]

    def lots(self, params: RelevanceParams, n_steps: int, rng: np.random.Generator) -> sgd.Lots:
        """Draw the batches of all steps.

        With the same random numbers both neighbouring data sets get the same batches, except for the
        record that is left out of one data set.
        """
        lots = budget.lots(params, len(self.X), n_steps, rng)
        return lots.without(self.row) if self.missing else lots

    def draw(
        self,
        params: RelevanceParams,
        nodes: NDArray[np.float64],
        draw: int,
        threads: int,
        check: Callable[[], None] | None,
        *,
        references: bool = False,
    ) -> Paths:
        """Return the P prototypes (K, 1, P, d) of training number ``draw`` at K noise levels.

        With ``references`` two models without noise follow, one with clipping and one without.
        """
        n_runs = len(nodes) + (2 if references else 0)
        n_steps = budget.n_steps(params.epochs, params.sample_rate)
        chance = sgd.Streams.of(params.seed, draw)
        start = starts(self.problem, params, nodes, chance.start, self.sums, self.counts)
        return run_loop(
            self.problem, params, start[:n_runs], self.lots(params, n_steps, chance.lots), X=self.X,
            key=chance.key, snapshots=np.array([n_steps]), threads=threads, check=check,
            **noise_and_clipping(params, nodes, n_runs),
        )  # fmt: skip


def replacement(problem: Problem, row: int) -> int:
    """Return the index of the record that replaces the record ``row`` in the neighbouring data set.

    Among the other records of the class of ``row``, this record is nearest to the class mean.
    """
    label = problem.y[row]
    far = np.square(problem.X - problem.sums[label] / problem.counts[label]).sum(axis=1)
    far[(problem.y != label) | (np.arange(len(far)) == row)] = np.inf
    return int(far.argmin())
