"""Frame common to all pages: header, links, presenter view, and initialization of the server process."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Sequence
from functools import cache
from html import escape as escape_html
from typing import Any

import streamlit as st
from streamlit.commands.page_config import MenuItems
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

import dpcore
from ui.export import origin
from ui.frame.paper import PAPER_CSS
from ui.jobs import render_queue
from ui.live.depth import Depth
from ui.words import escape, glossary, text

__all__ = [
    "FRAME_CSS", "LOOK_CSS", "WARM_THREAD", "address", "frame", "has_page", "header", "heading", "introduction",
    "menu", "page_link", "problems", "rerun_from_part", "runs_partly", "script", "warm_up",
]  # fmt: skip

T = text.load_text(__file__)
WARM_THREAD = "warm"  # the name of the thread that imports the pages and draws Home
_PAGES = "pages"  # the keys of all pages, in the session's state
_PRESENTER_CSS = """<style>
html {font-size: 125%;}
[data-testid="stHeader"], .dp-caption, .dp-ends, .dp-save {display: none !important;}
.stMainBlockContainer {max-width: 100% !important; padding: 0.8rem 1.5rem !important;}
.stMainBlockContainer > .stVerticalBlock {gap: 0.6rem;}
.dp-figure .dp-busy:popover-open {inset: auto 0.6rem 0.6rem auto;} /* there is no bar above the page */
</style>"""
_HEAD_CSS = """<style>
@media (min-width: 1000px) { /* one screen holds the figure, its handles and its numbers */
  .stMainBlockContainer {padding-inline: 2rem;}
  .stMainBlockContainer > .stVerticalBlock {gap: 0.5rem;}
  .dp-opening {max-width: none; font-size: 0.95rem;}
  .dp-row:not(.dp-section):has(> .dp-panel:nth-child(3):last-child) {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
  .dp-row:not(.dp-section) > .dp-panel:nth-child(3):last-child {grid-column: auto;}
  .dp-row:has(> .dp-panel:nth-child(3):last-child) .dp-save {display: none;}
}
</style>"""
LOOK_CSS = """<style>
@media (min-width: 1000px) and (min-height: 801px) { /* the figure grows with the window */
  .dp-row:not(.dp-section) .dp-plot {height: clamp(var(--height, 380px), 100vh - 25rem, 40rem);}
}
/* A caption stands behind the button "More", but for pictures that have no axes to say what they are. */
.dp-figure .dp-panel:not([data-kind="mosaic"]) .dp-caption:not(.dp-words, .dp-whole) {display: none;}
.dp-figure .dp-tap:not([hidden]) {display: block; margin-top: 0.3rem; color: var(--faint); font-size: 0.85rem;}
@media (min-width: 1000px) and (max-height: 800px) {
  .dp-figure .dp-main .dp-caption:not(.dp-words, .dp-whole) {display: none;} /* so that the numbers are in sight */
}
@media (max-height: 800px) {.dp-row:not(.dp-section) .dp-plot {height: min(var(--height, 380px), 38vh);}}
@media (max-width: 760px) {
  .dp-row:not(.dp-section) .dp-plot {height: min(var(--height, 380px), 56vw);}
  .dp-row:not(.dp-section) > [data-kind="map"] .dp-plot {height: min(var(--height, 380px), 92vw);} /* as wide */
  .dp-main:not(:has(.dp-tile)) > .dp-row:not(.dp-section) .dp-plot {height: min(var(--height, 380px), 84vw, 38vh);}
  .dp-figure .dp-caption:not(.dp-words, .dp-whole), .dp-figure .dp-save {display: none;}
  /* The first picture, the sentence and the numbers; then the other pictures. */
  .dp-main {display: flex; flex-direction: column;}
  .dp-main > .dp-row:not(.dp-section) {display: contents;}
  .dp-main > .dp-row:not(.dp-section) > .dp-panel {order: -3;}
  .dp-main > .dp-row:not(.dp-section) > .dp-panel:nth-child(n + 2) {order: 1; margin-top: 1rem;}
  .dp-main > .dp-row:not(.dp-section):has(.dp-leads) > .dp-panel {order: 1; margin-top: 1rem;}
  .dp-main > .dp-row:not(.dp-section) > .dp-panel.dp-leads {order: -3; margin-top: 0;}
  .dp-main > .dp-group {order: -2; margin-top: 0.5rem;} /* the handles below the picture that they move */
  /* The map of people stands above the buttons that speak of it. */
  .dp-main > .dp-row:not(.dp-section) > .dp-panel.dp-bears:nth-child(n + 2):not(.dp-leads) {order: -1;
    margin-top: 0.6rem;}
  .dp-main > :is(.dp-tabs, .dp-sections) {order: 2;}
  .dp-main > .dp-busy {order: 3; margin-top: -2rem;}
}
</style>"""
FRAME_CSS = """<style>
@keyframes dp-more {from, 96% {--dp-more: 3rem;} to {--dp-more: 0px;}}
.stMainBlockContainer {padding-top: 4.1rem; padding-bottom: 3rem; max-width: 110rem;}
.stMainBlockContainer h1.dp-title {font-size: 1.9rem; line-height: 1.15; padding: 0; margin: 0;}
.stMainBlockContainer h2 {font-size: 1.3rem; padding-top: 0.5rem;}
.stMainBlockContainer h3 {font-size: 1.1rem; padding: 0.4rem 0 0.1rem;}
[data-testid="stCaptionContainer"] {opacity: 0.78;} /* less gives too little contrast */
.stMainBlockContainer .stMarkdown blockquote {opacity: 0.85; color: inherit;}
/* A choice that is not made has to be seen as one: 3 : 1 against the page. */
[data-testid="stRadioOption"]:not([data-selected]) > div > div:first-child {
  border-color: color-mix(in srgb, currentColor 60%, transparent);}
[data-testid="stBaseButton-primary"] {color: light-dark(#fff, #11141c);}
/* A menu that is folded away is not a stop of the Tab key. */
.stApp:has([data-testid="stExpandSidebarButton"]) [data-testid="stSidebar"] {visibility: hidden;}
.dp-question {font-size: 1.15rem; font-weight: 600; margin: 0.15rem 0 0;}
.dp-opening {max-width: 66rem; margin: 0;}
.stMainBlockContainer h1 + .dp-question {max-width: 60rem;}
@media (min-width: 1000px) {
  .stMainBlockContainer :is(h1.dp-title, .dp-question) {display: inline;}
  .stMainBlockContainer h1.dp-title {margin-right: 0.8rem;}
  .st-key-head {margin-bottom: -0.5rem;}
  /* The title takes what the choice of a depth and the presenter's switch leave. */
  .st-key-head [data-testid="stColumn"] {flex: 1 1 0; width: auto; min-width: 0;}
  .st-key-head [data-testid="stColumn"]:last-child {flex: none; width: max-content;}
  .st-key-head .st-key-depths {flex-wrap: nowrap;}
}
@media (max-width: 900px) { /* the choice of a depth below the title, whole */
  .st-key-head [data-testid="stColumn"] {min-width: 100%;}
  .st-key-head .st-key-depths {justify-content: flex-start;}
  /* While Streamlit loads the choice, its place is as high as the choice: the figure below stays where it is. */
  .st-key-depth [data-testid="stSkeleton"] {height: 2rem;}
}
@media (max-width: 760px) {
  .stMainBlockContainer {padding-top: 3.95rem;} /* the bar above covers no ring of the focus */
  .stMainBlockContainer > .stVerticalBlock {gap: 0.6rem;}
  .st-key-presenter {display: none;}
  .dp-opening {font-size: 0.92rem; line-height: 1.35;}
  .stMainBlockContainer h1.dp-title {font-size: 1.5rem;}
  .stMainBlockContainer .stMarkdown table {display: block; overflow: auto hidden; max-width: 100%;}
  @supports (animation-timeline: scroll()) { /* a table fades out where there is more of it to the side */
    .stMainBlockContainer .stMarkdown table {
      animation: dp-more linear both; animation-timeline: scroll(self inline);
      mask-image: linear-gradient(to right, #000 calc(100% - var(--dp-more, 0px)), transparent calc(100% + 1px));
    }
  }
  .dp-question {font-size: 1rem;}
  .stMainBlockContainer .katex-display > .katex {white-space: normal;} /* a long formula breaks at its signs */
}
.st-key-own_wizard [data-tag] {color: inherit;
  background: color-mix(in srgb, currentColor 12%, transparent);}
.st-key-own_wizard h3 {font-size: 1.1rem; padding: 0.2rem 0;}
@media (min-width: 1100px) {
  .st-key-stage:has(.st-key-own_wizard) {
    display: grid; grid-template-columns: minmax(0, 1fr) 25rem; align-items: start;
  }
  .st-key-own_wizard > :has(> .st-key-own_preview) {position: sticky; top: 3.8rem; z-index: 2;
    background: var(--st-background-color, Canvas);}
}
/* Until the styles of the figure have come, which know more of an explained word. */
:where(.dp-term) {all: unset;}
:where(.dp-tip) {display: none;}
.dp-prose {max-width: 46rem; font-size: 1.05rem; line-height: 1.55; margin: 0 0 0.7rem;}
</style>"""


@cache
def warm_up(first: Callable[[], object]) -> threading.Thread:
    """Initialize the process in a background thread.

    The thread calls ``first``, and exempts the existing objects from garbage collection.
    """
    thread = threading.Thread(target=_warm, args=[first], name=WARM_THREAD, daemon=True)
    thread.start()
    return thread


def _warm(first: Callable[[], object]) -> None:
    gc.disable()  # imports make hardly any garbage, and would be looked through a dozen times
    try:
        first()
    finally:
        gc.enable()
    gc.collect()
    gc.freeze()  # the collector then skips what the imports made: 50 ms and more per rerun


def menu() -> MenuItems:
    """Return the entries of the application's menu: what it is, version, licence, citation, and declared source."""
    source = origin.source()
    linked = T("about.source", source=source) if source else ""
    return {
        "About": T("about.text", version=dpcore.__version__, citation=origin.citation()) + linked
    }


def frame(page: StreamlitPage, keys: Sequence[str]) -> None:
    """Run a page inside the common frame.

    ``keys`` are the keys of all existing pages.
    """
    st.session_state[_PAGES] = tuple(keys)
    st.html(FRAME_CSS + PAPER_CSS)
    if st.session_state.get("presenter"):
        st.html(_PRESENTER_CSS)
    with render_queue.turn():
        page.run()


def script(key: str) -> str:
    """Return the path of the script of the page ``key``, relative to the main script."""
    return f"{key}/page.py"


def has_page(key: str) -> bool:
    """Return whether the page ``key`` exists."""
    return key in st.session_state.get(_PAGES, ())


def address(page: str) -> str:
    """Return the URL of the application in the browser of the current page ``page``."""
    shown = (st.context.url or f"http://localhost:8501/{page}").partition("?")[0]
    return shown.rstrip("/").removesuffix(f"/{page}")


def page_link(key: str, label: str, *, inside: Any = st, **options: Any) -> None:
    """Draw a link to another page.

    Draw nothing if the page does not exist.
    """
    if has_page(key):
        inside.page_link(script(key), label=label, **options)


def header(
    title: str,
    question: str,
    *,
    opening: str = "",
    depths: bool = False,
    action: Callable[[], object] | None = None,
) -> None:
    """Draw a page's title, question, opening sentences, and choice of detail.

    ``action`` draws the button of what the page is for, beside the title.
    """
    left, right = st.container(key="head").columns([2.7, 1.7], vertical_alignment="top")
    left.html(heading(title, question))
    with right.container(
        key="depths", horizontal=True, horizontal_alignment="right", vertical_alignment="center"
    ):
        if depths:
            _choose_depth()
        if action:
            action()
        st.toggle(
            T("presenter.label"),
            key="presenter",
            persist_state="session",
            on_change=_presented,
            help=T("presenter.help"),
        )
    if depths:
        look = st.session_state.get("depth", Depth.LOOK) == Depth.LOOK
        st.html(_HEAD_CSS + LOOK_CSS if look else _HEAD_CSS)
    if opening:
        st.html(introduction(opening))


def heading(title: str, question: str) -> str:
    """Return the title of a page and the question it answers, as HTML."""
    return f'<h1 class="dp-title">{escape_html(title)}</h1><p class="dp-question">{escape_html(question)}</p>'


def introduction(opening: str, *, prefix: str = "opening") -> str:
    """Return a page's opening sentences as HTML, with glossary words explained.

    ``prefix`` makes the names of HTML elements unique.
    """
    marked = glossary.to_html(glossary.first_marks(opening), prefix=prefix)
    return f'<p class="dp-opening">{marked}</p>'


def _choose_depth() -> None:
    """Draw the choice of the level of detail."""
    st.session_state.setdefault("depth", Depth.LOOK)
    st.segmented_control(
        T("depths.choose"),
        list(Depth),
        key="depth",
        required=True,
        format_func=lambda depth: depth.words,
        label_visibility="collapsed",
        persist_state="session",
    )


def _presented() -> None:
    """Set the first level of detail in the presenter view.

    The page then starts with the figure.
    """
    if st.session_state.get("presenter"):
        st.session_state["depth"] = Depth.LOOK


def problems(sentences: list[str]) -> None:
    """Display messages about refused values."""
    for sentence in sentences:
        st.warning(escape.plain(sentence), icon="⚠️")


def runs_partly() -> bool:
    """Return whether Streamlit is running only fragments and not the whole page.

    In a run of the whole page no rerun is needed. A request for one would interrupt the run, and a
    file that was just uploaded would be lost.
    """
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def rerun_from_part() -> None:
    """Rerun the whole page if only a fragment is running.

    A run of the whole page is not interrupted.
    """
    if runs_partly():
        st.rerun()
