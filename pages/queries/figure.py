"""Interactive figure of the page Asking again, for the chosen topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcore.experiments.queries import QueriesParams
from pages.queries import topic_again as again
from pages.queries import topic_bounds as bounds
from pages.queries import topic_choosing as choosing
from pages.queries import topic_group as group
from pages.queries import topic_neighbours as neighbours
from pages.queries import topic_numbers as numbers
from pages.queries import topic_processing as processing
from pages.queries import topic_publish as publish
from pages.queries.controls import CONTROLS
from pages.queries.topic import Topic
from ui import live
from ui.figure_kit import common
from ui.figure_kit.controls import live_controls
from ui.live import Text

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
}


def topic(params: QueriesParams) -> Topic:
    """Return the `Topic` that the parameters choose."""
    return _TOPICS[params.topic]


def figure(state: PageState[QueriesParams]) -> live.Figure:
    """Return the live figure of the chosen topic, with its controls."""
    params, result, one = state.params, state["found"], topic(state.params)
    hidden = set(params.controls()) - {"topic", *one.shows}
    controls = live_controls(CONTROLS, params, hide=tuple(hidden))
    # The way of asking decides which of the others there are: it stands right after ε.
    controls.sort(key=lambda control: control.name not in ("epsilon", "topic"))
    control_values = {
        name: value for name, value in common.values(params).items() if name not in hidden
    }
    return live.Figure(
        controls=[*controls, common.buttons(redraw=one.redraw)],
        values={name: value for name, value in control_values.items() if name != "options"},
        arrays=one.arrays(params, result),
        panels=one.panels(params, result),
        coords=one.coords,
        readouts=one.readouts(params),
        texts=one.odds(params, result),
        busy=state.busy,
    )


def meaning(state: PageState[QueriesParams]) -> Text:
    """Return the sentence that summarizes the figure of the chosen topic."""
    return topic(state.params).meaning(state.params, state["found"])
