"""Computations of the first lesson: a survey with coins, a noisy count, repeated questions, a study of a group.

Every function is pure and seeded. The lesson calls each function once and shows the result to all
readers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import relevance
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import RelevanceParams
from dpcore.experiments.relevance.outcomes import World
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Laplace, RandomizedResponse, randomized_response

__all__ = [
    "ASKED_GRID",
    "PEOPLE_GRID",
    "TRUTH_GRID",
    "Asking",
    "Count",
    "RaisedCards",
    "Study",
    "Survey",
    "ask_again",
    "count",
    "draws",
    "prototypes",
    "prototypes_without",
    "raise_cards",
    "study",
    "survey",
]

Floats = NDArray[np.float64]
TRUTH_GRID = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99)
"""Probabilities of a true answer, from which the lesson's reader chooses."""
ASKED_GRID = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100)
"""Numbers of times that one question is asked."""
PEOPLE_GRID = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
"""Numbers of people who take part in a study."""
_N_SURVEYS, _N_TRIALS, _N_DRAWS = 400, 20_000, 80
_N_NODES = 13


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Simulated surveys with randomized response, at G probabilities of a true answer (`TRUTH_GRID`).

    Each survey has ``n_people`` people. The fraction ``share`` of them has the true answer yes.

    - ``estimates`` (G, surveys): estimated share of yes.
    - ``off`` (G,): mean absolute error of the estimates.
    - ``means_yes`` (G,): fraction of the "yes" answers that are true.
    """

    share: float
    n_people: int
    estimates: Floats
    off: Floats
    means_yes: Floats


@dataclass(frozen=True, kw_only=True)
class RaisedCards:
    """Answers of n people who each toss a coin before answering.

    The coins are the same for each of G probabilities of a true answer.

    - ``answers`` (G, n): whether a person's card says yes.
    - ``estimates`` (G,): share of people with the true answer yes, estimated from the cards.
    - ``truth`` (n,): a person's true answer.
    """

    answers: NDArray[np.bool_]
    truth: NDArray[np.bool_]
    estimates: Floats

    def yes_so_far(self) -> NDArray[np.int64]:
        """Return the number (G, n + 1) of cards that say yes among the first 0, 1, ..., n cards."""
        return np.pad(np.cumsum(self.answers, axis=1), ((0, 0), (1, 0)))

    def estimates_so_far(self) -> Floats:
        """Return the share (G, n + 1) of yes that is estimated from the first 0, 1, ..., n cards.

        Without a card the estimate is NaN.
        """
        n = np.arange(1, self.answers.shape[1] + 1)
        shares = self.yes_so_far()[:, 1:] / n
        rows = [_coin(true).estimate(row) for true, row in zip(TRUTH_GRID, shares, strict=True)]
        return np.pad(np.array(rows, float), ((0, 0), (1, 0)), constant_values=np.nan)

    def without(self, person: int) -> RaisedCards:
        """Return the cards of the same class without one person."""
        answers = np.delete(self.answers, person, axis=1)
        return RaisedCards(
            answers=answers, truth=np.delete(self.truth, person), estimates=_estimates(answers)
        )


@dataclass(frozen=True, kw_only=True)
class Count:
    """A count of ``answer`` people with Laplace noise at E values of ε, with and without one person.

    - ``x`` (n,): n possible noisy answers.
    - ``density`` and ``density_other`` (E, n): densities of these answers with and without the
      person, relative to the maximum.
    - ``draws`` (E, 80): noise.
    - ``bets`` (2, E, 80): further noisy answers with and without the person.
    - ``off`` (E,): mean absolute error.
    - ``guesses`` (E,): accuracy of the best test for the person's presence.
    """

    answer: float
    x: Floats
    density: Floats
    density_other: Floats
    draws: Floats
    bets: Floats
    off: Floats
    guesses: Floats


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A count that is requested 100 times, with fresh noise each time.

    Error, accuracy and ε are given after each of the K numbers of answers in `ASKED_GRID`.

    - ``answer``: true count.
    - ``answers`` (100,): noisy answers.
    - ``means`` (100,): running means of the noisy answers.
    - ``off`` (K,): mean absolute error of the average.
    - ``guesses`` (K,): accuracy of the best test for one person's presence, from all answers so
      far.
    - ``epsilon`` (K,): total ε of the answers.
    """

    answer: float
    answers: Floats
    means: Floats
    off: Floats
    guesses: Floats
    epsilon: Floats


@dataclass(frozen=True, kw_only=True)
class Study:
    """Noisy share of ill people in studies of different sizes.

    A study has n people, for the N values of n in `PEOPLE_GRID`. One particular ill person takes
    part or not.

    - ``middle`` (N,): median of the noisy share if the person takes part and the fraction ``share``
      of all n people is ill.
    - ``middle_other`` (N,): median if the person is left out of the counts of ill people and of all
      people.
    - ``low``, ``high`` (N,): range of nine in ten studies, each with n new people and independent
      noise.
    - ``result`` (N,): result of one such study, in which the person takes part.
    - ``result_without`` (N,): result of this study without the person, with the same other people
      and the same noise.
    - ``result_other`` (N,): result of another study, of n - 1 other people.
    - ``guesses``: accuracy of the best test for the person's participation.
    """

    share: float
    low: Floats
    middle: Floats
    high: Floats
    middle_other: Floats
    result: Floats
    result_without: Floats
    result_other: Floats
    guesses: float


def survey(share: float = 0.3, n_people: int = 1000, seed: int = 1) -> Survey:
    """Return the results of simulated surveys with randomized response.

    The fraction ``share`` of the ``n_people`` people has the true answer yes.

    Examples
    --------
    >>> made = survey()
    >>> abs(float(made.estimates.mean(1)[4]) - 0.3) < 0.01   # the coins cancel out
    True
    """
    rng = np.random.default_rng(seed)
    truth = np.arange(n_people) < round(share * n_people)
    shares, means_yes = [], []
    for true in TRUTH_GRID:
        coin = _coin(true)
        said = coin.sample(np.broadcast_to(truth.astype(int), (_N_SURVEYS, n_people)), rng)
        shares.append(coin.estimate(said.mean(1)))
        means_yes.append(share * true / (share * true + (1 - share) * (1 - true)))
    estimates = np.array(shares)
    return Survey(
        share=share,
        n_people=n_people,
        estimates=estimates,
        off=np.abs(estimates - share).mean(1),
        means_yes=np.array(means_yes),
    )


def raise_cards(share: float = 0.3, n_people: int = 100, seed: int = 4) -> RaisedCards:
    """Return the cards that one class raises, at every probability of a true answer in `TRUTH_GRID`.

    Examples
    --------
    >>> cards = raise_cards()
    >>> cards.answers.shape, round(float(cards.estimates[-1]), 2)   # nearly all answers are true
    ((10, 100), 0.3)
    """
    rng = np.random.default_rng(seed)
    truth = rng.permutation(n_people) < round(share * n_people)
    toss = rng.random(n_people)
    answers = np.array([truth ^ (toss >= true) for true in TRUTH_GRID])
    return RaisedCards(answers=answers, truth=truth, estimates=_estimates(answers))


def _estimates(answers: NDArray[np.bool_]) -> Floats:
    """Return the estimated share of yes from cards (G, n), at every probability of `TRUTH_GRID`."""
    rows = zip(TRUTH_GRID, answers, strict=True)
    return np.array([_coin(true).estimate(row.mean()) for true, row in rows], float)


def _coin(truth: float) -> RandomizedResponse:
    """Return randomized response in which an answer is true with probability ``truth``."""
    return randomized_response(math.log(truth / (1 - truth)))


def count(answer: float = 100.0, seed: int = 3) -> Count:
    """Return the distributions of a noisy count with and without one person, at every ε of the grid.

    Examples
    --------
    >>> made = count()
    >>> made.guesses.shape, bool(made.guesses[0] < made.guesses[-1])
    ((50,), True)
    """
    x = np.linspace(answer - 12, answer + 11, 231)
    noises = [Laplace(epsilon=epsilon, sensitivity=1.0) for epsilon in EPSILON_GRID]
    rng = np.random.default_rng(seed)
    u, bets = rng.uniform(0.001, 0.999, _N_DRAWS), rng.uniform(0.001, 0.999, (2, _N_DRAWS))
    tops = [noise.density(answer, answer) for noise in noises]
    return Count(
        answer=answer,
        x=x,
        density=np.array([m.density(x, answer) / t for m, t in zip(noises, tops, strict=True)]),
        density_other=np.array(
            [m.density(x, answer - 1) / t for m, t in zip(noises, tops, strict=True)]
        ),
        draws=np.array([noise.quantile(u) for noise in noises]),
        bets=np.array([[answer - k + m.quantile(bets[k]) for m in noises] for k in (0, 1)]),
        off=np.array([noise.mean_error() for noise in noises]),
        guesses=np.array([(1 + noise.delta_at(0.0)) / 2 for noise in noises]),
    )


def ask_again(epsilon: float = 0.5, answer: float = 100.0, seed: int = 5) -> Asking:
    """Return averages of repeated noisy counts, and how well they reveal one person's presence.

    The best test adds up the privacy losses of all answers and guesses by the sign of the sum.

    Examples
    --------
    >>> made = ask_again()
    >>> bool(made.guesses[0] < 0.65 < 0.98 < made.guesses[-1])
    True
    """
    rng = np.random.default_rng(seed)
    noise = Laplace(epsilon=epsilon, sensitivity=1.0)
    times = np.array(ASKED_GRID)
    trials = noise.sample(np.zeros((_N_TRIALS, times[-1])), rng)
    loss = np.cumsum(np.abs(trials + 1) - np.abs(trials), axis=1)[:, times - 1]
    means = np.cumsum(trials, axis=1)[:, times - 1] / times
    answers = noise.sample(np.full(times[-1], answer), rng)
    return Asking(
        answer=answer,
        answers=answers,
        means=np.cumsum(answers) / np.arange(1, times[-1] + 1),
        off=np.abs(means).mean(0),
        guesses=(loss > 0).mean(0) + (loss == 0).mean(0) / 2,
        epsilon=epsilon * times,
    )


def study(share: float = 0.3, epsilon: float = 0.5, seed: int = 7) -> Study:
    """Return the noisy shares of ill people in private studies, with and without one ill person.

    Examples
    --------
    >>> made = study()
    >>> bool(made.high[-1] - made.low[-1] < 0.01), round(float(made.middle_other[-1]), 3)
    (True, 0.3)
    """
    noise = Laplace(epsilon=epsilon, sensitivity=1.0)
    people = np.array(PEOPLE_GRID)
    ill = np.round(share * people)
    rng = np.random.default_rng(seed)
    counts = rng.binomial(people, share, (_N_TRIALS, len(people))).astype(float)
    low, high = np.quantile(noise.sample(counts, rng) / people, [0.05, 0.95], axis=0)
    # Both studies ask n - 1 people of their own, the first one the ill person too.
    one, other = noise.sample(rng.binomial(people - 1, share, (2, len(people))).astype(float), rng)
    return Study(
        result=(one + 1) / people,
        result_without=one / (people - 1),
        result_other=other / (people - 1),
        share=share,
        low=low,
        middle=ill / people,
        high=high,
        middle_other=(ill - 1) / (people - 1),
        guesses=float((1 + noise.delta_at(0.0)) / 2),
    )


def draws(numbers: Iterable[int]) -> Floats:
    """Return the accuracy (D, E) of private prototypes in D repeated trainings, for E values of ε.

    ``numbers``: the D numbers of the repetitions, from 1 on. Each repetition has different noise and
    batches. Number 0 is reserved for the training that `prototypes` returns.
    """
    params = RelevanceParams()
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    nodes = relevance.noise_nodes(params, _N_NODES)
    world = World(problem, params, relevance.chosen_person(problem, params), True)
    where = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    places = relevance.index_table(params, nodes)[:, *where]
    errors = (
        problem.errors(world.draw(params, nodes, number, 2, None).prototypes[:, 0])
        for number in numbers
    )
    return np.array([1 - np.interp(places, np.arange(_N_NODES), row) for row in errors])


def prototypes() -> tuple[relevance.Problem, Floats, Floats]:
    """Return a small classification problem, its private prototypes (E, P, d), and their accuracy (E,).

    There are P prototypes with d features for each of E values of ε.

    Examples
    --------
    >>> problem, places, accuracy = prototypes()
    >>> places.shape[0], bool(accuracy[0] < accuracy[-1])
    (50, True)
    """
    params = RelevanceParams()
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    sweep = relevance.run_sweep(problem, params)
    models = [sweep.at(epsilon) for epsilon in EPSILON_GRID]
    return (
        problem,
        np.array([model.prototypes for model in models]),
        np.array([model.accuracy for model in models]),
    )


def prototypes_without() -> tuple[int, Floats, Floats]:
    """Return the row of a person, and prototypes (E, P, d) and accuracies (E,) without that person.

    The training has the noise, batches and noise levels of `prototypes`.

    Examples
    --------
    >>> row, places, accuracy = prototypes_without()
    >>> bool(np.abs(places - prototypes()[1]).max() > 0)
    True
    """
    params = RelevanceParams()
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    person = relevance.chosen_person(problem, params)
    nodes = relevance.noise_nodes(params)
    paths = World(problem, params, person, False).draw(params, nodes, 0, 2, None)
    where = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    place = relevance.index_table(params, nodes)[:, *where]
    at = np.minimum(place.astype(int), len(nodes) - 2)
    part = (place - at)[:, None, None]
    found, errors = paths.prototypes[:, 0], problem.errors(paths.prototypes[:, 0])
    return (
        person.row,
        (1 - part) * found[at] + part * found[at + 1],
        1 - np.interp(place, np.arange(len(nodes)), errors),
    )


def counted() -> list[Guarantee]:
    """Return the guarantee of a noisy count at every ε of the grid."""
    return [Laplace(epsilon=epsilon).privacy for epsilon in EPSILON_GRID]


def repeated_guarantees(epsilon: float = 0.5) -> list[Guarantee]:
    """Return the joint guarantee of k answers to the same count, for k in `ASKED_GRID`.

    The answers have independent noise.
    """
    return [Laplace(epsilon=epsilon).privacy.repeated(times) for times in ASKED_GRID]


def learned() -> list[Guarantee]:
    """Return the guarantee of the private prototypes at every ε of the grid."""
    params = RelevanceParams()
    problem = relevance.named_problem(params.dataset, params.prototypes_per_class)
    return relevance.guarantees(params, problem)
