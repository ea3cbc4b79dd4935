"""The figure of a page as one depth shows it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from ui import glossary, live
from ui.depth import Depth
from ui.figure_kit import at_depth, nominal
from ui.made_figures import MADE
from ui.runner import PageState

if TYPE_CHECKING:
    from ui.page_spec import PageSpec

__all__ = ["shown"]


def shown(spec: PageSpec[Any], state: PageState[Any], depth: Depth) -> live.Figure:
    """Return the figure of a page as one depth shows it; all of it where the page has no depths."""
    return MADE.of(
        spec, state, depth, lambda: _made(spec, state, depth), besides=lambda: _offered(spec)
    )


def _offered(spec: PageSpec[Any]) -> tuple[Hashable, ...]:
    """What can be chosen on this server now: data sets come and go with its data folder."""
    fields = spec.params.controls()
    return tuple(
        value
        for item in spec.controls
        if item.offered is not None
        for value, _ in fields[item.name].choices or ()
        if item.offered(value)
    )


def _made(spec: PageSpec[Any], state: PageState[Any], depth: Depth) -> live.Figure:
    figure = spec.figure(state)
    if spec.meaning is None:
        return nominal.marked(figure, state.status, tabs=spec.own_in_tabs)
    whole = at_depth.with_meaning(figure, spec.meaning(state))
    marked = nominal.marked(whole, state.status, tabs=spec.own_in_tabs)
    usual = vars(spec.params())
    part = at_depth.at_depth(at_depth.unseen(marked, depth, usual), depth)
    return at_depth.with_terms(part, glossary.marked(spec.opening))
