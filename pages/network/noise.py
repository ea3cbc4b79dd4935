"""Measurement of the noise that the page's network draws in training, for the audit of the stated ε."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpcore import accounting, sgd
from dpcore.audit.claims import NoiseDraw, reached
from dpcore.experiments import network
from dpcore.experiments.network import NetworkParams
from dpcore.experiments.network import digits as page
from dpcore.network import ConvNet, Convolution, train

__all__ = ["noise_draws"]

_SMALL = ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2)


def noise_draws(params: NetworkParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of a training, with the promised guarantee.

    The noise is measured on a small network with blank images, which is trained by the same code.
    """
    how = page.recipe(params)
    _, named = reached(
        page, "descend", lambda: list(page.trained(page.problem(), how, params.seed))
    )
    recipe: train.Recipe = named["recipe"]
    n, few, eta = 30, 40, 1e-3
    short = replace(recipe, n_steps=few, learning_rate=eta, schedule="constant")
    steps = train.descend(
        _SMALL, np.zeros((n, 16), np.float32), y=np.arange(n) % 2, recipe=short, streams=sgd.Streams.of(params.seed),
        expected_n=n, snapshots=range(few + 1),
    )  # fmt: skip
    moves = np.diff(np.array([weights for _, weights in steps], float), axis=0)
    # The gradients' part is the same for all, and small: of every number the spread over steps is noise.
    spread = float(np.sqrt(moves.var(0, ddof=1).mean()))
    sigma = spread * recipe.sample_rate * n / (eta * (recipe.clip_norm or 1.0))
    event = accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(sigma), recipe.sample_rate), recipe.n_steps
    )
    promised = network.guarantee(params)
    yield NoiseDraw(what=f"{recipe.n_steps} steps", promised=promised, event=event, room=0.08)
