"""Where others stand: published uses on the axis of ε, by unit, period and model, never ranked."""

from __future__ import annotations

import html
import math

import streamlit as st

from dpcore.experiments.choose import deployments as published
from dpcore.experiments.choose.deployments import RHO_DELTA, Deployment
from dpcore.guarantee import protection
from ui.words.numbers import short

__all__ = ["bands", "draw", "table"]

_LOW, _HIGH, _WIDE = 0.1, 100.0, 260
_MODELS = {
    "central": "a trusted curator adds the noise",
    "local": "everybody adds the noise before sending",
    "shuffled": "noise before sending, and the senders are mixed",
}
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
    """Draw all rows with their sources, and where the reader's ε lies."""
    st.markdown(
        "Compare only inside a group: an ε for each day, for one action or for one release are different things. "
        "A daily ε is **not** a total: it is spent again every day. Hollow marks are ρ (zCDP), "
        f"converted by one rule (Canonne, Kamath and Steinke 2020) at δ = {short(RHO_DELTA)}. Crosses are limits of "
        "a product, not spent values. Each line goes from ε = 0.1 to 100, and the upright mark on it is your ε."
    )
    st.html(table(epsilon))
    st.markdown(f"**How much is much?** {bands()}")


def bands() -> str:
    """Return the scale of this app, and what others say: one scale, that of `dpcore.guarantee.protection`."""
    ours = {e: protection(e) for e in (1.0, 4.99, 10.0, 10.01)}
    return (
        f"There is no agreed scale. This app calls ε up to 1 *{ours[1.0]}*, below 5 *{ours[4.99]}*, up to 10 "
        f"*{ours[10.0]}* and more *{ours[10.01]}*. Ponomareva et al. (2023, How to DP-fy ML) call up to 1 strong and "
        "up to 10 reasonable. NIST's blog (Cybersecurity Insights, Future Work & Open Challenges) says that there is "
        "no consensus yet, and calls 0 < ε < 5 conservative. NIST SP 800-226 (2025) sets no value: it asks for the "
        "unit of privacy and the trust model beside ε. All presume a small δ."
    )


def table(epsilon: float) -> str:
    """Return the rows as HTML: name, value with its period, place on the axis, source."""
    parts = []
    for (unit, period, model), rows in published.groups().items():
        heading = f"{unit} · {period} · {_MODELS[model]}"
        parts.append(f'<tr><th colspan="3">{html.escape(heading)}</th></tr>')
        parts += [_row(row, epsilon) for row in rows]
    return f'{_STYLE}<div class="dp-others"><table>{"".join(parts)}</table></div>'


def _row(row: Deployment, epsilon: float) -> str:
    caution = f"<small>{html.escape(row.caution)}</small>" if row.caution else ""
    return (
        f"<tr><td>{html.escape(row.name)}, {row.year}{caution}</td>"
        f"<td>{html.escape(_value(row))}{_strip(row, epsilon)}</td>"
        f"<td><small>Source: {html.escape(row.source)}</small></td></tr>"
    )


def _value(row: Deployment) -> str:
    symbol = "ρ" if row.measure == "rho" else "ε"
    ends = short(row.low) if row.low == row.high else f"{short(row.low)} to {short(row.high)}"
    delta = f", δ = {short(row.delta)}" if row.delta else ""
    limit = "at most " if row.measure == "ceiling" else ""
    return f"{limit}{symbol} = {ends}, {row.period}{delta}"


def _place(epsilon: float) -> float:
    share = math.log(epsilon / _LOW) / math.log(_HIGH / _LOW)
    return round(8 + (_WIDE - 16) * min(max(share, 0.0), 1.0), 1)


def _strip(row: Deployment, epsilon: float) -> str:
    """The axis from 0.1 to 100 with the row's mark and the reader's ε; both are in the text as well."""
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
