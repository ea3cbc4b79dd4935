"""Cards of the start page: small versions of the pages' figures, sent when the user scrolls near them."""

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
_HERO = 620
_TOP = "miniature"


@lru_cache(maxsize=32)
def figure_of(key: str, *, first: bool = False) -> Figure:
    """Return the small figure of a page's card, cached for all sessions; ``first``: the larger one at the top of
    Home.
    """
    spec = next(spec for spec in specs() if spec.key == key)
    assert spec.card is not None  # that of a page without one is asked of nobody
    small = shrink(miniature(spec), spec.card, first=first)
    return hero(small) if first else small


@cache
def first() -> list[Figure]:
    """Return the figures at the top of Home, of the pages whose card is marked as first."""
    keys = [spec.key for spec in specs() if spec.card and spec.card.first]
    return [figure_of(key, first=True) for key in keys]


def top() -> None:
    """Draw the figures at the top of Home in full width.

    They are computed when the browser requests them, so that the page itself does not wait.
    """
    if first.cache_info().currsize or component.is_seen(_TOP):
        for figure in first():
            component.show(component.kept(figure, key=_TOP), key=_TOP)
    elif any(spec.card and spec.card.first for spec in specs()):
        component.show_later(key=_TOP, height=_HERO)


def groups() -> dict[str, list[PageEntry]]:
    """Return the pages with a figure, by the group of the navigation that they belong to."""
    by_group: dict[str, list[PageEntry]] = {}
    for spec in specs():
        if isinstance(spec, PageSpec):
            by_group.setdefault(spec.group, []).append(spec)
    return by_group


def group(pages: Sequence[PageEntry]) -> None:
    """Draw the cards of one group in rows of two or three."""
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
        component.show(component.kept(figure_of(key), key=name), key=name)
    else:
        component.show_later(key=name, height=_HEIGHT)
