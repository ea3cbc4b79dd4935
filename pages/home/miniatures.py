"""Miniatures of live figures for the cards of Home, at the depth Look."""

from __future__ import annotations

from dataclasses import replace

from ui.figure_kit import thumbnail
from ui.frame.depth import Depth
from ui.frame.page_spec import Card
from ui.live import Figure

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card, *, first: bool = False) -> Figure:
    """Return a small live figure with the card's panel and controls; ``first``: larger, with sentences."""
    height = 380 if first else 250
    seen = [panel.at(Depth.LOOK) for panel in whole.panels]
    return thumbnail.shrink(
        replace(whole, panels=seen), card.panel, card.keep, height=height, texts=first
    )
