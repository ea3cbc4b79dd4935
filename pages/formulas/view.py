"""List of formulas on the Formulas page, with filters for document, verdict and words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpcore.experiments.formulas import (
    DOCUMENTS,
    NOTE,
    VERDICTS,
    Entry,
    counts,
    entries,
)
from pages.formulas import ask, rendering
from pages.formulas.figure import figure
from pages.formulas.rendering import corrected, describe
from ui.frame import shell
from ui.live import component
from ui.words import text

__all__ = ["FOLDER", "chosen", "corrected", "describe", "draw"]

T = text.load_text(__file__)
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "formulas"
_CSS = """<style>
.stMainBlockContainer {max-width: 88rem;}
[class*="st-key-printed"] p {text-align: center; text-wrap: balance; line-height: 1.5;}
[class*="st-key-printed-formula"] p {font-size: clamp(1.3rem, 3.2vw, 2.5rem);}
[class*="st-key-printed-words"] p {font-size: clamp(1.2rem, 2.1vw, 1.7rem);}
[class*="st-key-printed"] {padding-block: 1rem 0; overflow-x: auto; overflow-y: hidden;}
[class*="st-key-printed"] .katex svg line {stroke-width: 0.09em;}
[class*="st-key-printed"] del {text-decoration-thickness: 0.09em;}
/* The colours of TeX, brighter in the dark. */
[class*="st-key-printed"] .katex :is([style*="#d2402c"], [style*="(210, 64, 44)"]) {
  color: light-dark(#d2402c, #ff8272) !important;}
[class*="st-key-printed"] .katex :is([style*="#1a9257"], [style*="(26, 146, 87)"]) {
  color: light-dark(#1a9257, #4ade80) !important;}
[class*="st-key-printed"] .katex svg line {stroke: light-dark(#d2402c, #ff8272) !important;}
[class*="st-key-formula"] h2 {font-size: 1.2rem; padding-top: 0;}
[class*="st-key-formula"] .katex {font-size: 1.1em;}
@media (max-width: 760px) { /* two choices beside each other, so that the formula comes sooner */
  .st-key-filters .stHorizontalBlock {gap: 0.5rem;}
  .st-key-filters .stColumn {min-width: calc(50% - 0.25rem); flex: 1 1 calc(50% - 0.25rem);}
  .st-key-filters .stColumn:nth-child(3) {min-width: 100%;}
}
@media (prefers-reduced-motion: no-preference) {
  [class*="st-key-printed"] .katex svg:has(line) {animation: dp-strike 0.7s 0.5s both;}
  @keyframes dp-strike {from {clip-path: inset(0 100% 0 0);} to {clip-path: inset(0);}}
}
@media print { /* legible on paper, also from the dark theme */
  [class*="st-key-printed"] .stMarkdownColoredText {color: #14713f !important;}
  [class*="st-key-printed"] .stMarkdownColoredText:has(del) {color: #b42318 !important;}
  [class*="st-key-formula"] h2 {break-after: avoid;}
  .st-key-filters {display: none;}
}
</style>"""
_BADGES = {"right": "green", "loose": "blue", "unclear": "orange", "wrong": "red", NOTE: "gray"}
_ANY, _ASK = "any", "ask"
_CHOICES = [_ASK, _ANY, *VERDICTS, NOTE]
_FIRST = (
    10  # formulas that are drawn before more are asked for: a phone need not scroll through all
)


def draw() -> None:
    """Draw the Formulas page."""
    st.html(_CSS + ask.CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    above, stage, below = st.container(), st.container(), st.container()
    asks = _verdict() == _ASK
    with below if asks else above:  # the formula comes first where it is asked about
        document, verdict, search = _filters()
    if asks:
        with stage:
            _draw_quiz(document, search)
        below.caption(T("ask.wrong_means"))
        return
    st.query_params.pop("formula", None)
    matching = chosen(document, verdict, search)
    if not matching:
        st.info(T("none"))
    most = _most((document, verdict, search))
    for place, entry in enumerate(matching[:most] or entries(FOLDER)[:1]):
        with st.container(border=True, key=f"formula-{ask.key_of(entry)}"):
            st.fragment(_draw)(entry, first=place == 0)
    st.caption(f"{_count(matching)} {T('verdicts')}")
    if len(matching) > most:
        st.button(T("more", n=len(matching) - most), on_click=_show_all, key="formulas.more")


def _draw_quiz(document: str, search: str) -> None:
    if listed := ask.asked(chosen(document, search=search)):
        st.fragment(ask.draw)(listed)
    else:
        st.query_params.pop("formula", None)
        st.info(T("none"))


def _count(matching: list[Entry]) -> str:
    """Return a sentence with the number of listed formulas, of all formulas, and of formulas with each verdict."""
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
    """Return how many of the listed formulas to draw.

    The number is small after a filter has changed, and grows when the user asks for more.
    """
    if st.session_state.get("formulas.asked") != filters:
        st.session_state["formulas.asked"], st.session_state["formulas.most"] = filters, _FIRST
    return int(st.session_state["formulas.most"])


def _show_all() -> None:
    st.session_state["formulas.most"] = len(entries(FOLDER))


def chosen(document: str = _ANY, verdict: str = _ANY, search: str = "") -> list[Entry]:
    """Return the formulas with a given document, verdict and search text; by default, all formulas.

    The text of a formula must contain every word of ``search``.
    """
    words = search.lower().split()
    return [
        entry
        for entry in entries(FOLDER)
        if document in (_ANY, entry.id.partition(".")[0])
        and verdict in (_ANY, entry.verdict)
        and all(word in entry.text for word in words)
    ]


def _filters() -> tuple[str, str, str]:
    """Draw the filters, write their values into the link, and return document, verdict and search text."""
    words = {_ASK: T("filters.ask"), _ANY: T("filters.any_verdict")}
    left, middle, right = st.container(key="filters").columns([2, 1.3, 1.7])
    document = left.selectbox(
        T("filters.document"), [_ANY, *DOCUMENTS], key="formulas.document", persist_state="session",
        label_visibility="collapsed",
        index=_place("document", [_ANY, *DOCUMENTS], _ANY),
        format_func=lambda key: DOCUMENTS.get(key, T("filters.any_document")),
    )  # fmt: skip
    verdict = middle.selectbox(
        T("filters.verdict"), _CHOICES, key="formulas.verdict", persist_state="session",
        label_visibility="collapsed",
        index=_place("verdict", _CHOICES, _ASK),
        format_func=lambda verdict: words.get(verdict, verdict),
    )  # fmt: skip
    search = right.text_input(
        T("filters.search"), st.query_params.get("search", "")[:80], key="formulas.search", max_chars=80,
        placeholder=T("filters.placeholder"), persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    _write_link({"document": document, "verdict": verdict, "search": search})
    return document, verdict, search


def _write_link(choices: dict[str, str]) -> None:
    """Write the choices that differ from the defaults into the page's address, if this changes the address.

    Each change adds an entry to the browser's history. If a page changed its address whenever it opens, the Back
    button of the browser could not leave it.
    """
    usual = {"document": _ANY, "verdict": _ASK, "search": ""}
    query = {name: choice for name, choice in choices.items() if choice != usual[name]}
    if formula := st.query_params.get("formula"):
        query["formula"] = formula
    there = {name: value for name, value in st.query_params.items() if value != usual.get(name)}
    if there != query:
        st.query_params.from_dict(query)


def _verdict() -> str:
    """Return the verdict that the filter will have, before the filter is drawn."""
    return str(
        st.session_state.get("formulas.verdict", _CHOICES[_place("verdict", _CHOICES, _ASK)])
    )


def _place(name: str, options: list[str], usual: str) -> int:
    choice = st.query_params.get(name, usual)
    return options.index(choice if choice in options else usual)


def _draw(entry: Entry, *, first: bool) -> None:
    """Draw one formula in large type, with its correction, explanation and figure.

    ``first`` says whether the figure is switched on from the start.
    """
    st.markdown(f"## {entry.id} {entry.title} :{_BADGES[entry.verdict]}-badge[{entry.verdict}]")
    kind = "formula" if "$" in entry.printed else "words"
    with st.container(key=f"printed-{kind}-{ask.key_of(entry)}"):
        st.markdown(rendering.large(corrected(entry.corrected)))
    words, picture = st.columns([1, 1.8], gap="large")
    with picture:
        moves = _moving(entry, first=first)
    with words:
        st.markdown(
            describe(entry) if moves else f"{describe(entry)}\n\n{rendering.number_sentence(entry)}"
        )
        if entry.evidence:
            with st.expander(T("entry.evidence")):
                st.markdown(entry.evidence)


def _moving(entry: Entry, *, first: bool) -> bool:
    """Draw a switch for a formula's figure, the figure if it is switched on, and a link to a page.

    Return whether the figure is switched on.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        moves = st.toggle(
            T("entry.move", symbol=entry.number.symbol),
            first,
            key=f"move-{entry.id}",
            help=entry.number.what,
        )
        rendering.link(entry)
    if moves:
        name = f"formula_{entry.id.replace('.', '_')}"
        component.show(component.with_user_values(figure(entry), key=name), key=name)
    return moves
