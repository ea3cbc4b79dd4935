"""More of the live figure of the regression page: the split of ε and the two worlds, each in a tab of its own."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.experiments import regression
from dpcore.experiments.regression import RegressionParams
from pages.regression.figure_frame import Frame
from ui.frame.depth import Depth
from ui.live import Axis, Panel, layers

__all__ = ["splits", "two_worlds"]

_SPLIT_WORDS = {
    "proportional": "like Jiang's", "equal": "equal", "variance": "least variance", "error": "least error",
}  # fmt: skip


def splits(params: RegressionParams, frame: Frame) -> list[Panel]:
    """Return the panels about the division of ε."""
    tab = "The split of ε"
    x = Axis(range=(0.0, 1.0), title="share ε₁/ε for the square part")
    share_list = [float(s) for s in regression.SHARES]
    marks = [
        layers.VLine(at=f"mark_{name}", role=k, width=3 if name == params.split else 1.4,
                     dash=name != params.split, label=words)
        for k, (name, words) in enumerate(_SPLIT_WORDS.items())
    ]  # fmt: skip
    at = ", ".join(f"{words} {{mark_{name}}}" for name, words in _SPLIT_WORDS.items())
    none = (
        ""
        if params.separate
        else " Your method needs no split; this is for the one that Jiang prints."
    )
    return [
        Panel(
            key="variance", title="How much noise a split makes", tab=tab, height=400, x=x, depth=Depth.CHECK,
            y=Axis(range=(0.8, 30.0), log=True, title="noise variance over the least", ticks=(1, 2, 5, 10, 20)),
            caption="ε₁ sets the noise on the square part of the objective, the rest of ε the noise on its "
            f"linear part. The upright lines are four ways to split ε.{none}",
            alt=f"Noise variance along the share, least at {{mark_variance}}. Shares: {at}.",
            layers=[
                *marks,
                layers.Line(x=share_list, y="variance", label="by formula"),
                layers.Points(xy="tried_variance", labels="tried_labels", role="text", size=3.5,
                              label="by 400 draws"),
                layers.Dot(x="mark_variance", y=1.0, role="danger", size=6, label="least"),
            ],
        ),
        _excess(tab, x, marks),
        _tried(tab, x, marks, frame),
    ]  # fmt: skip


def _excess(tab: str, x: Axis, marks: Sequence[layers.Layer]) -> Panel:
    return Panel(
        key="excess", title="How much error, by theory", tab=tab, height=400, x=x, depth=Depth.CHECK,
        y=Axis(range=(0.8, 30.0), log=True, title="added error over the least", ticks=(1, 2, 5, 10, 20)),
        caption="The split with the least noise is not the one with the least error, which also depends on the "
        "data. The theory holds where there is little noise.",
        alt="Expected error along the share, least at {least_share}.",
        layers=[
            *marks,
            layers.Line(x=[float(s) for s in regression.SHARES], y="excess", label="added error"),
            layers.Dot(x="least_share", y=1.0, role="danger", size=6, label="least"),
        ],
    )  # fmt: skip


def two_worlds(frame: Frame) -> list[Panel]:
    """Return the panels with one record replaced."""
    tab = "Two worlds"
    x0, x1 = frame.centre
    return [
        _person(tab),
        Panel(
            key="clouds", title="What is published in the two worlds", tab=tab, height=400,
            depth=Depth.UNDERSTAND,
            x=Axis(range=(x0 - 0.8, x0 + 0.8), title="intercept θ₀"),
            y=Axis(range=(x1 - 0.8, x1 + 0.8), title="slope θ₁"),
            caption="Each dot is a private fit, 40 from each world. The more the two clouds overlap, the less one "
            "result tells about the person.",
            alt="Intercept and slope of private fits, with the record as it is and with it replaced.",
            layers=[
                layers.Points(xy="there_points", labels="world_labels", role="other", size=4.4,
                              alpha=0.8, label="record replaced", label_short="replaced"),
                layers.Points(xy="here_points", labels="world_labels", role="private", size=3.4,
                              alpha=0.8, label="record as it is", label_short="as it is"),
            ],
        ),
        _separability(tab),
    ]  # fmt: skip


def _separability(tab: str) -> Panel:
    edges = list(map(float, regression.SEPARABILITY_EDGES))
    return Panel(
        key="separability", title="What an attacker sees", tab=tab, height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(-5, 5), title="score of the best straight line between the worlds"),
        y=Axis(range=(0, 0.35), title="share of the draws", format=".0%"),
        caption="An [[adversary|attacker]] gives each result a score and guesses the world from it. The more the "
        "bars overlap, the closer the guesses are to chance.",
        alt="Histograms of an attacker's score in both worlds; {guessed} of the guesses are right.",
        layers=[
            layers.Bars(edges=edges, heights="there_counts", role="other", alpha=0.55,
                        label="record replaced", label_short="replaced"),
            layers.Bars(edges=edges, heights="here_counts", role="private", alpha=0.45,
                        label="record as it is", label_short="as it is"),
        ],
    )  # fmt: skip


def _tried(tab: str, x: Axis, marks: Sequence[layers.Layer], frame: Frame) -> Panel:
    return Panel(
        key="tried", title="How much error, when tried", tab=tab, height=400, x=x, depth=Depth.CHECK,
        y=frame.loss_axis("median error on new records"),
        caption="We made 100 fits at each share. Where there is much noise, trial and theory need not agree: little "
        "budget for the square part then only shrinks the slope to zero.",
        alt="Median test error against the share at ε = {epsilon}, least at {tried_best}.",
        layers=[
            *marks,
            layers.HLine(at="best_test", role="nonprivate", width=2, label="without privacy"),
            layers.Line(x=[float(s) for s in regression.TRIED], y="tried_line",
                label="median of 100 fits", label_short="median"),
            layers.Points(xy="tried_error", labels="tried_labels", role="private", size=3.5),
            layers.Dot(x="tried_best", y="tried_least", role="danger", size=6, label="least"),
        ],
    )  # fmt: skip


def _person(tab: str) -> Panel:
    both = [-1.0, 1.0]
    unit = Axis(range=(-1.08, 1.08), title="first feature, scaled")
    return Panel(
        key="person", title="One person's record is replaced", tab=tab, height=400, x=unit,
        depth=Depth.UNDERSTAND,
        y=Axis(range=(-1.08, 1.08), title="target, scaled"),
        caption="Drag the ring: in the other world the person's record lies there. Without privacy the line follows, "
        "but only as far as the public bounds allow.",
        alt="Records with the replaced person, and the fits of both worlds.",
        layers=[
            layers.Points(xy="points_scaled", labels="zeros", role="muted", size=2.2, alpha=0.5),
            layers.Line(x=both, y="here_line", role="nonprivate", width=3, label="line as it is"),
            layers.Line(x=both, y="there_line", role="other", dash=True, label="line with it replaced",
                        label_short="replaced"),
            layers.Points(xy="person_home", labels="one", role="other", size=6, label="the record"),
            layers.Points(xy="person_away", labels="one", role="danger", size=5),
            layers.Handle(x="person_dx", y="person_dy", label="the person", origin="person_home"),
        ],
    )  # fmt: skip
