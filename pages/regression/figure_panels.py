"""The panels of Linear regression: the fits, what they minimise, and tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.experiments.regression import Problem, RegressionParams
from pages.regression.figure_frame import Frame, frame_of
from pages.regression.figure_methods import COLOUR, legend, methods
from pages.regression.figure_tabs import splits, two_worlds
from ui import escape
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Array, Axis, Panel, layers

if TYPE_CHECKING:
    pass

__all__ = ["panels"]


def panels(
    problem: Problem, params: RegressionParams, arrays: dict[str, Array], *, neighbouring_runs: bool
) -> list[Panel]:
    setting, frame = problem.setting(params), frame_of(problem, params)
    return [
        _scatter(problem, params, setting, arrays),
        _parabolas(params, setting, frame),
        *(_valleys(params, setting, frame) if params.objective else []),
        *methods(frame),
        *splits(params, frame),
        *(two_worlds(frame) if neighbouring_runs else []),
    ]


def _padded(low: float, high: float) -> tuple[float, float]:
    """A little more than the bounds: many records lie on them."""
    return low - 0.03 * (high - low), high + 0.03 * (high - low)


def _scatter(
    problem: Problem, params: RegressionParams, setting: Any, arrays: dict[str, Array]
) -> Panel:
    data, bounds = problem.dataset, setting.bounds
    name = escape.tame(data.feature_names[setting.columns[0]].replace("_", " "), 40)
    others = "" if setting.n_features == 1 else " Other features are at their mean."
    return Panel(
        key="fits", title="The fit and what could have been published", height=430,
        x=Axis(range=_padded(float(bounds.low[0]), float(bounds.high[0])), title=name),
        y=Axis(range=_padded(bounds.target_low, bounds.target_high), title=data.target_name),
        caption="Grey: least squares without privacy. Thin: 40 private fits, one thick. Dots: up to 500 "
        "records. The axes end at the public bounds." + others,
        alt=f"{data.target_name} against {name} with private fits at ε = {{epsilon}}; median test "
        "error {loss}, without privacy {best_test}.",
        layers=[
            layers.Points(xy="points", labels="zeros", role="muted", size=2.2, alpha=0.55),
            layers.Line(x="lines_x", y="lines_y", width=1, alpha=0.45),
            layers.Line(x="ends", y="ideal_y", role="nonprivate", dash=True, width=1.6, front=True),
            layers.Line(x="ends", y="best_y", role="nonprivate", width=3.2, front=True),
            layers.Line(x="ends", y="line_y", width=3),
        ],
    )  # fmt: skip


def _parabolas(params: RegressionParams, setting: Any, shape: Frame) -> Panel:
    frame: dict[str, Any] = {
        "key": "parabola", "height": 430,
        "x": Axis(range=(-shape.half, shape.half), title="slope θ₁ (everything scaled to [−1, 1])"),
        "y": Axis(range=(shape.low, shape.high), title="objective aθ² − 2bθ, per record"),
    }  # fmt: skip
    if not params.objective:
        return _landed(setting, frame)
    fixed = (
        [layers.Parabolas(xy="fixed_parabola", role="text", dash=True, width=2.2)]
        if params.repair != "none"
        else []
    )
    held = (
        "The intercept is at its best."
        if setting.n_features == 1
        else "Others are held where they are without privacy; a red one falls in some direction."
    )
    repair = " Dashed: the thick one after the repair." if fixed else ""
    return Panel(
        title="The objective, without and with noise",
        caption="A fit is the lowest place. Grey: true. Thin: 40 noisy objectives, one thick. Red: "
        f"without a lowest place.{repair} {held}",
        alt="True and noisy objectives along the slope; no minimum in {no_minimum} of the draws.",
        layers=[
            layers.HLine(at=0.0, role="muted", width=1),
            layers.Parabolas(xy="parabolas", width=1, alpha=0.5),
            layers.Parabolas(xy="true_parabola", role="nonprivate", width=3.2, front=True),
            layers.Parabolas(xy="parabola", width=3),
            *fixed,
        ],
        **frame,
    )


def _landed(setting: Any, frame: dict[str, Any]) -> Panel:
    """Where the fits lie on the true objective, for methods that publish no noisy one."""
    rest = "intercept" if setting.n_features == 1 else "other coefficients"
    return Panel(
        title="The objective, and where the fits land",
        caption="This method does not publish a noisy objective. Grey: the true one. Dots: the slope "
        f"of each private fit on it ({rest} at their best).",
        alt="The true objective as a parabola with private fits on it.",
        layers=[
            layers.Parabolas(xy="true_parabola", role="nonprivate", width=3.2, front=True),
            layers.Points(xy="landed", labels="landed_labels", role="private", size=4.5),
        ],
        **frame,
    )


def _valleys(params: RegressionParams, setting: Any, shape: Frame) -> list[Panel]:
    tab = "No minimum?"
    x0, x1 = shape.centre
    x = Axis(range=(x0 - 1.2, x0 + 1.2), title="intercept θ₀")
    y = Axis(range=(x1 - 1.2, x1 + 1.2), title="slope θ₁")
    fixed = "raw" if params.repair == "none" else "fixed"
    words = dict(RegressionParams.controls()["repair"].choices or ())[params.repair]
    title = "The same: choose a repair" if fixed == "raw" else f"The same, repaired: {words}"
    more = "" if setting.n_features == 1 else " Other coefficients follow along."
    truth = [
        layers.Line(x="true_x", y="true_y", role="nonprivate", width=1.6),
        layers.Dot(x="true_point_x", y="true_point_y", role="nonprivate", size=5),
    ]

    def drawn(name: str) -> list[layers.Layer]:
        return [
            *truth,
            layers.Line(x=f"{name}_up_x", y=f"{name}_up_y", width=2),
            layers.Line(x=f"{name}_down_x", y=f"{name}_down_y", role="danger", width=2, dash=True),
            layers.Dot(x=f"{name}_point_x", y=f"{name}_point_y"),
        ]

    return [
        Panel(
            key="valley", title="One noisy objective from above, as it is", tab=tab, height=400,
            x=x, y=y,
            caption="Lines of equal height. Grey: the true valley. Accent: higher than the dot; red, "
            "dashed: lower. Closed accent lines: a valley. Red and accent: a saddle, and the dot "
            "that solves the equations is no minimum." + more,
            alt="Contours of a noisy objective over intercept and slope.", layers=drawn("raw"),
        ),
        Panel(
            key="repaired", title=title, tab=tab, height=400, x=x, y=y,
            caption="Choose a repair on the left. It uses the noisy numbers and the public size of the "
            "noise only, so it costs no privacy. Drawing again until there is a minimum would cost "
            "2ε: how often you drew tells something.",
            alt="Contours of the repaired objective.", layers=drawn(fixed),
        ),
        _eigenvalues(setting, tab),
        _share(tab),
    ]  # fmt: skip


def _eigenvalues(setting: Any, tab: str) -> Panel:
    return Panel(
        key="lowest", title="Why: the flattest direction", tab=tab, height=400,
        x=epsilon_axis(), y=Axis(range=(-1.2, 0.8), title="smallest eigenvalue of A, per record"),
        caption="How steeply the objective rises in its flattest direction: grey without noise, accent with "
        "noise (median, 10 to 90 % of 40 draws). Below zero it falls: no minimum. More records lift the "
        "noise away, more features bring it back.",
        alt="Smallest eigenvalue of the noisy matrix against ε; now {lowest_now}, true {true_lowest}.",
        layers=[
            layers.Band(x=[0.045, 22.0], low=[-9.0, -9.0], high=[0.0, 0.0], role="danger", alpha=0.1),
            layers.Band(x=EPSILONS, low="lowest_low", high="lowest_high"),
            layers.HLine(at=0.0, role="danger", width=1.2),
            layers.HLine(at="true_lowest", role="nonprivate", width=2.5),
            layers.Line(x=EPSILONS, y="lowest_middle", width=2.6),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="lowest_now"),
        ],
    )  # fmt: skip


def _share(tab: str) -> Panel:
    others = ("printed", "tight", "joint", "gaussian")
    return Panel(
        key="share", title="How often there is no minimum", tab=tab, height=400,
        x=epsilon_axis(), y=Axis(range=(-0.03, 1.03), title="share of the draws", format=".0%"),
        caption="Before any repair, by method; accent: the one chosen. "
        + legend(others),
        alt="Share of draws without a minimum against ε; here {no_minimum}.",
        layers=[
            *(layers.Line(x=EPSILONS, y=f"share_{name}", role=COLOUR[name], width=1.8)
              for name in others),
            layers.Line(x=EPSILONS, y="share_own", width=2.6),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="no_minimum"),
        ],
    )  # fmt: skip
