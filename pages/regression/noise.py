"""Measurement of the noise of the fits on the Linear regression page, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore import accounting
from dpcore.audit.claims import NoiseDraw, reached
from dpcore.audit.noise_accounting import ada_event, descent_event, output_event, sums_epsilon
from dpcore.experiments import regression
from dpcore.experiments.regression import RegressionParams, fits

__all__ = ["noise_draws"]


def noise_draws(params: RegressionParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of the fits in the figure, with the promised guarantee."""
    problem = fits.problem_of(params)
    promised, setting = regression.guarantee(params, problem), problem.setting(params)
    k = int(np.argmin(np.abs(np.asarray(fits.ALL[:-1]) - params.epsilon)))

    def draw() -> object:
        return fits.draw(setting.train, params, setting, n_draws=4000)

    said: dict[str, Any] = {"what": "one fit", "promised": promised, "room": 0.05, "least": 0.7}
    if params.method in ("adassp", "output"):
        name = {"adassp": "ada_ssp", "output": "output_perturbation"}[params.method]
        args, named = reached(fits, name, draw)
        measure = ada_event if params.method == "adassp" else output_event
        yield NoiseDraw(event=measure(float(args[1][k]), named["delta"]), **said)
    elif params.method == "descent":
        _, named = reached(fits, "gradient_descent", draw)
        event = descent_event(
            params.epsilon, named["delta"], noise_multiplier=float(named["noise_multiplier"][k]),
            sample_rate=named["sample_rate"], n_steps=named["n_steps"],
        )  # fmt: skip
        yield NoiseDraw(event=event, neighbouring="replace_one", **said)
    else:
        args, _ = reached(fits, "solve_grid", draw)
        paid = sums_epsilon(args[1], params.method, float(args[2][k]))
        gaussian = params.method == "gaussian"
        event = accounting.GaussianEvent(1 / paid) if gaussian else accounting.Pure(paid)
        yield NoiseDraw(event=event, **said)
