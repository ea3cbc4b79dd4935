"""More of the live figure of the regression page: all methods beside each other."""

from __future__ import annotations

from dpcore.experiments.regression import METHODS
from pages.regression.figure_frame import Frame
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers

__all__ = ["COLOUR", "SHORT", "methods"]

SHORT = {
    "printed": "with a simple Δ₁", "tight": "with exact Δ₁", "joint": "joint release", "gaussian": "Gaussian sums",
    "adassp": "AdaSSP", "output": "noise on the result", "descent": "gradient descent",
}  # fmt: skip
_NEW = (
    "people they have not seen. The ranking has all methods: with a simple bound of the sensitivity Δ₁, with the "
    "[[exact sensitivity|exact Δ₁]], [[Gaussian sums]], [[adaptive ridge|AdaSSP]] and others."
)
_SPLIT = ("printed", "tight")  # near each other, and no better than one joint release
COLOUR = {name: k for k, name in enumerate(METHODS)}


def methods(frame: Frame, chosen: str) -> list[Panel]:
    """Return the panels that compare all methods with the ``chosen`` one."""
    tab = "All methods"
    return [
        _curve(frame, "test", tab, chosen),
        _ranking(frame, tab),
        _curve(frame, "train", tab, chosen),
        _prices(frame, tab),
    ]


def _curve(frame: Frame, which: str, tab: str, chosen: str) -> Panel:
    words = "new records" if which == "test" else "the training records"
    now = "loss" if which == "test" else "train_loss"
    guess = [
        layers.HLine(
            at="guess_test",
            role="muted",
            dash=True,
            width=1.2,
            label="predicting the mean",
            label_short="the mean",
        )
    ]
    return Panel(
        key=f"loss_{which}", title=f"Error on {words}, at every ε", tab=tab, height=400,
        depth=Depth.UNDERSTAND,
        x=epsilon_axis(), y=frame.loss_axis("mean squared error, scaled target"),
        caption="The lower the curve of a method lies at your ε, the better its private fits predict "
        + (_NEW if which == "test" else "the people they were made from."),
        alt=f"Error on {words} against ε; median now {{{now}}}, without privacy {{best_{which}}}.",
        layers=[
            layers.Band(x=EPSILONS, low=f"{which}_low", high=f"{which}_high",
                        label="middle 80 % of draws", label_short="80 % of draws"),
            *(layers.Line(x=EPSILONS, y=f"{which}_{name}", role=COLOUR[name], width=1.6,
                          label=SHORT[name], depth=_depth(which, name))
              for name in METHODS if name != chosen),
            layers.Line(x=EPSILONS, y=f"{which}_middle", width=3, label=f"your method, {SHORT[chosen]}",
                        label_short="your method"),
            layers.HLine(at=f"best_{which}", role="nonprivate", width=2, label="without privacy"),
            *(guess if which == "test" else []),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y=now),
        ],
    )  # fmt: skip


def _depth(which: str, name: str) -> Depth:
    """Where the curve of a method belongs that is not chosen: of too many no name can be read."""
    return Depth.CHECK if which == "train" or name in _SPLIT else Depth.UNDERSTAND


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
        key="ranking", title="Which method is best at your ε", tab=tab, height=400, depth=Depth.UNDERSTAND,
        x=frame.loss_axis("mean squared error on new records"),
        y=Axis(range=(-0.6, len(names) - 0.4), ticks=tuple(range(len(names))),
               words=tuple(SHORT[n] for n in names)),
        caption="The further left, the better. The dot is the median of the draws, the bar holds the middle "
        "80 % of them. Every method has draws of its own here. To the right of the mean, a method would do better "
        "to ignore all features.",
        alt="Test error of all methods at ε = {epsilon}: with a simple Δ₁ {test_printed_now}, joint release "
        "{test_joint_now}, Gaussian sums {test_gaussian_now}, gradient descent {test_descent_now}.",
        layers=[
            layers.VLine(at="best_test", role="nonprivate", width=2, label="without privacy"),
            layers.VLine(at="guess_test", role="muted", dash=True, width=1.2,
                         label="predicting the mean", label_short="the mean"),
            *rows,
        ],
    )  # fmt: skip


def _prices(frame: Frame, tab: str) -> Panel:
    names = list(METHODS)[::-1]
    rows = [
        layer
        for k, name in enumerate(names)
        for layer in (
            layers.Line(x=f"noise_{name}", y=[float(k), float(k)], role=COLOUR[name], width=9, alpha=0.7,
                        label="noise" if k == len(names) - 1 else ""),
            layers.Line(x=f"price_{name}", y=[float(k), float(k)], role="nonprivate", width=9,
                        label="method" if k == len(names) - 1 else ""),
        )
    ]  # fmt: skip
    return Panel(
        key="prices", title="What the method costs, and what its noise costs", tab=tab, height=400,
        depth=Depth.UNDERSTAND,
        x=Axis(range=(-0.03 * frame.price, frame.price), title="added error on new records"),
        y=Axis(range=(-0.6, len(names) - 0.4), ticks=tuple(range(len(names))),
               words=tuple(SHORT[n] for n in names)),
        caption="What the method itself costs stays even at ε = ∞. The noise costs extra, and less of it as ε grows. "
        "Both are measured against least squares. A bar at the right edge goes on beyond it.",
        alt="Added error of the method and of its noise, for every method.",
        layers=[
            layers.VLine(at=0.0, role="nonprivate", width=2),
            layers.VLine(at="guess_price", role="muted", dash=True, width=1.2,
                         label="predicting the mean", label_short="the mean"),
            *rows,
        ],
    )  # fmt: skip
