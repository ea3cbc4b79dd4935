"""The cards of the home page: every page with its question and a miniature that really computes."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from pages import specs
from pages.home.miniatures import shrink
from ui import shell
from ui.live import Figure
from ui.live.component import show
from ui.page_spec import miniature

__all__ = ["draw", "figure_of", "opening"]


@lru_cache(maxsize=32)
def figure_of(key: str) -> Figure:
    """Return the miniature of a page: the same for everybody, so made once."""
    spec = next(spec for spec in specs() if spec.key == key)
    assert spec.card is not None  # that of a page without one is asked of nobody
    return shrink(miniature(spec), spec.card)


def opening(text: str) -> None:
    """Draw the text beside the miniatures that come first, with links to their pages."""
    first = [spec for spec in specs() if spec.card and spec.card.first]
    left, right = st.columns([1, 1.5], gap="large")
    left.markdown(text)
    for spec in first:
        label = f"Open {spec.title[0].lower()}{spec.title[1:]}"
        shell.page_link(spec.key, label, inside=left, icon="➡️")
        with right:
            show(figure_of(spec.key), key="miniature")


def draw() -> None:
    """Draw all cards, three in a row."""
    columns = st.columns(3)
    shown = [spec for spec in specs() if spec.card and not spec.card.first]
    for k, spec in enumerate(shown):
        with columns[k % 3], st.container(border=True):
            shell.page_link(spec.key, f"**{spec.title}**", icon="➡️")
            st.caption(spec.question)
            small = figure_of(spec.key)
            st.fragment(
                lambda live_figure=small, key=spec.key: show(live_figure, key=f"mini_{key}")
            )()
