"""The list of formulas: filters, then each formula with its verdict, its number and where it is seen."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import streamlit as st

from dpcore.experiments.formulas import DOCUMENTS, NOTE, VERDICTS, Entry, counts, entries
from pages.formulas.figure import figure, values
from pages.formulas.spec import PAGE
from ui.frame import shell
from ui.live import component
from ui.words.numbers import show

__all__ = ["FOLDER", "chosen", "draw", "told"]

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "formulas"
_CSS = """<style>
.stMainBlockContainer {max-width: 62rem;}
@media (max-width: 760px) {.stMainBlockContainer .katex {font-size: 1em;}}
</style>"""
_BADGES = {"right": "green", "loose": "blue", "unclear": "orange", "wrong": "red", NOTE: "gray"}
_MEANS = (
    "*loose*: valid, with more noise or a larger ε than needed. *unclear*: a condition is missing, or the words can "
    "be read in two ways, with different results. *wrong*: broken under its authors’ own conditions. A *note* is "
    "about what its authors leave out, and has no verdict. A computation decides each verdict: *What decides it*."
)
_ANY = "any"
_FIRST = (
    10  # formulas that are drawn before more are asked for: a phone need not scroll through all
)


def draw() -> None:
    """Draw the page."""
    st.html(_CSS)
    shell.header(PAGE.title, PAGE.question, opening=PAGE.opening)
    document, verdict, search = _asked()
    found = chosen(document, verdict, search)
    st.caption(f"{_shown(found)} {_MEANS}")
    if not found:
        st.info("No formula has all of that. Choose “any”, or clear the search.")
    heading, most = "", _most((document, verdict, search))
    for place, entry in enumerate(found[:most] or entries(FOLDER)[:1]):
        if entry.document != heading:
            heading = entry.document
            st.header(heading)
        with st.container(border=True, key=f"formula-{entry.id.replace('.', '-')}"):
            st.fragment(_draw)(entry, first=place == 0)
    if len(found) > most:
        st.button(f"Show the other {len(found) - most}", on_click=_show_all, key="formulas.more")


def _shown(found: list[Entry]) -> str:
    """How many formulas are shown, of how many that have a verdict, and how many have each."""
    judged = sum(entry.verdict != NOTE for entry in found)
    many = "formula" if judged == 1 else "formulas"
    notes = len(found) - judged
    more = f" and {notes} {'note' if notes == 1 else 'notes'}" if notes else ""
    each = ", ".join(f"{n} {verdict}" for verdict, n in counts(FOLDER).items())
    return f"{judged} of {sum(counts(FOLDER).values())} {many}{more} (in all {each})."


def _most(asked: tuple[str, str, str]) -> int:
    """How many formulas are drawn: few at first, all once somebody wants them."""
    if st.session_state.get("formulas.asked") != asked:
        st.session_state["formulas.asked"], st.session_state["formulas.most"] = asked, _FIRST
    return int(st.session_state["formulas.most"])


def _show_all() -> None:
    st.session_state["formulas.most"] = len(entries(FOLDER))


def chosen(document: str = _ANY, verdict: str = _ANY, search: str = "") -> list[Entry]:
    """Return the formulas of a document and a verdict with all the words of a search in them."""
    words = search.lower().split()
    return [
        entry
        for entry in entries(FOLDER)
        if document in (_ANY, entry.id.partition(".")[0])
        and verdict in (_ANY, entry.verdict)
        and all(word in entry.text for word in words)
    ]


def _asked() -> tuple[str, str, str]:
    """Ask what to show; a link may have said it, and the link keeps it."""
    left, middle, right = st.columns([2, 1.3, 1.7])
    document = left.selectbox(
        "Document", [_ANY, *DOCUMENTS], key="formulas.document", persist_state="session",
        index=_place("document", [_ANY, *DOCUMENTS], _ANY),
        format_func=lambda key: DOCUMENTS.get(key, "any"),
    )  # fmt: skip
    verdict = middle.selectbox(
        "Verdict", [_ANY, *VERDICTS, NOTE], key="formulas.verdict", persist_state="session",
        index=_place("verdict", [_ANY, *VERDICTS, NOTE], "wrong"),
    )  # fmt: skip
    search = right.text_input(
        "Search", st.query_params.get("search", "")[:80], key="formulas.search", max_chars=80,
        placeholder="clipping, sqrt, Laplace …", persist_state="session",
    )  # fmt: skip
    asked = {"document": document, "verdict": verdict} | ({"search": search} if search else {})
    if dict(st.query_params) != asked:
        st.query_params.from_dict(asked)
    return document, verdict, search


def _place(name: str, options: list[str], usual: str) -> int:
    given = st.query_params.get(name, usual)
    return options.index(given if given in options else usual)


def _draw(entry: Entry, *, first: bool) -> None:
    st.markdown(told(entry))
    if entry.evidence:
        with st.expander("What decides it"):
            st.markdown(entry.evidence)
    with st.container(horizontal=True, vertical_alignment="center"):
        moves = st.toggle(
            f"Move {entry.number.symbol}", first, key=f"move-{entry.id}", help=entry.number.what
        )
        link = dict(parse_qsl(entry.link))
        shell.page_link(entry.page, "See it", icon="➡️", query_params=link)
    if moves:
        name = f"formula_{entry.id.replace('.', '_')}"
        component.show(component.kept(figure(entry), key=name), key=name)


def told(entry: Entry) -> str:
    """Return what is said of a formula."""
    badge = f":{_BADGES[entry.verdict]}-badge[{entry.verdict}]"
    why = f" {entry.why}" if entry.why else ""
    return (
        f"### {entry.id} {entry.title}\n\n{badge}\n\n{_quoted(entry)}"
        f"**Printed:** {entry.printed}\n\n**Right:** {entry.right}.{why}\n\n{_number(entry)}"
    )


def _quoted(entry: Entry) -> str:
    """The document's words as a quotation; what is neither prose nor TeX stands as code."""
    parts = [
        part if "$" in part or not set(part) & set("^_&|") else f"`{part}`" for part in entry.quote
    ]
    return "".join(f"> {_inline(part)}\n\n" for part in parts)


def _inline(part: str) -> str:
    """A formula between double dollars, within the line."""
    return part.replace("$$", "$")


def _number(entry: Entry) -> str:
    number, (printed, right) = entry.number, values(entry)
    place = number.grid.index(number.start)
    at = f"{number.symbol} = {show(number.start)}"
    shown = "" if printed is None else f"as printed {show(float(printed[place]))}, "
    return f"{number.title}, at {at}: {shown}right **{show(float(right[place]))}**."
