"""Where others stand: published uses on the axis of ε, by unit, period and model, never ranked."""

from __future__ import annotations

import html
import math

import streamlit as st

from dpcore.experiments.choose import deployments as published
from dpcore.experiments.choose.deployments import RHO_DELTA, Deployment
from ui.numbers_in_words import short

__all__ = ["draw", "table"]

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
</style>"""


def draw(epsilon: float) -> None:
    """Draw all rows with their sources, and where the reader's ε lies."""
    st.markdown(
        "Compare only inside a group: an ε for each day, for one action or for one release are different things. "
        "A daily ε is **not** a total: it is spent again every day. Hollow marks are ρ (zCDP), "
        f"converted by one rule (Canonne, Kamath and Steinke 2020) at δ = {short(RHO_DELTA)}. Crosses are limits of "
        "a product, not spent values. The upright line is your ε."
    )
    st.html(table(epsilon))
    st.markdown(
        "**Bands of protection.** Up to ε = 1 *strong*, about 10 the end of *reasonable* (Ponomareva et al. 2023, "
        "How to DP-fy ML, as Google applied it in 2024); 0 < ε < 5 *conservative* (NIST, Cybersecurity Insights). "
        "All of them presume a small δ, and one release about a whole person."
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
    mark = {
        "epsilon": f'<circle cx="{middle}" cy="9" r="4.5" fill="currentColor"/>',
        "rho": f'<circle cx="{middle}" cy="9" r="4.5" fill="none" stroke="currentColor" stroke-width="2"/>',
        "ceiling": f'<path d="M{middle - 4} 5l8 8m0-8l-8 8" stroke="currentColor" stroke-width="2"/>',
    }[row.measure]
    span = f'<line x1="{low}" x2="{high}" y1="9" y2="9" stroke="currentColor" stroke-width="4"/>'
    ticks = "".join(
        f'<line x1="{_place(t)}" x2="{_place(t)}" y1="6" y2="12" stroke="currentColor" opacity="0.5"/>'
        for t in (0.1, 1.0, 10.0, 100.0)
    )
    return (
        f'<svg width="{_WIDE}" height="18" viewBox="0 0 {_WIDE} 18" aria-hidden="true" style="display:block">'
        f'<line x1="8" x2="{_WIDE - 8}" y1="9" y2="9" stroke="currentColor" opacity="0.35"/>{ticks}'
        f'<line x1="{here}" x2="{here}" y1="0" y2="18" stroke="#4f46e5" stroke-width="2"/>{span}{mark}</svg>'
    )
