"""The figure of Gradient descent: a border that trains, gradients as arrows, outcomes in two worlds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dpcore.accounting.surfaces import NOISE_GRID
from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from dpcore.grids import DELTA_GRID
from pages.descent import figure_tabs as tabs
from pages.descent.controls import CONTROLS
from pages.descent.figure_arrays import PROGRESS, arrays
from pages.descent.figure_previews import preview_arrays
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.live import Axis, Panel, Readout, layers
from ui.odds import odds_sentence

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


def figure(state: PageState[DescentParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params = state.params
    asked = live_controls(CONTROLS, params)
    made = arrays(state.problem, params, state["sweep"], state["outcomes"])
    along, previews = preview_arrays(params, state.previews())
    return live.Figure(
        controls=[*asked[:2], _training(), *asked[2:], common.buttons()],
        values=common.values(params, progress=PROGRESS[-1]),
        arrays=made | along,
        coords={"u": "u_of"},
        previews=previews,
        panels=[
            _border(),
            _gradients(params),
            *tabs.accuracy(made),
            *tabs.worlds(made),
            tabs.perturbed(),
        ],
        readouts=_readouts(params),
        texts=[_odds(params)],
        busy=state.busy,
    )


def _training() -> live.Slider:
    return live.Slider(
        name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
        ends=("first step", "released model"),
        help="Follow the training: the border, and the gradients of the step taken there.",
    )  # fmt: skip


def _odds(params: DescentParams) -> live.Text:
    table = descent.epsilon_table(params)
    return live.Text(
        strings=[
            odds_sentence(float(table[i, j]), delta if math.isfinite(table[i, j]) else 0.0)
            for i in range(len(NOISE_GRID))
            for j, delta in enumerate(DELTA_GRID)
        ],
        dims=("noise_multiplier", "delta"),
    )


def _border() -> Panel:
    return Panel(
        key="border", kind="map", title="The border that is learned", height=430,
        x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        caption="The fuller the shading, the surer the private model is of a class; compare its"
        " edge with the border without privacy.",
        alt="Decision border after {progress} of the training at σ = {noise_multiplier}: accuracy "
        "{accuracy}.",
        layers=[
            layers.Field(values="field", extent=tabs.SQUARE),
            layers.Field(values="best_field", extent=tabs.SQUARE, line=True, role="nonprivate",
                         label="border without privacy", label_short="border without"),
            layers.Points(xy="points", labels="labels", size=2.6),
            layers.Cloud(xy="person", labels="zero", role="danger", size=6, alpha=0.9,
                         label="one person"),
        ],
    )  # fmt: skip


def _gradients(params: DescentParams) -> Panel:
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    ring = (
        [
            layers.Line(
                x="ring_x",
                y="ring_y",
                role="danger",
                dash=True,
                width=1.4,
                label="clipping norm C",
                label_short="C",
            )
        ]
        if clips
        else []
    )
    return Panel(
        key="gradients", kind="map", title="The gradients of this step", height=430,
        x=Axis(range=(-1.3, 1.3)), y=Axis(range=(-1.3, 1.3)),
        caption=(
            "Each arrow is one person's say in this step: clipping shortens it to the circle, so that nobody "
            "has more than C, and noise is added to the mean (both drawn √lot times longer)."
            if clips
            else "Each arrow is one person's say in this step; without clipping nothing limits it (mean and step are "
            "drawn √lot times longer)."
        ),
        alt="Gradient arrows: {clipped_now} of the records are clipped, noise over signal "
        "{noise_to_signal}.",
        layers=[
            *ring,
            layers.Arrows(xy="raw", role="nonprivate", width=1, alpha=0.55,
                          label="gradient of one person", label_short="gradient"),
            layers.Arrows(xy="short", role="private", width=1.4, alpha=0.8,
                          label="clipped to C" if clips else "not clipped",
                          label_short="clipped" if clips else "not clipped"),
            layers.Arrows(xy="noisy", role="other", width=3.5, label="mean + noise: the step",
                          label_short="the step"),
            layers.Arrows(xy="mean", role="text", width=3, label="mean"),
        ],
    )  # fmt: skip


def _readouts(params: DescentParams) -> list[Readout]:
    """Return the numbers under the figure."""
    private = params.parts == "both"
    sure = private and params.noise == "lot"
    return [
        Readout(label="ε of the training" if private else "no guarantee", value="epsilon",
                format=".3g", role="private" if sure else "danger",
                note="at δ, by PLD" if sure else "see the card"),
        Readout(label="accuracy, private", value="accuracy", format=".1%", role="private"),
        Readout(label="same steps, plain", value="plain", format=".1%", note="no clip, no noise"),
        Readout(label="best without privacy", value="best", format=".1%", note="long training"),
        Readout(label="noise σ·C", value="sigma_c", format=".3g", note="on the sum of a lot"),
        Readout(label="noise ÷ signal", value="noise_to_signal", format=".2g", note="of this step"),
        Readout(label="records clipped", value="clipped_now", format=".0%", note="of this lot"),
        Readout(label="step", value="step_now", format="d", note="of the T of the training"),
    ]  # fmt: skip
