"""Measurement of the noise that the Mechanisms page draws, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from dpcore import accounting
from dpcore.audit.claims import NoiseDraw, ratio
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams, guarantee, run
from dpcore.kahm.noise import element_noise

__all__ = ["noise_draws"]


def noise_draws(params: MechanismsParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of one answer on the page, with the guarantee that the page states for it.

    The noise is measured in units of the question's sensitivity, by comparison with noise from the same uniform
    numbers: Laplace and Gaussian noise with noise of scale 1, staircase noise with that of `element_noise` at the
    same ε.
    """
    outputs = run(params)
    row = EPSILON_GRID.index(params.epsilon)
    column = 0 if outputs.pure else DELTA_GRID.index(params.delta)
    noise = outputs.draws[row, column]
    u = np.random.default_rng(params.seed).random(len(noise))
    if params.noise in ("gaussian", "classical"):
        event: accounting.Event = accounting.GaussianEvent(ratio(noise, ndtri(u)))
    elif params.noise == "laplace":
        event = accounting.LaplaceEvent(
            ratio(noise, -np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5)))
        )
    else:  # another program for the same staircase
        same = element_noise(u - 0.5, params.epsilon, kind="staircase")
        event = accounting.Pure(params.epsilon / ratio(noise, same))
    promised = guarantee(replace(params, group=1))
    yield NoiseDraw(what="one answer", promised=promised, event=event)
