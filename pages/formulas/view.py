"""List of formulas on the Formulas page, with filters for document, verdict and words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
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
_WRONG, _RIGHT = "#d2402c", "#1a9257"  # legible on both grounds
_INDEXED = re.compile(r"(?<![\w^\\])[^\W\d_]_\d(?![\w^])")
_ANY = "any"
_FIRST = (
    10  # formulas that are drawn before more are asked for: a phone need not scroll through all
)


def draw() -> None:
    """Draw the Formulas page."""
    st.html(_CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    document, verdict, search = _filters()
    matching = chosen(document, verdict, search)
    if not matching:
        st.info(T("none"))
    most = _most((document, verdict, search))
    for place, entry in enumerate(matching[:most] or entries(FOLDER)[:1]):
        with st.container(border=True, key=f"formula-{_key(entry)}"):
            st.fragment(_draw)(entry, first=place == 0)
    st.caption(f"{_count(matching)} {T('verdicts')}")
    if len(matching) > most:
        st.button(T("more", n=len(matching) - most), on_click=_show_all, key="formulas.more")


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
    """Return the formulas from one document, or from any, with one verdict, or any, that match a search.

    The text of a matching formula contains every word of ``search``.
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
    """Draw the filters, write their values into the link, and return the values: document, verdict, search words."""
    left, middle, right = st.container(key="filters").columns([2, 1.3, 1.7])
    document = left.selectbox(
        T("filters.document"), [_ANY, *DOCUMENTS], key="formulas.document", persist_state="session",
        label_visibility="collapsed",
        index=_place("document", [_ANY, *DOCUMENTS], _ANY),
        format_func=lambda key: DOCUMENTS.get(key, T("filters.any_document")),
    )  # fmt: skip
    verdict = middle.selectbox(
        T("filters.verdict"), [_ANY, *VERDICTS, NOTE], key="formulas.verdict", persist_state="session",
        label_visibility="collapsed",
        index=_place("verdict", [_ANY, *VERDICTS, NOTE], "wrong"),
        format_func=lambda verdict: T("filters.any_verdict") if verdict == _ANY else verdict,
    )  # fmt: skip
    search = right.text_input(
        T("filters.search"), st.query_params.get("search", "")[:80], key="formulas.search", max_chars=80,
        placeholder=T("filters.placeholder"), persist_state="session", label_visibility="collapsed",
    )  # fmt: skip
    query = {"document": document, "verdict": verdict} | ({"search": search} if search else {})
    if dict(st.query_params) != query:
        st.query_params.from_dict(query)
    return document, verdict, search


def _place(name: str, options: list[str], usual: str) -> int:
    choice = st.query_params.get(name, usual)
    return options.index(choice if choice in options else usual)


def _key(entry: Entry) -> str:
    return entry.id.replace(".", "-")


def _draw(entry: Entry, *, first: bool) -> None:
    """Draw one formula in large type, with its correction, explanation and figure.

    ``first`` says whether the figure is drawn before the user switches it on.
    """
    st.markdown(f"## {entry.id} {entry.title} :{_BADGES[entry.verdict]}-badge[{entry.verdict}]")
    kind = "formula" if "$" in entry.printed else "words"
    with st.container(key=f"printed-{kind}-{_key(entry)}"):
        st.markdown(_large(corrected(entry.corrected)))
    words, picture = st.columns([1, 1.8], gap="large")
    with picture:
        moves = _moving(entry, first=first)
    with words:
        st.markdown(describe(entry) if moves else f"{describe(entry)}\n\n{_number(entry)}")
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
        link = dict(parse_qsl(entry.link))
        shell.page_link(entry.page, T("entry.see"), icon="➡️", query_params=link)
    if moves:
        name = f"formula_{entry.id.replace('.', '_')}"
        component.show(component.with_user_values(figure(entry), key=name), key=name)
    return moves


def describe(entry: Entry) -> str:
    """Return the Markdown text below a formula: the document's words, the correct version, and the reason."""
    why = f" {entry.why}" if entry.why else ""
    return f"{_quoted(entry)}{T('entry.right', right=entry.right)}{why}"


def corrected(text: str) -> str:
    """Return Markdown for a corrected formula: its wrong part struck out in red, the correction in green.

    Examples
    --------
    >>> corrected("it has ~~less~~++more++ effect")
    'it has :red[~~less~~] → :green[more] effect'
    """
    return _each_part(
        text, partial(CORRECTION.sub, _in_text), formula=partial(CORRECTION.sub, _in_formula)
    )


def _large(text: str) -> str:
    """Return Markdown text whose formulas have fractions, sums and products in full size (TeX display style)."""
    return _each_part(text, formula=lambda part: rf"\displaystyle {part}")


def _each_part(
    text: str, words: Callable[[str], str] = str, *, formula: Callable[[str], str] = str
) -> str:
    """Return Markdown text after ``words`` is applied to its prose and ``formula`` to its formulas."""
    parts = text.split("$")  # every second one is a formula
    return "$".join((formula if k % 2 else words)(part) for k, part in enumerate(parts))


def _in_text(match: re.Match[str]) -> str:
    right = f" → :green[{match['right']}]" if match["right"] else ""
    return f":red[~~{match['wrong']}~~]{right}"


def _in_formula(match: re.Match[str]) -> str:
    right = rf"\;\to\;\textcolor{{{_RIGHT}}}{{{match['right']}}}" if match["right"] else ""
    return rf"\textcolor{{{_WRONG}}}{{\cancel{{{match['wrong']}}}}}{right}"


def _quoted(entry: Entry) -> str:
    """Return the document's words as a Markdown quotation, with the document's name."""
    parts = [f"> {_inline(_typeset(part))}\n\n" for part in entry.quote]
    return "".join(parts) + f":small[{entry.document}]\n\n"


def _typeset(part: str) -> str:
    """Return a quoted part as Markdown: as a formula, as prose with formulas, or as code if it is neither."""
    if part.startswith("\\"):
        return f"${part}$"
    words = _indexed(part)
    return words if "$" in words or not set(words) & set("^_&|") else f"`{words}`"


def _indexed(part: str) -> str:
    r"""Return a quoted text in which symbols with an index, such as ε_2, are formulas.

    >>> print(_indexed("a given ε_2 with $x_1$, in the L_2 norm"))
    a given $\varepsilon_2$ with $x_1$, in the $L_2$ norm
    """
    return _each_part(part, partial(_INDEXED.sub, _symbol))


def _symbol(match: re.Match[str]) -> str:
    symbol = match[0].replace("ε", r"\varepsilon")
    return f"${symbol}$"


def _inline(part: str) -> str:
    """Return a text whose display formulas ($$) are inline formulas ($)."""
    return part.replace("$$", "$")


def _number(entry: Entry) -> str:
    number, (printed, right) = entry.number, values(entry)
    place = number.grid.index(number.start)
    about: dict[str, object] = {"title": number.title, "symbol": number.symbol, "at": number.start}
    about["right"] = right[place]
    if printed is None:
        return T("entry.number", **about)
    return T("entry.number_beside", printed=printed[place], **about)
