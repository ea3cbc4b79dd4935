"""A page's own live figure as its card shows it."""

from __future__ import annotations

from ui.figure_kit import small
from ui.live import Figure
from ui.page_spec import Card

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card) -> Figure:
    """Return a compact live figure with a card's panel and controls."""
    height = 330 if card.first else 250
    return small.shrink(whole, card.panel, card.keep, height=height, texts=card.first)
