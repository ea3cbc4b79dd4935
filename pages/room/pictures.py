"""SVG charts of the answers of a school class, drawn from counts and estimates only."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape

import segno

from ui.words import text
from ui.words.numbers import show

__all__ = ["Colours", "bars", "crowd", "estimate", "people", "qr"]

T = text.load_text(__file__)
_W, _H = 760, 330
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 715, 20, 270


@dataclass(frozen=True)
class Colours:
    """Colours of the charts, readable on the page's background.

    ``dark``: whether the page has the dark theme.
    """

    dark: bool = False

    @property
    def ink(self) -> str:
        """Colour of lines and text."""
        return "#e8eaf2" if self.dark else "#1c2333"

    @property
    def mine(self) -> str:
        """Colour of the class's answers."""
        return "#9d8cff" if self.dark else "#4f46e5"

    @property
    def truth(self) -> str:
        """Colour of true values and bounds."""
        return "#ffa264" if self.dark else "#b34700"


def _svg(inside: str, heard: str, colours: Colours, size: tuple[int, int] = (_W, _H)) -> str:
    """Return SVG content as an ``<img>`` with a data URI, since Streamlit removes SVG elements from a page.

    ``heard`` is the alternative text of the image.
    """
    image = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" fill="{colours.ink}" '
        f'color="{colours.ink}" font-family="sans-serif" font-size="18">{inside}</svg>'
    )
    return _img(image, heard)


def _img(image: str, heard: str) -> str:
    data = base64.b64encode(image.encode()).decode()
    return f'<img class="dp-room-picture" src="data:image/svg+xml;base64,{data}" alt="{escape(heard)}">'


def _text(
    x: float, y: float, words: str, anchor: str = "middle", colour: str = "currentColor"
) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"/>'
    )


@lru_cache(maxsize=128)
def qr(address: str) -> str:
    """Return the QR code of an address as HTML, dark on white in both themes, with the standard quiet zone."""
    code = segno.make(address, error="m")
    image = io.BytesIO()
    code.save(
        image, kind="svg", border=4, light="#ffffff", dark="#000000", omitsize=True, xmldecl=False
    )
    return f'<div class="dp-qr">{_img(image.getvalue().decode(), T("stage.qr"))}</div>'


def estimate(share: float, low: float, high: float, colours: Colours) -> str:
    """Return a chart of an estimated share and its confidence interval, on an axis from 0 to 100 %."""

    def x(part: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * min(max(part, 0.0), 1.0)

    ticks = "".join(
        f'<path d="M{x(k / 4):.1f} 92v10" stroke="currentColor"/>{_text(x(k / 4), 124, f"{25 * k} %")}'
        for k in range(5)
    )
    low, high = max(low, 0.0), min(high, 1.0)  # no share lies outside
    wide = max(x(high) - x(low), 2.0)
    band = _rect(x(low), 52, wide, 40, f'{colours.mine}" opacity=".3')
    mark = _rect(x(share) - 3, 42, 6, 50, colours.mine)
    words = T("stage.poll.mean", share=share, low=low, high=high)
    label = _text((_LEFT + _RIGHT) / 2, 30, words)
    line = f'<path d="M{_LEFT} 92H{_RIGHT}" stroke="currentColor" stroke-width="2"/>'
    heard = T("stage.poll.heard", share=share, low=low, high=high)
    return _svg(line + ticks + band + mark + label, heard, colours, (_W, 135))


def people(marked: int, heard: str, colours: Colours) -> str:
    """Return a pictogram of a hundred people, the first ``marked`` of them highlighted.

    ``heard`` is the alternative text of the image.
    """

    def person(k: int) -> str:
        x, y = 14 * (k % 20), 24 * (k // 20)
        return f"M{x + 7} {y + 1.5}a3.6 3.6 0 1 1-.01 0ZM{x + 1.6} {y + 20.5}v-4.7a5.4 5.4 0 0 1 10.8 0v4.7Z"

    first, rest = ("".join(map(person, part)) for part in (range(marked), range(marked, 100)))
    return _svg(
        f'<path d="{first}" fill="{colours.mine}"/><path d="{rest}" opacity=".3"/>',
        heard,
        colours,
        (280, 120),
    )


def bars(
    labels: Sequence[str],
    heights: Sequence[int],
    colours: Colours,
    *,
    marks: Sequence[tuple[float, str]] = (),
) -> str:
    """Return a bar chart with a label and a height for each bar.

    ``marks`` are labelled vertical lines, each at a (fractional) index of a bar.
    """
    step, top = (_RIGHT - _LEFT) / len(heights), max(*heights, 1)
    shapes = []
    for k, (label, n) in enumerate(zip(labels, heights, strict=True)):
        x, high = _LEFT + k * step, (_BOTTOM - 115) * n / top
        shapes.append(_rect(x + 2, _BOTTOM - high, step - 4, high, colours.mine))
        shapes.append(_text(x + step / 2, _BOTTOM + 24, label))
        if n:
            shapes.append(_text(x + step / 2, _BOTTOM - high - 6, str(n)))
    for row, (place, words) in enumerate(marks):
        x = _LEFT + (place + 0.5) * step
        shapes.append(
            f'<path d="M{x:.1f} {28 + 22 * row}V{_BOTTOM}" stroke="{colours.truth}" stroke-width="2" '
            'stroke-dasharray="6 5"/>'
        )
        shapes.append(_text(x - 6, 36 + 22 * row, words, "end", colours.truth))
    line = f'<path d="M{_LEFT} {_BOTTOM}H{_RIGHT}" stroke="currentColor" stroke-width="2"/>'
    heard = ", ".join(f"{label}: {n}" for label, n in zip(labels, heights, strict=True) if n)
    return _svg("".join(shapes) + line, heard or T("stage.predict.nothing"), colours)


def crowd(
    places: Sequence[str],
    ends: tuple[float, float],
    lines: dict[str, Sequence[float]],
    colours: Colours,
) -> str:
    """Return a chart that summarizes the curves that students have drawn.

    - ``places``: labels of the x axis.
    - ``ends``: bottom and top of the y axis.
    - ``lines``: quantiles of the students' heights, and the true curve once it is revealed, by name.
    """
    wide = (_RIGHT - _LEFT) / len(places)

    def points(values: Sequence[float]) -> list[str]:
        share = [(value - ends[0]) / (ends[1] - ends[0]) for value in values]
        return [
            f"{_LEFT + (k + 0.5) * wide:.1f},{_BOTTOM - (_BOTTOM - _TOP) * part:.1f}"
            for k, part in enumerate(share)
        ]

    shapes = [f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="currentColor"/>']
    shapes += [
        _text(_LEFT + (k + 0.5) * wide, _BOTTOM + 24, place) for k, place in enumerate(places)
    ]
    shapes += [
        _text(_LEFT - 8, _BOTTOM, show(ends[0], ".6g"), "end"),
        _text(_LEFT - 8, _TOP + 12, show(ends[1], ".6g"), "end"),
    ]
    if "low" in lines:
        area = " ".join(points(lines["low"]) + points(lines["high"])[::-1])
        shapes.append(
            f'<polygon points="{area}" fill="{colours.mine}" opacity=".3" stroke="{colours.mine}" stroke-width="3"/>'
        )
        shapes += _line(points(lines["middle"]), colours.mine, "")
    if "truth" in lines:
        shapes += _line(points(lines["truth"]), colours.truth, "8 6")
    heard = T("stage.predict.heard_shown" if "truth" in lines else "stage.predict.heard")
    return _svg("".join(shapes), heard, colours)


def _line(points: list[str], colour: str, dash: str) -> list[str]:
    shown = [
        f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="4" '
        f'stroke-dasharray="{dash}"/>'
    ]
    return shown + [
        f'<circle cx="{x}" cy="{y}" r="6" fill="{colour}"/>'
        for x, y in (p.split(",") for p in points)
    ]
