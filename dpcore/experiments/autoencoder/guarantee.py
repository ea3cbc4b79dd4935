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
                "people whose pictures go into several releases: each release costs ε again",
            ),
        )
    made = nominal_guarantee(params.epsilon, params.delta, kind=params.kind)
    return replace(
        made,
        argument=(
            "The picture itself and all other weights go in without noise, and nothing bounds how "
            "far one picture moves the numbers that get noise: Jain et al. (2021) set it to 1. "
            "All pictures of a release carry the same noise, so it can be cancelled."
        ),
        public=("the weights of the network", "which biases carry noise, ε and δ"),
    )


def sentence(
    size: str,
    alone: float,
    informed: float,
    batch: float,
    *,
    who: str = "an attacker who has the network",
    waits: str = "",
) -> str:
    """Return what was measured at one ε, for people: shares found in a list of ``size``, as it is written.

    ``who`` finds the share ``batch`` of a batch. ``waits`` stands in place of the verdict while another attacker
    is at work.
    """
    if not all(map(math.isfinite, (alone, batch))):
        return "The attackers are still at work. What they find appears here."
    single = f"Given one picture, comparing by eye finds the right person among {size} in {_cases(alone)}. "
    if informed > alone + 0.02:
        single += f"With the network at hand, it is {_cases(informed)}. "
    together = (
        f"But when {BATCH} pictures are published with the same noise, {who} finds {_of_batch(batch)}. "
        if batch > max(alone, informed) + 0.02
        else f"When {BATCH} pictures share one noise, {who} finds {_of_batch(batch)}. "
    )
    return single + together + (waits or _verdict(max(alone, informed, batch), alone))


def _cases(share: float) -> str:
    if share >= 0.995:
        return "all cases"
    return "fewer than 1 of 100 cases" if share < 0.005 else f"{100 * share:.0f} of 100 cases"


def _of_batch(share: float) -> str:
    if share >= 0.995:
        return f"all {BATCH}"
    return "none of them" if share < 0.005 else f"{100 * share:.0f} of them"


def _verdict(worst: float, alone: float) -> str:
    if alone > 0.9:
        return "The noise is only cosmetic."
    if worst > 0.9:
        return "Looking scrambled is not the same as being private."
    if worst > 0.3:
        return "The noise hides some people, and nobody knows whom."
    if worst > 0.05:
        return "Those who are found are not hidden."
    return "These attackers fail here, which is no proof that all others do."


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
