"""Tabs of the figure of Linear regression: methods, the split of ε, neighbouring data sets, an example."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.experiments import regression
from dpcore.experiments.regression import METHODS, RegressionParams
from dpcore.experiments.regression.attacks import ATTACKED, PLACES, TABLE
from pages.regression.axes import Frame
from ui.figure_kit.common import EPSILONS, epsilon_axis
from ui.live import Axis, Panel, layers
from ui.live.depth import Depth
from ui.words import text

__all__ = ["method_panels", "opening_panels", "split_panels", "world_panels"]

T = text.load_text(__file__)
_SEPARATE = ("printed", "tight")  # near each other, and no better than one joint release
_SHARE = Axis(range=(0.0, 1.0))


def method_panels(frame: Frame, chosen: str) -> list[Panel]:
    """Return the panels that compare all methods, with the ``chosen`` method highlighted."""
    return [
        _loss(frame, "test", chosen),
        _ranking(frame),
        _loss(frame, "train", chosen),
        _prices(frame),
    ]


def _loss(frame: Frame, which: str, chosen: str) -> Panel:
    now = "loss" if which == "test" else "train_loss"
    panel = Panel(
        key=f"loss_{which}", height=400, depth=Depth.UNDERSTAND, x=epsilon_axis(), y=frame.loss_axis(),
        layers=[
            layers.Band(x=EPSILONS, low=f"{which}_low", high=f"{which}_high",
                        label=T("layers.middle"), label_short=T("layers.middle_short")),
            *(layers.Line(x=EPSILONS, y=f"{which}_{name}", role=k, width=1.6,
                          label=T(f"methods.{name}"), depth=_depth(which, name))
              for k, name in enumerate(METHODS) if name != chosen),
            layers.Line(x=EPSILONS, y=f"{which}_middle", width=3,
                        label=T("layers.your_method", method=T(f"methods.{chosen}")),
                        label_short=T("layers.your_method_short")),
            layers.HLine(at=f"best_{which}", role="nonprivate", width=2, label=T("layers.without_privacy")),
            *([layers.HLine(at="guess_test", role="muted", dash=True, width=1.2, label=T("layers.mean"),
                            label_short=T("layers.mean_short"))] if which == "test" else []),
            layers.VLine(at="epsilon_now", role="muted", width=1),
            layers.Dot(x="epsilon_now", y=now),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _depth(which: str, name: str) -> Depth:
    """Return the level of detail from which the curve of the method ``name`` is shown in the panel ``which``.

    Some curves are shown only at the deepest level, so that names of curves do not overlap.
    """
    return Depth.CHECK if which == "train" or name in _SEPARATE else Depth.UNDERSTAND


def _rows() -> list[tuple[float, int, str]]:
    """Return the rows of a plot with one row per method, from the lowest to the highest.

    Each row has a height in the plot, a colour number, and the name of its method.
    """
    return [(float(len(METHODS) - 1 - k), k, name) for k, name in enumerate(METHODS)][::-1]


def _row_axis() -> Axis:
    """Return the vertical axis with the names of the methods as tick labels."""
    words = tuple(T(f"methods.{name}") for _, _, name in _rows())
    return Axis(range=(-0.6, len(words) - 0.4), ticks=tuple(range(len(words))), words=words)


def _mean(at: str) -> layers.VLine:
    return layers.VLine(at=at, role="muted", dash=True, width=1.2, label=T("layers.mean"),
                        label_short=T("layers.mean_short"))  # fmt: skip


def _ranking(frame: Frame) -> Panel:
    bars = [
        layer
        for at, colour, name in _rows()
        for layer in (
            layers.Line(x=f"test_{name}_span", y=[at, at], role=colour, width=5, alpha=0.45),
            layers.Dot(x=f"test_{name}_now", y=at, role=colour, size=6),
        )
    ]
    panel = Panel(
        key="ranking", height=400, depth=Depth.UNDERSTAND, x=frame.loss_axis(), y=_row_axis(),
        layers=[
            layers.VLine(at="best_test", role="nonprivate", width=2, label=T("layers.without_privacy")),
            _mean("guess_test"),
            *bars,
        ],
    )  # fmt: skip
    return T.panel(panel)


def _prices(frame: Frame) -> Panel:
    rows = _rows()
    top = rows[-1][0]
    bars = [
        layer
        for at, colour, name in rows
        for layer in (
            layers.Line(x=f"noise_{name}", y=[at, at], role=colour, width=9, alpha=0.7,
                        label=T("panels.prices.noise") if at == top else ""),
            layers.Line(x=f"price_{name}", y=[at, at], role="nonprivate", width=9,
                        label=T("panels.prices.method") if at == top else ""),
        )
    ]  # fmt: skip
    panel = Panel(
        key="prices", height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(-0.03 * frame.price, frame.price)), y=_row_axis(),
        layers=[layers.VLine(at=0.0, role="nonprivate", width=2), _mean("guess_price"), *bars],
    )  # fmt: skip
    return T.panel(panel)


def split_panels(params: RegressionParams, frame: Frame) -> list[Panel]:
    """Return the panels on the split of ε between the noise on the objective's matrix and on its vector."""
    marks = [
        layers.VLine(at=f"mark_{name}", role=k, width=3 if name == params.split else 1.4,
                     dash=name != params.split, label=words)
        for k, (name, words) in enumerate(T.group("splits").items())
    ]  # fmt: skip
    return [_variance(params, marks), _excess(marks), _tried(marks, frame)]


def _ratio() -> Axis:
    """Return the axis of a variance or an error that is divided by its smallest value."""
    return Axis(range=(0.8, 30.0), log=True, ticks=(1, 2, 5, 10, 20))


def _least(x: str, y: float | str = 1.0) -> layers.Dot:
    return layers.Dot(x=x, y=y, role="danger", size=6, label=T("layers.least"))


def _variance(params: RegressionParams, marks: Sequence[layers.Layer]) -> Panel:
    shares = [float(s) for s in regression.SHARES]
    panel = Panel(
        key="variance", height=400, x=_SHARE, y=_ratio(), depth=Depth.CHECK,
        layers=[
            *marks,
            layers.Line(x=shares, y="variance", label=T("panels.variance.formula")),
            layers.Points(xy="tried_variance", labels="tried_labels", role="text", size=3.5,
                          label=T("panels.variance.draws")),
            _least("mark_variance"),
        ],
    )  # fmt: skip
    return T.panel(panel, "" if params.separate else "together")


def _excess(marks: Sequence[layers.Layer]) -> Panel:
    shares = [float(s) for s in regression.SHARES]
    panel = Panel(
        key="excess", height=400, x=_SHARE, y=_ratio(), depth=Depth.CHECK,
        layers=[
            *marks,
            layers.Line(x=shares, y="excess", label=T("panels.excess.added")),
            _least("least_share"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _tried(marks: Sequence[layers.Layer], frame: Frame) -> Panel:
    panel = Panel(
        key="tried", height=400, x=_SHARE, y=frame.loss_axis(), depth=Depth.CHECK,
        layers=[
            *marks,
            layers.HLine(at="best_test", role="nonprivate", width=2, label=T("layers.without_privacy")),
            layers.Line(x=[float(s) for s in regression.TRIED], y="tried_line",
                        label=T("panels.tried.median"), label_short=T("panels.tried.median_short")),
            layers.Points(xy="tried_error", labels="tried_labels", role="private", size=3.5),
            _least("tried_best", "tried_least"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def world_panels(frame: Frame) -> list[Panel]:
    """Return the panels that compare two neighbouring data sets, which differ in one replaced record."""
    return [_person(), _clouds(frame), _separability()]


def _person() -> Panel:
    both = [-1.0, 1.0]
    unit = Axis(range=(-1.08, 1.08))
    panel = Panel(
        key="person", height=400, x=unit, y=unit, depth=Depth.UNDERSTAND,
        layers=[
            layers.Points(xy="points_scaled", labels="zeros", role="muted", size=2.2, alpha=0.5),
            layers.Line(x=both, y="here_line", role="nonprivate", width=3, label=T("panels.person.here")),
            layers.Line(x=both, y="there_line", role="other", dash=True, label=T("panels.person.there"),
                        label_short=T("panels.person.there_short")),
            layers.Points(xy="person_home", labels="one", role="other", size=6,
                          label=T("panels.person.record")),
            layers.Points(xy="person_away", labels="one", role="danger", size=5),
            layers.Handle(x="person_dx", y="person_dy", label=T("panels.person.handle"),
                          origin="person_home"),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _clouds(frame: Frame) -> Panel:
    x0, x1 = frame.centre
    panel = Panel(
        key="clouds", height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(x0 - 0.8, x0 + 0.8)), y=Axis(range=(x1 - 0.8, x1 + 0.8)),
        layers=[
            layers.Points(xy="there_points", labels="world_labels", role="other", size=4.4, alpha=0.8,
                          label=T("panels.clouds.there"), label_short=T("panels.clouds.there_short")),
            layers.Points(xy="here_points", labels="world_labels", role="private", size=3.4, alpha=0.8,
                          label=T("panels.clouds.here"), label_short=T("panels.clouds.here_short")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def _separability() -> Panel:
    edges = list(map(float, regression.SEPARABILITY_EDGES))
    panel = Panel(
        key="separability", height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(-5, 5)), y=Axis(range=(0, 0.35), format=".0%"),
        layers=[
            layers.Bars(edges=edges, heights="there_counts", role="other", alpha=0.55,
                        label=T("panels.clouds.there"), label_short=T("panels.clouds.there_short")),
            layers.Bars(edges=edges, heights="here_counts", role="private", alpha=0.45,
                        label=T("panels.clouds.here"), label_short=T("panels.clouds.here_short")),
        ],
    )  # fmt: skip
    return T.panel(panel)


def opening_panels() -> list[Panel]:
    """Return the panels of the opening example: Jiang's two neighbouring tables, and an attack on them."""
    return [_answers(), _attack()]


def _answers() -> Panel:
    places, other = [float(p) for p in PLACES], [float(p) - 1 for p in PLACES]
    ill, name = sum(value for _, value in TABLE), ATTACKED
    panel = Panel(
        key="opening", height=400, depth=Depth.UNDERSTAND,
        x=Axis(range=(-1.5, 6.5), ticks=(0, 1, 2, 3, 4, 5)), y=Axis(range=(0, 1.15)),
        layers=[
            layers.VLine(at=float(ill - 1), role="other", dash=True, width=1.4,
                         label=T("panels.opening.exact_well", name=name),
                         label_short=T("panels.opening.exact_well_short")),
            layers.VLine(at=float(ill), role="private", dash=True, width=1.4,
                         label=T("panels.opening.exact_ill", name=name),
                         label_short=T("panels.opening.exact_ill_short")),
            layers.VLine(at=ill - 0.5, role="muted", width=1, label=T("panels.opening.border"),
                         label_short=T("panels.opening.border_short")),
            layers.Line(x=other, y="answers_there", role="other", width=2.4,
                        label=T("panels.opening.is_well", name=name)),
            layers.Line(x=places, y="answers_there", width=2.4, label=T("panels.opening.is_ill", name=name)),
        ],
    )  # fmt: skip
    return T.panel(panel, name=name, ill=ill, well=ill - 1)


def _attack() -> Panel:
    panel = Panel(
        key="opening_attack", height=400, x=epsilon_axis(), depth=Depth.UNDERSTAND,
        y=Axis(range=(0.45, 1.02), format=".0%"),
        layers=[
            layers.HLine(at=0.5, role="muted", dash=True, width=1.2, label=T("panels.opening_attack.guessing")),
            layers.Line(x=EPSILONS, y="attacker_curve", role="danger", width=2.4,
                        label=T("panels.opening_attack.right", name=ATTACKED),
                        label_short=T("panels.opening_attack.right_short")),
            layers.VLine(at="epsilon_now", role="muted", width=1, label=T("layers.your_epsilon")),
            layers.Dot(x="epsilon_now", y="attacker_right", role="danger"),
        ],
    )  # fmt: skip
    return T.panel(panel)
