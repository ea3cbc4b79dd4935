"""The panels of Linear regression: the fits, what they minimise, and tabs."""

from __future__ import annotations

from typing import Any

from dpcore.experiments.regression import Problem, RegressionParams
from pages.regression.controls import CONTROLS
from pages.regression.figure_frame import Frame, frame_of
from pages.regression.figure_methods import COLOUR, SHORT, methods
from pages.regression.figure_opening import opening_panels
from pages.regression.figure_tabs import splits, two_worlds
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.figure_kit.controls import option_words
from ui.frame.depth import Depth
from ui.live import Array, Axis, Panel, layers
from ui.words import escape
from ui.words.numbers import show

__all__ = ["panels"]


def panels(
    problem: Problem, params: RegressionParams, arrays: dict[str, Array], *, neighbouring_runs: bool
) -> list[Panel]:
    """Return the panels whose results are there; those of deeper stages wait for them."""
    setting, frame = problem.setting(params), frame_of(problem, params)
    objective = "parabolas" in arrays
    return [
        _scatter(problem, params, setting, arrays),
        *([_parabolas(params, setting, frame)] if objective or not params.objective else []),
        *(_valleys(params, setting, frame) if objective else []),
        *methods(frame, params.method),
        *(splits(params, frame) if "variance" in arrays else []),
        *(two_worlds(frame) if neighbouring_runs else []),
        *opening_panels(),
    ]


def _padded(low: float, high: float) -> tuple[float, float]:
    """A little more than the bounds: many records lie on them."""
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _in_data(setting: Any, records: str) -> str:
    """What the dots are: all that the lines are learned from, or the first of them."""
    n, shown = setting.n_samples, len(setting.shown)
    return f"all {n} {records}" if shown == n else f"{shown} of the {show(n, 'd')} {records}"


def _scatter(
    problem: Problem, params: RegressionParams, setting: Any, arrays: dict[str, Array]
) -> Panel:
    data, bounds = problem.dataset, setting.bounds
    name = escape.tame(data.feature_names[setting.columns[0]].replace("_", " "), 40)
    others = "" if setting.n_features == 1 else " All other features are at their mean."
    return Panel(
        key="fits", title="Which lines could have been published", height=430,
        x=Axis(range=_padded(float(bounds.low[0]), float(bounds.high[0])), title=name),
        y=Axis(range=_padded(bounds.target_low, bounds.target_high), title=data.target_name),
        caption="The thick private line is one draw. Each thin line could have been published just as well: only the "
        "noise differs. If the lines differ widely, a single published line is unreliable." + others,
        alt=f"{data.target_name} against {name}, with 40 private lines at ε = {{epsilon}}. In the median they are "
        "off by {private_off:.2g}; without privacy it is {best_off:.2g}.",
        layers=[
            layers.Points(xy="points", labels="zeros", role="muted", size=2.2, alpha=0.55,
                          label=_in_data(setting, data.records), label_short=data.records),
            layers.Line(x="lines_x", y="lines_y", width=1, alpha=0.45,
                        label="other possible lines", label_short="other lines"),
            layers.Line(x="ends", y="ideal_y", role="nonprivate", dash=True, width=1.6, front=True,
                        depth=Depth.UNDERSTAND, label="this method without noise", label_short="no noise"),
            layers.Line(x="ends", y="best_y", role="nonprivate", width=3.2, front=True,
                        label="without privacy"),
            layers.Line(x="ends", y="line_y", width=3, label="published line", label_short="published"),
        ],
    )  # fmt: skip


def _parabolas(params: RegressionParams, setting: Any, shape: Frame) -> Panel:
    frame: dict[str, Any] = {
        "key": "parabola", "height": 430, "depth": Depth.UNDERSTAND,
        "x": Axis(range=(-shape.half, shape.half), title="slope θ₁ (everything scaled to [−1, 1])"),
        "y": Axis(range=(shape.low, shape.high), title="objective aθ² − 2bθ, per record"),
    }  # fmt: skip
    if not params.objective:
        return _landed(setting, frame)
    fixed = (
        [layers.Parabolas(xy="fixed_parabola", role="text", dash=True, width=2.2, label="repaired")]
        if params.repair != "none"
        else []
    )
    held = (
        "The intercept follows along."
        if setting.n_features == 1
        else "The other coefficients stay where they are without privacy."
    )
    return Panel(
        title="What the fit minimises, without and with noise",
        caption="A fit is the lowest point of its objective. In the [[functional mechanism]] the noise moves the "
        f"whole curve. A curve that opens downwards has no lowest point at all. {held}",
        alt="The objective along the slope, without and with noise; no minimum in {no_minimum} of the draws.",
        layers=[
            layers.HLine(at=0.0, role="muted", width=1),
            layers.Parabolas(
                xy="parabolas",
                width=1,
                alpha=0.5,
                label="40 other draws",
                label_short="other draws",
            ),
            layers.Parabolas(
                xy="true_parabola", role="nonprivate", width=3.2, front=True, label="without noise"
            ),
            layers.Parabolas(xy="parabola", width=3, label="with noise"),
            *fixed,
        ],
        **frame,
    )


def _landed(setting: Any, frame: dict[str, Any]) -> Panel:
    """Where the fits lie on the true objective, for methods that publish no noisy one."""
    rest = (
        "the intercept at its best value"
        if setting.n_features == 1
        else "the other coefficients held where they are without privacy"
    )
    return Panel(
        title="What the fit minimises, and where private fits land",
        caption="This method publishes no noisy objective. Each dot is the slope of a private fit, on the curve "
        f"without noise, with {rest}.",
        alt="The true objective as a parabola with private fits on it.",
        layers=[
            layers.Parabolas(
                xy="true_parabola", role="nonprivate", width=3.2, front=True, label="without noise"
            ),
            layers.Points(
                xy="landed", labels="landed_labels", role="private", size=4.5, label="private fits"
            ),
        ],
        **frame,
    )


def _contours(name: str) -> list[layers.Layer]:
    """The true objective from above, and a noisy one: where it is higher and lower than at its own dot."""
    return [
        layers.Line(x="true_x", y="true_y", role="nonprivate", width=1.6, label="without noise"),
        layers.Dot(x="true_point_x", y="true_point_y", role="nonprivate", size=5),
        layers.Line(x=f"{name}_up_x", y=f"{name}_up_y", width=2,
                    label="higher than the dot", label_short="higher"),
        layers.Line(x=f"{name}_down_x", y=f"{name}_down_y", role="danger", width=2, dash=True,
                    label="lower than the dot", label_short="lower"),
        layers.Dot(x=f"{name}_point_x", y=f"{name}_point_y"),
    ]  # fmt: skip


def _valleys(params: RegressionParams, setting: Any, shape: Frame) -> list[Panel]:
    tab = "No minimum?"
    x0, x1 = shape.centre
    x = Axis(range=(x0 - 1.2, x0 + 1.2), title="intercept θ₀")
    y = Axis(range=(x1 - 1.2, x1 + 1.2), title="slope θ₁")
    fixed = "raw" if params.repair == "none" else "fixed"
    words = next(
        option_words(item, params.controls()["repair"], params.repair)
        for item in CONTROLS
        if item.name == "repair"
    )
    title = "The same: choose a repair" if fixed == "raw" else f"The same, repaired: {words}"
    depth = Depth.UNDERSTAND
    more = (
        ""
        if setting.n_features == 1
        else " For each point, the other coefficients stand where the objective is level in them."
    )
    return [
        Panel(
            key="valley", title="One noisy objective from above, as it is", tab=tab, height=400,
            x=x, y=y, depth=depth,
            caption="Closed rings around the dot mean a valley, and the dot is its lowest point. Where the ground "
            f"falls away on two sides, the dot is a saddle and no minimum.{more}",
            alt="Contours of a noisy objective over intercept and slope.", layers=_contours("raw"),
        ),
        Panel(
            key="repaired", title=title, tab=tab, height=400, x=x, y=y, depth=depth,
            caption="A repair uses only the noisy numbers and the public size of the noise. It is "
            "[[post-processing]] and costs no privacy. Drawing again until there is a minimum would cost 2ε.",
            alt="Contours of the repaired objective.", layers=_contours(fixed),
        ),
        _eigenvalues(setting, tab),
        _share(tab, params.method),
    ]  # fmt: skip


def _eigenvalues(setting: Any, tab: str) -> Panel:
    return Panel(
        key="lowest", title="Why: the flattest direction", tab=tab, height=400, depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(-1.2, 0.8), title="smallest eigenvalue of A, per record"),
        caption="How steeply the objective rises in its flattest direction. Below zero it falls there, and has no "
        "minimum.",
        alt="Smallest eigenvalue of the noisy matrix against ε; now {lowest_now}, true {true_lowest}.",
        layers=[
            layers.Band(x=[0.045, 22.0], low=[-9.0, -9.0], high=[0.0, 0.0], role="danger", alpha=0.1,
                        label="no minimum"),
            layers.Band(x=EPSILONS, low="lowest_low", high="lowest_high", label="middle 80 % of draws",
                        label_short="80 % of draws"),
            layers.HLine(at=0.0, role="danger", width=1.2),
            layers.HLine(at="true_lowest", role="nonprivate", width=2.5, label="without noise"),
            layers.Line(x=EPSILONS, y="lowest_middle", width=2.6,
                label="with noise, median", label_short="with noise"),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            layers.Dot(x="epsilon_now", y="lowest_now"),
        ],
    )  # fmt: skip


def _share(tab: str, chosen: str) -> Panel:
    others = ("printed", "tight", "joint", "gaussian")
    return Panel(
        key="share", title="How often there is no minimum", tab=tab, height=400, depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=Axis(range=(-0.03, 1.03), title="share of the draws", format=".0%"),
        caption="The smaller ε is, the more often the noisy objective has no minimum, before any repair.",
        alt="Share of draws without a minimum against ε; here {no_minimum}.",
        layers=[
            *(layers.Line(x=EPSILONS, y=f"share_{name}", role=COLOUR[name], width=1.8,
                          label=SHORT[name])
              for name in others if name != chosen),
            layers.Line(x=EPSILONS, y="share_own", width=2.6, label=f"your method, {SHORT[chosen]}",
                        label_short="your method"),
            layers.VLine(at="epsilon_now", role="muted", width=1, label="your ε"),
            layers.Dot(x="epsilon_now", y="no_minimum"),
        ],
    )  # fmt: skip
