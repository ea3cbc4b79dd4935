"""Journeys over the handles of private training at Look: ε, δ, C and q move picture, numbers and sentence."""

import pytest

from tests.browser import journey
from tests.browser.journey import (
    PATIENCE,
    at_value,
    grab,
    grid_of,
    live_figure,
    near,
    picture,
    slider,
)

pytestmark = pytest.mark.browser
PLACES = 8
HANDLES = {
    "epsilon": "ε, privacy parameter",
    "delta": "δ, slack",
    "clip_norm": "C, cap",
    "sample_rate": "q, sample",
}
# C and q of the autoencoder's networks are drawn here as well: tests/pages/autoencoder compares what they draw.
# At a large ε its attacker finds 100 in 100 at every δ.
AUTOENCODER = {"delta": "δ, slack", "epsilon": "ε, claimed privacy parameter"}
PAGES = {
    "regression": ("regression?depth=look&method=descent&epsilon=0.5", HANDLES, dict.fromkeys(HANDLES, "fits")),
    "autoencoder": (
        "autoencoder?depth=look&epsilon=0.2", AUTOENCODER,
        dict.fromkeys(AUTOENCODER, "face"),
    ),
}  # fmt: skip


def numbers(page):
    return page.locator(".dp-readouts dd").all_inner_texts()


def drawn_at_places(page, name, parameter, label, panel):
    """Drag a handle over its track and back: what is drawn and what is read at each of its values that are met.

    Let go where it was, it leaves nothing to compute anew.
    """
    grid = grid_of(name, parameter)
    rest = live_figure(page, f"figure.values.{parameter}", name=name)
    n = min(PLACES, len(grid))
    slider(page, label).scroll_into_view_if_needed()
    grab(page, label, 0.5)
    page.mouse.down()
    found, value = [], None
    for k in range(n):
        # A place between two values is nobody's.
        place = grid[round(k * (len(grid) - 1) / (n - 1))]
        grab(page, label, at_value(page, label, grid, place))
        now = f"window.__dpLive['{name}']"
        page.wait_for_function(f"{now}.values.{parameter} !== {value or 'null'}", timeout=PATIENCE)
        page.wait_for_function(f"!{now}.stats.waiting", timeout=PATIENCE)
        value = live_figure(page, f"figure.values.{parameter}", name=name)
        found.append((value, picture(page, panel), numbers(page)))
    grab(page, label, at_value(page, label, grid, rest))
    page.mouse.up()
    return found


@pytest.mark.parametrize("name", PAGES)
def test_every_handle_moves_the_picture_and_the_numbers_at_look(page, address, name):
    path, handles, panels = PAGES[name]
    journey.opened(page, address, path)
    if name == "autoencoder":  # its numbers come after a guess
        assert not page.locator(".dp-tile").first.is_visible()
        page.locator(".dp-face").first.click()
    for parameter, label in handles.items():
        near(page, label)
        panel = page.locator(f"[data-panel='{panels[parameter]}']")
        panel.wait_for(timeout=PATIENCE)
        found = drawn_at_places(page, name, parameter, label, panels[parameter])
        values, pictures, read = zip(*found, strict=True)
        assert len(set(values)) == len(values), (parameter, values)
        assert len(set(pictures)) == len(pictures), (parameter, values)
        # The attacker of the autoencoder, its one number, finds 100 in 100 from a small ε on.
        least = len(read) // 2 + (name != "autoencoder")
        assert len(set(map(tuple, read))) >= least, (parameter, read)
        assert not any(number == "–" for row in read for number in row), (parameter, read)
        journey.settled(page, name=name)


def test_a_handle_without_meaning_is_not_there(page, address):
    labels = [HANDLES[name] for name in ("clip_norm", "sample_rate", "delta")]
    journey.opened(page, address, "regression?depth=look")
    assert [slider(page, label).count() for label in labels] == [0, 0, 0]
    method = page.get_by_role("combobox", name="method", exact=True)
    assert method.locator("option").count() == 2
    method.select_option(label="Private gradient descent")
    places = []
    for label in labels:
        slider(page, label).wait_for(timeout=PATIENCE)
        places.append(slider(page, label).bounding_box()["y"])
    assert places == sorted(places)  # where they belong, not behind what was there before
    method.select_option(label="Noisy objective, one joint release")
    slider(page, labels[0]).wait_for(state="detached", timeout=PATIENCE)
