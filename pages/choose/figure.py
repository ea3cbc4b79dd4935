"""The figure of Choose ε: what it costs, whom, and what an attacker can do, at every ε."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpcore.experiments.choose import ChooseParams, Costs, Problem
from pages.choose.controls import CONTROLS
from pages.choose.figure_arrays import arrays
from pages.choose.reading import Reading, reading
from ui import live
from ui.depth import Depth
from ui.figure_kit import common
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.controls import live_controls
from ui.live import Axis, Panel, Readout, layers
from ui.people import people

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure"]


def figure(state: PageState[ChooseParams]) -> live.Figure:
    """Return the live figure; ε moves all panels in the browser alone."""
    params, problem = state.params, state.problem
    told, costs = reading(problem, params), state["costs"]
    made = arrays(problem, params, costs, state["attack"], told)
    return live.Figure(
        controls=[
            *live_controls(CONTROLS, params, hide=("group",)),
            _by(problem),
            common.buttons(),
        ],
        values=common.values(params, group=min(params.group, len(problem.columns()) - 1)),
        arrays=made,
        panels=[_cost(problem, params, costs, told), _whom(problem, params, told), _risk()],
        readouts=_readouts(told),
        texts=[people(EPSILONS, params.delta, neighbouring="replace_one")],
        busy=state.busy,
    )


def _by(problem: Problem) -> live.Choice:
    """By which column people are compared: the columns are those of the data."""
    item = next(control for control in CONTROLS if control.name == "group")
    return live.Choice(
        name="group", label="compare people by", options=list(enumerate(problem.columns())),
        help=item.help, more=True, depth=Depth.UNDERSTAND,
    )  # fmt: skip


def _top(problem: Problem, costs: Costs | None, told: Reading) -> float:
    """The upper end of the axis: it stays while ε moves."""
    most = problem.trivial if costs is None else max(problem.trivial, *_typical(costs))
    return float(1.12 * told.factor * min(most, 2 * problem.trivial)) or 1.0


def _typical(costs: Costs) -> list[float]:
    return [float(np.max(costs.quantiles()[2]))]


def _cost(problem: Problem, params: ChooseParams, costs: Costs | None, told: Reading) -> Panel:
    every = [
        layers.Line(x=EPSILONS, y=f"error_{name}", role=k, width=1.4, label=problem.names[name],
                    depth=Depth.UNDERSTAND)
        for k, name in enumerate(problem.methods)
    ]  # fmt: skip
    chosen = params.chosen(problem.methods)
    name = "best method" if chosen == "best" else problem.names[chosen]
    return Panel(
        key="cost", title="What it costs", height=360, x=epsilon_axis(),
        y=Axis(range=(0.0, _top(problem, costs, told)), title=told.axis),
        caption="Each ε is tried many times with new noise. Half of the tries do better than the line, and "
        "8 of 10 stay inside the band.",
        alt=f"{told.axis} against ε. At ε = {{epsilon}} it is {{error_now}}; without privacy {{best}}, with "
        "one answer for all {trivial}. From left to right the curve {trend:middle:.3g}.",
        layers=[
            layers.Band(x=EPSILONS, low="low", high="high", label="8 of 10 tries"),
            layers.HLine(at="best", role="nonprivate", width=2, label="without privacy"),
            layers.HLine(at="trivial", role="muted", dash=True, width=1.4,
                         label="the same answer for all", label_short="same for all"),
            *every,
            layers.Line(x=EPSILONS, y="middle", width=3, label=name),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip


def _whom(problem: Problem, params: ChooseParams, told: Reading) -> Panel:
    groups = problem.groups(params.group)
    top = 1.0 if problem.classifies else 2.2 * problem.trivial
    return Panel(
        key="whom", title="For whom it costs", height=360, x=epsilon_axis(),
        y=Axis(range=(0.0, 1.04 * told.factor * top), title=told.axis),
        caption="The same mistakes, group by group. Small groups often lose more than the others.",
        alt="Mistakes by group against ε. At ε = {epsilon} the worst-off group has {worst_now}, everybody "
        "together {everybody_now}.",
        layers=[
            *(layers.Line(x=EPSILONS, y=f"group_{k}", role=k, width=1.6,
                          label=f"{name} ({members.sum()} tested)", label_short=name)
              for k, (name, members) in enumerate(groups)),
            layers.Line(x=EPSILONS, y="everybody", width=3, label="everybody"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="worst_now", role="danger"),
        ],
    )  # fmt: skip


def _risk() -> Panel:
    return Panel(
        key="risk", title="What an attacker can do", height=360, x=epsilon_axis(),
        y=Axis(range=(45.0, 102.0), title="right guesses in 100"),
        caption="The proof holds against every attacker, also those to come. Attacks of today reach less: they "
        "know less, or the noise is stronger than the bound needs.",
        alt="Right guesses in 100 against ε. At ε = {epsilon} no attacker is right in more than "
        "{proof_at} of 100.",
        layers=[
            layers.HLine(at=50.0, role="muted", dash=True, width=1.2, label="pure guessing"),
            layers.Line(x=EPSILONS, y="seen", role="nonprivate", width=2,
                        label="who has only the model (measured)", label_short="has the model"),
            layers.Line(x=EPSILONS, y="knows", role="other", width=2,
                        label="who knows everybody else (computed)", label_short="knows the others"),
            layers.Line(x=EPSILONS, y="proof", width=3, label="no attacker can do better",
                        label_short="the proof"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="proof_at"),
        ],
    )  # fmt: skip


def _readouts(told: Reading) -> list[Readout]:
    return [
        Readout(label=told.label, value="error_now", format=".3g", note=told.note, role="private",
                help="Half of the tries do better, half do worse. All methods that fit are tried; this is the "
                "best one, or the one you choose."),
        Readout(label="in the worst-off group", value="worst_now", format=".3g", note=told.note,
                help="The group with the most mistakes at this ε, on average over the tries."),
        Readout(label="an attacker guesses right at most", value="proof_now", format="in 100",
                note="pure guessing: 50 in 100",
                help="Whoever sees one published result, and has to say which of two people is in the data. "
                "This holds for every attack."),
        Readout(label="without privacy", value="best", format=".3g", note=told.note,
                depth=Depth.UNDERSTAND),
        Readout(label="in 9 of 10 tries at most", value="high_now", format=".3g", note=told.note,
                depth=Depth.UNDERSTAND),
        Readout(label="who knows everybody else is right", value="knows_now", format="in 100",
                note="one Gaussian release, computed exactly", depth=Depth.UNDERSTAND,
                help="The best test between the two values that a record may have, where one sum was "
                "published with the least noise that has this ε and δ."),
        Readout(label="who has only the model is right", value="seen_now", format="in 100",
                note="measured on these data, 8 trainings", depth=Depth.UNDERSTAND,
                help="Of pairs of one who was learned from and one who was not, the share told apart by how well "
                "the model fits them. It may fall below 50 by chance."),
    ]  # fmt: skip
