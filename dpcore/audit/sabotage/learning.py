"""Published bugs of private training, in clipping, noise scale, sampling and normalisation."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
from scipy.special import logsumexp

from dpcore.accounting import noise_multiplier
from dpcore.audit.sabotage.base import claimed_guarantee, clipped, sabotage
from dpcore.mechanisms import gaussian_sigma

__all__ = ["CASES"]

_B = 32
_SIGMA = gaussian_sigma(1.0, 1.0, delta=1e-5)
_CLAIM = partial(claimed_guarantee, 1.0, 1e-5)
_BATCHES, _EPOCHS = 400, 40


def _gradients(canary: bool) -> np.ndarray:
    gradients = np.zeros((_B, 8))
    gradients[0, 0] = 1e6 if canary else 0.0
    return gradients


def _clip_the_mean(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    g = _gradients(canary)
    step = clipped(g.mean(0)[None])[0] if broken else clipped(g).sum(0) / _B
    return float((step + _SIGMA / _B * rng.standard_normal(8))[0])


def _divide_twice(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    noise = _SIGMA / _B * rng.standard_normal(8)
    return float((clipped(_gradients(canary)).sum(0) / _B + noise / (_B if broken else 1))[0])


@cache
def _sampled_sigma() -> float:
    return noise_multiplier(1.0, 1e-5, sample_rate=1 / _BATCHES, n_steps=_BATCHES * _EPOCHS)


def _fixed_batches(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    sigma = _sampled_sigma()
    steps = sigma * rng.standard_normal((_EPOCHS, _BATCHES))
    if broken and canary:
        steps[:, rng.integers(_BATCHES)] += 1
    elif canary:
        steps += rng.random(steps.shape) < 1 / _BATCHES
    log_ratio = (steps - 0.5) / sigma**2
    if broken:  # in one batch of every epoch, the same one
        return float(logsumexp(log_ratio.sum(0)) - math.log(_BATCHES))
    return float(np.log1p(np.expm1(log_ratio) / _BATCHES).sum())


def _size_of_the_data(broken: bool, canary: bool, rng: np.random.Generator) -> float:
    rows = clipped(np.zeros((2 if canary else 1, 200)))
    size = len(rows) if broken else 2
    step = (rows.sum(0) + _SIGMA * rng.standard_normal(200)) / size
    return -float(np.sqrt(np.square(step).mean()))


CASES = (
    sabotage(
        1, "Clip the mean of the batch",
        source="Nasr et al. 2023, arXiv 2302.07956; Finding Private Bugs (submitted to ICLR 2023)",
        neighbours="31 records with gradient 0, with and without one more; expected batch 32",
        canary="a gradient of a million in a known direction",
        score="the step along that direction",
        release=_clip_the_mean, thresholds=(0.5, 0.5 / _B), claim=_CLAIM, trainings=100,
    ),
    sabotage(
        2, "Divide the noise by the batch size twice",
        source="Tramèr et al. 2022, arXiv 2202.12219",
        neighbours="31 records with gradient 0, with and without one more; expected batch 32",
        canary="a gradient of a million in a known direction",
        score="the step along that direction",
        release=_divide_twice, thresholds=(0.5 / _B, 0.5 / _B), claim=_CLAIM, trainings=100,
    ),
    sabotage(
        8, "Batches cut once, accounted as Poisson samples",
        source="Opacus issue 80; Chua et al. 2024; Annamalai et al., arXiv 2411.10614",
        neighbours=f"gradients of 0 in {_BATCHES} batches over {_EPOCHS} epochs, and one record more",
        canary="a gradient of the clipping norm in every step it takes part in",
        score="the log likelihood ratio of all steps, the batch of the canary unknown",
        release=_fixed_batches, thresholds=(0.0, 0.0), claim=_CLAIM, trainings=600,
    ),
    sabotage(
        9, "Divide by the number of records",
        source="Opacus issues 571 (reported 1.2, leaked 2.5) and 819",
        neighbours="one record and two, all gradients 0, 200 dimensions",
        canary="any record: it need not move the sum at all",
        score="minus the root mean square of the step",
        release=_size_of_the_data, thresholds=(-0.72 * _SIGMA, -0.5 * _SIGMA), claim=_CLAIM,
        trainings=100,
    ),
)  # fmt: skip
"""The bugs with the numbers 1, 2, 8 and 9."""
