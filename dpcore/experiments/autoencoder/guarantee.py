"""What a release promises, in words, and the code that reproduces the figure."""

from __future__ import annotations

import math
from dataclasses import replace

from dpcore.accounting import gaussian_tail
from dpcore.autoencoder import nominal_guarantee
from dpcore.experiments.autoencoder.attack import BATCH
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.guarantee import Guarantee

__all__ = ["code", "guarantee", "sentence"]


def guarantee(params: AutoencoderParams, problem: Problem) -> Guarantee:
    """Return what the release promises: nothing, or with the generator (ε, δ)."""
    if params.real:
        from dpcore.autoencoder import GENERATOR_PRESETS, gaussians_guarantee

        reach = GENERATOR_PRESETS[problem.name]["clip_norm"]
        made = gaussians_guarantee(params.epsilon, params.delta, reach)
        return replace(
            made,
            argument=(
                "Sizes, sums and second moments of the classes, of vectors that are shortened to length R first, "
                "are released once with Gaussian noise. The pictures are drawn from that release alone, which "
                "costs nothing more."
            ),
            loss_tail=gaussian_tail(params.epsilon, params.delta),
            not_protected=(
                "what is true of a digit whoever wrote it: that is what the pictures show",
                "several releases: each costs ε again",
            ),
        )
    made = nominal_guarantee(params.epsilon, params.delta, kind=params.kind)
    return replace(
        made,
        argument=(
            "The picture itself and all other weights go in without noise, and nothing bounds how "
            "far one picture moves the numbers that are blurred: the paper sets it to 1. "
            "All pictures of a release carry the same noise, so it can be cancelled."
        ),
        public=("the weights of the network", "which biases carry noise, ε and δ"),
    )


def sentence(
    size: int,
    alone: float,
    informed: float,
    batch: float,
    area: float,
    *,
    who: str = "who knows the network",
) -> str:
    """Return what was measured at one ε, for people: shares found in a list of ``size``.

    ``who`` finds the share ``batch`` of a batch.
    """
    if not all(map(math.isfinite, (alone, batch, area))):
        return "The attackers are still at work; their numbers appear here."
    single = (
        f"Of single pictures, somebody who only compares by eye finds {_share(alone)} again in a list of "
        f"{size:,} people; who knows the network finds {_share(informed)}. "
    )
    together = (
        f"In a batch of {BATCH} that shares its noise {who} finds {_share(batch)}. "
        if batch > max(alone, informed) + 0.02
        else f"A batch of {BATCH} fares no better: {_share(batch)}. "
    )
    return single + together + _verdict(max(alone, informed, batch), alone) + _members(area)


def _share(value: float) -> str:
    if value >= 0.995:
        return "all"
    return "none" if value < 0.005 else f"{value:.0%}".replace("%", " %")


def _verdict(worst: float, alone: float) -> str:
    if alone > 0.9:
        return "The noise is only cosmetic."
    if worst > 0.9:
        return "It looks scrambled and hides next to nobody."
    if worst > 0.3:
        return "It hides some people, and nobody knows whom."
    return "These attackers fail here; that is no proof that others do."


def _members(area: float) -> str:
    if area < 0.6:
        return " Who was in the training set cannot be told from one model's errors."
    return f" Who was in the training set is ranked rightly {_share(area)} of the time."


def code(params: AutoencoderParams) -> str:
    """Return the program that draws the released pictures in a mosaic."""
    draw = _REAL if params.real else _PAPERS
    return f"""\
import numpy as np
import plotly.graph_objects as go
from dpcore.experiments import autoencoder

params = autoencoder.{params.to_code()}
problem = autoencoder.named_problem(params.dataset, params.trained_on)
{draw}
high, wide = problem.shape
tiles = rows.reshape(*rows.shape[:2], high, wide).swapaxes(1, 2)
mosaic = tiles.reshape(len(rows) * high, -1)[::-1]  # Plotly counts rows from the bottom
figure = go.Figure(go.Heatmap(z=mosaic, colorscale="gray_r", showscale=False, name="pictures"))
figure.update_xaxes(visible=False)
figure.update_yaxes(visible=False, scaleanchor="x")
figure.update_layout(title={_title(params)!r})
figure.show()
print(autoencoder.guarantee(params, problem))
"""


_REAL = """\
made = autoencoder.fitted(problem, params.delta, params.seed).at(params.epsilon)
rows = made.sample(3, np.random.default_rng((params.seed, 4))).swapaxes(0, 1)"""
_PAPERS = """\
sweep = autoencoder.run_sweep(problem, params)  # every noise level at once
k = round(float(autoencoder.place_of(params.epsilon, params.delta, sweep.nodes)))
rows = np.concatenate([sweep.originals[None], sweep.released[k]])"""


def _title(params: AutoencoderParams) -> str:
    what = "invented digits" if params.real else "originals; then noise on hidden, output, both"
    return f"ε = {params.epsilon:g}: {what}"
