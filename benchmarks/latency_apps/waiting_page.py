"""Page of the application `waiting`, whose computation waits until the browser stops polling."""

from dataclasses import dataclass
from threading import Event
from typing import Any

from dpcore.experiments import shared
from dpcore.experiments.params import Params
from ui import live
from ui.figure_kit import common, shared_controls
from ui.frame.page_spec import PageSpec, open_page
from ui.live import Axis, Panel, layers
from ui.runner import Context, PageState, Pipeline, Stage


@dataclass(frozen=True, kw_only=True)
class WaitingParams(Params):
    epsilon: float = shared.epsilon()
    seed: int = shared.seed()


def wait(problem: None, params: WaitingParams, context: Context) -> None:
    while not Event().wait(0.5):
        context.check()


def figure(state: PageState[WaitingParams]) -> live.Figure:
    cost: dict[str, Any] = {"x": common.epsilon_axis(), "y": Axis(range=(0, 11), title="1/ε")}
    line = layers.Line(x=common.EPSILONS, y=[1 / epsilon for epsilon in common.EPSILONS])
    panels = [Panel(key="cost", title="For ever", layers=[line], **cost)]
    return common.figure(state, CONTROLS, arrays={}, panels=panels)


CONTROLS = shared_controls.epsilon(help="Moves a line."), shared_controls.seed()
WAIT = Stage("wait", wait, ignores=("epsilon", "seed"), doing="Waiting")
open_page(
    PageSpec(
        key="waiting",
        group="",
        title="Waiting",
        question="What does asking cost?",
        params=WaitingParams,
        controls=CONTROLS,
        pipeline=Pipeline[WaitingParams](name="waiting", stages=[WAIT]),
        figure=figure,
        words=lambda state: None,
        meaning=lambda state: "The page waits.",
        noise="It waits.",
    )
)
