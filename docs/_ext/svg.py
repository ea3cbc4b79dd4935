"""Small charts as SVG text: axes, curves with their names at their ends, points, grey pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import ArrayLike, NDArray

WIDTH, HEIGHT = 680, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 170, 12, 46
_LINE = 15
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A curve through (x, y), or marks at them; ``colour`` is 0 to 4."""

    name: str
    x: ArrayLike
    y: ArrayLike
    colour: int = 0
    dashed: bool = False
    marks: bool = False


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    log: bool
    start: float
    end: float

    def at(self, values: ArrayLike) -> Floats:
        given = np.asarray(values, float)
        if self.log:
            given, low, high = np.log(given), math.log(self.low), math.log(self.high)
        else:
            low, high = self.low, self.high
        return self.start + (given - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        if self.log:
            return self._log_ticks()
        step = 10 ** math.floor(math.log10((self.high - self.low) / 3))
        step *= next(k for k in (1, 2, 5, 10) if (self.high - self.low) / (k * step) <= 6)
        first = math.ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _log_ticks(self) -> list[float]:
        decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1,) if len(decades) > 3 else (1, 2, 5)
        every = [k * 10.0**d for d in decades for k in steps]
        return [t for t in every if self.low * 0.999 <= t <= self.high * 1.001]


def chart(
    curves: Sequence[Curve], *, x: str, y: str, log_x: bool = False, log_y: bool = False
) -> str:
    """Return a chart of curves that are finite where they are drawn; ``x``, ``y`` name the axes."""
    across = _axis([c.x for c in curves], log_x, _LEFT, WIDTH - _RIGHT)
    up = _axis([c.y for c in curves], log_y, HEIGHT - _BOTTOM, _TOP)
    parts = [*_frame(across, up, x, y)]
    for curve in curves:
        parts.extend(_drawn(curve, across, up))
    parts.extend(_names(curves, across, up))
    names = "; ".join(dict.fromkeys(curve.name for curve in curves if curve.name))
    return _svg(WIDTH, HEIGHT, f"{y} against {x}: {names}", parts)


def pictures(rows: Sequence[tuple[str, Sequence[ArrayLike]]], columns: Sequence[str]) -> str:
    """Return grey pictures with values in [0, 1] in named rows and columns."""
    side, gap, left, top = 72, 8, 150, 22
    parts = [
        _text(left + i * (side + gap) + side / 2, 14, name, "middle")
        for i, name in enumerate(columns)
    ]
    for j, (name, images) in enumerate(rows):
        y = top + j * (side + gap)
        parts.append(_text(left - 10, y + side / 2 + 4, name, "end"))
        for i, image in enumerate(images):
            parts.extend(_pixels(np.asarray(image, float), left + i * (side + gap), y, side))
    width, height = left + len(columns) * (side + gap), top + len(rows) * (side + gap)
    return _svg(width, height, f"Pictures: {', '.join(columns)}", parts)


def _axis(values: Sequence[ArrayLike], log: bool, start: float, end: float) -> _Axis:
    every = np.concatenate([np.asarray(v, float).ravel() for v in values])
    every = every[np.isfinite(every)]
    low, high = float(every.min()), float(every.max())
    return _Axis(low, high if high > low else low + 1, log, start, end)


def _frame(across: _Axis, up: _Axis, x: str, y: str) -> list[str]:
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    parts = [f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>']
    for tick in across.ticks():
        at = float(across.at(tick))
        parts.append(f'<path class="axis" d="M{at:.1f} {bottom}v5"/>')
        parts.append(_text(at, bottom + 18, f"{tick:g}", "middle"))
    for tick in up.ticks():
        at = float(up.at(tick))
        parts.append(f'<path class="grid" d="M{_LEFT} {at:.1f}H{right}"/>')
        parts.append(_text(_LEFT - 7, at + 4, f"{tick:g}", "end"))
    parts.append(_text((_LEFT + right) / 2, HEIGHT - 8, x, "middle"))
    parts.append(f'<g transform="translate(14 {(_TOP + bottom) / 2}) rotate(-90)">')
    parts.append(_text(0, 0, y, "middle") + "</g>")
    return parts


def _drawn(curve: Curve, across: _Axis, up: _Axis) -> list[str]:
    xs, ys = np.broadcast_arrays(across.at(curve.x), up.at(curve.y))
    keep = np.isfinite(xs) & np.isfinite(ys)
    places = list(zip(xs[keep], ys[keep], strict=True))
    if curve.marks:
        kind = f'class="mark c{curve.colour}" r="2.2"'
        return [f'<circle {kind} cx="{a:.1f}" cy="{b:.1f}"/>' for a, b in places]
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
    dashes = ' stroke-dasharray="6 4"' if curve.dashed else ""
    return [f'<path class="curve c{curve.colour}"{dashes} d="M{path}"/>']


def _names(curves: Sequence[Curve], across: _Axis, up: _Axis) -> list[str]:
    """Put every name beside the end of its curve, as far apart as lines of text need."""
    named = [c for c in curves if c.name]
    ends = [float(up.at(np.asarray(c.y, float).ravel()[-1])) for c in named]
    order = np.argsort(ends)
    places, last = {}, _TOP - _LINE + 4.0
    for i in order:
        last = max(ends[i] + 4, last + _LINE)
        places[i] = last
    over = max(0.0, last - (HEIGHT - _BOTTOM))
    x = WIDTH - _RIGHT + 8
    return [
        _text(x, places[i] - over, c.name, "start", f"name c{c.colour}")
        for i, c in enumerate(named)
    ]


def _pixels(image: Floats, x: float, y: float, side: float) -> list[str]:
    size = side / max(image.shape)
    return [
        f'<rect x="{x + j * size:.1f}" y="{y + i * size:.1f}" width="{size + 0.3:.1f}" '
        f'height="{size + 0.3:.1f}" fill="hsl(0 0% {100 * min(max(float(v), 0), 1):.0f}%)"/>'
        for i, row in enumerate(image)
        for j, v in enumerate(row)
    ]


def _text(x: float, y: float, words: str, anchor: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _svg(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    head = f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img"'
    return f'{head} aria-label="{escape(label, quote=True)}">{"".join(parts)}</svg>'
