"""More of the live figure of the regression page: the split of ε and the two worlds, each in a tab of its own."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.experiments import regression
from dpcore.experiments.regression import RegressionParams
from pages.regression.figure_frame import Frame
from ui.live import Axis, Panel, layers

__all__ = ["splits", "two_worlds"]

_SPLIT_WORDS = {
    "proportional": "as printed", "equal": "equal", "variance": "least variance", "error": "least error",
}  # fmt: skip
_COLOURS = ("blue", "yellow-orange", "green", "pink")


def splits(params: RegressionParams, frame: Frame) -> list[Panel]:
    """Return the panels about the division of ε."""
    tab = "The split of ε"
    x = Axis(range=(0.0, 1.0), title="share ε₁/ε for the square part")
    share_list = [float(s) for s in regression.SHARES]
    marks = [
        layers.VLine(at=f"mark_{name}", role=k, width=3 if name == params.split else 1.4,
                     dash=name != params.split)
        for k, name in enumerate(_SPLIT_WORDS)
    ]  # fmt: skip
    legend = "; ".join(f"{c}: {w}" for c, w in zip(_COLOURS, _SPLIT_WORDS.values(), strict=True))
    at = ", ".join(f"{words} {{mark_{name}}}" for name, words in _SPLIT_WORDS.items())
    none = (
        "" if params.separate else " The method chosen needs no split: this is for the printed one."
    )
    return [
        Panel(
            key="variance", title="How much noise, by the split", tab=tab, height=400, x=x,
            y=Axis(range=(0.8, 30.0), log=True, title="noise variance over the least", ticks=(1, 2, 5, 10, 20)),
            caption=f"Line: formula; dots: 400 draws. Red dot: the least. Vertical lines: {legend}.{none}",
            alt=f"Noise variance along the share, least at {{mark_variance}}. Shares: {at}.",
            layers=[
                *marks,
                layers.Line(x=share_list, y="variance"),
                layers.Points(xy="tried_variance", labels="tried_labels", role="text", size=3.5),
                layers.Dot(x="mark_variance", y=1.0, role="danger", size=6),
            ],
        ),
        Panel(
            key="excess", title="How much error, by theory", tab=tab, height=400, x=x,
            y=Axis(range=(0.8, 30.0), log=True, title="added error over the least", ticks=(1, 2, 5, 10, 20)),
            caption="Expected error above least squares for these very data, to first order in the noise: "
            "A⁻¹(δc − δA θ). Red dot: the least. Least variance is not least error.",
            alt="Expected error along the share, least at {least_share}.",
            layers=[
                *marks,
                layers.Line(x=share_list, y="excess"),
                layers.Dot(x="least_share", y=1.0, role="danger", size=6),
            ],
        ),
        _tried(tab, x, marks, frame),
    ]  # fmt: skip


def two_worlds(frame: Frame) -> list[Panel]:
    """Return the panels with one record replaced."""
    tab = "Two worlds"
    x0, x1 = frame.centre
    edges = list(map(float, regression.SEPARABILITY_EDGES))
    return [
        _person(tab),
        Panel(
            key="clouds", title="What is published in both worlds", tab=tab, height=400,
            x=Axis(range=(x0 - 0.8, x0 + 0.8), title="intercept θ₀"),
            y=Axis(range=(x1 - 0.8, x1 + 0.8), title="slope θ₁"),
            caption="40 private fits with the record as it is (accent) and replaced (orange), each with noise "
            "of its own. The more they overlap, the less one result tells.",
            alt="Private coefficients of both worlds.",
            layers=[
                layers.Points(xy="there_points", labels="world_labels", role="other", size=4.4,
                              alpha=0.8),
                layers.Points(xy="here_points", labels="world_labels", role="private", size=3.4,
                              alpha=0.8),
            ],
        ),
        Panel(
            key="separability", title="The view of a spy", tab=tab, height=400,
            x=Axis(range=(-5, 5), title="score of the best straight line between the worlds"),
            y=Axis(range=(0, 0.35), title="share of the draws", format=".0%"),
            caption="A linear test trained on half of the draws, used on the other half; draws beyond the "
            "picture are in the outer bars. The proof bounds every test, not only this one.",
            alt="Histograms of a spy's score in both worlds; {guessed} of the guesses are right.",
            layers=[
                layers.Bars(edges=edges, heights="there_counts", role="other", alpha=0.55),
                layers.Bars(edges=edges, heights="here_counts", role="private", alpha=0.45),
            ],
        ),
    ]  # fmt: skip


def _tried(tab: str, x: Axis, marks: Sequence[layers.Layer], frame: Frame) -> Panel:
    return Panel(
        key="tried", title="How much error, by trial", tab=tab, height=400, x=x,
        y=frame.loss_axis("median error on new records"),
        caption="100 fits at each of 12 shares, the same chance for all, with the repair chosen. Red dot: the "
        "best share at this ε. Where noise rules, less budget for the square only shrinks θ to 0.",
        alt="Median test error against the share at ε = {epsilon}, least at {tried_best}.",
        layers=[
            *marks,
            layers.HLine(at="best_test", role="nonprivate", width=2),
            layers.Line(x=[float(s) for s in regression.TRIED], y="tried_line"),
            layers.Points(xy="tried_error", labels="tried_labels", role="private", size=3.5),
            layers.Dot(x="tried_best", y="tried_least", role="danger", size=6),
        ],
    )  # fmt: skip


def _person(tab: str) -> Panel:
    both = [-1.0, 1.0]
    unit = Axis(range=(-1.08, 1.08), title="first feature, scaled")
    return Panel(
        key="person", title="One record is another one", tab=tab, height=400, x=unit,
        y=Axis(range=(-1.08, 1.08), title="target, scaled"),
        caption="Drag the ring: the record it comes from (orange dot) is replaced by the ring. Grey and "
        "orange: the exact fits of both worlds. Bounds stop the ring: nobody is worth more.",
        alt="Records with the replaced person, and the fits of both worlds.",
        layers=[
            layers.Points(xy="points_scaled", labels="zeros", role="muted", size=2.2, alpha=0.5),
            layers.Line(x=both, y="here_line", role="nonprivate", width=3),
            layers.Line(x=both, y="there_line", role="other", dash=True),
            layers.Points(xy="person_home", labels="one", role="other", size=6),
            layers.Points(xy="person_away", labels="one", role="danger", size=5),
            layers.Handle(x="person_dx", y="person_dy", label="the person", origin="person_home"),
        ],
    )  # fmt: skip
