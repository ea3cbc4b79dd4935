"""The figure of Gradient descent: a border that trains, gradients as arrows, outcomes in two worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments import descent
from dpcore.experiments.descent import DescentParams
from pages.descent import figure_tabs as tabs
from pages.descent.controls import CONTROLS
from pages.descent.figure_arrays import PROGRESS, arrays
from pages.descent.figure_compared import compared, compared_arrays
from pages.descent.figure_previews import preview_arrays
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.frame.depth import Depth
from ui.live import Axis, Panel, Readout, layers
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


def figure(state: PageState[DescentParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params = state.params
    passive = "budget" if params.asked == "noise" else "noise_multiplier"
    asked = live_controls(CONTROLS, params, hide=(passive,))
    made = arrays(state.problem, params, state["sweep"], state["outcomes"])
    made |= compared_arrays(params, state["places"], state["sizes"])
    along, previews = preview_arrays(params, state.previews())
    return live.Figure(
        controls=[asked[0], _training(), *asked[1:], common.buttons()],
        values=common.values(params, progress=PROGRESS[-1]),
        arrays=made | along,
        coords={"u": "u_of", "v": "v_of"},
        previews=previews,
        panels=[
            _border(params),
            _gradients(params),
            *tabs.accuracy(made, params),
            *tabs.worlds(made),
            tabs.perturbed(params),
            *compared(),
        ],
        readouts=_readouts(params),
        texts=[_odds(params)],
        busy=state.busy,
    )


def _training() -> live.Slider:
    return live.Slider(
        name="progress", label="training", grid=PROGRESS, mode="local", play=True, unit=" %",
        ends=("first step", "published model"),
        help="Press play to follow the training step by step. Only the last model is published.",
    )  # fmt: skip


def _odds(params: DescentParams) -> live.Text:
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    return people(descent.guarantees(params), dims=(handle, "delta"))


def _border(params: DescentParams) -> Panel:
    model = "private model" if params.parts == "both" else "model"
    return Panel(
        key="border", kind="map", title="The border that is learned", height=430,
        x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        caption=f"Each dot is a person, and the {model} separates the two kinds. See how far its border "
        "moves away from the one without privacy.",
        alt="Decision border after {progress} of the training at σ = {noise_now}: accuracy "
        "{accuracy}.",
        layers=[
            layers.Field(values="field", extent=tabs.SQUARE),
            layers.Field(values="best_field", extent=tabs.SQUARE, line=True, role="nonprivate",
                         label="border without privacy", label_short="without privacy"),
            layers.Points(xy="points", labels="labels", size=2.6),
            layers.Cloud(xy="person", labels="zero", role="danger", size=6, alpha=0.9,
                         label="one person", depth=Depth.UNDERSTAND),
        ],
    )  # fmt: skip


def _gradients(params: DescentParams) -> Panel:
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    return Panel(
        key="gradients", kind="map", title="What each person says in this step", height=430,
        x=Axis(range=(-1.3, 1.3)), y=Axis(range=(-1.3, 1.3)),
        caption=_CLIPPED if clips else _NOT_CLIPPED,
        alt="Gradients as arrows: {clipped_now:.0%} of them are clipped. The noise is {noise_to_signal} times as "
        "long as the mean.",
        layers=[
            *([_circle()] if clips else []),
            layers.Arrows(xy="raw", role="nonprivate", width=1, alpha=0.55,
                          label="gradient of one person", label_short="gradient"),
            layers.Arrows(xy="short", role="private", width=1.4, alpha=0.8,
                          label="clipped to C" if clips else "not clipped",
                          label_short="clipped" if clips else "not clipped"),
            layers.Arrows(xy="noisy", role="other", width=3.5, label="mean + noise = the step",
                          label_short="the step"),
            layers.Arrows(xy="mean", role="text", width=3, label="mean"),
        ],
    )  # fmt: skip


_CLIPPED = (
    "Each arrow is how one person would move the model in this step. [[clipping|Clipping]] shortens long arrows "
    "to the circle, so nobody counts for more than C. Then noise is added to the mean."
)
_NOT_CLIPPED = (
    "Each arrow is how one person would move the model in this step. Nothing limits its length, so one person "
    "may move the model as far as they like."
)


def _circle() -> layers.Line:
    return layers.Line(
        x="ring_x", y="ring_y", role="danger", dash=True, width=1.4, label="clipping norm C",
        label_short="C",
    )  # fmt: skip


def _readouts(params: DescentParams) -> list[Readout]:
    """Return the numbers under the figure: the three that a newcomer needs come first."""
    private = params.parts == "both"
    sure = private and params.noise == "lot"
    return [
        Readout(label="the private model is right" if private else "the model is right", value="accuracy",
                format="in 100", role="private", note="about new cases"),
        Readout(label="without privacy", value="best", format="in 100", note="after long training"),
        Readout(label="the training costs" if private else "no guarantee", value="epsilon", format=".3g",
                role="" if sure else "danger", note="ε in all" if sure else "ε, and nothing is proved"),
        *_cost(params),
        *_more_readouts(),
    ]  # fmt: skip


def _cost(params: DescentParams) -> list[Readout]:
    """What clipping and noise cost together; nothing where there is neither."""
    if params.parts == "neither":
        return []
    what = {"both": "this privacy", "clip": "this clipping", "noise": "this noise"}[params.parts]
    return [
        Readout(label=what, value="cost", format="points", depth=Depth.UNDERSTAND,
                note="of accuracy, in this draw", help="The same steps of the same people, once as they are here "
                "and once without a cap and without noise."),
    ]  # fmt: skip


def _more_readouts() -> list[Readout]:
    return [
        Readout(label="same steps without privacy", value="plain", format=".1%", depth=Depth.UNDERSTAND,
                note="no clipping, no noise"),
        Readout(label="noise σ", value="noise_now", format=".3g", depth=Depth.UNDERSTAND,
                note="in multiples of C"),
        Readout(label="noise σ·C", value="sigma_c", format=".3g", depth=Depth.UNDERSTAND,
                note="on the sum of a lot"),
        Readout(label="noise / signal", value="noise_to_signal", format=".2g", depth=Depth.UNDERSTAND,
                note="times as long, in this step", help="The length of this step's noise, divided by the length of "
                "the mean of the clipped gradients."),
        Readout(label="gradients clipped", value="clipped_now", format=".0%", depth=Depth.UNDERSTAND,
                note="of this lot"),
        Readout(label="step", value="step_now", format="d", depth=Depth.UNDERSTAND,
                note="of all T steps"),
    ]  # fmt: skip
