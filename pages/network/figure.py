"""The figure of Deep networks: a training as it goes on, its twin, its cost, and MNIST as measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments import network
from dpcore.experiments.network import NetworkParams
from pages.network.controls import CONTROLS
from pages.network.figure_arrays import COORDS, arrays, mnist_arrays
from pages.network.figure_tabs import cost, mnist, schedules
from pages.network.mnist import curves
from pages.network.seeds import measured
from ui import live
from ui.figure_kit import common
from ui.figure_kit.estimates import difference_readout, median_readout
from ui.frame.depth import Depth
from ui.live import Axis, Panel, Readout, layers
from ui.words.numbers import short
from ui.words.odds_pictogram import people

if TYPE_CHECKING:
    from ui.runner import Before, PageState

__all__ = ["figure"]


def figure(state: PageState[NetworkParams]) -> live.Figure:
    """Return the live figure of what is known."""
    params, published, along = state.params, curves(), state.previews().get("epsilon")
    others = measured(params)
    before = state.before.get("private")
    made = arrays(
        params, state["private"], state["plain"], state["other"], None if before is None else before.value,
        state["spent"], along,
    )  # fmt: skip
    # Who is shown σ and what is spent waits for them at every ε: until then Python answers.
    drawn_ahead = along is not None or state["spent"] is None
    return common.figure(
        state,
        CONTROLS,
        arrays=made | mnist_arrays(published),
        coords=COORDS,
        previews={"epsilon": {}} if drawn_ahead else {},
        panels=[
            _training(params, before), cost(params), *schedules(params), *(mnist(published) if published else []),
        ],
        readouts=_readouts(0 if others is None else len(others)),
        texts=[people(network.guarantees(params))],
    )  # fmt: skip


def _training(params: NetworkParams, before: Before | None) -> Panel:
    return Panel(
        key="training", title="How well the network reads, epoch by epoch", height=400,
        x=Axis(range=(0, params.epochs * 1.02), title="epochs: how often each picture was used"),
        y=Axis(range=(0, 1.0), title="new digits read right", format=".0%"),
        caption="Both networks take the same steps with the same pictures. One is held back by a cap and by noise, "
        "its twin is not. The curves are one draw: another seed gives other groups of pictures and other noise.",
        alt="Share of new digits that are read right, by epoch. The private network {trend:private_curve}, its twin "
        "without privacy {trend:plain_curve}.",
        layers=[
            layers.HLine(at=0.1, role="muted", dash=True, width=1.2, label="pure guessing"),
            layers.Line(x="epoch", y="plain_curve", role="nonprivate", label="same steps without privacy",
                        label_short="without privacy"),
            layers.Line(x="epoch", y="waiting_curve", width=2, dash=True, alpha=0.5, keep=False,
                        label=f"still at ε = {short(params.epsilon)}: let go to train",
                        label_short="let go to train"),
            layers.Line(x="epoch", y="before_curve", width=2, dash=True, alpha=0.5, keep=False,
                        label="" if before is None else since(params, before.params), label_short="before"),
            layers.Line(x="epoch", y="private_curve", width=3, label="with privacy"),
            layers.Dot(x="epochs_done", y="private_now"),
        ],
    )  # fmt: skip


def since(params: NetworkParams, before: NetworkParams) -> str:
    """Return what the curve of before is called: by its ε, where that is all that was changed."""
    alike = before.but(epsilon=params.epsilon) == params
    return f"before, at ε = {short(before.epsilon)}" if alike else "before the last change"


def _cost(n_seeds: int) -> Readout:
    """What this privacy costs: over the seeds where they were measured, in this draw elsewhere."""
    if not n_seeds:
        return Readout(label="this privacy", value="cost", format="points", note="of accuracy, in this draw",
                       depth=Depth.UNDERSTAND)  # fmt: skip
    return difference_readout(
        "this privacy", "privacy_cost", code="points", n_draws=n_seeds, depth=Depth.UNDERSTAND, draw="cost",
        alone="of accuracy, in this draw",
    )  # fmt: skip


def _readouts(n_seeds: int) -> list[Readout]:
    return [
        median_readout("with privacy", "private_median", code="in 100", n_draws=n_seeds, draw="private_now",
                       role="private", help="New digits that are read right. Each training has groups and noise of "
                       "its own, by its seed; the curves are one of them, this draw."),
        median_readout("without privacy", "plain_median", code="in 100", n_draws=n_seeds, draw="plain_now",
                       help="After the same steps."),
        Readout(label="the training costs", value="epsilon_now", format=".3g", note="ε in all"),
        _cost(n_seeds),
        Readout(label="noise multiplier σ", value="sigma", format=".3g", note="on the sum, over C",
                depth=Depth.UNDERSTAND),
        Readout(label="steps T", value="steps", format="d", note="ten an epoch", depth=Depth.UNDERSTAND),
    ]  # fmt: skip
