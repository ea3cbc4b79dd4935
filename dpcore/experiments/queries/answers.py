"""Noisy answers to one count: repeated k times, or post-processed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from dpcore.accounting import Repeated
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import ANSWERS, QueriesParams
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import Laplace

__all__ = [
    "OTHER",
    "PLACES",
    "TRUTH",
    "Again",
    "Processing",
    "Remembered",
    "again",
    "hit_rate",
    "hit_rates",
    "processed",
    "processed_guarantee",
    "processing",
    "repeated_guarantee",
]

Floats = NDArray[np.float64]
PLACES: NDArray[np.int64] = np.unique(np.rint(np.geomspace(1, ANSWERS[-1], 90))).astype(np.int64)
"""The answers that are drawn: all of the first ones, and ever fewer of those that follow."""
_LEVELS = 16


@dataclass(frozen=True, kw_only=True)
class Again:
    """Results of k noisy answers to one count.

    There are E = 50 values of ε and K values of k. Noise is in units of 1/ε.

    - ``noise`` (P,): noise of the answers with the P numbers `PLACES`; ``running`` (P,): mean noise
      of all answers up to each of them.
    - ``fresh`` (E, K): accuracy of the best attack on k answers of ε each with fresh noise.
    - ``shared`` (E, K): accuracy of the best attack on k answers of ε/k each with fresh noise.
    - ``remembered`` (E,): accuracy of the best attack if the same answer is repeated.
    - ``error``, ``error_shared`` (E, K), ``error_remembered`` (E,): standard error of the mean
      answer in these cases.
    """

    noise: Floats
    running: Floats
    fresh: Floats
    shared: Floats
    remembered: Floats
    error: Floats
    error_shared: Floats
    error_remembered: Floats


@lru_cache(maxsize=16)
def _draws(seed: int) -> Floats:
    return Laplace(epsilon=1.0).sample(np.zeros(ANSWERS[-1]), np.random.default_rng(seed))


@lru_cache(maxsize=1)
def _tables() -> tuple[Floats, Floats]:
    fresh = np.array([hit_rates(e, ANSWERS) for e in EPSILON_GRID])
    # Few levels do where hardly any answer lies between the two truths.
    shared = [
        [hit_rate(e / k, k, levels=4 if k > 5 else _LEVELS) for k in ANSWERS] for e in EPSILON_GRID
    ]
    return fresh, np.array(shared)


def again(params: QueriesParams) -> Again:
    """Return noise, averages and attack accuracy of k answers to one count, at every ε and k.

    Parameters
    ----------
    params : QueriesParams
        ``seed`` is used; ε and k are axes of the result.

    Returns
    -------
    Again

    Examples
    --------
    >>> found = again(QueriesParams())
    >>> found.error[20, [0, 14]].round(3).tolist()   # ε = 1, of 1 and of 100 answers
    [1.414, 0.141]
    """
    noise = _draws(params.seed)
    running = np.cumsum(noise) / np.arange(1, len(noise) + 1)
    fresh, shared = _tables()
    one = np.sqrt(2) / np.array(EPSILON_GRID)
    root = np.sqrt(np.array(ANSWERS))
    return Again(
        noise=noise[PLACES - 1], running=running[PLACES - 1], fresh=fresh, shared=shared,
        remembered=fresh[:, 0], error=one[:, None] / root, error_shared=one[:, None] * root,
        error_remembered=one,
    )  # fmt: skip


def hit_rate(epsilon: float, n_answers: int, *, levels: int = _LEVELS) -> float:
    """Return the accuracy of the best test between two neighbours from k answers with independent noise.

    Each answer is a count with Laplace noise of scale 1/ε. The accuracy is (1 + δ(0))/2, where δ(0)
    is the δ at ε = 0 of all k answers together. To compute it, each answer between the two true
    counts is rounded to one of ``levels`` levels. The result is never above the exact accuracy, and
    below it by less than a thousandth for 16 levels.

    Parameters
    ----------
    epsilon : float
        ε > 0 of one answer.
    n_answers : int
        k ≥ 1.
    levels : int
        Number of levels to which answers between the two true counts are rounded.

    Returns
    -------
    float
        In [0.5, 1].

    Examples
    --------
    >>> round(hit_rate(1.0, 1), 4)   # 1 - exp(-1/2)/2
    0.6967
    """
    return float(hit_rates(epsilon, (n_answers,), levels=levels)[0])


def hit_rates(epsilon: float, counts: tuple[int, ...], *, levels: int = _LEVELS) -> Floats:
    """Return the accuracy (K,) of the best test (`hit_rate`) for K numbers of answers, ``counts``."""
    step, one = _loss_of_one(epsilon, levels)
    rates: list[float] = []
    for k in counts:
        if rates and rates[-1] > 1 - 1e-12 and k >= counts[len(rates) - 1]:
            rates.append(1.0)
            continue
        size = 2 * levels * k + 1
        length = next_fast_len(size, real=True)
        many = irfft(_power(rfft(one, length), k), length)[:size]
        loss = step * (np.arange(size) - levels * k)
        rates.append(0.5 + 0.5 * np.maximum(many, 0)[loss > 0] @ -np.expm1(-loss[loss > 0]))
    return np.asarray(np.minimum(np.array(rates, float), 1.0))


def _power(values: NDArray[np.complex128], k: int) -> NDArray[np.complex128]:
    """Return values**k by repeated squaring, ten times as fast as numpy's complex power."""
    product = values if k % 2 else np.ones_like(values)
    while k := k // 2:
        values = values * values
        product = product * values if k % 2 else product
    return product


def _loss_of_one(epsilon: float, levels: int) -> tuple[float, Floats]:
    """Return the distribution of the privacy loss of one answer: the step ε/levels, and the probabilities.

    The possible losses are the multiples of the step from -ε to ε.
    """
    step = epsilon / levels
    chances = np.zeros(2 * levels + 1)
    between = step * np.arange(1 - levels, levels, 2)
    # The ratio of both worlds' chances of a level is e to the loss at its middle, exactly.
    chances[1::2] = np.exp((between - epsilon) / 2) * np.sinh(step / 2)
    chances[0], chances[-1] = np.exp(-epsilon) / 2, 0.5
    return step, chances


class Remembered:
    """A noisy count whose answer is stored: noise is drawn once, so repeated questions cost ε only once.

    Examples
    --------
    >>> count = Remembered(100.0, 0.5, np.random.default_rng(0))
    >>> count.ask() == count.ask()
    True
    """

    def __init__(self, truth: float, epsilon: float, rng: np.random.Generator) -> None:
        self._answer = float(Laplace(epsilon=epsilon).sample(truth, rng))

    def ask(self) -> float:
        """Return the stored noisy answer, without access to the data."""
        return self._answer


def repeated_guarantee(epsilon: float, n_answers: int, *, remembered: bool = False) -> Guarantee:
    """Return the joint guarantee of k answers to a count: kε with fresh noise, ε if one answer is repeated."""
    times = 1 if remembered else n_answers
    why = (
        "the noise is drawn once; every further answer repeats the first one, which is post-processing"
        if remembered
        else f"{n_answers} answers of ε = {epsilon:.3g} with fresh noise: their losses add up, and all of them "
        "may be as large as ε at once"
    )
    one = Laplace(epsilon=epsilon)
    return from_event(
        Repeated(one.event, times), 0.0, asked=times * epsilon, neighbouring="add_remove",
        argument=f"Laplace noise on a count that one person moves by at most 1; {why}.",
        public=("the question, how often it is asked, ε and that noise is added",),
        not_protected=(
            "facts about all people together, which the average brings out",
            "further answers about the same people: they add up (page Budget)",
        ),
        parts=(Part(name=f"{times} × one answer", epsilon=times * epsilon, delta=0.0,
                    mechanism=f"Laplace, scale {1 / epsilon:.3g}"),),
    )  # fmt: skip


TRUTH, OTHER = 3.0, 2.0
"""A count with Ada, and without her."""
_N_DRAWS = 80
_N_ERRORS = 4000
_FAR = 200


@dataclass(frozen=True, kw_only=True)
class Processing:
    """Answers to a count before and after post-processing, at E = 50 values of ε.

    One particular person is counted or not.

    - ``raw``, ``made`` (E, 80): noisy answers with the person, before and after processing.
    - ``raw_other``, ``made_other`` (E, 80): noisy answers without the person, from the same noise,
      before and after processing.
    - ``hits_raw``, ``hits`` (E,): accuracy of the best test of whether the person was counted, from
      the answer before and from the answer after processing.
    - ``error_raw``, ``error`` (E,): mean absolute error before and after processing.
    """

    raw: Floats
    made: Floats
    raw_other: Floats
    made_other: Floats
    hits_raw: Floats
    hits: Floats
    error_raw: Floats
    error: Floats


def processed(answers: Floats, *, step: int, clamp: bool) -> Floats:
    """Return answers rounded to multiples of ``step`` (0: not rounded), with ``clamp`` first raised to at least 0.

    Examples
    --------
    >>> processed(np.array([-2.0, 3.4]), step=1, clamp=True).tolist()
    [0.0, 3.0]
    """
    values = np.maximum(answers, 0.0) if clamp else answers
    return step * np.floor(values / step + 0.5) if step else values


def processing(params: QueriesParams) -> Processing:
    """Return answers before and after post-processing, and the accuracy of the best attack on both, at every ε.

    Parameters
    ----------
    params : QueriesParams
        ``step``, ``clamp``, ``average`` and ``seed`` are used.

    Returns
    -------
    Processing

    Examples
    --------
    >>> found = processing(QueriesParams(topic="processing", step=10))
    >>> bool((found.hits <= found.hits_raw + 1e-12).all())
    True
    """
    eps = np.array(EPSILON_GRID)[:, None]
    rng = np.random.default_rng(params.seed)
    draws = Laplace(epsilon=1.0).sample(np.zeros((2, _N_ERRORS)), rng)
    # Two answers of ε/2 each have noise twice as wide, and their mean is half of the sum.
    noise = (draws.sum(0) if params.average else draws[0]) / eps
    few = noise[:, :_N_DRAWS]

    def made(answers: Floats) -> Floats:
        return processed(answers, step=params.step, clamp=params.clamp)

    return Processing(
        raw=TRUTH + few,
        made=made(TRUTH + few),
        raw_other=OTHER + few,
        made_other=made(OTHER + few),
        hits_raw=_before(params.average),
        hits=_after(params, eps[:, 0]),
        error_raw=np.abs(noise).mean(1),
        error=np.abs(made(TRUTH + noise) - TRUTH).mean(1),
    )


def _before(average: bool) -> Floats:
    """Return the accuracy of the best test from the noisy answers before processing, at every ε, (E,).

    The test sees one answer of ε or, if ``average``, two answers of ε/2 each. Of two answers only
    the mean matters: the sum of both privacy losses has the sign of the mean minus the midpoint of
    the two true counts, except for ties.
    """
    middle = np.array([(TRUTH - OTHER) / 2])
    return np.asarray(_below(middle, np.array(EPSILON_GRID), average)[:, 0], float)


def _after(params: QueriesParams, eps: Floats) -> Floats:
    """Return the accuracy of the best test from the processed answer, at every ε, (E,).

    The likelihood ratio is monotone in the noisy answer, so the best test is a threshold.
    Post-processing restricts the threshold: without rounding it can be anywhere, with rounding only
    at the midpoint between two multiples of the step, and with clamping only above 0.
    """
    cuts = np.array([(TRUTH + OTHER) / 2])
    if params.step:
        cuts = (np.arange(-_FAR, _FAR) + 0.5) * params.step
    if params.clamp:
        cuts = cuts[cuts > 0]
    spread = _below(cuts - OTHER, eps, params.average) - _below(cuts - TRUTH, eps, params.average)
    return np.asarray(0.5 + 0.5 * spread.max(1), float)


def _below(places: Floats, eps: Floats, average: bool) -> Floats:
    """Return P[noise ≤ place] for each place and each of E values of ε, (E, places).

    The noise is one Laplace draw of scale 1/ε or, if ``average``, the sum of two.
    """
    z = np.abs(places) * eps[:, None]
    tail = np.exp(-z) * ((2 + z) / 4 if average else 0.5)
    return np.where(places > 0, 1 - tail, tail)


def processed_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of the processed answer, which equals that of the noisy answer."""
    each = params.epsilon / 2 if params.average else params.epsilon
    times = 2 if params.average else 1
    part = Part(
        name="two answers" if params.average else "one answer",
        epsilon=params.epsilon, delta=0.0, mechanism=f"Laplace, scale {1 / each:.3g}",
    )  # fmt: skip
    return from_event(
        Repeated(Laplace(epsilon=each).event, times), 0.0, asked=times * each, neighbouring="add_remove",
        argument="Laplace noise on a count; what is done to the published answer afterwards does not look at the "
        "data again, so ε stays (post-processing).",
        public=("the question, ε, and what is done to the answer",),
        not_protected=(
            "facts about all people together", "processing that looks at the data again",
        ),
        parts=(part,),
    )  # fmt: skip
