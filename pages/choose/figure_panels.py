"""Panels of the figure of the Choose ε page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.experiments import choose
from dpcore.experiments.choose import ChooseParams, Costs, People, Problem
from pages.choose.figure_arrays import CROWD, CROWD_SHAPE
from pages.choose.people_axis import people_axis
from pages.choose.reading import Reading, in_figure
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["panels", "untold"]

T = text.load_text(__file__)

_HEIGHT = 560
_ENDS = (
    layers.HLine(at="best", role="nonprivate", width=2, label=T("labels.plain"),
                 label_short=T("labels.plain_short")),
    layers.HLine(at="trivial", role="muted", dash=True, width=1.4,
                 label=T("labels.trivial"), label_short=T("labels.trivial_short")),
)  # fmt: skip
"""Horizontal lines at two errors. All useful results lie between them.

They are the error of the best model without privacy, and the error of a prediction that uses no data.
"""


def panels(
    problem: Problem,
    params: ChooseParams,
    costs: Costs | None,
    people: People | None,
    display: Reading,
) -> list[Panel]:
    """Return the panels of the figure, whose axes depend on the data and on the user's unit, but not on ε."""
    top = _top(problem, costs, display)
    return [
        _cost(problem, params, top, display),
        *([_crowd(problem)] if problem.classifies else []),
        _whom(problem, params, display),
        _risk(),
        _left(problem, params),
        _people(problem, people, top, display),
        _methods(problem, params, top, display),
        _tables(problem),
    ]


def _top(problem: Problem, costs: Costs | None, display: Reading) -> float:
    most = problem.trivial if costs is None else float(np.max(costs.quantiles()[2]))
    return 1.12 * display.factor * min(max(most, problem.trivial), 2 * problem.trivial) or 1.0


def _cost(problem: Problem, params: ChooseParams, top: float, display: Reading) -> Panel:
    panel = Panel(
        key="cost", height=_HEIGHT, x=epsilon_axis(), y=Axis(range=(0.0, top), title=display.axis),
        top=people_axis(choose.guarantee(params, problem), problem.records),
        layers=[
            layers.Band(x=EPSILONS, low="low", high="high", label=T("panels.cost.band")),
            *_ENDS,
            layers.HLine(at="goal_at", role="text", dash=True, width=1, label=T("labels.limit"),
                         depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="middle", width=3, label=_chosen(problem, params)),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip
    return T.panel(panel, _in_whole(display), axis=display.axis)


def _crowd(problem: Problem) -> Panel:
    """Return the pictogram of a thousand records, which marks those that get a wrong answer at ε."""
    x, y = CROWD_SHAPE
    panel = Panel(
        key="crowd", kind="map", height=_HEIGHT, fixed=True, leads=True,
        x=Axis(range=(0.0, float(x))), y=Axis(range=(0.0, float(y))),
        layers=[
            layers.Counted(xy="crowd", upto=float(CROWD), radius=0.2, role="muted"),
            layers.Counted(xy="crowd", upto="wrong", radius=0.44, role="other"),
            layers.Counted(xy="crowd", upto="wrong_plain", radius=0.44, role="text", front=True),
            *(_named_dot(name, role) for name, role in (("anyway", "text"), ("privacy", "other"))),
        ],
    )  # fmt: skip
    return T.panel(panel, records=problem.records)


def _named_dot(name: str, role: str) -> layers.Layer:
    """Return the label of a dot in the pictogram: what the dot stands for, and how many such dots there are."""
    return layers.Annotation(
        x=f"{name}_x", y=f"{name}_y", dx=12.0, role=role, stamped=True,
        words=T(f"panels.crowd.{name}"),
    )  # fmt: skip


def _in_whole(display: Reading) -> str:
    """Return "whole" if errors are displayed as whole numbers of records, else "".

    The result is the name of a variant of the panel's texts in ``text.toml``.
    """
    return "whole" if display.format == "d" else ""


def _chosen(problem: Problem, params: ChooseParams) -> str:
    chosen = params.chosen(problem.methods)
    if chosen != "best":
        return problem.names[chosen]
    return T("labels.best_made_up" if problem.is_own else "labels.best")


def _methods(problem: Problem, params: ChooseParams, top: float, display: Reading) -> Panel:
    every = [
        layers.Line(x=EPSILONS, y=f"error_{name}", role=k, width=1.8, label=problem.names[name])
        for k, name in enumerate(problem.methods)
    ]
    panel = Panel(
        key="methods", height=400, tab=T("tabs.methods"), depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(0.0, top), title=display.axis),
        layers=[
            *_ENDS,
            layers.VLine(at="epsilon_now", role="muted", width=1),
            *every,
            layers.Line(x=EPSILONS, y="middle", width=3, alpha=0.35, label=_chosen(problem, params)),
            layers.Dot(x="epsilon_now", y="error_now"),
        ],
    )  # fmt: skip
    return T.panel(panel, axis=display.axis)


def _whom(problem: Problem, params: ChooseParams, display: Reading) -> Panel:
    groups = problem.groups(params.group, params.least)
    top = 1.0 if problem.classifies else 2.2 * problem.trivial
    panel = Panel(
        key="whom", height=300, tab=T("tabs.whom"), depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(0.0, 1.04 * display.factor * top)),
        layers=[
            *(layers.Line(x=EPSILONS, y=f"group_{k}", role=k, width=1.6,
                          label=T("panels.whom.group", group=in_figure(name), members=members.sum()),
                          label_short=in_figure(name))
              for k, (name, members) in enumerate(groups)),
            layers.Line(x=EPSILONS, y="everybody", width=3, label=T("panels.whom.everybody")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="worst_now" if groups else "everybody_now", role="danger"),
        ],
    )  # fmt: skip
    variant = _in_whole(display) if groups else _EVERYBODY[_in_whole(display)]
    return T.panel(panel, variant, axis=display.axis, untold=untold(problem, params))


_EVERYBODY = {"": "everybody", "whole": "everybody_whole"}
"""Text variant of a panel without groups, by the variant for panels with groups."""


def untold(problem: Problem, params: ChooseParams) -> str:
    """Return a sentence on how many groups are hidden because they have too few records, or "" if there are none."""
    few = len(problem.groups(params.group)) - len(problem.groups(params.group, params.least))
    if not few:
        return ""
    if few == 1:
        return T("untold.one", least=params.least, records=problem.records)
    return T("untold.many", few=few, least=params.least, records=problem.records)


def _risk() -> Panel:
    panel = Panel(
        key="risk", height=300, tab=T("tabs.whom"), depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(40.0, 102.0)),
        layers=[
            layers.HLine(at=50.0, role="muted", dash=True, width=1.2, label=T("panels.risk.guessing")),
            layers.Line(x=EPSILONS, y="seen", role="nonprivate", width=2, label=T("panels.risk.seen"),
                        label_short=T("panels.risk.seen_short"), depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="knows", role="other", width=2, label=T("panels.risk.knows"),
                        label_short=T("panels.risk.knows_short")),
            layers.Line(x=EPSILONS, y="proof", width=3, label=T("panels.risk.proof"),
                        label_short=T("panels.risk.proof_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="proof_at"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _people(problem: Problem, people: People | None, top: float, display: Reading) -> Panel:
    n = float(problem.n_samples)
    panel = Panel(
        key="people", height=320, tab=T("tabs.people"), depth=Depth.UNDERSTAND,
        x=Axis(range=(0.13 * n, 17 * n), log=True,
               ticks=tuple(round(n * k) for k in (0.25, 0.5, 1, 2, 4, 8, 16))),
        y=Axis(range=(0.0, top), title=display.axis),
        layers=[
            layers.Band(x="beyond", low="beyond_low", high="beyond_high", role="other"),
            layers.VLine(at=n, role="muted", width=1, label=T("panels.people.all")),
            layers.HLine(at="goal_at", role="text", dash=True, width=1, label=T("labels.limit")),
            layers.Line(x="beyond", y="beyond_middle", role="other", dash=True, width=2,
                        label=T("panels.people.extrapolated"), label_short=T("panels.people.extrapolated_short")),
            layers.Line(x="sizes", y="measured", width=3, label=T("panels.people.measured")),
        ],
    )  # fmt: skip
    if people is None:
        return T.panel(panel, records=problem.records)
    return T.panel(panel, "method", records=problem.records, method=problem.names[people.method])


def _left(problem: Problem, params: ChooseParams) -> Panel:
    k = params.releases * params.years * params.tables
    panel = Panel(
        key="left", height=300, depth=Depth.UNDERSTAND,
        x=replace(epsilon_axis(), range=(0.045, 160.0)),  # names at the ends of near lines
        y=Axis(range=(0.02, 1000.0), log=True, ticks=(0.1, 1, 10, 100, 1000)),
        layers=[
            layers.Line(x=EPSILONS, y="added", role="nonprivate", dash=True, width=1.5,
                        label=T("panels.left.added"), depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y="each", role="other", width=2, label=T("panels.left.each"),
                        depth=Depth.UNDERSTAND),
            layers.Line(x=EPSILONS, y=EPSILONS, role="muted", width=1.4, label=T("panels.left.one")),
            layers.Line(x=EPSILONS, y="together", width=3, label=T("panels.left.together")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="together_now"),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if k > 1 else "one", n_results=k, records=problem.records)


def _tables(problem: Problem) -> Panel:
    records = problem.records
    panel = Panel(
        key="tables", height=320, tab=T("tabs.table"), depth=Depth.UNDERSTAND, x=epsilon_axis(),
        y=Axis(range=(1e-3, 100.0), log=True, ticks=(0.001, 0.01, 0.1, 1, 10, 100)),
        layers=[
            layers.Line(x=EPSILONS, y="count_high", dash=True, width=1.4, label=T("panels.tables.count_high"),
                        label_short=T("panels.tables.count_high_short")),
            layers.Line(x=EPSILONS, y="mean_high", role="other", dash=True, width=1.4,
                        label=T("panels.tables.mean_high"), label_short=T("panels.tables.mean_high_short")),
            layers.Line(x=EPSILONS, y="count", width=3, label=T("panels.tables.count", records=records)),
            layers.Line(x=EPSILONS, y="mean", role="other", width=2, label=T("panels.tables.mean"),
                        label_short=T("panels.tables.mean_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="count_now"),
        ],
    )  # fmt: skip
    return T.panel(panel, n=problem.n_samples, records=records)
