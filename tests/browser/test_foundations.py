"""Journeys through the pages of the foundations in a real browser: drag, commit, link, play."""

import pytest

from tests.browser.journey import lab, opened, picture

pytestmark = pytest.mark.browser

# page, the slider that is dragged, a panel whose picture must move before it is let go
PAGES = [
    ("mechanisms", "ε, privacy loss", "worlds", "epsilon"),
    ("mechanisms?noise=gaussian", "k, people who differ", "worlds", "group"),
    ("budget", "σ, noise multiplier", "spent", "noise_multiplier"),
    ("budget?mechanism=laplace", "T, questions", "spent", "n_steps"),
    ("descent?model=logistic&n_steps=20", "σ, noise multiplier", "border", "noise_multiplier"),
]


@pytest.mark.parametrize(("path", "name", "panel", "parameter"), PAGES)
def test_dragging_moves_the_picture_and_letting_go_writes_the_link(
    page, address, path, name, panel, parameter
):
    key = path.split("?")[0]
    opened(page, address, path)
    before, events = picture(page, panel), lab(page, "lab.stats.events", name=key)
    handle = page.get_by_role("slider", name=name, exact=True)
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.85, y, steps=4)
    page.wait_for_timeout(250)
    assert picture(page, panel) != before
    assert lab(page, "lab.stats.events", name=key) == events  # the server was told nothing yet
    page.mouse.up()
    page.wait_for_function(f"window.__dpLive['{key}'].stats.events > {events}")
    page.wait_for_function(f"!window.__dpLive['{key}'].stats.waiting")
    value = lab(page, f"lab.values.{parameter}", name=key)
    page.wait_for_function(f"location.search.includes('{parameter}={value:g}')")
    drawn = picture(page, panel)
    opened(page, address, page.url.split("/", 3)[3])
    assert lab(page, f"lab.values.{parameter}", name=key) == value
    assert picture(page, panel) == drawn


def test_a_training_plays_and_keeps_its_place(page, address):
    opened(page, address, "descent?model=logistic&n_steps=20")
    slider = page.get_by_role("slider", name="training", exact=True)
    slider.press("Home")
    start = picture(page, "border")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("window.__dpLive.descent.values.progress === 100", timeout=20_000)
    assert picture(page, "border") != start
    slider.press("ArrowLeft")
    page.wait_for_timeout(600)
    page.wait_for_function("!window.__dpLive.descent.stats.waiting")
    assert lab(page, "lab.values.progress", name="descent") == 95


def test_the_ledger_adds_up_undoes_and_lives_in_the_link(page, address):
    opened(page, address, "budget")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function("location.search.includes('ledger=L0.5')")
    page.get_by_text("true total (PLD)").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function(
        "location.search.includes('L0.5%2CL0.5') || location.search.includes('L0.5,L0.5')"
    )
    slider = page.get_by_role("slider", name="T, questions", exact=True)
    slider.press("ArrowRight")  # a commit of the figure leaves the ledger alone
    page.wait_for_function("location.search.includes('n_steps=2000')")
    assert "L0.5" in page.url
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_function(
        "!location.search.includes('L0.5%2C') && !location.search.includes('L0.5,')"
    )
