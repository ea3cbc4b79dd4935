"""What is done to a noisy answer afterwards: it may become better or worse, never less private."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import Repeated
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries.params import QueriesParams
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import Laplace

__all__ = ["OTHER", "TRUTH", "Processing", "processed", "processing", "promise"]

Floats = NDArray[np.float64]
TRUTH, OTHER = 3.0, 2.0
"""A count with Ada, and without her."""
_N_DRAWS = 80
_N_ERRORS = 4000
_FAR = 200


@dataclass(frozen=True, kw_only=True)
class Processing:
    """E = 50 values of ε.

    ``raw``, ``made`` (E, 80): answers with Ada before and after processing, ``raw_other``, ``made_other``
    without her, of the same noise; ``hits_raw``, ``hits`` (E,): how often the best test of the answer
    before, and after, is right; ``error_raw``, ``error`` (E,): the mean error before and after.
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
    """Return answers put to 0 where negative, then rounded to multiples of ``step`` (0: not at all).

    >>> processed(np.array([-2.0, 3.4]), step=1, clamp=True).tolist()
    [0.0, 3.0]
    """
    kept = np.maximum(answers, 0.0) if clamp else answers
    return step * np.floor(kept / step + 0.5) if step else kept


def processing(params: QueriesParams) -> Processing:
    """Return answers before and after processing, and the best attack on both, at every ε.

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
    """The best test of what was published: one answer of ε, or two answers of ε/2.

    Of two answers the sign of the sum of both losses is that of their mean less the middle, ties aside: the
    best test needs no more than their mean.
    """
    middle = np.array([(TRUTH - OTHER) / 2])
    return np.asarray(_below(middle, np.array(EPSILON_GRID), average)[:, 0], float)


def _after(params: QueriesParams, eps: Floats) -> Floats:
    """The best test of the processed answer: the likelihood ratio rises with it, so it is a cut.

    The cut may lie wherever processing keeps both sides apart: anywhere, above 0, or between two
    multiples of the step.
    """
    cuts = np.array([(TRUTH + OTHER) / 2])
    if params.step:
        cuts = (np.arange(-_FAR, _FAR) + 0.5) * params.step
    if params.clamp:
        cuts = cuts[cuts > 0]
    spread = _below(cuts - OTHER, eps, params.average) - _below(cuts - TRUTH, eps, params.average)
    return np.asarray(0.5 + 0.5 * spread.max(1), float)


def _below(places: Floats, eps: Floats, average: bool) -> Floats:
    """P[noise ≤ place] of one Laplace draw of scale 1/ε, or of the sum of two, (E, places)."""
    z = np.abs(places) * eps[:, None]
    tail = np.exp(-z) * ((2 + z) / 4 if average else 0.5)
    return np.where(places > 0, 1 - tail, tail)


def promise(params: QueriesParams) -> Guarantee:
    """Return what the processed answer promises: what the answer did."""
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
