"""Content of the start page: an interactive figure, three entry points, all pages by group, and the glossary."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.home import cards, words
from ui.frame import guarantee_card, shell
from ui.frame.page_spec import PageEntry
from ui.frame.paper import on_paper
from ui.words import glossary, text

__all__ = ["draw"]

T = text.load_text(__file__)
_SYMBOLS = Path(__file__).resolve().parents[2] / "assets" / "texts" / "glossary.md"

# Nothing stands empty under a figure. On a phone a card is its question and a small picture: a thumb that scrolls
# would move its handles.
_CSS = """<style>
.dp-figure {min-height: 0;}
.dp-later {border-radius: 0.4rem; background: repeating-linear-gradient(45deg, transparent 0 9px,
  color-mix(in srgb, currentColor 9%, transparent) 9px 10px);} /* as what is not known yet in a figure */
.dp-main > .dp-busy {margin-top: -2rem;}
.dp-texts:empty {display: none;}
.st-key-hero .dp-plot {height: 39vh; min-height: 15rem;}
@media (min-width: 1000px) { /* the numbers beside the map, which so is higher and nearer to the shape of its data */
  .st-key-hero .dp-main {display: grid; grid-template-columns: minmax(0, 1fr) 15rem; column-gap: 1.2rem;}
  .st-key-hero .dp-main > * {grid-column: 1;}
  .st-key-hero .dp-main > .dp-readouts {grid-column: 2; grid-row: 1; align-self: center; margin: 0;}
  .st-key-hero .dp-readouts .dp-tile {border-left: 0; padding-block: 0.9rem;}
  .st-key-hero .dp-readouts > *, .st-key-hero .dp-readouts .dp-tiles {display: flex; flex-direction: column;}
  .st-key-hero .dp-plot {height: 49vh;}
}
@media (max-width: 760px) {
  .stMainBlockContainer :is(.stVerticalBlock, .stHorizontalBlock) {gap: 0.5rem;}
  .stColumn .stVerticalBlock .stVerticalBlock {padding-block: 0.6rem;}
  .stColumn .stHtml p {margin-bottom: 0;}
  .dp-main > .dp-busy {margin-top: -3.4rem;}
  .dp-figure :is(.dp-all, .dp-save) {display: none;}
  .st-key-hero .dp-plot {height: 46vh;}
  .stColumn .dp-figure .dp-plot {height: 5.8rem;}
  .stColumn .dp-later {min-height: 5.8rem !important;}
  .stColumn .dp-figure :is(.dp-panel-head, .dp-readouts, .dp-control, .dp-people, .dp-full) {display: none;}
}
</style>"""
# On paper cards stand beside each other; a title whose list is folded away is left out.
_PAPER = """
.stMainBlockContainer .stHorizontalBlock:not(.st-key-head *) {display: grid !important;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.5rem !important; margin-bottom: 0.5rem;}
.stMainBlockContainer .stHorizontalBlock:not(.st-key-head *) > .stColumn {
  min-width: 0 !important; break-inside: avoid;}
.stColumn .dp-figure :is(.dp-panel-head, .dp-readouts, .dp-people, .dp-full, .dp-caption) {display: none !important;}
.stElementContainer:has(h2):has(+ [data-testid="stLayoutWrapper"] details:not([open])) {display: none;}
"""


def draw(page: PageEntry) -> None:
    """Draw the start page, with the title and the question that ``page`` declares."""
    shell.header(T("heading"), page.question, opening=T("opening"))
    st.html(f"{_CSS}<style>{on_paper(_PAPER)}</style>")
    with st.container(key="hero"):
        st.fragment(cards.top)()
    _doors()
    for name, pages in cards.groups().items():
        st.header(name)
        cards.group(pages)
    _how()
    _lecture()
    _every_word()
    guarantee_card.looking()
    st.caption(T("sources"))


def _doors() -> None:
    for column, (door, pages) in zip(st.columns(3), words.DOORS.items(), strict=True):
        page = next((key for key in pages if shell.has_page(key)), None)
        with column.container(border=True, height="stretch"):
            if page:
                shell.page_link(page, f"**{T(f'doors.{door}.label')}**", icon="➡️")
            st.caption(T(f"doors.{door}.text"))


def _how() -> None:
    st.header(T("how.title"))
    seen = glossary.marked(T("opening"))
    for k, (column, key) in enumerate(zip(st.columns(4), words.HOW, strict=True)):
        marked = glossary.first_marks(T(f"how.{key}.text"), seen).replace("*", "")
        title = T(f"how.{key}.title")
        column.html(
            f"<p><strong>{title}</strong><br>{glossary.to_html(marked, prefix=f'how-{k}')}</p>"
        )


def _lecture() -> None:
    st.header(T("lecture.title"), anchor="lecture")
    columns = st.expander(T("lecture.links"), key="tour").columns(3)
    tour = [stop for stop in words.TOUR if shell.has_page(stop.page)]
    for k, stop in enumerate(tour):
        column = columns[k % 3]
        shell.page_link(stop.page, stop.label, inside=column, query_params=stop.link)
        column.caption(stop.text)


def _every_word() -> None:
    st.header(T("glossary.title"), anchor="glossary")
    with st.expander(
        T("glossary.words"), expanded=st.query_params.get("words") == "open", key="words"
    ):
        known = sorted(glossary.TERMS.items(), key=lambda item: item[0].lower())
        st.markdown("\n\n".join(f"### {term}\n{meaning}" for term, meaning in known))
    with st.expander(T("glossary.symbols"), key="symbols"):
        st.markdown(_SYMBOLS.read_text("utf-8"))
