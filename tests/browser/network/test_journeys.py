"""A journey through the page Deep networks in a real browser."""

from functools import partial

import pytest

from tests.browser.journey import held, known, live_figure, near, opened, settled

EPSILON = "ε, privacy parameter"
NAME = "network"


@pytest.fixture
def of(page):
    return partial(live_figure, page, name=NAME)


def test_a_network_learns_while_one_looks_and_stops_when_asked(page, address):
    opened(page, address, "network?epochs=80", idle=False)
    known(page, "figure.slice('private_now')[0] > 0", name=NAME)
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_function("!window.__dpLive.network.stats.waiting")
    page.get_by_role("tab", name="MNIST").click()
    page.get_by_text("as we measured them").first.wait_for()


def test_the_wall_follows_the_handle_of_epsilon_here_and_the_network_learns_when_it_is_let_go(
    page, address, of
):
    opened(page, address, "network?epochs=5&sample_rate=0.5&depth=understand")
    numbers = page.locator(".dp-readouts").bounding_box()
    assert numbers["y"] + numbers["height"] <= 900, "the figure and its numbers are on one screen"
    told = of("figure.stats.events")
    near(page, EPSILON)
    # Python knows it, and may find the noise for every ε
    known(page, f"figure.stats.events > {told}", name=NAME)
    settled(page, name=NAME)
    best = of("figure.slice('wall_right')[0]")
    assert best > 0
    of(
        "window.__sent = [], figure.listen((what, event) => what === 'sent' && window.__sent.push(event.phase))"
    )
    held(page, EPSILON, 0.2)
    moved = of("figure.values.epsilon")
    assert "drag" not in page.evaluate("window.__sent"), "Python was asked"
    assert of("figure.slice('epsilon_now')[0]") == pytest.approx(moved)
    assert of("figure.slice('near_epsilon')[0]") == pytest.approx(moved, rel=0.5)
    assert 0 <= of("figure.slice('wall_right')[0]") < best, "the readings of the nearest network"
    ahead = of("[...figure.slice('spent'), ...figure.slice('sigma')]")
    page.mouse.up()
    settled(page, name=NAME)
    known(page, f"figure.answered.epsilon === {moved}", name=NAME)
    known(page, f"Math.abs(figure.slice('near_epsilon')[0] - {moved}) < 1e-6", name=NAME)
    assert of("[...figure.slice('spent'), ...figure.slice('sigma')]") == pytest.approx(ahead)
