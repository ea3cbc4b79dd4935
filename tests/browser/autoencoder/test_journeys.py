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
    return page.locator(".dp-meaning, .dp-readouts, .dp-odds").all_text_contents()


HANDLES = {
    "epsilon": "ε, claimed privacy parameter",
    "digit": "digit",
    "person": "picture",
}


def test_handles_move_the_pictures_before_python_is_asked_and_a_release_is_pinned(page, address):
    opened(page, address, "autoencoder?epsilon=0.5")
    values = {parameter: _moved(page, parameter, name) for parameter, name in HANDLES.items()}
    last = picture(page, "large")
    opened(page, address, page.url.split("/", 3)[3])
    for parameter, value in values.items():
        assert live_figure(page, f"figure.values.{parameter}") == value
    assert picture(page, "large") == last
    _pin(page)


def _moved(page, parameter, name):
    near(page, name)
    before, words = picture(page, "large"), said_of(page)
    listening(page, name=KEY)
    held(page, name, 0.25)
    while_moving, said = picture(page, "large"), said_of(page)
    assert while_moving != before, name
    assert said != words, name
    assert heard(page) == set(), name
    page.mouse.up()
    committed(page, name=KEY)
    value = live_figure(page, f"figure.values.{parameter}")
    page.wait_for_function(f"location.search.includes('{parameter}={value:g}')")
    page.wait_for_function(f"!{BUSY}")
    assert picture(page, "large") == while_moving, f"{name}: Python draws what was drawn ahead"
    assert said_of(page) == said, name
    return value


def _pin(page):
    """Pin a release: it stays beside the next."""
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


def test_pictures_are_as_large_again_when_the_window_is_wide_again(page, address):
    opened(page, address, "autoencoder?depth=look", idle=False)
    high = "document.querySelector(\"[data-panel='face'] .dp-plot\").clientHeight"
    page.wait_for_function(f"{high} > 300")
    before = page.evaluate(high)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"{high} < 200")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function(f"{high} === {before}")


def test_numbers_wait_for_the_first_guess(page, address):
    opened(page, address, "autoencoder?depth=look")
    question = page.locator(".dp-face-off")
    question.wait_for()
    assert "Which of the six was published?" in question.inner_text()
    told = page.locator(".dp-meaning, .dp-readouts, .dp-people, .dp-full")
    assert not any(told.nth(k).is_visible() for k in range(told.count()))
    page.locator(".dp-face").nth(2).click()
    page.locator(".dp-meaning").wait_for()
    assert page.locator(".dp-tile:visible").count() == 1
    assert "the attacker" in question.inner_text()
    opened(
        page, address, "autoencoder?depth=understand"
    )  # whoever wants the numbers has them at once
    page.locator(".dp-tile").first.wait_for()


def test_cap_and_sample_stand_in_the_tab_of_their_network(page, address):
    opened(page, address, "autoencoder?depth=look")
    page.locator(".dp-face").first.click()
    cap, sample = (page.get_by_role("slider", name=name) for name in ("C, cap", "q, sample"))
    assert not cap.is_visible()
    page.get_by_role("tab", name="Trained by DP-SGD", exact=True).click()
    panel = page.locator("[data-panel='trained']")
    for handle in (cap, sample):
        handle.wait_for()
        assert handle.bounding_box()["y"] > panel.bounding_box()["y"]
    page.get_by_role("tab", name="Ten pictures", exact=True).click()
    assert page.locator(".dp-tile:visible").count() == 1
    assert not cap.is_visible()
