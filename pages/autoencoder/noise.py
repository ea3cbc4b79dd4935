"""Measurement of the noise that the Autoencoder page draws, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore import per_sample, sgd
from dpcore.audit.claims import NoiseDraw, steps_event
from dpcore.audit.noise_accounting import calls, statistics_event
from dpcore.autoencoder import statistics
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, Problem, rivals

__all__ = ["noise_draws"]


def noise_draws(params: AutoencoderParams) -> Iterator[NoiseDraw]:
    """Yield the noise that the page draws where it states a proved ε, with the guarantee that it states.

    - If ``params.real`` is True: the noise of the generator of synthetic images.
    - Otherwise, for the data set "digits": the noise of the network trained by DP-SGD.

    Noise on biases is not measured, since the ε of this noise is only nominal.
    """
    problem = autoencoder.named_problem(params.dataset, params.trained_on)
    if params.real:
        yield _generated(params, problem)
    elif params.dataset == "digits":
        yield _trained(params, problem)


def _generated(params: AutoencoderParams, problem: Problem) -> NoiseDraw:
    """Return the noise on the sums from which the generator makes synthetic images, with the promised guarantee."""
    sweep = autoencoder.fitted(problem, params.delta, params.seed)
    with calls(statistics, "add_noise") as noted:
        sweep.at(params.epsilon)
    promised = autoencoder.guarantee(params, problem)
    event = statistics_event(noted, sweep.clip_norm, units=True)
    return NoiseDraw(what="sizes, sums and moments", promised=promised, event=event)


def _trained(params: AutoencoderParams, problem: Problem) -> NoiseDraw:
    """Return the noise and the lots with which the displayed network was trained, and the promised guarantee."""
    place = rivals.place_of_params(params)
    with calls(per_sample, "noisy") as noted, calls(sgd, "poisson_lots") as lots:
        rivals.train_network(problem, params.seed, place)
    noise = [(sent - args[0]) / named["clip_norm"] for args, named, sent in noted]
    drawn_lots = lots[0][2]
    event = steps_event(
        float(np.std([one.numpy() for one in noise])), drawn_lots, len(problem.pixels),
        rivals.N_STEPS,
    )  # fmt: skip
    promised = autoencoder.network_guarantee(params, problem)
    return NoiseDraw(what="the steps of DP-SGD", promised=promised, event=event, room=0.05)
