"""Measurement of the noise in the answers on the page "Asking again", for the audit of the stated ε.

The page draws noise for ε = 1, and the figure divides it by ε.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dpcore import accounting
from dpcore.audit.claims import NoiseDraw, ratio
from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams, answers, records, sensitivity
from dpcore.experiments.queries.params import NUMBERS

__all__ = ["noise_draws"]


def _unit(seed: int, *shape: int) -> np.ndarray:
    u = np.random.default_rng(seed).random(shape)
    return np.asarray(-np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5)))


def _again(params: QueriesParams) -> accounting.Event:
    noise = answers._draws(params.seed)
    one = accounting.LaplaceEvent(ratio(noise, _unit(params.seed, len(noise))) / params.epsilon)
    return accounting.Repeated(one, params.n_answers)


def _processing(params: QueriesParams) -> accounting.Event:
    processing = answers.processing(params)
    unit = _unit(params.seed, 2, answers._N_ERRORS)
    unit = (unit.sum(0) if params.average else unit[0])[: processing.raw.shape[1]]
    k = int(np.argmin(np.abs(np.array(EPSILON_GRID) - params.epsilon)))
    event = accounting.LaplaceEvent(ratio(processing.raw[k] - answers.TRUTH, unit))
    if params.average:  # two answers, each with twice the noise
        return accounting.Repeated(accounting.LaplaceEvent(2 * event.noise_multiplier), 2)
    return event


def _neighbours(params: QueriesParams) -> accounting.Event:
    noise = sensitivity.neighbours(params).noise
    return accounting.LaplaceEvent(ratio(noise, _unit(params.seed, len(noise))) / params.epsilon)


def _numbers(params: QueriesParams) -> accounting.Event | None:
    if params.noise != "laplace":
        return None
    # The figure draws ε = √2, whose deviation is 1, times the deviation of the noise asked for.
    numbers, noise = sensitivity.numbers(params), sensitivity.numbers(params).noise[0]
    one = ratio(noise, _unit(params.seed, len(noise)))
    k = EPSILON_GRID.index(params.epsilon)
    scale = one * numbers.laplace[k, NUMBERS.index(params.n_numbers)]
    reach = numbers.first[NUMBERS.index(params.n_numbers)]
    return accounting.LaplaceEvent(scale / reach) if reach else None


def _reconstruct(params: QueriesParams) -> accounting.Event | None:
    if params.counts != "noisy":
        return None
    tables = records.tables(params)
    scale = tables.scale[EPSILON_GRID.index(params.epsilon)]
    one = ratio(scale * tables.noise, _unit(params.seed, len(tables.noise)))
    reach = records.tables_mechanism(params).sensitivity
    return accounting.Repeated(accounting.LaplaceEvent(one / reach), params.n_tables)


def _linkage(params: QueriesParams) -> accounting.Event | None:
    if params.release != "counts":
        return None
    noise, mechanism = records.joined(params).noise, records.diagnoses_mechanism(params)
    one = ratio(noise / params.epsilon, _unit(params.seed, len(noise)))
    return accounting.LaplaceEvent(one / mechanism.sensitivity)


_EVENTS: dict[str, Callable[[QueriesParams], accounting.Event | None]] = {
    "again": _again,
    "processing": _processing,
    "neighbours": _neighbours,
    "numbers": _numbers,
    "reconstruct": _reconstruct,
    "linkage": _linkage,
}


def noise_draws(params: QueriesParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of the chosen topic, with the promised guarantee.

    Topics that only compute probabilities draw no noise and yield nothing.
    """
    measure = _EVENTS.get(params.topic)
    event = measure(params) if measure else None
    promised = queries.guarantee(params)
    if event is not None and promised.epsilon:
        yield NoiseDraw(what=params.topic, promised=promised, event=event)
