"""Interactive figure next to an exercise: a panel of a page, curves, or points that a student drags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.exercises import FigureLink
from dpcore.exercises.plot import Curves, Moving
from pages import specs
from ui import live
from ui.embed.query import parse_request
from ui.embed.render_jobs import TooMany, make
from ui.figure_kit import thumbnail
from ui.figure_kit.common import array
from ui.frame.page_spec import PageSpec
from ui.live import Axis, Panel, layers
from ui.live.layer import Role
from ui.words import text
from ui.words.numbers import show

__all__ = ["Waits", "computed", "curve", "draws", "heights", "of_page", "own"]

T = text.load_text(__file__)
_HEIGHT = 540
_N_HEIGHTS = 81
_NEAR = 0.15  # a gauge is near its goal within this share of it
_ROLES: tuple[Role, ...] = ("private", "other", "nonprivate", "text")


class Waits(Exception):
    """Raised while a background job computes a result that the figure needs."""


def of_page(link: FigureLink) -> live.Figure | None:
    """Return the panel of a page that an exercise names, as a figure of the results that are already computed.

    Return None if the exercise names no panel.
    """
    return _of_page(*_said(link), done=False) if link.panel else None


def computed(link: FigureLink) -> live.Figure | None:
    """Return the panel of a page that an exercise names, as a figure with all results.

    Return None if the exercise names no panel.

    Raises
    ------
    Waits
        When a result is not computed yet. Repeated calls keep the background job running.
    """
    return _of_page(*_said(link), done=True) if link.panel else None


def draws(link: FigureLink) -> bool:
    """Return whether the page that an exercise names draws random noise with the parameters of the exercise."""
    spec = next((entry for entry in specs() if entry.key == link.page), None)
    return isinstance(spec, PageSpec) and spec.params.from_link(link.state)[0].draws_noise


def _said(link: FigureLink) -> tuple[Any, ...]:
    return link.page, tuple(link.state.items()), link.panel, link.keep, link.lock


@lru_cache(maxsize=64)
def _of_page(
    page: str,
    state: tuple[tuple[str, str], ...],
    panel: str,
    keep: tuple[str, ...],
    lock: tuple[str, ...],
    *,
    done: bool,
) -> live.Figure | None:
    spec = next((item for item in specs() if item.key == page), None)
    if not isinstance(spec, PageSpec):  # the page may have been taken away
        return None
    params, _ = spec.params.from_link(dict(state))
    whole = _whole(spec, dict(state), panel) if done else spec.figure(spec.pipeline.still(params))
    if panel not in {item.key for item in whole.panels}:
        return None
    if (
        spec.card is None or spec.card.panel != panel
    ):  # the numbers of a page tell of its main picture
        whole = replace(whole, readouts=())
    return thumbnail.shrink(whole, panel, keep, lock=lock, height=_HEIGHT)


def _whole(spec: PageSpec[Any], state: dict[str, str], panel: str) -> live.Figure:
    try:
        rendering = make(parse_request(spec, {**state, "panel": panel, "depth": "understand"}))
    except TooMany:
        raise Waits from None
    if rendering.figure is None:
        raise Waits
    return rendering.figure


def own(curves: Curves, *, tried: bool = True) -> live.Figure:
    """Return a figure of the curves that an exercise defines, with one slider.

    If the curves depend on a parameter (handle), the slider sets this parameter, else the position on the x axis.
    ``tried`` says whether the student has answered; only then the right values of the handle are marked.
    """
    if curves.moving:
        return _moving(curves, curves.moving, tried=tried)
    x, heights = list(curves.x), list(curves.heights.values())
    dots = [layers.Dot(x="here", y=f"here{k}", role=_ROLES[k]) for k in range(len(heights))]
    return live.Figure(
        controls=[live.Slider(name="x", label=curves.label, grid=x, mode="local", format=".3g")],
        values={"x": x[len(x) // 2]},
        arrays={f"curve{k}": array(one) for k, one in enumerate(heights)}
        | {f"here{k}": array(one, "x") for k, one in enumerate(heights)}
        | {"here": array(x, "x")},
        panels=[
            _panel(curves, curves.heights, layers.VLine(at="here", role="muted", width=1), *dots)
        ],
        readouts=[
            live.Readout(label=label, value=f"here{k}", format=".2g")
            for k, label in enumerate(curves.heights)
        ],
        compact=True,
    )


def _moving(curves: Curves, moving: Moving, *, tried: bool) -> live.Figure:
    """Return a figure of curves that depend on a slider (handle), with a readout (gauge) and the goal of the readout.

    If ``tried``, a band along the slider marks the values with which the gauge is near the goal, and at these
    values the areas below the curves are green.
    """
    grid = list(moving.grid)
    inside = _near_goal(moving) & tried
    wanted = [place for place, near in zip(grid, inside, strict=True) if near]
    heights = [np.asarray(rows, float) for rows in moving.heights.values()]
    gauge = live.Readout(
        label=moving.gauge_label, value="gauge", format=".3g", role="private",
        note=T("figure.goal" if tried else "figure.goal_open", goal=moving.goal),
    )  # fmt: skip
    return live.Figure(
        controls=[
            live.Slider(
                name="handle",
                label=moving.label,
                grid=grid,
                mode="local",
                format=".3g",
                band=(wanted[0], wanted[-1]) if wanted else (),
            )
        ],
        values={"handle": grid[len(grid) // 2]},
        arrays={f"curve{k}": array(rows, "handle") for k, rows in enumerate(heights)}
        | {
            f"{name}{k}": array(np.where(drawn[:, None], rows, np.nan), "handle")
            for name, drawn in (("good", inside), ("area", ~inside))
            for k, rows in enumerate(heights)
        }
        | {"gauge": array(moving.gauge, "handle")},
        panels=[_panel(curves, moving.heights)],
        readouts=[gauge],
        compact=True,
    )


def _near_goal(moving: Moving) -> NDArray[np.bool_]:
    """Return for every value of the handle whether the gauge is near the goal; the nearest one is always included."""
    off = np.abs(np.asarray(moving.gauge) - moving.goal)
    return np.asarray(off <= max(_NEAR * abs(moving.goal), float(off.min())))


def _panel(curves: Curves, heights: Mapping[str, Sequence[Any]], *marks: layers.Layer) -> Panel:
    """Return the panel of curves with ``marks`` on top.

    ``heights`` maps the label of a curve to the heights (..., n) at n values of x.
    """
    x = list(curves.x)
    areas: list[layers.Layer] = [
        layers.Band(
            x=x, low=[0.0] * len(x), high=f"{area}{k}", alpha=0.12,
            role="good" if area == "good" else _ROLES[k],
        )
        for area in (("area", "good") if curves.moving else ("curve",))
        for k in range(len(heights))
    ]  # fmt: skip
    lines = [
        layers.Line(x=x, y=f"curve{k}", width=3, label=label, role=_ROLES[k])
        for k, label in enumerate(heights)
    ]
    top = max(float(np.max(rows)) for rows in heights.values())
    return Panel(
        key="curves", title=_capital(curves.y_label), height=_HEIGHT,
        x=Axis(range=(x[0], x[-1]), title=curves.label), y=Axis(range=(0.0, 1.05 * top), title=curves.y_label),
        layers=[*areas, *lines, *marks],
    )  # fmt: skip


def _capital(label: str) -> str:
    """Return a label with its first letter in upper case.

    A label that begins with a symbol, such as σ, is unchanged.
    """
    word = re.match(r"[a-z](?=[a-z]| [a-z])", label)
    return label[:1].upper() + label[1:] if word else label


def curve(part: Mapping[str, Any]) -> live.Figure:
    """Return a figure in which a student draws a curve by dragging one point at each given x position."""
    places, (low, high) = part["x"], part["range"]
    grid = [float(y) for y in np.linspace(low, high, _N_HEIGHTS).round(6)]
    points = [(f"y{k}", x, T("figure.height", place=show(x, ".6g"))) for k, x in enumerate(places)]
    step = places[1] - places[0]
    panel = Panel(
        key="curve", title=str(part["label"]), height=_HEIGHT,
        x=Axis(range=(places[0] - step / 3, places[-1] + step / 3), title=str(part["x_label"]),
               ticks=tuple(places), words=tuple(show(x, ".6g") for x in places)),
        y=Axis(range=(low, high), title=str(part["y_label"])),
        alt=T("figure.alt"),
        layers=[
            layers.Handle(x=f"at_{name}", y=name, origin=(0.0, 0.0), label=label)
            for name, _, label in points
        ],
    )  # fmt: skip
    shown = [
        live.Slider(name=name, label=label, grid=grid, mode="local", format=".3g")
        for name, _, label in points
    ]
    fixed = [
        live.Slider(name=f"at_{name}", grid=[x], mode="local", hidden=True) for name, x, _ in points
    ]
    start = grid[_N_HEIGHTS // 2]
    return live.Figure(
        controls=[*shown, *fixed],
        values={name: start for name, _, _ in points} | {f"at_{name}": x for name, x, _ in points},
        arrays={},
        panels=[panel],
        compact=True,
    )


def heights(values: Mapping[str, live.Value], n: int) -> list[live.Value]:
    """Return the n heights of a student's curve, given the values of the figure's sliders."""
    return [values[f"y{k}"] for k in range(n)]
