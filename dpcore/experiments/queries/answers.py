"""Answers to one question: a noisy count, repeated or post-processed, or a choice among options."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft

from dpcore.accounting import Repeated
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import ANSWERS, Options, QueriesParams, options
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import Exponential, Laplace, exponential_probabilities
from dpcore.mechanisms.choice import mechanism_guarantee

__all__ = [
    "OTHER",
    "PLACES",
    "TRUTH",
    "Again",
    "Choosing",
    "Processing",
    "Remembered",
    "again",
    "choice_guarantee",
    "choosing",
    "clearest_neighbour",
    "hit_rate",
    "hit_rates",
    "noisy_best",
    "noisy_winner",
    "processed",
    "processed_guarantee",
    "processing",
    "repeated_guarantee",
]

Floats = NDArray[np.float64]
_ALL = 200  # of the first answers
PLACES: NDArray[np.int64] = np.unique(
    np.rint(np.append(np.arange(1, _ALL), np.geomspace(_ALL, ANSWERS[-1], 30)))
).astype(np.int64)
"""Numbers of the displayed answers: all of the first 200, and fewer of the later ones."""
_LEVELS = 16


@dataclass(frozen=True, kw_only=True)
class Again:
    """Results of k noisy answers to one count.

    There are E = 50 values of ε and K values of k. Noise is in units of 1/ε.

    - ``noise`` (P,): noise of the P displayed answers. `PLACES` has the numbers of these answers.
    - ``running`` (P,): mean noise of all answers up to each displayed one.
    - ``fresh`` (E, K): accuracy of the best attack on k answers of ε each with fresh noise.
    - ``shared`` (E, K): accuracy of the best attack on k answers of ε/k each with fresh noise.
    - ``remembered`` (E,): accuracy of the best attack if the first answer is repeated.
    - ``error``, ``error_shared`` (E, K), ``error_remembered`` (E,): standard error of the mean
      answer in these three cases.
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
    """Return noise, averages and attack accuracy for k answers to one count, at every ε and k.

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
    >>> found.error[20, [0, 19]].round(3).tolist()   # ε = 1, of 1 and of 100 answers
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

    Each answer is a count with Laplace noise of scale 1/ε. The accuracy is (1 + δ(0))/2, where all
    k answers together are (0, δ(0))-DP. To compute it, answers between the two true counts are
    rounded to ``levels`` levels. The result is at most the exact accuracy, and for 16 levels less
    than a thousandth below it.

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
    """Return the accuracy (K,) of the best test (`hit_rate`) for the numbers of answers ``counts`` (K,)."""
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
    """Return values**k by repeated squaring, which is faster than numpy's complex power."""
    product = values if k % 2 else np.ones_like(values)
    while k := k // 2:
        values = values * values
        product = product * values if k % 2 else product
    return product


def _loss_of_one(epsilon: float, levels: int) -> tuple[float, Floats]:
    """Return the distribution of the privacy loss of one answer, as a step and probabilities.

    The probabilities are those of the losses from -ε to ε, in steps of ε/levels.
    """
    step = epsilon / levels
    chances = np.zeros(2 * levels + 1)
    between = step * np.arange(1 - levels, levels, 2)
    # The ratio of both worlds' chances of a level is e to the loss at its middle, exactly.
    chances[1::2] = np.exp((between - epsilon) / 2) * np.sinh(step / 2)
    chances[0], chances[-1] = np.exp(-epsilon) / 2, 0.5
    return step, chances


class Remembered:
    """A noisy count with a stored answer.

    Noise is drawn once, so repeated questions cost ε only once.

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
    """Return the joint guarantee of k answers to a count.

    The total ε is kε if each answer has fresh noise, and ε if the first answer is repeated.
    """
    times = 1 if remembered else n_answers
    why = (
        "the noise is drawn once; every further answer repeats the first one, which is post-processing"
        if remembered
        else f"{n_answers} answers of ε = {epsilon:.3g} with fresh noise: their losses add up, and all of them "
        "may be as large as ε at once"
    )
    one = Laplace(epsilon=epsilon)
    return from_event(
        Repeated(one.event, times), 0.0, calibrated_epsilon=times * epsilon, neighbouring="add_remove",
        argument=f"Laplace noise on a count that one person moves by at most 1; {why}.",
        public=("the question, how often it is asked, ε and that noise is added",),
        not_protected=(
            "facts about all people together, which the average brings out",
            "further answers about the same people: they add up",
        ),
        parts=(Part(name=f"{times} × one answer", epsilon=times * epsilon, delta=0.0,
                    mechanism=f"Laplace, scale {1 / epsilon:.3g}"),),
    )  # fmt: skip


TRUTH, OTHER = 3.0, 2.0
"""Exact counts with and without one person, Ada."""
_N_DRAWS = 80
_N_ERRORS = 4000
_FAR = 200


@dataclass(frozen=True, kw_only=True)
class Processing:
    """Answers to a counting query before and after post-processing, at E = 50 values of ε.

    Answers are drawn with and without one particular person in the count.

    - ``raw``, ``processed`` (E, 80): noisy answers with the person, before and after processing.
    - ``raw_other``, ``processed_other`` (E, 80): noisy answers without the person, with the same
      noise.
    - ``hits_raw``, ``hits`` (E,): accuracy of the best test for the person's presence, given the
      answer before and after processing.
    - ``error_raw``, ``error`` (E,): mean absolute error before and after processing.
    """

    raw: Floats
    processed: Floats
    raw_other: Floats
    processed_other: Floats
    hits_raw: Floats
    hits: Floats
    error_raw: Floats
    error: Floats


def processed(answers: Floats, *, step: int, clamp: bool) -> Floats:
    """Return answers rounded to multiples of ``step``.

    With ``clamp``, negative answers are first set to 0. If ``step`` is 0, answers are not rounded.

    Examples
    --------
    >>> processed(np.array([-2.0, 3.4]), step=1, clamp=True).tolist()
    [0.0, 3.0]
    """
    values = np.maximum(answers, 0.0) if clamp else answers
    return step * np.floor(values / step + 0.5) if step else values


def processing(params: QueriesParams) -> Processing:
    """Return answers before and after post-processing, with the accuracy of the best attack on both, at every ε.

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

    def process(answers: Floats) -> Floats:
        return processed(answers, step=params.step, clamp=params.clamp)

    return Processing(
        raw=TRUTH + few,
        processed=process(TRUTH + few),
        raw_other=OTHER + few,
        processed_other=process(OTHER + few),
        hits_raw=_before(params.average),
        hits=_after(params, eps[:, 0]),
        error_raw=np.abs(noise).mean(1),
        error=np.abs(process(TRUTH + noise) - TRUTH).mean(1),
    )


def _before(average: bool) -> Floats:
    """Return the accuracy (E,) of the best test that sees the noisy answers before processing, at every ε.

    The test sees one answer of ε or, if ``average``, two answers of ε/2 each. It guesses by whether
    their mean is above the midpoint of the two possible true counts. If the mean is above the
    midpoint, the total privacy loss of the answers is at least 0; if it is below, at most 0. So no
    test is more accurate.
    """
    middle = np.array([(TRUTH - OTHER) / 2])
    return np.asarray(_below(middle, np.array(EPSILON_GRID), average)[:, 0], float)


def _after(params: QueriesParams, eps: Floats) -> Floats:
    """Return the accuracy (E,) of the best test from the processed answer, at every ε.

    The likelihood ratio is monotone in the noisy answer, so the best test is a threshold. Without
    rounding the threshold can be anywhere. With rounding it is the midpoint between two multiples
    of the step. With clamping it is above 0.
    """
    cuts = np.array([(TRUTH + OTHER) / 2])
    if params.step:
        cuts = (np.arange(-_FAR, _FAR) + 0.5) * params.step
    if params.clamp:
        cuts = cuts[cuts > 0]
    spread = _below(cuts - OTHER, eps, params.average) - _below(cuts - TRUTH, eps, params.average)
    return np.asarray(0.5 + 0.5 * spread.max(1), float)


def _below(places: Floats, eps: Floats, average: bool) -> Floats:
    """Return P[noise ≤ place] (E, places) for each place and each of E values of ε.

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
        Repeated(Laplace(epsilon=each).event, times), 0.0, calibrated_epsilon=times * each, neighbouring="add_remove",
        argument="Laplace noise on a count; what is done to the published answer afterwards does not look at the "
        "data again, so ε stays (post-processing).",
        public=("the question, ε, and what is done to the answer",),
        not_protected=(
            "facts about all people together", "processing that looks at the data again",
        ),
        parts=(part,),
    )  # fmt: skip


_FINE = 1600


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Probabilities with which three mechanisms choose each of m options, at E = 50 values of ε.

    - ``options``: names and scores. ``other``: scores of a neighbour.
    - ``chosen``, ``chosen_other`` (E, m): probabilities of the exponential mechanism with the given
      and with the neighbour's scores.
    - ``winner``, ``winner_other`` (E, m): probabilities of the largest noisy score, with the given
      and with the neighbour's scores. Only the name of the option is published.
    - ``all_scores`` (E, m): probabilities of the largest noisy score if all noisy scores are
      published at the same ε.
    - ``shown`` (E,): largest |ln ratio| of the exponential mechanism's probabilities over all
      neighbours.
    - ``loss`` (E, 3): mean difference between the best score and the score of the chosen option, by
      mechanism.
    """

    options: Options
    other: tuple[float, ...]
    chosen: Floats
    chosen_other: Floats
    winner: Floats
    winner_other: Floats
    all_scores: Floats
    shown: Floats
    loss: Floats


def choosing(params: QueriesParams) -> Choosing:
    """Return the probabilities with which three mechanisms with the same ε choose each option.

    Parameters
    ----------
    params : QueriesParams
        ``options`` and ``monotone`` are used.

    Returns
    -------
    Choosing

    Examples
    --------
    >>> found = choosing(QueriesParams(topic="choosing", options="yes 3, no 1"))
    >>> found.chosen[20].round(3).tolist()   # ε = 1: e²/(e² + 1) with counts
    [0.881, 0.119]
    """
    choices = options(params.options)
    here = np.array(choices.scores)
    moves = here + _moves(len(here), monotone=params.monotone)
    there = np.array(clearest_neighbour(choices.scores, monotone=params.monotone))
    one = 1.0 if params.monotone else 2.0
    pairs = [
        np.array([exponential_probabilities(s, 1.0, epsilon=e, monotone=params.monotone) for e in EPSILON_GRID])
        for s in (here, there)
    ]  # fmt: skip
    winners = [np.array([noisy_winner(s, one / e) for e in EPSILON_GRID]) for s in (here, there)]
    everything = np.array([noisy_winner(here, len(here) / e) for e in EPSILON_GRID])
    return Choosing(
        options=choices, other=tuple(there), chosen=pairs[0], chosen_other=pairs[1],
        winner=winners[0], winner_other=winners[1], all_scores=everything,
        shown=_shown(pairs[0], moves, params.monotone),
        loss=here.max() - np.stack([pairs[0] @ here, winners[0] @ here, everything @ here], -1),
    )  # fmt: skip


def _moves(m: int, *, monotone: bool) -> Floats:
    """Return all extreme changes (changes, m) that one person can make to m scores.

    A score changes by 0 or 1 if ``monotone``, else by -1 or 1.
    """
    return np.array(list(itertools.product((0.0, 1.0) if monotone else (-1.0, 1.0), repeat=m)))


def clearest_neighbour(scores: tuple[float, ...], *, monotone: bool) -> tuple[float, ...]:
    """Return the scores of the neighbour that changes the choice probabilities most.

    The probabilities are those of the exponential mechanism at ε = 1. One person changes every
    score by at most 1. If scores are counts (``monotone``), they only rise. All extreme changes are
    tried.

    Examples
    --------
    >>> clearest_neighbour((1.0, 1.0), monotone=False)
    (0.0, 2.0)
    """
    here = np.array(scores)
    there = here + _moves(len(scores), monotone=monotone)
    p = exponential_probabilities(here, 1.0, epsilon=1.0, monotone=monotone)
    q = exponential_probabilities(there, 1.0, epsilon=1.0, monotone=monotone)
    clearest = int(np.abs(p - q).sum(1).round(9).argmax())
    return tuple(float(s) for s in there[clearest])


def noisy_winner(scores: NDArray[np.float64], scale: float) -> Floats:
    """Return the probability (m,) that each option has the largest score after adding Laplace noise.

    For option i it is ∫ f(x - sᵢ) Πⱼ F(x - sⱼ) dx over j ≠ i, with density f and distribution
    function F of the noise. The grid is fine around every score.

    Examples
    --------
    >>> noisy_winner(np.array([1.0, 1.0, 1.0]), 2.0).round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    s = np.asarray(scores, float) / scale
    near = np.sinh(np.linspace(-4, 4, _FINE // 2 + 1)) / np.sinh(4) * 40
    x = np.unique(np.concatenate([place + near for place in np.unique(s)]))
    z = x - s[:, None]
    tail = np.exp(-np.abs(z)) / 2
    below = np.where(z > 0, 1 - tail, tail)
    product = np.prod(below, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        others = np.where(below > 0, product / below, 0.0)
    probabilities = np.trapezoid(tail * others, x, axis=1)
    return np.asarray(probabilities / probabilities.sum(), float)


def noisy_best(scores: NDArray[np.float64], scale: float, rng: np.random.Generator) -> int:
    """Return the index of the largest of the scores (m,) plus Laplace noise."""
    return int(np.argmax(np.asarray(scores, float) + scale * rng.laplace(size=len(scores))))


def _shown(chosen: Floats, neighbours: Floats, monotone: bool) -> Floats:
    """Return the largest |ln ratio| (E,) of the choice probabilities over all neighbours, at every ε.

    The ratio is of an option's probabilities with the given scores and with a neighbour's scores.
    Options with a probability near 0 are ignored.
    """
    ratios = []
    for p, e in zip(chosen, EPSILON_GRID, strict=True):
        q = exponential_probabilities(neighbours, 1.0, epsilon=e, monotone=monotone)
        both = (p > 1e-300) & (q > 1e-300)
        ratios.append(np.abs(np.log(np.where(both, p / np.where(both, q, 1), 1.0))).max())
    return np.array(ratios)


def choice_guarantee(params: QueriesParams) -> Guarantee:
    """Return the guarantee of one choice, by the exponential mechanism or by the largest noisy score.

    Both mechanisms have the same guarantee.
    """
    mechanism = Exponential(epsilon=params.epsilon, monotone=params.monotone)
    kind = (
        "counts, which one person can only raise together"
        if params.monotone
        else "scores that one person may move either way, by at most 1"
    )
    return mechanism_guarantee(
        mechanism,
        params.epsilon,
        f"exponential mechanism on {kind} (McSherry and Talwar 2007); the largest of scores with Laplace "
        "noise costs the same (Dwork and Roth 2014, section 3.3)",
    )
