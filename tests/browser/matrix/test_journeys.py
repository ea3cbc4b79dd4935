"""A journey through the matrix page in a real browser."""

from functools import partial

import pytest

from tests.browser import journey
from tests.browser.journey import answered, grab, heard, listening, near, painted, picture, slider

pytestmark = pytest.mark.browser
NAME = "matrix"
live_figure, settled = (partial(act, name=NAME) for act in (journey.live_figure, journey.settled))


def opened(page, address, query=""):
    journey.opened(page, address, f"{NAME}{query}")


HANDLES = ("ε, privacy parameter", "q, sample")


SHOWN = ("profile", "heat", "proto", "accuracy", "sigma")


def test_handles_link_and_buttons_and_the_printed_noise_is_refused_above_its_range(page, address):
    opened(page, address, "?dataset=iris&epsilon=5&rank=2&seed=4&epochs=10")
    for name in HANDLES:
        _moved(page, name)
    drawn = {name: live_figure(page, f"figure.slice('{name}')") for name in SHOWN}
    opened(page, address, page.url.split("/matrix")[1])
    for name, values in drawn.items():
        assert live_figure(page, f"figure.slice('{name}')") == values, name
    _printed_noise(page)


def _moved(page, name):
    """Drag a handle: the picture moves before it is let go, the link after."""
    near(page, name)
    grab(page, name, 0.5)
    page.mouse.down()
    page.wait_for_timeout(200)
    before, mounts = picture(page, "profile"), live_figure(page, "figure.stats.mounts")
    listening(page, name=NAME)
    box = grab(page, name, 0.2)
    page.wait_for_timeout(200)
    assert picture(page, "profile") != before, name
    assert heard(page) == set(), "the server was told before the handle was let go"
    page.mouse.move(box["x"] + box["width"] * 0.2, box["y"] + 5)
    page.mouse.up()
    drawn = live_figure(page, "figure.slice('profile')")
    settled(page)
    field = {"ε": "epsilon", "q": "sample_rate"}[name[0]]
    assert f"{field}={live_figure(page, f'figure.values.{field}'):g}" in page.url
    assert live_figure(page, "figure.stats.mounts") == mounts
    # What was drawn ahead is what Python answers, but for what lies between noise levels.
    assert live_figure(page, "figure.slice('profile')") == pytest.approx(drawn, abs=0.1)


def _printed_noise(page):
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    assert live_figure(page, "figure.pinned('profile')")
    page.get_by_role("button", name="The 2018 paper's settings").click()
    settled(page)
    page.get_by_text("The claim holds when every record").first.wait_for()
    slider(page, "ε, privacy parameter").focus()
    page.keyboard.press("End")
    settled(page)
    page.locator("dt", has_text="it really costs").wait_for()
    assert live_figure(page, "figure.slice('real_epsilon')")[0] > 100  # of a claimed 20
    page.get_by_text("The claim does not hold").first.wait_for()
    page.get_by_text("Table 1 of Brinkrolf, Berger and Hammer (2018) beside ours").click()
    page.get_by_text("costs more than it claims").wait_for()
    page.get_by_role("cell", name="Segment GMLVQ").first.wait_for()
    page.get_by_role("button", name="Reset", exact=True).click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.recipe === 'tight'")


def test_own_csv_from_upload_to_profile(page, address):
    opened(page, address, "?dataset=own&epochs=10")
    rows = "\n".join(f"{i % 59}.5,{(i * 7) % 53}.25,{'ab'[i % 59 > 29]}" for i in range(118))
    answered(page, "own.csv", f"x,y,kind\n{rows}".encode(), predicts="kind")
    page.get_by_role("button", name="Use this table").click()
    page.wait_for_function(f"window.__dpLive['{NAME}'].values.dataset === 'own'")
    settled(page)
    page.get_by_text("proof: none").wait_for()
    assert len(live_figure(page, "figure.slice('profile')")) == 4
