"""Measurement of the noise that the Affine hulls page draws, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore import accounting
from dpcore.audit.claims import NoiseDraw, ratio
from dpcore.experiments import kahm
from dpcore.experiments.kahm import KahmParams
from dpcore.experiments.kahm.params import fabricated, hull_options
from dpcore.mechanisms import Staircase

__all__ = ["noise_draws"]


def noise_draws(params: KahmParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of both values of a record.

    The noise is drawn from a uniform u in (-1/2, 1/2). Laplace noise has the magnitude ln((1 - δ)/(1 - 2|u|))/ε,
    or 0 if 2|u| ≤ δ.
    """
    promised = kahm.guarantee(params)
    if promised.status == "nominal":
        return  # nothing is proved of it
    X, y = kahm.picture_data(params.shape, params.n_records)
    options = hull_options(params, params.n_components)
    release = fabricated(X, y, params.epsilon, params, (params.seed,), options, rounds=0)
    u = np.random.default_rng((params.seed,)).random(X.shape) - 0.5
    free = 2 * np.abs(u) > params.atom
    seen, sign = (release.stages[0] - X)[free], np.sign(u[free])
    beyond = (1 - 2 * np.abs(u[free])) / (1 - params.atom)
    if params.noise == "laplace":
        each: accounting.Event = accounting.LaplaceEvent(ratio(seen, -sign * np.log(beyond)))
    else:  # another program for the same staircase
        made_twice = Staircase(epsilon=params.epsilon)
        same = made_twice.scale * made_twice._unit_quantile((1 + sign * (1 - beyond)) / 2)
        each = accounting.Pure(params.epsilon / ratio(seen, same))
    yield NoiseDraw(
        what="one record", promised=promised, event=accounting.Repeated(each, 2), delta=0.0
    )
