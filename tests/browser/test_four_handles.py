"""ε, C, q and δ at Look: the figure follows each handle while it is dragged, at eight places."""

import pytest

from tests.browser import journey
from tests.browser.journey import (
    PATIENCE,
    at_value,
    grab,
    grid_of,
    live_figure,
    near,
    painted,
    picture,
)

pytestmark = pytest.mark.browser
PLACES = (0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.85, 0.97)
HANDLES = {
    "C, cap": "clip_norm", "q, sample": "sample_rate", "δ, slack": "delta", "ε, privacy parameter": "epsilon",
}  # fmt: skip
PAGES = {
    "relevance": ("private", "dataset=iris&epsilon=2&epochs=10", HANDLES),
    "matrix": ("profile", "dataset=iris&epsilon=2&epochs=10", HANDLES),
    # Its ε is that of the whole training, from which σ follows.
    "descent": ("border", "budget=0.5", HANDLES | {"ε, privacy parameter": "budget"}),
    "network": ("wall", "", HANDLES),
}
"""The panel, the link and the handles of each page."""


def numbers(page):
    return page.locator(".dp-tile").all_inner_texts()


@pytest.mark.parametrize("name", PAGES)
def test_figure_and_numbers_follow_every_handle_at_look(page, address, name):
    panel, link, handles = PAGES[name]
    journey.opened(page, address, f"{name}?depth=look&{link}")
    for label, parameter in handles.items():
        near(page, label)
        values, pictures, tiles = drawn_at_places(page, name, label, parameter, panel)
        assert len(values) >= 5  # as many as the grid of the handle has under the pointer
        # Neighbours of a long grid may be drawn alike.
        assert len(pictures) >= len(values) - 2, label
        assert len(tiles) > 1, label
        journey.settled(page, name=name)


def drawn_at_places(page, name, label, parameter, panel):
    """Drag a handle over its track and back: the values, pictures and numbers that are met.

    Let go where it was, it leaves nothing to compute anew.
    """
    value = live_figure(page, f"figure.values.{parameter}", name=name)
    rest = at_value(page, label, grid_of(name, parameter), value)
    grab(page, label, rest)
    page.mouse.down()
    values, pictures, tiles = set(), set(), set()
    for share in PLACES:
        grab(page, label, share)
        painted(page)
        if name == "network":  # Python has the networks of other C, q and δ
            page.wait_for_function(f"!window.__dpLive['{name}'].stats.waiting", timeout=PATIENCE)
        values.add(live_figure(page, f"figure.values.{parameter}", name=name))
        pictures.add(picture(page, panel))
        found = numbers(page)
        assert "–" not in found[0], found  # what the page is about is known wherever the handle is
        tiles.add(tuple(found))
    grab(page, label, rest)
    page.mouse.up()
    return values, pictures, tiles
