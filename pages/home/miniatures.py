"""Small versions of the pages' figures for the cards of Home, at the first level of detail (*Look*)."""

from __future__ import annotations

from dataclasses import replace

from ui.figure_kit import thumbnail
from ui.frame.depth import Depth
from ui.frame.page_spec import Card
from ui.live import Figure

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card, *, first: bool = False) -> Figure:
    """Return a small version of a figure, with the panel and the controls named by ``card``.

    ``first`` makes it higher and adds its sentences.
    """
    height = 380 if first else 250
    seen = [panel.at(Depth.LOOK) for panel in whole.panels]
    return thumbnail.shrink(
        replace(whole, panels=seen), card.panel, card.keep, height=height, texts=first
    )
