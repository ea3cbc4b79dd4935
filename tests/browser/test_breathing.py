"""Noise that breathes: outcome after outcome while nothing is touched, and this draw while a handle is."""

import pytest

from tests.browser.journey import PATIENCE, known, live_figure, rested, settled


@pytest.fixture(scope="module")
def moving(browser, address):
    """A page of a reader who does not ask for little motion; each test leaves it breathing."""
    view = {"width": 1440, "height": 900}
    with browser.new_context(
        reduced_motion="no-preference", viewport=view, bypass_csp=True
    ) as context:
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(f"{address}/relevance?dataset=iris&prototypes_per_class=1")
        page.wait_for_selector(".dp-figure.dp-ready")
        rested(page)
        yield page


def outcome(page):
    return live_figure(page, "figure.outcome", name="relevance")


def test_outcomes_pass_until_a_handle_is_touched(moving):
    known(moving, "figure.outcome.at > 1", name="relevance")
    seen = outcome(moving)["at"]
    moving.wait_for_function(f"![null, {seen}].includes(window.__dpLive.relevance.outcome.at)")
    assert "outcome " in moving.locator(".dp-outcome").inner_text()
    assert moving.locator(".dp-breathing [aria-live], .dp-breathing [role=status]").count() == 0
    draw = "figure.slice('proto').join()"
    epsilon = moving.get_by_role("slider", name="privacy parameter")
    epsilon.press("ArrowLeft")
    assert outcome(moving)["at"] is None  # this draw, which the readouts name
    epsilon.press("ArrowRight")
    first = live_figure(moving, draw, name="relevance")
    known(moving, "figure.outcome.at !== null", name="relevance")
    known(moving, f"{draw} !== '{first}'", name="relevance")


def test_outcomes_stop_where_nobody_sees_them(moving):
    known(moving, "figure.outcome.at > 1", name="relevance")
    moving.get_by_role("button", name="Pause", exact=True).click()
    known(moving, "!figure.outcome.running", name="relevance")
    moving.get_by_role("button", name="Play outcomes").click()
    known(moving, "figure.outcome.running", name="relevance")
    moving.set_viewport_size(
        {"width": 1440, "height": 500}
    )  # the end of the page is far from its figure
    moving.evaluate("""document.querySelector('[data-testid="stMain"]').scrollTo(0, 1e6)""")
    known(moving, "!figure.outcome.running", name="relevance")
    moving.set_viewport_size({"width": 1440, "height": 900})
    moving.evaluate("document.querySelector('.dp-plot').scrollIntoView()")
    known(moving, "figure.outcome.running", name="relevance")


def test_the_person_is_taken_out_of_the_same_outcome(moving):
    known(moving, "figure.outcome.at > 1", name="relevance")
    moving.get_by_role("button", name="Pause", exact=True).click()
    here = live_figure(moving, "figure.slice('proto').join()", name="relevance")
    at = outcome(moving)["at"]
    person = moving.locator(".dp-person")  # the dot itself bears the same name
    assert person.inner_text() == "Take Ada's flower out"
    person.click()
    assert outcome(moving) == {"at": at, "running": False, "out": True}
    assert live_figure(moving, "figure.slice('proto').join()", name="relevance") != here
    assert person.inner_text() == "Put Ada's flower back"
    person.click()
    assert live_figure(moving, "figure.slice('proto').join()", name="relevance") == here
    moving.locator(".dp-spot").press("ArrowRight")  # the next dot that way is somebody else's
    known(
        moving,
        "figure.values.record > 0 && figure.values.record === figure.answered.record",
        name="relevance",
    )
    known(moving, "!document.querySelector('.dp-person').disabled", name="relevance")
    assert "Ada" not in person.inner_text()
    record = live_figure(moving, "figure.values.record", name="relevance")
    moving.wait_for_function(f"location.search.includes('record={record}')")
    settled(moving, name="relevance")  # her further outcomes have come
    person.click()
    known(moving, "figure.outcome.out", name="relevance")
