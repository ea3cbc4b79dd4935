"""The figures of the start page: the pages' own figures made small, sent when a reader comes near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import streamlit as st

from pages import specs
from pages.home.miniatures import shrink
from ui import shell
from ui.live import Figure, component
from ui.page_spec import PageEntry, miniature

__all__ = ["figure_of", "first", "group", "groups", "hero"]

_HEIGHT = 440  # of a card's figure with its slider and numbers


@lru_cache(maxsize=32)
def figure_of(key: str) -> Figure:
    """Return the miniature of a page: the same for everybody, so made once."""
    spec = next(spec for spec in specs() if spec.key == key)
    assert spec.card is not None  # that of a page without one is asked of nobody
    return shrink(miniature(spec), spec.card)


def first() -> list[Figure]:
    """Return the figures that come first."""
    found = [spec.key for spec in specs() if spec.card and spec.card.first]
    return [replace(figure_of(key), compact=False) for key in found]


def hero() -> None:
    """Draw the figures that come first over the whole width, with the hundred people."""
    for figure in first():
        st.fragment(_hero)(figure)


def _hero(figure: Figure) -> None:
    component.show(component.kept(figure, key="miniature"), key="miniature")


def groups() -> dict[str, list[PageEntry]]:
    """Return the pages that have a miniature, in the groups of the navigation."""
    found: dict[str, list[PageEntry]] = {}
    for spec in specs():
        if spec.card:
            found.setdefault(spec.group, []).append(spec)
    return found


def group(pages: Sequence[PageEntry]) -> None:
    """Draw the cards of one group, as many in a row as there are, three at most."""
    columns = st.columns(min(len(pages), 3))
    for k, spec in enumerate(pages):
        with columns[k % len(columns)], st.container(border=True):
            shell.page_link(spec.key, f"**{spec.title}**", icon="➡️")
            st.caption(spec.question)
            st.fragment(_card)(spec.key)


def _card(key: str) -> None:
    name = f"mini_{key}"
    if component.is_seen(name):
        component.show(component.kept(figure_of(key), key=name), key=name)
    else:
        component.show_later(key=name, height=_HEIGHT)
