"""The panels of Choose ε."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from pages.choose.reading import Reading, in_figure
from pages.choose.tabs import PEOPLE
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers
from ui.words.numbers import short

__all__ = ["panels", "untold"]

_ENDS = (
    layers.HLine(at="best", role="nonprivate", width=2, label="without privacy", label_short="no privacy"),
    layers.HLine(at="trivial", role="muted", dash=True, width=1.4,
                 label="the same answer for all", label_short="same for all"),
)  # fmt: skip
"""The best that there is without privacy, and what takes no data at all: nothing useful lies beyond them."""


def panels(
    problem: Problem,
    params: ChooseParams,
    costs: Costs | None,
    people: People | None,
    told: Reading,
) -> list[Panel]:
    """Return the panels; the axes depend on the data and the unit, never on ε."""
    top = _top(problem, costs, told)
    return [
        _cost(problem, params, top, told),
        _whom(problem, params, told),
        _risk(),
        _left(problem, params),
        _people(problem, people, top, told),
        _methods(problem, params, top, told),
        _tables(problem),
    ]


def _top(problem: Problem, costs: Costs | None, told: Reading) -> float:
    most = problem.trivial if costs is None else float(np.max(costs.quantiles()[2]))
    return 1.12 * told.factor * min(max(most, problem.trivial), 2 * problem.trivial) or 1.0


def _cost(problem: Problem, params: ChooseParams, top: float, told: Reading) -> Panel:
    return Panel(
        key="cost", title="What it costs", height=300, x=epsilon_axis(),
        y=Axis(range=(0.0, top), title=told.axis),
        caption="Each ε is tried many times with new noise. Half of the tries do better than the line, and "
        "8 of 10 stay inside the band.",
        alt=f"{told.axis} against ε. At ε = {{epsilon}} it is {{error_now}}; without privacy "
        f"{{best:{told.format}}}, with one answer for all {{trivial:{told.format}}}. From left to right the curve "
        f"{{trend:middle:{told.format}}}.",
        layers=[
            layers.Band(x=EPSILONS, low="low", high="high", label="8 of 10 tries"),
            *_ENDS,
            layers.HLine(at="goal_at", role="text", dash=True, width=1, label="your limit",
                         depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="middle", width=3, label=_chosen(problem, params)),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip


def _chosen(problem: Problem, params: ChooseParams) -> str:
    chosen = params.chosen(problem.methods)
    best = "best on made-up data" if problem.is_own else "best method"
    return best if chosen == "best" else problem.names[chosen]


def _methods(problem: Problem, params: ChooseParams, top: float, told: Reading) -> Panel:
    every = [
        layers.Line(x=EPSILONS, y=f"error_{name}", role=k, width=1.8, label=problem.names[name])
        for k, name in enumerate(problem.methods)
    ]
    return Panel(
        key="methods", title="What every method costs", height=400, tab="All methods", depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(0.0, top), title=told.axis),
        caption="All methods at the same ε, each with the noise that it needs: the middle one of many tries.",
        alt=f"{told.axis} of every method against ε. At ε = {{epsilon}} the one that is shown above has "
        "{error_now}.",
        layers=[
            *_ENDS,
            layers.VLine(at="epsilon_now", role="muted", width=1),
            *every,
            layers.Line(x=EPSILONS, y="middle", width=3, alpha=0.35, label=_chosen(problem, params)),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip


def _whom(problem: Problem, params: ChooseParams, told: Reading) -> Panel:
    groups = problem.groups(params.group, params.least)
    top = 1.0 if problem.classifies else 2.2 * problem.trivial
    worst = f"the worst-off group has {{worst_now:{told.format}}}, everybody"
    return Panel(
        key="whom", title="For whom it costs", height=300, depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(0.0, 1.04 * told.factor * top), title=f"{told.axis} (mean)"),
        caption="The same mistakes, group by group: the mean of all tries. " + untold(problem, params),
        alt=f"Mistakes by group against ε, as the mean of all tries. At ε = {{epsilon}} "
        f"{worst if groups else 'everybody'} together {{everybody_now:{told.format}}}. {untold(problem, params)}",
        layers=[
            *(layers.Line(x=EPSILONS, y=f"group_{k}", role=k, width=1.6,
                          label=f"{in_figure(name)} ({members.sum()} in the test)", label_short=in_figure(name))
              for k, (name, members) in enumerate(groups)),
            layers.Line(x=EPSILONS, y="everybody", width=3, label="everybody"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="worst_now" if groups else "everybody_now", role="danger"),
        ],
    )  # fmt: skip


def untold(problem: Problem, params: ChooseParams) -> str:
    """Return which groups are not told, and why: "" where all are."""
    few = len(problem.groups(params.group)) - len(problem.groups(params.group, params.least))
    if not few:
        return ""
    groups = "One group is" if few == 1 else f"{few} groups are"
    return (
        f"{groups} not told: groups with fewer than {params.least} {problem.records} in the test part are left out, "
        "and those from which one of these could be worked out."
    )


def _risk() -> Panel:
    return Panel(
        key="risk", title="What an attacker can do", height=300,
        x=epsilon_axis(), y=Axis(range=(40.0, 102.0), title="right in 100, at 50 to 50"),
        caption="The attacker thought 50 to 50 before. The upper line is what ε and δ allow any attacker, also one "
        "to come. The attacks that we know reach less: they know less, or the noise of the method hides more than ε "
        "asks for.",
        alt="Right guesses in 100 against ε. At ε = {epsilon}, ε and δ allow an attacker to be right in at most "
        "{proof_now} of the cases.",
        layers=[
            layers.HLine(at=50.0, role="muted", dash=True, width=1.2, label="pure guessing"),
            layers.Line(x=EPSILONS, y="seen", role="nonprivate", width=2,
                        label="who has only the model (measured)", label_short="has the model",
                        depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="knows", role="other", width=2,
                        label="best attack we know on this noise (computed)", label_short="best attack"),
            layers.Line(x=EPSILONS, y="proof", width=3, label="most that ε and δ allow",
                        label_short="ε and δ allow"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="proof_at"),
        ],
    )  # fmt: skip


def _people(problem: Problem, found: People | None, top: float, told: Reading) -> Panel:
    n = float(problem.n_samples)
    name = problem.names[found.method] if found else ""
    return Panel(
        key="people", title=f"With how many {problem.records} would it be good enough?", height=320, tab=PEOPLE,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(0.13 * n, 17 * n), log=True, title=f"{problem.records} to learn from",
               ticks=tuple(round(n * k) for k in (0.25, 0.5, 1, 2, 4, 8, 16))),
        y=Axis(range=(0.0, top), title=told.axis),
        caption=f"Left of the line we learn from a part of the {problem.records}{', by ' + name if name else ''}. "
        "Right of it nothing is measured: a law a + b·n⁻ᶜ is fitted and drawn on, dashed. Where mistakes do not fall "
        f"with the number of {problem.records}, no law is drawn.",
        alt=f"Mistakes against the number of {problem.records} at ε = {{epsilon}}: measured up to all there are, and "
        "extrapolated to sixteen times as many.",
        layers=[
            layers.Band(x="beyond", low="beyond_low", high="beyond_high", role="other"),
            layers.VLine(at=n, role="muted", width=1, label="all there are"),
            layers.HLine(at="goal_at", role="text", dash=True, width=1, label="your limit"),
            layers.Line(x="beyond", y="beyond_middle", role="other", dash=True, width=2,
                        label="extrapolated, not measured", label_short="extrapolated"),
            layers.Line(x="sizes", y="measured", width=3, label="measured"),
        ],
    )  # fmt: skip


def _left(problem: Problem, params: ChooseParams) -> Panel:
    k = params.releases * params.years * params.tables
    return Panel(
        key="left", title=f"What {short(k)} results cost together" if k > 1 else "What one result costs", height=300,
        x=replace(epsilon_axis("ε of one result"), range=(0.045, 160.0)),  # names at the ends of near lines
        y=Axis(range=(0.02, 1000.0), log=True, title="ε of all of them", ticks=(0.1, 1, 10, 100, 1000)),
        caption=f"Every result about the same {problem.records} uses up some of their budget. This is the account of "
        "the noise of the method shown, drawn so many times: [[Gaussian noise]] or [[Laplace noise]].",
        alt="{n_releases} results at ε = {epsilon} cost {together_now} together; to cost {epsilon} together, each "
        "may cost {each_now}.",
        layers=[
            layers.Line(x=EPSILONS, y="added", role="nonprivate", dash=True, width=1.5,
                        label="added up", depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="each", role="other", width=2,
                        label="each may cost", depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y=EPSILONS, role="muted", width=1.4, label="one result"),
            layers.Line(x=EPSILONS, y="together", width=3, label="all together"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="together_now"),
        ],
    )  # fmt: skip


def _tables(problem: Problem) -> Panel:
    return Panel(
        key="tables", title="If you publish only a count or a mean", height=320, tab="Only a table",
        depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(1e-3, 100.0), log=True, title="off by", ticks=(0.001, 0.01, 0.1, 1, 10, 100)),
        caption=f"Laplace noise on one number, about {problem.n_samples} {problem.records}. Lines: half of the time "
        "it is off by less; dashed: 9 times of 10. Several numbers share the budget: see what all results cost.",
        alt=f"At ε = {{epsilon}} a count is typically off by {{count_now}} {problem.records}, a mean by "
        "{mean_now} per cent of its range.",
        layers=[
            layers.Line(x=EPSILONS, y="count_high", dash=True, width=1.4,
                        label="a count, 9 times of 10", label_short="count, 9 of 10"),
            layers.Line(x=EPSILONS, y="mean_high", role="other", dash=True, width=1.4,
                        label="a mean, 9 times of 10", label_short="mean, 9 of 10"),
            layers.Line(x=EPSILONS, y="count", width=3, label=f"a count, in {problem.records}"),
            layers.Line(x=EPSILONS, y="mean", role="other", width=2,
                        label="a mean, in % of its range", label_short="a mean, %"),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="count_now"),
        ],
    )  # fmt: skip
