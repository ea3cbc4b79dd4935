"""More of the live figure of the regression page: all methods beside each other."""

from __future__ import annotations

from collections.abc import Iterable

from dpcore.experiments.regression import METHODS
from pages.regression.figure_frame import Frame
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Axis, Panel, layers

__all__ = ["COLOUR", "SHORT", "legend", "methods"]

SHORT = {
    "printed": "as printed", "tight": "tight Δ₁", "joint": "joint release", "gaussian": "Gaussian sums",
    "adassp": "AdaSSP", "output": "on the result", "descent": "descent",
}  # fmt: skip
COLOUR = {name: k for k, name in enumerate(METHODS)}


def legend(names: Iterable[str]) -> str:
    """Return which colour is which method, in words."""
    colours = ("blue", "yellow-orange", "green", "pink", "light blue", "red-orange", "violet")
    return "; ".join(f"{colours[COLOUR[n]]}: {SHORT[n]}" for n in names) + "."


def methods(frame: Frame) -> list[Panel]:
    """Return the panels that compare all methods."""
    tab = "All methods"
    return [
        _curve(frame, "test", tab),
        _ranking(frame, tab),
        _curve(frame, "train", tab),
        _prices(frame, tab),
    ]


def _curve(frame: Frame, which: str, tab: str) -> Panel:
    words = "new records (test)" if which == "test" else "the training records"
    guess = [layers.HLine(at="guess_test", role="muted", dash=True, width=1.2)]
    return Panel(
        key=f"loss_{which}", title=f"Loss on {words} against ε", tab=tab, height=400,
        x=epsilon_axis(), y=frame.loss_axis("mean squared error, scaled target"),
        caption="Lines: medians. Thick accent with its band (10 to 90 % of the draws): the method chosen. "
        "Grey line: no privacy; dashed: predicting the mean. "
        + (legend(METHODS) if which == "test" else
        "The document shows both: private fits err more, and less so as ε grows."),
        alt=f"Loss on {words} against ε; median now {{loss}}, without privacy {{best_test}}.",
        layers=[
            layers.Band(x=EPSILONS, low=f"{which}_low", high=f"{which}_high"),
            *(layers.Line(x=EPSILONS, y=f"{which}_{name}", role=COLOUR[name], width=1.6)
              for name in METHODS),
            layers.Line(x=EPSILONS, y=f"{which}_middle", width=3),
            layers.HLine(at=f"best_{which}", role="nonprivate", width=2),
            *(guess if which == "test" else []),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y="loss" if which == "test" else "train_loss"),
        ],
    )  # fmt: skip


def _ranking(frame: Frame, tab: str) -> Panel:
    names = list(METHODS)[::-1]
    rows = [
        layer
        for k, name in enumerate(names)
        for layer in (
            layers.Line(x=f"test_{name}_span", y=[float(k), float(k)], role=COLOUR[name], width=5,
                        alpha=0.45),
            layers.Dot(x=f"test_{name}_now", y=float(k), role=COLOUR[name], size=6),
        )
    ]  # fmt: skip
    return Panel(
        key="ranking", title="Who is best at this ε", tab=tab, height=400,
        x=frame.loss_axis("mean squared error on new records"),
        y=Axis(range=(-0.6, len(names) - 0.4), ticks=tuple(range(len(names))),
               words=tuple(SHORT[n] for n in names)),
        caption="Dot: median; bar: 10 to 90 % of the draws; further left is better. Right of the dashed "
        "line, predicting the mean for everybody would be better. The same ε for all, δ where one is needed.",
        alt="Test error of all methods at ε = {epsilon}: printed {test_printed_now}, joint "
        "{test_joint_now}, Gaussian {test_gaussian_now}, descent {test_descent_now}.",
        layers=[
            layers.VLine(at="best_test", role="nonprivate", width=2),
            layers.VLine(at="guess_test", role="muted", dash=True, width=1.2),
            *rows,
        ],
    )  # fmt: skip


def _prices(frame: Frame, tab: str) -> Panel:
    names = list(METHODS)[::-1]
    rows = [
        layer
        for k, name in enumerate(names)
        for layer in (
            layers.Line(x=f"noise_{name}", y=[float(k), float(k)], role=COLOUR[name], width=9, alpha=0.7),
            layers.Line(x=f"price_{name}", y=[float(k), float(k)], role="nonprivate", width=9),
        )
    ]  # fmt: skip
    return Panel(
        key="prices", title="What is paid for what", tab=tab, height=400,
        x=Axis(range=(-0.03 * frame.price, frame.price), title="error added to least squares, new records"),
        y=Axis(range=(-0.6, len(names) - 0.4), ticks=tuple(range(len(names))),
               words=tuple(SHORT[n] for n in names)),
        caption="Grey: what the method costs, which stays at ε = ∞ (a ridge, few steps, clipping). Colour: "
        "what the noise costs (median). Dashed: what predicting the mean would add.",
        alt="Price of the method and of the noise for every method.",
        layers=[
            layers.VLine(at=0.0, role="nonprivate", width=2),
            layers.VLine(at="guess_price", role="muted", dash=True, width=1.2),
            *rows,
        ],
    )  # fmt: skip
