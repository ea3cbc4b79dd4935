"""Home: what the app is, every page as a small figure that really computes, and where to begin."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.home import cards, words
from pages.home.spec import PAGE
from ui import shell

__all__ = ["draw"]


def draw() -> None:
    """Draw the page."""
    shell.header("DP Explorer", PAGE.question)
    cards.opening(words.WHAT)
    st.markdown("### The pages")
    cards.draw()
    st.markdown("### How to read a page in 60 seconds")
    for column, (title, text) in zip(st.columns(4), words.STEPS, strict=True):
        column.markdown(f"**{title}**  \n{text}")
    st.markdown("### Pictures to start a lecture with")
    columns = st.columns(3)
    tour = [stop for stop in words.TOUR if shell.has_page(stop[0])]
    for k, (page, label, link, text) in enumerate(tour):
        shell.page_link(page, label, inside=columns[k % 3], query_params=link)
        columns[k % 3].caption(text)
    st.markdown("### Every symbol")
    st.markdown(Path("assets/texts/glossary.md").read_text("utf-8"))
    st.caption(words.SOURCES)
