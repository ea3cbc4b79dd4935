"""Measured noise of the page's generator."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.audit.claims import Drawn
from dpcore.audit.noise_accounting import calls, statistics_event
from dpcore.autoencoder import statistics
from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import AutoencoderParams

__all__ = ["drawn"]


def drawn(params: AutoencoderParams) -> Iterator[Drawn]:
    """Yield the noisy sums behind synthetic pictures; noise on biases is nominal and not checked."""
    if not params.real:
        return
    problem = autoencoder.named_problem(params.dataset, params.trained_on)
    made = autoencoder.fitted(problem, params.delta, params.seed)
    with calls(statistics, "add_noise") as noted:
        made.at(params.epsilon)
    promised = autoencoder.guarantee(params, problem)
    event = statistics_event(noted, made.clip_norm, units=True)
    yield Drawn(what="sizes, sums and moments", promised=promised, event=event)
