"""The figure of Deep networks: a training as it goes on, its twin, its cost, and MNIST as measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments.network import NetworkParams
from dpcore.grids import EPSILON_GRID
from pages.network.controls import CONTROLS
from pages.network.figure_arrays import COORDS, arrays, mnist_arrays
from pages.network.figure_tabs import cost, mnist, schedules
from pages.network.mnist import curves
from ui import live
from ui.depth import Depth
from ui.figure_kit import common
from ui.live import Axis, Panel, Readout, layers

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


def figure(state: PageState[NetworkParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params, measured, along = state.params, curves(), state.previews().get("epsilon")
    made = arrays(params, state["private"], state["plain"], state["other"], state["spent"], along)
    # Who is shown σ and what is spent waits for them at every ε: until then Python answers.
    drawn_ahead = along is not None or state["spent"] is None
    return common.figure(
        state,
        CONTROLS,
        arrays=made | mnist_arrays(measured),
        coords=COORDS,
        previews={"epsilon": {}} if drawn_ahead else {},
        panels=[
            _training(params), cost(params), *schedules(params), *(mnist(measured) if measured else []),
        ],
        readouts=_readouts(),
        texts=[common.odds(EPSILON_GRID, params.delta)],
    )  # fmt: skip


def _training(params: NetworkParams) -> Panel:
    return Panel(
        key="training", title="How well the network reads, epoch by epoch", height=400,
        x=Axis(range=(0, params.epochs * 1.02), title="epochs: how often each picture was used"),
        y=Axis(range=(0, 1.0), title="new digits read right", format=".0%"),
        caption="Both networks take the same steps with the same pictures. One is held back by a cap and by noise, "
        "its twin is not.",
        alt="Share of new digits that are read right, by epoch. The private network {trend:private_curve}, its twin "
        "without privacy {trend:plain_curve}.",
        layers=[
            layers.HLine(at=0.1, role="muted", dash=True, width=1.2, label="pure guessing"),
            layers.Line(x="epoch", y="plain_curve", role="nonprivate", label="same steps without privacy",
                        label_short="without privacy"),
            layers.Line(x="epoch", y="private_curve", width=3, label="with privacy"),
            layers.Dot(x="epochs_done", y="private_now"),
        ],
    )  # fmt: skip


def _readouts() -> list[Readout]:
    return [
        Readout(label="with privacy", value="private_now", format="in 100", role="private",
                note="new digits read right"),
        Readout(label="without privacy", value="plain_now", format="in 100", note="after the same steps"),
        Readout(label="the training costs", value="epsilon_now", format=".3g", note="ε in all"),
        Readout(label="this privacy", value="cost", format="points", note="of accuracy", depth=Depth.UNDERSTAND),
        Readout(label="noise multiplier σ", value="sigma", format=".3g", note="on the sum, over C",
                depth=Depth.UNDERSTAND),
        Readout(label="steps T", value="steps", format="d", note="ten an epoch", depth=Depth.UNDERSTAND),
    ]  # fmt: skip
