"""Downloads of a page: link, tables, figure, report, notebook, program."""

from __future__ import annotations

import html
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from string import Template
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import plotly.io
import streamlit as st

from dpcore.experiments.params import Control, Params
from dpcore.guarantee import Guarantee
from ui.export import origin
from ui.export.safe_csv import csv_text
from ui.figure_kit.controls import field_texts
from ui.words import escape, text
from ui.words.guarantees import NEIGHBOURS, PROOF, on_page
from ui.words.numbers import show, tidied
from ui.words.odds import odds_sentence
from ui.words.text import FieldText

__all__ = ["Bundle", "notebook", "report", "script", "show_code", "take_along", "titled"]

T = text.load_text(__file__)
SOURCE = T("source.text")
_REPORT = Template(Path(__file__).with_name("report.html").read_text("utf-8"))
_MARK = 987_653  # a seed that stands for any other while the code is written
_FRESH = "from secrets import randbelow\n\nseed = randbelow(1_000_000)  # fresh noise: not that of the figure\n"


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """The downloads that a page offers.

    The functions among the fields run only when a button is pressed.

    - ``name``: beginning of every file name.
    - ``title``, ``params``, ``guarantee``: title and parameters of the page, and the guarantee that the
      page states.
    - ``code(params)`` returns the text of a program that computes the page's result for these parameters.
    - ``figure()`` returns the figure for Plotly.
    - ``tables``: for the name of every CSV file, a function that returns the table.
    - ``facts()`` returns the displayed numbers of the figure, by label.
    - ``words()`` returns the displayed words for the value of a parameter, by name of the parameter. A parameter
      without words for its value is left out.
    - ``seed``: whether the downloads contain the seed. The drawn noise can be computed from the seed.
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
        """Return a file name that describes the page, with the ending ``ending``."""
        epsilon = getattr(self.params, "epsilon", None)
        middle = "" if epsilon is None else f"-epsilon-{epsilon:g}"
        seed = f"-seed-{getattr(self.params, 'seed', 0)}" if self.seed and self.draws else ""
        return f"{self.name}{middle}{seed}{ending}"

    @property
    def draws(self) -> bool:
        """Whether the page draws noise (its parameters have a seed)."""
        return self.params.draws_noise

    @property
    def program(self) -> str:
        """Source code of the page's program.

        If ``seed`` is False, the program draws new noise at each run.
        """
        if self.seed or not self.draws:
            return self.code(self.params)
        return _FRESH + self.code(self.params.but(seed=_MARK)).replace(str(_MARK), "seed")

    @property
    def warning(self) -> str:
        """Warning on what the seed in the copied program reveals, or "" if the page draws no noise."""
        if not self.draws:
            return ""
        return T("seed.with" if self.seed else "seed.without")


def show_code(code: str) -> None:
    """Display the source code of a page's program, with a warning about its seed."""
    st.code(code, language="python")
    if "seed" in code:
        st.caption(T("seed.in_code"))


def take_along(bundle: Bundle) -> None:
    """Display the download buttons of a page, with a note on its link."""
    if bundle.draws:
        secret = st.toggle(
            T("seed.leave_out"),
            key=f"no_seed.{bundle.name}",
            persist_state="session",  # the section may be closed and opened again
            help=T("seed.leave_out_help"),
        )
        bundle = replace(bundle, seed=not secret)
        st.caption(bundle.warning)
    page = "text/html"
    files: list[tuple[str, Callable[[], str], str, str]] = [
        *((T("files.table", name=name), partial(_csv, table), f"-{name}.csv", "text/csv")
          for name, table in bundle.tables.items()),
        (T("files.figure"), partial(_figure, bundle), ".html", page),
        (T("files.report"), partial(report, bundle), "-report.html", page),
        (T("files.notebook"), partial(notebook, bundle), ".ipynb", "application/x-ipynb+json"),
        (T("files.program"), partial(script, bundle), ".py", "text/x-python"),
    ]  # fmt: skip
    for column, (label, make, ending, kind) in zip(st.columns(len(files)), files, strict=True):
        column.download_button(
            label, make, bundle.file(ending), kind, on_click="ignore", width="stretch"
        )
    st.caption(T("files.pictures"))


def _figure(bundle: Bundle) -> str:
    document: str = plotly.io.to_html(titled(bundle), include_plotlyjs=True, div_id="figure")
    return document


def titled(bundle: Bundle) -> go.Figure:
    """Return the page's figure with title, parameters and source."""
    chart = bundle.figure()
    setting = textwrap.wrap(", ".join(
        f"{symbol or label} = {value}" for name, label, symbol, value in _setting(bundle) if name != "seed"
    ), 120)  # fmt: skip
    panel, title = chart.layout.title.text, bundle.title
    if panel:
        title = T("report.figure", title=escape.hyper(bundle.title), panel=panel)
    chart.update_layout(
        title={
            "text": title, "subtitle": {"text": "<br>".join(map(escape.hyper, setting))}, "y": 0.98, "yanchor": "top",
        },
        height=570 + 15 * len(setting), margin={"t": 85 + 15 * len(setting), "b": 130},
    )  # fmt: skip
    chart.add_annotation(
        text=SOURCE, x=0, y=0, xref="paper", yref="paper", yshift=-122, xanchor="left", showarrow=False,
        font={"size": 11},
    )  # fmt: skip
    return chart


def _setting(bundle: Bundle) -> list[tuple[str, str, str, str]]:
    """Return the displayed parameters as rows of name, label, symbol and value."""
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
    """Return a parameter's value as displayed; the option of a choice is displayed in words."""
    number = show(value, ".6g") if isinstance(value, float) else tidied(str(value))
    if isinstance(value, bool):
        return item.show(value)
    return (words.options or {}).get(item.show(value), number)


def _csv(table: Callable[[], pd.DataFrame]) -> str:
    """Return a table as CSV, with comment lines that describe it."""
    frame = table()
    note = frame.attrs.get("note", "")
    return (f"# {note}\n" if note else "") + csv_text(frame)


def report(bundle: Bundle) -> str:
    """Return a one-page HTML report for printing: guarantee, figure, results, parameters, program."""
    guarantee = on_page(bundle.guarantee, draws=bundle.draws)
    setting = _rows(
        (f"{label} {symbol}", value)
        for name, label, symbol, value in _setting(bundle)
        if bundle.seed or name != "seed"
    )
    facts = _rows(bundle.facts().items())
    figure = plotly.io.to_html(titled(bundle), full_html=False, div_id="figure")
    plain = {
        "title": bundle.title,
        "privacy": T(
            "report.guarantee",
            epsilon=guarantee.epsilon,
            delta=guarantee.delta,
            neighbours=NEIGHBOURS[guarantee.neighbouring],
            proof=PROOF[guarantee.status],
            protection=guarantee.protection,
            meaning=odds_sentence(guarantee),
        ),
        "argument": tidied(guarantee.argument),
        "seed": bundle.warning,
        "code": bundle.program,
        "origin": " ".join(origin.told()),
        **{
            f"{name}_title": T(f"report.{name}")
            for name in ("result", "assumptions", "public", "setting", "code")
        },
        "open_title": T("report.not_protected"),
    }
    return _REPORT.substitute(
        {name: html.escape(words) for name, words in plain.items()},
        setting=setting,
        facts=facts,
        assumptions=_items(guarantee.assumptions),
        public=_items(guarantee.public),
        open=_items(guarantee.not_protected),
        figure=figure,
    )


def notebook(bundle: Bundle) -> str:
    """Return a Jupyter notebook (format 4.5) that reproduces the page's figure."""
    privacy = on_page(bundle.guarantee, draws=bundle.draws)
    meaning = T(
        "notebook.proof", meaning=odds_sentence(privacy), proof=PROOF[privacy.status],
        protection=privacy.protection,
    )  # fmt: skip
    heading = "\n\n".join([f"# {bundle.title}", meaning, bundle.warning, *origin.told()])
    program, wheels = bundle.program, origin.wheels()
    install = f"%pip install -q {wheels.pip(origin.extras(program))}\n\n" if wheels else ""
    sources = [heading, install + origin.plain_check(program), program]
    cells = [
        _cell("code" if place else "markdown", text, place) for place, text in enumerate(sources)
    ]
    about = {"metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps({"cells": cells, **about}, indent=1)


def script(bundle: Bundle) -> str:
    """Return the page's program as the text of a file, with its dependencies and its origin in comments."""
    program, wheels = bundle.program, origin.wheels()
    head = wheels.script(origin.extras(program)) if wheels else ""
    sentences = [bundle.title, *origin.told(), bundle.warning]
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, 100)]
    return "\n".join(
        [head + "\n".join(f"# {line}" for line in lines), origin.plain_check(program), program]
    )


def _cell(kind: str, source: str, number: int) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def _rows(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<tr><td>{html.escape(k)}</td><td>{html.escape(v)}</td></tr>" for k, v in pairs)


def _items(lines: tuple[str, ...]) -> str:
    return "".join(f"<li>{html.escape(tidied(line))}</li>" for line in lines)
