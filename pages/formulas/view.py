"""List of formulas on the page Formulas: filters, then each formula with its verdict, value and page."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from dpcore.experiments.formulas import (
    CORRECTION,
    DOCUMENTS,
    NOTE,
    VERDICTS,
    Entry,
    counts,
    entries,
)
from pages.formulas.figure import figure, values
from ui.frame import shell
from ui.live import component
from ui.words import text

__all__ = ["FOLDER", "chosen", "corrected", "describe", "draw"]

T = text.beside(__file__)
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "formulas"
_CSS = """<style>
.stMainBlockContainer {max-width: 62rem;}
[class*="st-key-formula"] .katex {font-size: 1.2em;}
@media (max-width: 760px) {.stMainBlockContainer .katex {font-size: 1em;}}
</style>"""
_BADGES = {"right": "green", "loose": "blue", "unclear": "orange", "wrong": "red", NOTE: "gray"}
_WRONG, _RIGHT = "#d2402c", "#1a9257"  # legible on both grounds
_ANY = "any"
_FIRST = (
    10  # formulas that are drawn before more are asked for: a phone need not scroll through all
)


def draw() -> None:
    """Draw the page Formulas."""
    st.html(_CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    document, verdict, search = _asked()
    matching = chosen(document, verdict, search)
    st.caption(f"{_count(matching)} {T('verdicts')}")
    if not matching:
        st.info(T("none"))
    heading, most = "", _most((document, verdict, search))
    for place, entry in enumerate(matching[:most] or entries(FOLDER)[:1]):
        if entry.document != heading:
            heading = entry.document
            st.header(heading)
        with st.container(border=True, key=f"formula-{entry.id.replace('.', '-')}"):
            st.fragment(_draw)(entry, first=place == 0)
    if len(matching) > most:
        st.button(T("more", n=len(matching) - most), on_click=_show_all, key="formulas.more")


def _count(matching: list[Entry]) -> str:
    """Return a sentence with the number of formulas displayed, the number of all, and how many have each verdict."""
    judged = sum(entry.verdict != NOTE for entry in matching)
    n_notes = len(matching) - judged
    about: dict[str, object] = {
        "all": sum(counts(FOLDER).values()),
        "verdicts": ", ".join(f"{n} {verdict}" for verdict, n in counts(FOLDER).items()),
    }
    one, notes = "_one" if judged == 1 else "", "_with_notes" if n_notes else ""
    about |= ({} if one else {"n": judged}) | ({"notes": n_notes} if notes else {})
    return T(f"shown{one}{notes}", **about)


def _most(filters: tuple[str, str, str]) -> int:
    """Return how many formulas to draw: few after new filter values, more after the user asks for them."""
    if st.session_state.get("formulas.asked") != filters:
        st.session_state["formulas.asked"], st.session_state["formulas.most"] = filters, _FIRST
    return int(st.session_state["formulas.most"])


def _show_all() -> None:
    st.session_state["formulas.most"] = len(entries(FOLDER))


def chosen(document: str = _ANY, verdict: str = _ANY, search: str = "") -> list[Entry]:
    """Return the formulas of a document with a verdict, whose text contains all words of a search."""
    words = search.lower().split()
    return [
        entry
        for entry in entries(FOLDER)
        if document in (_ANY, entry.id.partition(".")[0])
        and verdict in (_ANY, entry.verdict)
        and all(word in entry.text for word in words)
    ]


def _asked() -> tuple[str, str, str]:
    """Draw the filters, write their values into the link, and return them: document, verdict, search text."""
    left, middle, right = st.columns([2, 1.3, 1.7])
    document = left.selectbox(
        T("filters.document"), [_ANY, *DOCUMENTS], key="formulas.document", persist_state="session",
        index=_place("document", [_ANY, *DOCUMENTS], _ANY),
        format_func=lambda key: DOCUMENTS.get(key, T("filters.any")),
    )  # fmt: skip
    verdict = middle.selectbox(
        T("filters.verdict"), [_ANY, *VERDICTS, NOTE], key="formulas.verdict", persist_state="session",
        index=_place("verdict", [_ANY, *VERDICTS, NOTE], "wrong"),
    )  # fmt: skip
    search = right.text_input(
        T("filters.search"), st.query_params.get("search", "")[:80], key="formulas.search", max_chars=80,
        placeholder=T("filters.placeholder"), persist_state="session",
    )  # fmt: skip
    query = {"document": document, "verdict": verdict} | ({"search": search} if search else {})
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)
    return document, verdict, search


def _place(name: str, options: list[str], usual: str) -> int:
    choice = st.query_params.get(name, usual)
    return options.index(choice if choice in options else usual)


def _draw(entry: Entry, *, first: bool) -> None:
    st.markdown(describe(entry))
    if entry.evidence:
        with st.expander(T("entry.evidence")):
            st.markdown(entry.evidence)
    with st.container(horizontal=True, vertical_alignment="center"):
        moves = st.toggle(
            T("entry.move", symbol=entry.number.symbol),
            first,
            key=f"move-{entry.id}",
            help=entry.number.what,
        )
        link = dict(parse_qsl(entry.link))
        shell.page_link(entry.page, T("entry.see"), icon="➡️", query_params=link)
    if moves:
        name = f"formula_{entry.id.replace('.', '_')}"
        component.show(component.kept(figure(entry), key=name), key=name)


def describe(entry: Entry) -> str:
    """Return the Markdown for one formula: verdict, quotation, printed and correct version, value."""
    badge = f":{_BADGES[entry.verdict]}-badge[{entry.verdict}]"
    why = f" {entry.why}" if entry.why else ""
    return (
        f"### {entry.id} {entry.title}\n\n{badge}\n\n{_quoted(entry)}"
        f"{T('entry.printed', printed=corrected(entry.corrected))}\n\n{T('entry.right', right=entry.right)}{why}\n\n"
        f"{_number(entry)}"
    )


def corrected(text: str) -> str:
    """Return Markdown for a corrected formula: its wrong part struck out in red, the correction in green.

    Examples
    --------
    >>> corrected("it has ~~less~~++more++ effect")
    'it has :red[~~less~~] :green[more] effect'
    """
    parts = text.split("$")  # every second one is a formula
    return "$".join(
        CORRECTION.sub(_in_formula if k % 2 else _in_text, part) for k, part in enumerate(parts)
    )


def _in_text(match: re.Match[str]) -> str:
    right = f" :green[{match['right']}]" if match["right"] else ""
    return f":red[~~{match['wrong']}~~]{right}"


def _in_formula(match: re.Match[str]) -> str:
    right = rf"\,\textcolor{{{_RIGHT}}}{{{match['right']}}}" if match["right"] else ""
    return rf"\textcolor{{{_WRONG}}}{{\cancel{{{match['wrong']}}}}}{right}"


def _quoted(entry: Entry) -> str:
    """Return the document's words as a Markdown quotation; parts that are neither prose nor TeX are set as code."""
    parts = [
        part if "$" in part or not set(part) & set("^_&|") else f"`{part}`" for part in entry.quote
    ]
    return "".join(f"> {_inline(part)}\n\n" for part in parts)


def _inline(part: str) -> str:
    """Return a text in which display formulas ($$) have become inline formulas ($)."""
    return part.replace("$$", "$")


def _number(entry: Entry) -> str:
    number, (printed, right) = entry.number, values(entry)
    place = number.grid.index(number.start)
    about: dict[str, object] = {"title": number.title, "symbol": number.symbol, "at": number.start}
    about["right"] = right[place]
    if printed is None:
        return T("entry.number", **about)
    return T("entry.number_beside", printed=printed[place], **about)
