"""Small versions of the pages' figures for the cards of Home, at the first level of detail (*Look*)."""

from __future__ import annotations

from dataclasses import replace

from ui.figure_kit import thumbnail
from ui.frame.page_spec import Card
from ui.live import Figure, Slider
from ui.live.depth import Depth

__all__ = ["shrink"]


def shrink(whole: Figure, card: Card, *, first: bool = False) -> Figure:
    """Return a small version of a figure, with the panel and the controls named by ``card``.

    ``first`` makes the version higher and adds the figure's sentences. Otherwise its first slider moves by itself
    once, when the card comes into view.
    """
    height = 380 if first else 250
    seen = [panel.at(Depth.LOOK) for panel in whole.panels]
    small = thumbnail.shrink(
        replace(whole, panels=seen), card.panel, card.keep, height=height, texts=first
    )
    return small if first else _swaying(small, card)


def _swaying(small: Figure, card: Card) -> Figure:
    controls = [
        replace(one, sways=True) if isinstance(one, Slider) and one.name in card.keep[:1] else one
        for one in small.controls
    ]
    return replace(small, controls=controls)
