"""Cards of the start page, each with a small version of a page's figure.

The figure of a card is sent when the user scrolls near the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import streamlit as st

from pages import specs
from pages.home.hero import hero
from pages.home.miniatures import shrink
from ui.frame import shell
from ui.frame.page_spec import PageEntry, PageSpec, miniature
from ui.live import Figure, component

__all__ = ["figure_of", "first", "group", "groups", "top"]

_HEIGHT = 440  # of a card's figure with its slider and numbers
_TOP = "miniature"


@lru_cache(maxsize=32)
def figure_of(key: str, *, first: bool = False) -> Figure:
    """Return the small figure on the card of the page ``key``, cached for all sessions.

    If ``first`` is true, return the larger version at the top of the start page.
    """
    spec = next(spec for spec in specs() if spec.key == key)
    assert spec.card is not None  # that of a page without one is asked of nobody
    small = shrink(miniature(spec), spec.card, first=first)
    return hero(small) if first else small


@cache
def first() -> list[Figure]:
    """Return the figures at the top of the start page, one for each page whose card is marked as first."""
    keys = [spec.key for spec in specs() if spec.card and spec.card.first]
    return [figure_of(key, first=True) for key in keys]


def top() -> None:
    """Draw the figures at the top of the start page in full width."""
    for figure in first():
        component.show(component.with_user_values(figure, key=_TOP), key=_TOP)


def groups() -> dict[str, list[PageEntry]]:
    """Return the pages with a figure, for each group of the navigation."""
    by_group: dict[str, list[PageEntry]] = {}
    for spec in specs():
        if isinstance(spec, PageSpec):
            by_group.setdefault(spec.group, []).append(spec)
    return by_group


def group(pages: Sequence[PageEntry]) -> None:
    """Draw the cards of one group of pages in rows of two or three."""
    wide = 3 if len(pages) % 3 != 1 else 2
    for first in range(0, len(pages), wide):
        row = pages[first : first + wide]
        for spec, column in zip(row, st.columns(min(wide, len(pages))), strict=False):
            with column.container(border=True, height="stretch"):
                shell.page_link(spec.key, f"**{spec.title}**", icon="➡️")
                st.caption(spec.question)
                if spec.card:
                    st.fragment(_card)(spec.key)


def _card(key: str) -> None:
    name = f"mini_{key}"
    if component.is_seen(name):
        component.show(component.with_user_values(figure_of(key), key=name), key=name)
    else:
        component.show_later(key=name, height=_HEIGHT)
