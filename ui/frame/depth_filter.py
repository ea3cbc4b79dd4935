"""Restriction of a page's figure to one level of detail."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ui import live
from ui.figure_kit import detail_level, nominal
from ui.figure_kit.controls import moving_once
from ui.live.depth import Depth
from ui.runner import PageState
from ui.runner.figure_cache import FIGURES
from ui.words import glossary

if TYPE_CHECKING:
    from ui.frame.page_spec import PageSpec

__all__ = ["shown"]


def shown(spec: PageSpec[Any], state: PageState[Any], depth: Depth) -> live.Figure:
    """Return the figure of a page at one level of detail."""
    return FIGURES.of(
        spec, state, depth, lambda: _figure_at(spec, state, depth), besides=lambda: _offered(spec)
    )


def _offered(spec: PageSpec[Any]) -> tuple[Hashable, ...]:
    """Return the options that the page's choices offer on this server, depending on its data folder."""
    fields = spec.params.controls()
    return tuple(
        value
        for item in spec.controls
        if item.offered is not None
        for value in fields[item.name].choices or ()
        if item.offered(value)
    )


def _figure_at(spec: PageSpec[Any], state: PageState[Any], depth: Depth) -> live.Figure:
    figure = spec.figure(state)
    whole = detail_level.with_meaning(figure, spec.meaning(state))
    marked = nominal.marked(whole, state.status, tabs=spec.own_in_tabs)
    usual = vars(spec.params())
    part = detail_level.at_depth(detail_level.unseen(marked, depth, usual), depth)
    if depth is Depth.LOOK and state.params == spec.params():
        part = _moving_once(part, spec)
    return detail_level.with_terms(part, glossary.marked(spec.opening_at(state.params)))


def _moving_once(figure: live.Figure, spec: PageSpec[Any]) -> live.Figure:
    """Return the figure of the default parameters with the slider that moves once by itself.

    The figure is unchanged if the page has no such slider.
    """
    if spec.sways:
        return moving_once(figure, spec.sways)
    return moving_once(figure, spec.rises, "rises") if spec.rises else figure
