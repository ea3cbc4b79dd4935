"""Small versions of the pages' figures for the cards of the start page, at the level of detail *Look*."""

from __future__ import annotations

from dataclasses import replace

from ui.figure_kit import thumbnail
from ui.figure_kit.controls import moving_once
from ui.frame.page_spec import Card
from ui.live import Figure
from ui.live.depth import Depth

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card, *, first: bool = False) -> Figure:
    """Return a small version of a figure, with the panel and the controls that ``card`` names.

    If ``first`` is true, the version is higher and has the sentences of the figure. Otherwise the first slider
    moves by itself, once, when the card comes into view.
    """
    height = 380 if first else 250
    seen = [panel.at(Depth.LOOK) for panel in whole.panels]
    small = thumbnail.shrink(
        replace(whole, panels=seen), card.panel, card.keep, height=height, texts=first
    )
    return small if first or not card.keep else moving_once(small, card.keep[0])
