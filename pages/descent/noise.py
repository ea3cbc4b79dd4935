"""Measurement of the noise and of the lots (random batches) of the page's training, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpcore import accounting, sgd
from dpcore.audit.claims import NoiseDraw, ratio
from dpcore.descent import train
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from dpcore.experiments.descent.cost import real_noise

__all__ = ["noise_draws"]


def noise_draws(params: DescentParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise and sampling rate of the training, with the promised guarantee.

    The noise is measured in steps with an empty lot, in which the gradient is zero. Nothing is yielded if the ε is
    only nominal.
    """
    epsilon = descent.real_epsilon(params)
    promised = descent.guarantee(params, epsilon)
    if promised.status == "nominal":
        return  # nothing is proved of it
    problem = descent.named_problem(params.dataset, params.model)
    few = replace(params.recipe(), n_steps=200)
    path = train.descend(
        problem.model, problem.X, y=problem.y, recipe=few, noise_multiplier=np.array([descent.sigma(params)]),
        streams=sgd.Streams.of(params.seed, 0), snapshots=np.arange(201),
    )  # fmt: skip
    empty, n = (problem.X[:0], problem.y[:0]), len(problem.y)
    weights = path.weights[:, 0]
    added = [
        train.step(
            problem.model, weights, *empty, few, descent.sigma(params) * path.unit[t][None], n
        )
        for t in range(200)
    ]
    divided = 1.0 if few.clipping == "batch" else few.sample_rate * n
    scale = divided * ratio(np.array(added)[:, 0], path.unit) / few.clip_norm
    rate = len(path.lots.indices) / (200 * n)
    event = accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(real_noise(params, scale)), min(rate, 1.0)),
        params.n_steps,
    )
    yield NoiseDraw(what=f"{params.n_steps} steps", promised=promised, event=event, room=0.08)
