"""A page's own live figure as its card shows it."""

from __future__ import annotations

from ui.figure_kit import small
from ui.live import Figure
from ui.page_spec import Card

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card, *, first: bool = False) -> Figure:
    """Return a compact live figure with a card's panel and controls; the ``first`` is larger, with its sentences."""
    height = 330 if first else 250
    return small.shrink(whole, card.panel, card.keep, height=height, texts=first)
