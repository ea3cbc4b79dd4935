"""Interactive figure of the Asking again page, for the chosen topic."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dpcore.experiments.queries import QueriesParams
from pages.queries import topic_again as again
from pages.queries import topic_bounds as bounds
from pages.queries import topic_choosing as choosing
from pages.queries import topic_group as group
from pages.queries import topic_linkage as linkage
from pages.queries import topic_neighbours as neighbours
from pages.queries import topic_numbers as numbers
from pages.queries import topic_processing as processing
from pages.queries import topic_publish as publish
from pages.queries import topic_reconstruct as reconstruct
from pages.queries.controls import CONTROLS
from pages.queries.topic import Topic
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import PageControl, live_controls
from ui.live import Text
from ui.live.depth import Depth

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = ["figure", "meaning", "topic"]

_TOPICS: dict[str, Topic] = {
    "again": again.TOPIC,
    "group": group.TOPIC,
    "neighbours": neighbours.TOPIC,
    "numbers": numbers.TOPIC,
    "processing": processing.TOPIC,
    "choosing": choosing.TOPIC,
    "bounds": bounds.TOPIC,
    "publish": publish.TOPIC,
    "reconstruct": reconstruct.TOPIC,
    "linkage": linkage.TOPIC,
}


def topic(params: QueriesParams) -> Topic:
    """Return the topic (`Topic`, a way of asking) that the parameters name."""
    return _TOPICS[params.topic]


def figure(state: PageState[QueriesParams]) -> live.Figure:
    """Return the live figure of the chosen topic, with its controls."""
    params, one = state.params, topic(state.params)
    result = one.gather(state)
    hidden = set(params.controls()) - {"topic", *one.shows}
    controls = live_controls(_at_depths(params), params, hide=tuple(hidden))
    # The way of asking decides which of the others there are: it stands right after ε.
    controls.sort(key=lambda control: control.name not in ("epsilon", "topic"))
    control_values = {
        name: value for name, value in common.values(params).items() if name not in hidden
    }
    return live.Figure(
        controls=[*controls, common.buttons(redraw=one.redraw and params.draws_noise)],
        values={name: value for name, value in control_values.items() if name != "options"},
        arrays=one.arrays(params, result),
        panels=one.panels(params, result),
        coords=one.coords,
        readouts=one.readouts(params),
        texts=one.odds(params, result),
        busy=state.busy,
    )


def _at_depths(params: QueriesParams) -> list[PageControl]:
    """Return the controls; the control of the topic is shown at the level *Look* unless the topic is the default.

    A link can open any topic at the level *Look*. The control then names the topic, and leads to the others.
    """
    usual = params.topic == QueriesParams().topic
    return [
        item if usual or item.name != "topic" else replace(item, depth=Depth.LOOK)
        for item in CONTROLS
    ]


def meaning(state: PageState[QueriesParams]) -> Text:
    """Return the sentence that summarizes the figure of the chosen topic."""
    one = topic(state.params)
    return one.meaning(state.params, one.gather(state))
