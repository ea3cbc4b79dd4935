"""The regression lab's panels and readouts."""

from __future__ import annotations

from typing import Any

from dpcore.experiments.regression import METHODS, Problem, RegressionParams
from ui.figures.common import EPSILONS, epsilon_axis
from ui.figures.regression_arrays import parabola_span
from ui.figures.regression_tabs import loss_axis, splits, worlds
from ui.live import Array, Axis, Layer, Panel, Readout

__all__ = ["panels", "readouts"]

_SHORT = {
    "printed": "as printed", "tight": "tight Δ₁", "joint": "joint release", "gaussian": "Gaussian sums",
    "adassp": "AdaSSP", "output": "on the result", "descent": "descent",
}  # fmt: skip
_COLOUR = {name: k for k, name in enumerate(METHODS)}


def panels(
    problem: Problem, params: RegressionParams, answer: Any, arrays: dict[str, Array]
) -> list[Panel]:
    """Return the panels."""
    setting = answer.setting
    return [
        _scatter(problem, params, setting),
        _parabolas(params, setting),
        *(_valleys(params, setting) if params.objective else []),
        *_methods(params, setting),
        *splits(params, setting, answer.shares),
        *(worlds(setting, arrays) if answer.worlds is not None else []),
    ]


def _scatter(problem: Problem, params: RegressionParams, setting: Any) -> Panel:
    data, bounds = problem.dataset, setting.bounds
    name = data.feature_names[setting.columns[0]]
    others = "" if setting.n_features == 1 else " Other features are at their mean."
    return Panel(
        key="fits", title="The fit and what could have been published", height=430,
        x=Axis(range=(float(bounds.low[0]), float(bounds.high[0])), title=name),
        y=Axis(range=(bounds.target_low, bounds.target_high), title=data.target_name),
        caption="Grey: least squares without privacy. Thin: 40 private fits, one thick. Dots: up to 500 "
        "records. The axes are the public bounds." + others,
        alt=f"{data.target_name} against {name} with private fits at ε = {{epsilon}}; median test "
        "error {loss}, without privacy {best_test}.",
        layers=[
            Layer("points", xy="points", labels="zeros", role="muted", size=2.2, alpha=0.55),
            Layer("line", x="lines_x", y="lines_y", width=1, alpha=0.45),
            Layer("line", x="ends", y="ideal_y", role="nonprivate", dash=True, width=1.6),
            Layer("line", x="ends", y="best_y", role="nonprivate", width=3.2),
            Layer("line", x="ends", y="line_y", width=3),
        ],
    )  # fmt: skip


def _parabolas(params: RegressionParams, setting: Any) -> Panel:
    half, low, high = parabola_span(setting)
    rest = "intercept" if setting.n_features == 1 else "other coefficients"
    frame: dict[str, Any] = {
        "key": "parabola", "height": 430,
        "x": Axis(range=(-half, half), title="slope θ₁ (everything scaled to [−1, 1])"),
        "y": Axis(range=(low, high), title="objective aθ² − 2bθ, per record"),
    }  # fmt: skip
    if not params.objective:
        return Panel(
            title="The objective, and where the fits land",
            caption="This method does not publish a noisy objective. Grey: the true one. Dots: the slope "
            f"of each private fit on it ({rest} at their best).",
            alt="The true objective as a parabola with private fits on it.",
            layers=[
                Layer("line", x="t", y="true_parabola", role="nonprivate", width=3.2),
                Layer("points", xy="landed", labels="landed_labels", role="private", size=4.5),
            ],
            **frame,
        )
    fixed = (
        [Layer("line", x="t", y="fixed_parabola", role="text", dash=True, width=2.2)]
        if params.repair != "none"
        else []
    )
    repair = " Dashed: the thick one after the repair." if fixed else ""
    return Panel(
        title="The objective, without and with noise",
        caption="A fit is the lowest place. Grey: true. Thin: 40 noisy objectives, one thick. Red: open "
        f"downwards, so there is no lowest place.{repair} The {rest} follow along.",
        alt="True and noisy objectives along the slope; no minimum in {no_minimum} of the draws.",
        layers=[
            Layer("hline", at=0.0, role="muted", width=1),
            Layer("line", x="ts", y="valleys", width=1, alpha=0.45),
            Layer("line", x="ts", y="hills", role="danger", width=1, alpha=0.6),
            Layer("line", x="t", y="true_parabola", role="nonprivate", width=3.2),
            Layer("line", x="t", y="parabola", width=3),
            *fixed,
        ],
        **frame,
    )


def _valleys(params: RegressionParams, setting: Any) -> list[Panel]:
    tab = "No minimum?"
    x0, x1 = (float(v) for v in setting.best[:2])
    x = Axis(range=(x0 - 1.2, x0 + 1.2), title="intercept θ₀")
    y = Axis(range=(x1 - 1.2, x1 + 1.2), title="slope θ₁")
    fixed = "raw" if params.repair == "none" else "fixed"
    words = dict(RegressionParams.controls()["repair"].choices or ())[params.repair]
    truth = [
        Layer("line", x="true_x", y="true_y", role="nonprivate", width=1.6),
        Layer("dot", x=x0, y=x1, role="nonprivate", size=5),
    ]

    def drawn(name: str) -> list[Layer]:
        return [
            *truth,
            Layer("line", x=f"{name}_up_x", y=f"{name}_up_y", width=2),
            Layer(
                "line", x=f"{name}_down_x", y=f"{name}_down_y", role="danger", width=2, dash=True
            ),
            Layer("dot", x=f"{name}_point_x", y=f"{name}_point_y"),
        ]

    others = ("printed", "tight", "joint", "gaussian")
    return [
        Panel(
            key="valley", title="One noisy objective from above, as it is", tab=tab, height=400,
            x=x, y=y,
            caption="Lines of equal height. Grey: the true valley. Accent: higher than the dot; red, "
            "dashed: lower. Closed accent lines: a valley. Red and accent: a saddle, and the dot "
            "that solves the equations is no minimum.",
            alt="Contours of a noisy objective over intercept and slope.", layers=drawn("raw"),
        ),
        Panel(
            key="repaired", title=f"The same, repaired: {words}", tab=tab, height=400, x=x, y=y,
            caption="Choose a repair on the left. It uses the noisy numbers and the public size of the "
            "noise only, so it costs no privacy. Drawing again until there is a minimum would cost "
            "2ε: how often you drew tells something.",
            alt="Contours of the repaired objective.", layers=drawn(fixed),
        ),
        Panel(
            key="share", title="How often there is no minimum", tab=tab, height=400,
            x=epsilon_axis(), y=Axis(range=(-0.03, 1.03), title="share of the draws", format=".0%"),
            caption="Before any repair, by method; accent: the one chosen. "
            + _legend(others),
            alt="Share of draws without a minimum against ε; here {no_minimum}.",
            layers=[
                *(Layer("line", x=EPSILONS, y=f"share_{name}", role=_COLOUR[name], width=1.8)
                  for name in others),
                Layer("line", x=EPSILONS, y="share_own", width=2.6),
                Layer("vline", at="epsilon_now", role="muted", width=1),
                Layer("dot", x="epsilon_now", y="no_minimum"),
            ],
        ),
    ]  # fmt: skip


def _legend(names: Any) -> str:
    colours = ("blue", "yellow-orange", "green", "pink", "light blue", "red-orange", "violet")
    return "; ".join(f"{colours[_COLOUR[n]]}: {_SHORT[n]}" for n in names) + "."


def _methods(params: RegressionParams, setting: Any) -> list[Panel]:
    tab = "All methods"
    return [
        *(_curve(params, setting, which, tab) for which in ("test", "train")),
        _ranking(params, setting, tab),
    ]


def _curve(params: RegressionParams, setting: Any, which: str, tab: str) -> Panel:
    words = "new records (test)" if which == "test" else "the training records"
    guess = [Layer("hline", at="guess_test", role="muted", dash=True, width=1.2,
                   label="predicts the mean")]  # fmt: skip
    return Panel(
        key=f"loss_{which}", title=f"Loss on {words} against ε", tab=tab, height=400,
        x=epsilon_axis(), y=loss_axis(setting, "mean squared error, scaled target"),
        caption="Lines: medians. Thick accent with its band (10 to 90 % of the draws): the method chosen. "
        "Grey line: no privacy. " + (_legend(METHODS) if which == "test" else
        "The document shows both: private fits err more, and less so as ε grows."),
        alt=f"Loss on {words} against ε; median now {{loss}}, without privacy {{best_test}}.",
        layers=[
            Layer("band", x=EPSILONS, low=f"{which}_low", high=f"{which}_high"),
            *(Layer("line", x=EPSILONS, y=f"{which}_{name}", role=_COLOUR[name], width=1.6)
              for name in METHODS),
            Layer("line", x=EPSILONS, y=f"{which}_middle", width=3),
            Layer("hline", at=f"best_{which}", role="nonprivate", width=2),
            *(guess if which == "test" else []),
            Layer("vline", at="epsilon_now", role="muted", width=1),
            Layer("dot", x="epsilon_now", y="loss" if which == "test" else "train_loss"),
        ],
    )  # fmt: skip


def _ranking(params: RegressionParams, setting: Any, tab: str) -> Panel:
    names = list(METHODS)[::-1]
    rows = [
        layer
        for k, name in enumerate(names)
        for layer in (
            Layer("line", x=f"test_{name}_span", y=[float(k), float(k)], role=_COLOUR[name], width=5,
                  alpha=0.45),
            Layer("dot", x=f"test_{name}_now", y=float(k), role=_COLOUR[name], size=6),
        )
    ]  # fmt: skip
    return Panel(
        key="ranking", title="Who is best at this ε", tab=tab, height=400,
        x=loss_axis(setting, "mean squared error on new records"),
        y=Axis(range=(-0.6, len(names) - 0.4), ticks=tuple(range(len(names))),
               words=tuple(_SHORT[n] for n in names)),
        caption="Dot: median; bar: 10 to 90 % of the draws; further left is better. Right of the dashed "
        "line, predicting the mean for everybody would be better. All at the same ε and δ.",
        alt="Test error of all methods at ε = {epsilon}: printed {test_printed_now}, joint "
        "{test_joint_now}, Gaussian {test_gaussian_now}, descent {test_descent_now}.",
        layers=[
            Layer("vline", at="best_test", role="nonprivate", width=2),
            Layer("vline", at="guess_test", role="muted", dash=True, width=1.2),
            *rows,
        ],
    )  # fmt: skip


def readouts(params: RegressionParams, arrays: dict[str, Array]) -> list[Readout]:
    """Return the numbers under the figure."""
    found = [
        Readout(label="error, private", value="loss", format=".3g", role="private",
                note="median, new records", help="Mean squared error, target on [−1, 1]."),
        Readout(label="error, no privacy", value="best_test", format=".3g", note="least squares"),
        Readout(label="price of the method", value="method_price", format=".2g", note="at ε = ∞"),
        Readout(label="price of the noise", value="noise_price", format=".2g", note="the rest"),
        Readout(label="predicting the mean", value="guess_test", format=".3g", note="uses no feature"),
    ]  # fmt: skip
    if params.objective:
        found += [
            Readout(label="noise over signal", value="noise_signal", format=".2g",
                    note="in the flattest direction", role="danger",
                    help="Size of the noise on A (s·sd·√D) over A's smallest eigenvalue. Above 1 the "
                    "objective easily loses its minimum."),
            Readout(label="no minimum", value="no_minimum", format=".0%", note="of the draws, unrepaired"),
        ]  # fmt: skip
    if params.separate:
        found.append(Readout(label="ε₁ for the square", value="epsilon_1", format=".3g",
                             note="the rest: linear part"))  # fmt: skip
    if "guessed" in arrays:
        found.append(Readout(label="spy's guesses right", value="guessed", format=".0%",
                             note="50 % is blind"))  # fmt: skip
    return found
