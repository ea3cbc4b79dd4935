"""Interactive figure next to an exercise: a panel of a page's figure, or points of a curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.exercises import FigureLink
from dpcore.exercises.plot import Curves
from pages import specs
from ui import live
from ui.embed.query import asked
from ui.embed.render_jobs import TooMany, make
from ui.figure_kit import thumbnail
from ui.figure_kit.common import array
from ui.frame.page_spec import PageSpec
from ui.live import Axis, Panel, layers
from ui.live.layer import Role
from ui.words import text
from ui.words.numbers import show

__all__ = ["Waits", "computed", "curve", "draws", "heights", "of_page", "own"]

T = text.beside(__file__)
_HEIGHT = 360
_N_HEIGHTS = 81
_ROLES: tuple[Role, ...] = ("private", "other", "nonprivate", "text")


class Waits(Exception):
    """Exception: a background job is still computing a result that the figure needs."""


def of_page(link: FigureLink) -> live.Figure | None:
    """Return the figure panel that an exercise names, in the page state that it names; None if it names no panel.

    Results that the page computes in the background are omitted.
    """
    return _of_page(*_said(link), done=False) if link.panel else None


def computed(link: FigureLink) -> live.Figure | None:
    """Return the panel of a page's figure that an exercise names, including results computed in the background.

    Raises
    ------
    Waits
        While a result is still being computed; repeated calls keep the background job running.
    """
    return _of_page(*_said(link), done=True) if link.panel else None


def draws(link: FigureLink) -> bool:
    """Return whether the page that an exercise names draws noise (has a seed)."""
    spec = next((entry for entry in specs() if entry.key == link.page), None)
    return isinstance(spec, PageSpec) and hasattr(spec.params(), "seed")


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
        rendering = make(asked(spec, {**state, "panel": panel, "depth": "understand"}))
    except TooMany:
        raise Waits from None
    if rendering.figure is None:
        raise Waits
    return rendering.figure


def own(curves: Curves) -> live.Figure:
    """Return a figure of the curves that the exercise defines, with a slider that moves along their x axis."""
    x = list(curves.x)
    top = max(max(heights) for heights in curves.heights.values())
    lines = [
        layers.Line(x=x, y=f"curve{k}", width=3, label=label, role=_ROLES[k])
        for k, label in enumerate(curves.heights)
    ]
    panel = Panel(
        key="curves", title=curves.y_label[:1].upper() + curves.y_label[1:], height=_HEIGHT,
        x=Axis(range=(x[0], x[-1]), title=curves.label), y=Axis(range=(0.0, 1.05 * top), title=curves.y_label),
        layers=[*lines, layers.VLine(at="here", role="muted", width=1)],
    )  # fmt: skip
    arrays = {f"curve{k}": array(heights) for k, heights in enumerate(curves.heights.values())}
    return live.Figure(
        controls=[live.Slider(name="x", label=curves.label, grid=x, mode="local", format=".3g")],
        values={"x": x[len(x) // 2]},
        arrays={**arrays, "here": array(x, "x")},
        panels=[panel],
        compact=True,
    )


def curve(part: Mapping[str, Any]) -> live.Figure:
    """Return a figure for drawing a curve as an answer: one draggable point for each of the given x positions."""
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
    """Return the n heights of the curve that a student drew, from the values of its sliders."""
    return [values[f"y{k}"] for k in range(n)]
