"""A journey through the autoencoder page: dragged, pinned, proved, in a link, and with MNIST."""

from functools import partial

import pytest

from tests.browser import journey
from tests.browser.journey import committed, heard, held, listening, near, opened, painted, picture

pytestmark = pytest.mark.browser
KEY = "autoencoder"
live_figure = partial(journey.live_figure, name=KEY)
BUSY = "document.querySelector('.dp-busy.dp-on')"


def said_of(page):
    """What the figure says in words: its sentence, its numbers, the odds."""
    return page.locator(".dp-meaning, .dp-readouts, .dp-odds").all_inner_texts()


@pytest.mark.parametrize(
    ("name", "parameter", "panel"),
    [
        ("ε, claimed privacy parameter", "epsilon", "large"),
        ("digit", "digit", "large"),
        ("picture", "person", "large"),
    ],
)
def test_a_handle_moves_the_pictures_before_python_is_asked(page, address, name, parameter, panel):
    opened(page, address, "autoencoder?epsilon=0.5")
    near(page, name)
    before, words = picture(page, panel), said_of(page)
    listening(page, name=KEY)
    held(page, name, 0.25)
    while_moving = picture(page, panel)
    assert while_moving != before
    assert said_of(page) != words
    said = said_of(page)
    assert heard(page) == set()
    page.mouse.up()
    committed(page, name=KEY)
    value = live_figure(page, f"figure.values.{parameter}")
    page.wait_for_function(f"location.search.includes('{parameter}={value:g}')")
    page.wait_for_function(f"!{BUSY}")
    assert picture(page, panel) == while_moving  # what was drawn ahead is what Python draws
    assert said_of(page) == said
    opened(page, address, page.url.split("/", 3)[3])
    assert live_figure(page, f"figure.values.{parameter}") == value
    assert picture(page, panel) == while_moving


def test_a_release_is_pinned_and_stays_beside_the_next(page, address):
    opened(page, address, "autoencoder?epsilon=2.4")
    page.get_by_role("button", name="Pin", exact=True).click()
    painted(page)
    number, kept = page.locator(".dp-tile dd").first, page.locator(".dp-tile .dp-b").first
    pinned = number.inner_text()
    assert kept.inner_text() == pinned
    assert page.locator("[data-panel='large'] .dp-copy").count() == 1
    page.get_by_role("slider", name="ε, claimed privacy parameter").press("End")
    page.wait_for_function("location.search.includes('epsilon=20')")
    assert kept.inner_text() == pinned != number.inner_text()


def test_the_generators_promise_is_audited_on_the_page(page, address):
    opened(page, address, "autoencoder?real=yes&epsilon=2.4")
    text = page.locator(".dp-texts").inner_text()
    assert "What an attack can demonstrate: at least ε = " in text
    assert "the promise survives" in text
    page.get_by_role("tab", name="Audit", exact=True).click()
    page.wait_for_selector("[data-panel='audit'] .dp-frame svg", state="attached")
    shown, certified = (
        float(live_figure(page, f"figure.slice('{name}')[0]"))
        for name in ("epsilon_now", "demonstrated")
    )
    assert shown == pytest.approx(2.4)
    assert 0.3 < certified < 2.4
