"""Published deployments of differential privacy on an axis of ε, grouped by unit, period and trust model.

The deployments are not ranked.
"""

from __future__ import annotations

import html
import math

import streamlit as st

from dpcore.experiments.choose import releases as published
from dpcore.experiments.choose.releases import RHO_DELTA, Deployment
from dpcore.guarantee import protection
from ui.words import text
from ui.words.numbers import short

__all__ = ["bands", "draw", "table"]

T = text.load_text(__file__)
_LOW, _HIGH, _WIDE = 0.1, 100.0, 260
_STYLE = """<style>
.dp-others {overflow-x: auto;} .dp-others table {border-collapse: collapse; width: 100%; font-size: 0.9rem;}
.dp-others th {text-align: left; padding: 0.9rem 0.6rem 0.2rem 0; font-weight: 600;}
.dp-others td {padding: 0.25rem 0.6rem 0.25rem 0; vertical-align: top; border-top: 1px solid #8885;}
.dp-others small {opacity: 0.85; display: block;}
.dp-strip {position: relative; height: 18px; background: linear-gradient(#8888, #8888) center / 100% 1px no-repeat;}
.dp-strip i {position: absolute; box-sizing: border-box; font-style: normal;}
.dp-tick {top: 6px; height: 6px; width: 1px; background: currentColor; opacity: 0.5;}
.dp-here {top: 0; height: 18px; width: 2px; margin-left: -1px; background: var(--st-primary-color, #4f46e5);}
.dp-span {top: 7px; height: 4px; background: currentColor;}
.dp-strip :is(.dp-mark-epsilon, .dp-mark-rho) {top: 4px; margin-left: -5px; width: 10px; height: 10px;
  border: 2px solid currentColor; border-radius: 50%;}
.dp-strip .dp-mark-epsilon {background: currentColor;}
.dp-strip .dp-mark-ceiling {top: 0; width: 18px; margin-left: -9px; font: 700 18px/18px sans-serif;
  text-align: center;}
@media (max-width: 760px) { .dp-others :is(table, tbody, tr, th, td) {display: block; padding-right: 0;}
  .dp-others td + td {border-top: 0;} }
</style>"""


def draw(epsilon: float) -> None:
    """Display the published deployments, with their sources, on an axis that also marks the user's ε."""
    st.markdown(T("others.opening", delta=RHO_DELTA))
    st.html(table(epsilon))
    st.markdown(T("others.scale", bands=bands()))


def bands() -> str:
    """Return a text that compares the names that this app and others give to ranges of ε, such as "strong".

    The app's own names come from `dpcore.guarantee.protection`.
    """
    return T(
        "others.bands", to_1=protection(1.0), below_5=protection(4.99), to_10=protection(10.0),
        above_10=protection(10.01),
    )  # fmt: skip


def table(epsilon: float) -> str:
    """Return the deployments as an HTML table, one row per deployment.

    A row has the deployment's name, the published value with its period, a small axis with the value, and the source.
    """
    parts = []
    for (unit, period, model), rows in published.groups().items():
        heading = f"{unit} · {period} · {T(f'others.models.{model}')}"
        parts.append(f'<tr><th colspan="3">{html.escape(heading)}</th></tr>')
        parts += [_row(row, epsilon) for row in rows]
    return f'{_STYLE}<div class="dp-others"><table>{"".join(parts)}</table></div>'


def _row(row: Deployment, epsilon: float) -> str:
    caution = f"<small>{html.escape(row.caution)}</small>" if row.caution else ""
    return (
        f"<tr><td>{html.escape(row.name)}, {row.year}{caution}</td>"
        f"<td>{html.escape(_value(row))}{_strip(row, epsilon)}</td>"
        f"<td><small>{html.escape(T('others.source', source=row.source))}</small></td></tr>"
    )


def _value(row: Deployment) -> str:
    """Return the published ε or ρ of a deployment as text, with its period and, if published, its δ."""
    ends = short(row.low) if row.low == row.high else T("others.ends", low=row.low, high=row.high)
    size = T(f"others.measures.{row.measure}", ends=ends)
    if not row.delta:
        return T("others.value", size=size, period=row.period)
    return T("others.value_delta", size=size, period=row.period, delta=row.delta)


def _place(epsilon: float) -> float:
    share = math.log(epsilon / _LOW) / math.log(_HIGH / _LOW)
    return round(8 + (_WIDE - 16) * min(max(share, 0.0), 1.0), 1)


def _strip(row: Deployment, epsilon: float) -> str:
    """Return the HTML of a small axis from 0.1 to 100 that marks a deployment's value and the user's ε."""
    low, high = (_place(end) for end in row.on_axis)
    middle, here = (low + high) / 2, _place(epsilon)
    parts = [f'<i class="dp-tick" style="left:{_place(t)}px"></i>' for t in (0.1, 1.0, 10.0, 100.0)]
    parts.append(f'<i class="dp-here" style="left:{here}px"></i>')
    parts.append(f'<i class="dp-span" style="left:{low}px;width:{high - low:.1f}px"></i>')
    parts.append(
        f'<i class="dp-mark-{row.measure}" style="left:{middle}px">{"×" * (row.measure == "ceiling")}</i>'
    )
    return (
        f'<div class="dp-strip" aria-hidden="true" style="width:{_WIDE}px">{"".join(parts)}</div>'
    )
