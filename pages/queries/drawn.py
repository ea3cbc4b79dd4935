"""Noise of the answers on the page Asking again, measured to audit the stated ε.

The page draws unit noise once, and the figure divides it by ε.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore import accounting
from dpcore.audit.claims import Drawn, ratio
from dpcore.experiments import queries
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.queries import QueriesParams, answers, sensitivity
from dpcore.experiments.queries.params import NUMBERS

__all__ = ["drawn"]


def _unit(seed: int, *shape: int) -> np.ndarray:
    u = np.random.default_rng(seed).random(shape)
    return np.asarray(-np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5)))


def drawn(params: QueriesParams) -> Iterator[Drawn]:
    """Yield the measured noise of the chosen topic; nothing for topics that only compute probabilities."""
    event: accounting.Event
    if params.topic == "again":
        noise = answers._draws(params.seed)
        event = accounting.LaplaceEvent(
            ratio(noise, _unit(params.seed, len(noise))) / params.epsilon
        )
        event = accounting.Repeated(event, params.n_answers)
    elif params.topic == "processing":
        processing = answers.processing(params)
        unit = _unit(params.seed, 2, answers._N_ERRORS)
        unit = (unit.sum(0) if params.average else unit[0])[: processing.raw.shape[1]]
        k = int(np.argmin(np.abs(np.array(EPSILON_GRID) - params.epsilon)))
        event = accounting.LaplaceEvent(ratio(processing.raw[k] - answers.TRUTH, unit))
        if params.average:  # two answers, each with twice the noise
            event = accounting.Repeated(accounting.LaplaceEvent(2 * event.noise_multiplier), 2)
    elif params.topic == "neighbours":
        noise = sensitivity.neighbours(params).noise
        event = accounting.LaplaceEvent(
            ratio(noise, _unit(params.seed, len(noise))) / params.epsilon
        )
    elif params.topic == "numbers" and params.noise == "laplace":
        # The figure draws ε = √2, whose deviation is 1, times the deviation of the noise asked for.
        numbers, noise = sensitivity.numbers(params), sensitivity.numbers(params).noise[0]
        one = ratio(noise, _unit(params.seed, len(noise)))
        k = EPSILON_GRID.index(params.epsilon)
        scale = one * numbers.laplace[k, NUMBERS.index(params.n_numbers)]
        reach = numbers.first[NUMBERS.index(params.n_numbers)]
        if not reach:
            return
        event = accounting.LaplaceEvent(scale / reach)
    else:
        return
    promised = queries.guarantee(params)
    if promised.epsilon:
        yield Drawn(what=params.topic, promised=promised, event=event)
