"""Noise that the page Autoencoder draws, measured to audit the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore import per_sample, sgd
from dpcore.audit.claims import Drawn, steps_event
from dpcore.audit.noise_accounting import calls, statistics_event
from dpcore.autoencoder import statistics
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams, Problem, rivals

__all__ = ["drawn"]


def drawn(params: AutoencoderParams) -> Iterator[Drawn]:
    """Yield the measured noise of DP-SGD or of the generator; noise on biases is left out, since its ε is only
    nominal.
    """
    problem = autoencoder.named_problem(params.dataset, params.trained_on)
    if params.real:
        yield _generated(params, problem)
    elif params.dataset == "digits":
        yield _trained(params, problem)


def _generated(params: AutoencoderParams, problem: Problem) -> Drawn:
    """Return the noise on the sums from which the generator makes synthetic images, with the promised guarantee."""
    sweep = autoencoder.fitted(problem, params.delta, params.seed)
    with calls(statistics, "add_noise") as noted:
        sweep.at(params.epsilon)
    promised = autoencoder.guarantee(params, problem)
    event = statistics_event(noted, sweep.clip_norm, units=True)
    return Drawn(what="sizes, sums and moments", promised=promised, event=event)


def _trained(params: AutoencoderParams, problem: Problem) -> Drawn:
    """Return the noise and the lots of the DP-SGD steps of the displayed network, with the promised guarantee."""
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
    return Drawn(what="the steps of DP-SGD", promised=promised, event=event, room=0.05)
