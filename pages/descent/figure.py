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
from ui.words import text
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]

T = text.beside(__file__)


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
    words = T.field("progress")
    return live.Slider(
        name="progress", label=words.label, grid=PROGRESS, mode="local", play=True, unit=words.unit,
        ends=words.ends, help=words.help,
    )  # fmt: skip


def _odds(params: DescentParams) -> live.Text:
    handle = "noise_multiplier" if params.asked == "noise" else "budget"
    return people(descent.guarantees(params), dims=(handle, "delta"))


def _border(params: DescentParams) -> Panel:
    panel = Panel(
        key="border", kind="map", height=430, x=Axis(range=(-1, 1)), y=Axis(range=(-1, 1)),
        layers=[
            layers.Field(values="field", extent=tabs.SQUARE),
            layers.Field(values="best_field", extent=tabs.SQUARE, line=True, role="nonprivate",
                         label=T("panels.border.best"), label_short=T("panels.border.best_short")),
            layers.Points(xy="points", labels="labels", size=2.6),
            layers.Cloud(xy="person", labels="zero", role="danger", size=6, alpha=0.9,
                         label=T("panels.border.person"), depth=Depth.UNDERSTAND),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if params.parts == "both" else "public")


def _gradients(params: DescentParams) -> Panel:
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    panel = Panel(
        key="gradients", kind="map", height=430, x=Axis(range=(-1.3, 1.3)), y=Axis(range=(-1.3, 1.3)),
        layers=[
            *([_circle()] if clips else []),
            layers.Arrows(xy="raw", role="nonprivate", width=1, alpha=0.55,
                          label=T("panels.gradients.raw"), label_short=T("panels.gradients.raw_short")),
            layers.Arrows(xy="short", role="private", width=1.4, alpha=0.8,
                          label=T("panels.gradients.clipped" if clips else "panels.gradients.unclipped"),
                          label_short=T("panels.gradients.clipped_short" if clips else "panels.gradients.unclipped")),
            layers.Arrows(xy="noisy", role="other", width=3.5, label=T("panels.gradients.step"),
                          label_short=T("panels.gradients.step_short")),
            layers.Arrows(xy="mean", role="text", width=3, label=T("panels.gradients.mean")),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if clips else "unclipped")


def _circle() -> layers.Line:
    return layers.Line(
        x="ring_x", y="ring_y", role="danger", dash=True, width=1.4,
        label=T("panels.gradients.circle"), label_short=T("panels.gradients.circle_short"),
    )  # fmt: skip


def _readouts(params: DescentParams) -> list[Readout]:
    """Return the numbers under the figure: the three that a newcomer needs come first."""
    private = params.parts == "both"
    public = "" if private else "public"
    sure = private and params.noise == "lot"
    return [
        T.readout(Readout(value="accuracy", format="in 100", role="private"), public),
        T.readout(Readout(value="best", format="in 100")),
        T.readout(Readout(value="epsilon", role="" if sure else "danger"), public if sure or public else "unproved"),
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
