"""ε, C, q and δ at Look: the figure follows each handle while it is dragged, at eight places."""

from functools import partial

import pytest

from tests.browser import journey
from tests.browser.journey import grab, near, painted, picture

pytestmark = pytest.mark.browser
PLACES = (0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.85, 0.97)
PANELS = {"relevance": "private", "matrix": "profile"}
HANDLES = {
    "ε, privacy parameter": "epsilon", "C, cap": "clip_norm", "q, sample": "sample_rate", "δ, slack": "delta",
}  # fmt: skip


def numbers(page):
    return page.locator(".dp-tile").all_inner_texts()


@pytest.mark.parametrize("handle", HANDLES)
@pytest.mark.parametrize("name", PANELS)
def test_figure_and_numbers_follow_every_handle_at_look(page, address, name, handle):
    journey.opened(page, address, f"{name}?depth=look&dataset=iris&epsilon=2")
    live_figure = partial(journey.live_figure, name=name)
    near(page, handle)
    grab(page, handle, PLACES[3])
    page.mouse.down()
    values, pictures, tiles = set(), set(), set()
    for share in PLACES:
        grab(page, handle, share)
        painted(page)
        values.add(live_figure(page, f"figure.values.{HANDLES[handle]}"))
        pictures.add(picture(page, PANELS[name]))
        found = numbers(page)
        assert "–" not in found[0], found  # what the page is about is known wherever the handle is
        tiles.add(tuple(found))
    page.mouse.up()
    assert len(values) >= 6  # as many as the grid of the handle has under the pointer
    assert len(pictures) >= len(values) - 2, handle  # neighbours of a long grid may be drawn alike
    assert len(tiles) > 1
