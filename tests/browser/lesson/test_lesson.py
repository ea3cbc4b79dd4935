"""A journey through the first lesson: move, answer, read why, send the link on."""

import pytest

from tests.browser.journey import PATIENCE

pytestmark = pytest.mark.browser


def test_a_reader_moves_a_handle_answers_and_sees_why(page, address):
    page.goto(f"{address}/lesson")
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    handle = page.get_by_role("slider", name="answers that are true", exact=True)
    handle.press("ArrowRight")
    page.wait_for_function("window.__dpLive.lesson_coin.values.truth === 0.8")
    assert page.get_by_text("“yes”, 56 have").count() == 0
    page.get_by_text("She may have cheated. It may also be the wheel.").click()
    page.get_by_text("“yes”, 56 have").wait_for()
    page.wait_for_function("location.search.includes('coin=1')")
    page.wait_for_timeout(500)
    assert page.evaluate("window.__dpLive.lesson_coin.values.truth") == 0.8  # it stays where it was
    term = page.get_by_role("button", name="differential privacy", exact=True)
    term.focus()
    tip = page.get_by_role("tooltip").filter(has_text="no result gets much likelier").first
    tip.wait_for(state="visible")
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    page.goto(page.url)
    page.get_by_text("“yes”, 56 have").wait_for(timeout=PATIENCE)


def test_ada_leaves_the_meeting_and_the_picture_stays(page, address):
    page.goto(f"{address}/lesson?step=2")
    page.wait_for_function("window.__dpLive?.lesson_count", timeout=PATIENCE)
    figure = page.locator(".dp-figure").filter(has=page.get_by_text("Ada is at the meeting"))
    figure.get_by_text("Ada is at the meeting").first.click()
    page.wait_for_function("window.__dpLive.lesson_count.values.ada === false")
    figure.get_by_text("99", exact=True).first.wait_for()
    assert figure.locator("[data-waits]").count() == 0


def test_miniatures_that_come_into_sight_together_all_come(page, address):
    page.goto(address)
    page.wait_for_selector(".dp-later", state="attached", timeout=PATIENCE)
    beside = page.locator(".stHorizontalBlock").filter(has=page.locator(".dp-later")).first
    row = beside.element_handle()
    wanted = len(row.query_selector_all(".stColumn"))
    assert wanted >= 2
    row.scroll_into_view_if_needed()
    page.wait_for_function(  # a place is given up when its figure begins to be drawn
        "([row, wanted]) => row.querySelectorAll('.dp-figure.dp-ready').length === wanted",
        arg=[row, wanted],
        timeout=PATIENCE,
    )
    assert row.query_selector(".dp-later") is None
    drawn = page.evaluate("Object.keys(window.__dpLive).length")
    page.locator(".dp-later").last.scroll_into_view_if_needed()
    page.wait_for_function(f"Object.keys(window.__dpLive).length > {drawn}", timeout=PATIENCE)


def test_on_a_phone_one_step_is_shown_at_a_time(browser, address):
    page = browser.new_page(viewport={"width": 390, "height": 844}, bypass_csp=True)
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}/lesson")
    page.wait_for_selector(".dp-figure.dp-ready")
    page.wait_for_function(  # the first picture and its numbers stand above the fold
        "document.querySelector('.dp-readouts').getBoundingClientRect().bottom <= innerHeight"
    )
    page.goto(f"{address}/lesson?coin=1")
    second = page.get_by_role("heading", name="2. One count", exact=False)
    second.wait_for()  # the first without an answer
    others = page.locator(".stMain h2:visible").nth(1)
    others.wait_for(state="hidden")  # the page's styles come a moment later
    page.get_by_role("link", name="Next: 3.", exact=False).click()
    third = page.get_by_role("heading", name="3. A little noise", exact=False)
    third.wait_for()
    others.wait_for(state="hidden")
    page.wait_for_function(
        "() => { const top = document.getElementById('step-3').getBoundingClientRect().top; "
        "return top >= 0 && top < innerHeight / 2; }"
    )
    page.locator(".dp-plot:visible canvas").first.wait_for()
    page.get_by_text("The number gets worse, and Ada is hidden better.").click()
    page.wait_for_url("**noise=0**")
    assert third.is_visible()  # an answer does not turn the page
    page.get_by_role("link", name="Back: 2.", exact=False).click()
    second.wait_for()
    page.close()
