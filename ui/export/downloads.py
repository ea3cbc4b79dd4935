"""Everything a person may take along: link, data, figure, report, notebook."""

from __future__ import annotations

import html
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import plotly.io
import streamlit as st

from dpcore.experiments.params import Control, Params
from dpcore.guarantee import Guarantee
from ui.export.safe_csv import csv_text
from ui.figure_kit.controls import field_texts
from ui.frame import guarantee_card as card
from ui.words import escape
from ui.words.numbers import short, show, tidied
from ui.words.text import FieldText

__all__ = ["Bundle", "notebook", "report", "show_code", "take_along", "titled"]

SOURCE = "Source: DP Explorer"
WITH_SEED = (
    "This copy contains the seed of the noise, so that the figure can be repeated. Whoever has the seed "
    "can compute the noise and take it away; then nothing is protected. Pass it on only where the data "
    "are public anyway."
)
WITHOUT_SEED = (
    "This copy does not contain the seed. A page knows only a million seeds, so somebody could try them all: "
    "for a real release fit once with fresh noise (random_state=None)."
)
_MARK = 987_653  # a seed that stands for any other while the code is written
_FRESH = "from secrets import randbelow\n\nseed = randbelow(1_000_000)  # fresh noise: not that of the figure\n"


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """What one page offers for taking along; the callables run only when a button is pressed.

    ``name`` begins every file name; ``code(params)`` runs as shown; ``tables`` name the CSV files; ``words`` are
    what the page says for values that depend on the data.
    Without ``seed`` nothing in it tells which noise was drawn.
    """

    name: str
    title: str
    params: Params
    guarantee: Guarantee
    code: Callable[[Any], str]
    figure: Callable[[], go.Figure]
    tables: Mapping[str, Callable[[], pd.DataFrame]]
    facts: Callable[[], Mapping[str, str]]
    words: Callable[[], Mapping[str, str]] = dict
    seed: bool = True

    def file(self, ending: str) -> str:
        """Return a file name that says which picture it is."""
        epsilon = getattr(self.params, "epsilon", None)
        middle = "" if epsilon is None else f"-epsilon-{epsilon:g}"
        seed = f"-seed-{getattr(self.params, 'seed', 0)}" if self.seed and self.draws else ""
        return f"{self.name}{middle}{seed}{ending}"

    @property
    def draws(self) -> bool:
        """Whether noise was drawn at all."""
        return hasattr(self.params, "seed")

    @property
    def program(self) -> str:
        """The code; without the seed it draws noise of its own."""
        if self.seed or not self.draws:
            return self.code(self.params)
        return _FRESH + self.code(self.params.but(seed=_MARK)).replace(str(_MARK), "seed")

    @property
    def warning(self) -> str:
        """What the copy says about its seed."""
        if not self.draws:
            return ""
        return WITH_SEED if self.seed else WITHOUT_SEED


def show_code(text: str) -> None:
    """Draw the program of a page, and what the seed in it gives away."""
    st.code(text, language="python")
    if "seed" in text:
        st.caption(
            "The code names the seed: whoever runs it can compute the noise and take it away."
        )


def take_along(bundle: Bundle) -> None:
    """Draw the download buttons and the link of a page."""
    if bundle.draws:
        secret = st.toggle(
            "Leave the seed out",
            key=f"no_seed.{bundle.name}",
            persist_state="session",  # the section may be closed and opened again
            help="File names, settings and code then do not tell which noise was drawn.",
        )
        bundle = replace(bundle, seed=not secret)
        st.caption(bundle.warning)
    page = "text/html"
    files: list[tuple[str, Callable[[], str], str, str]] = [
        *((f"{name} (CSV)", partial(_csv, table), f"-{name}.csv", "text/csv")
          for name, table in bundle.tables.items()),
        ("Figure (HTML)", partial(_figure, bundle), ".html", page),
        ("Report (HTML)", partial(report, bundle), "-report.html", page),
        ("Notebook", partial(notebook, bundle), ".ipynb", "application/x-ipynb+json"),
    ]  # fmt: skip
    for column, (label, make, ending, kind) in zip(st.columns(len(files)), files, strict=True):
        column.download_button(
            label, make, bundle.file(ending), kind, on_click="ignore", width="stretch"
        )
    st.caption(
        "PNG and SVG of a single panel: its own menu, top right. "
        "The address in the browser's bar is the link: it restores this picture and always contains the "
        "seed, so it is as good as the data to somebody who may not see them."
    )


def _figure(bundle: Bundle) -> str:
    found: str = plotly.io.to_html(titled(bundle), include_plotlyjs=True, div_id="figure")
    return found


def titled(bundle: Bundle) -> go.Figure:
    """Return the figure with what it shows, the parameters it was made with and where it is from."""
    made = bundle.figure()
    setting = textwrap.wrap(", ".join(
        f"{symbol or label} = {value}" for name, label, symbol, value in _setting(bundle) if name != "seed"
    ), 120)  # fmt: skip
    title = (
        f"{escape.hyper(bundle.title)}: {made.layout.title.text}"
        if made.layout.title.text
        else bundle.title
    )
    made.update_layout(
        title={
            "text": title, "subtitle": {"text": "<br>".join(map(escape.hyper, setting))}, "y": 0.98, "yanchor": "top",
        },
        height=570 + 15 * len(setting), margin={"t": 85 + 15 * len(setting), "b": 130},
    )  # fmt: skip
    made.add_annotation(
        text=SOURCE, x=0, y=0, xref="paper", yref="paper", yshift=-122, xanchor="left", showarrow=False,
        font={"size": 11},
    )  # fmt: skip
    return made


def _setting(bundle: Bundle) -> list[tuple[str, str, str, str]]:
    """The parameters that are set: name, label, symbol and value, as a reader meets them on the page."""
    words, texts = bundle.words(), field_texts(type(bundle.params))
    shown = (
        (
            name,
            texts[name].label or name,
            item.symbol,
            words.get(name) or _said(item, texts[name], getattr(bundle.params, name)),
        )
        for name, item in bundle.params.controls().items()
    )
    return [row for row in shown if row[-1]]


def _said(item: Control, words: FieldText, value: Any) -> str:
    """A value in the words of its choice, or as a number; a link has codes instead."""
    number = show(value, ".6g") if isinstance(value, float) else tidied(str(value))
    if isinstance(value, bool):
        return item.show(value)
    return (words.options or {}).get(item.show(value), number)


def _csv(table: Callable[[], pd.DataFrame]) -> str:
    """The table as text; what it says about itself stands above it, after a ``#``."""
    found = table()
    note = found.attrs.get("note", "")
    return (f"# {note}\n" if note else "") + csv_text(found)


def report(bundle: Bundle) -> str:
    """Return a one-page HTML report that prints well: guarantee, figure, result, setting, program."""
    guarantee = card.on_page(bundle.guarantee, draws=bundle.draws)
    setting = _rows(
        (f"{label} {symbol}", value)
        for name, label, symbol, value in _setting(bundle)
        if bundle.seed or name != "seed"
    )
    facts = _rows(bundle.facts().items())
    figure = plotly.io.to_html(titled(bundle), full_html=False, div_id="figure")
    return _PAGE.format(
        title=html.escape(bundle.title),
        setting=setting,
        facts=facts,
        privacy=html.escape(
            f"ε = {short(guarantee.epsilon)}, δ = {short(guarantee.delta)} "
            f"({card.NEIGHBOURS[guarantee.neighbouring]}; {card.PROOF[guarantee.status]}; "
            f"protection: {guarantee.protection}). " + card.plain(guarantee)
        ),
        argument=html.escape(tidied(guarantee.argument)),
        assumptions=_items(guarantee.assumptions),
        seed=html.escape(bundle.warning),
        public=_items(guarantee.public),
        open=_items(guarantee.not_protected),
        figure=figure,
        code=html.escape(bundle.program),
    )


def notebook(bundle: Bundle) -> str:
    """Return a Jupyter notebook (format 4.5) whose code cells reproduce the figure."""
    privacy = card.on_page(bundle.guarantee, draws=bundle.draws)
    proof = f"{card.PROOF[privacy.status]}; protection: {privacy.protection}."
    heading = f"# {bundle.title}\n\n{card.plain(privacy)} ({proof})\n\n{bundle.warning}"
    cells = [_cell("markdown", heading, 0), _cell("code", bundle.program, 1)]
    about = {"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps({"cells": cells, **about}, indent=1)


def _cell(kind: str, text: str, number: int) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _rows(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<tr><td>{html.escape(k)}</td><td>{html.escape(v)}</td></tr>" for k, v in pairs)


def _items(lines: tuple[str, ...]) -> str:
    return "".join(f"<li>{html.escape(tidied(line))}</li>" for line in lines)


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body{{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;
padding:0 1rem;color:#1c2430}}
table{{border-collapse:collapse;margin:0 0 1rem}}
td{{padding:.15rem 1.2rem .15rem 0;border-bottom:1px solid #dde}}
.two{{display:flex;gap:3rem;flex-wrap:wrap}}pre{{background:#f4f5f8;padding:1rem;overflow:auto}}
.guarantee{{border-left:4px solid #4f46e5;padding:.2rem 0 .2rem 1rem}}
@media print{{body{{margin:0}}.modebar{{display:none}}}}
</style></head><body><h1>{title}</h1>
<p class="guarantee"><b>{privacy}</b><br>{argument}</p><p><b>{seed}</b></p>

{figure}<div class="two"><div><h2>Result</h2><table>{facts}</table>
<h3>It holds as long as</h3><ul>{assumptions}</ul>
<h3>Declared public</h3><ul>{public}</ul><h3>Not protected</h3><ul>{open}</ul></div>
<div><h2>Setting</h2><table>{setting}</table></div></div><h2>Code</h2><pre>{code}</pre></body></html>"""
