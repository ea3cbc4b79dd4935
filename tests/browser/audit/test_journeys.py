"""Journeys through the page Audit in a real browser."""

import re

from tests.browser.journey import (
    PATIENCE,
    grab,
    heard,
    let_go,
    listening,
    live_figure,
    opened,
    settled,
    slider,
)


def told(page, words):
    """Wait until the sentence under the figure says so."""
    page.get_by_text(words).locator("visible=true").first.wait_for(timeout=PATIENCE)


def test_a_bug_is_caught_its_repaired_copy_is_not_and_the_claim_moves(page, address):
    opened(page, address, "audit?target=laplace&trainings=100")
    told(page, "100 trials of each kind did not refute the claim")
    page.get_by_role("combobox", name="software under test").select_option(
        label="Bug 7: one seed for two releases"
    )
    settled(page, name="audit")
    told(page, "Caught after 20 trials: the claim of 1 is refuted")
    told(page, "The repaired copy is not caught.")
    told(page, "fedbiomed issue 1443")
    page.wait_for_function("location.search.includes('target=bug7')")
    # A claim of 20 is beyond what the trials of the page can prove: the sentence follows the handle.
    listening(page, name="audit")
    slider(page, "ε, what the software claims").scroll_into_view_if_needed()
    grab(page, "ε, what the software claims", 0.5)
    page.mouse.down()
    grab(page, "ε, what the software claims", 0.99)
    told(
        page,
        re.compile(
            "No number of trials on this page could refute|trials of each kind did not refute"
        ),
    )
    assert heard(page) == set()
    page.mouse.up()
    settled(page, name="audit")
    claim = let_go(page, "ε, what the software claims", "climb", "epsilon", of="audit")
    said = page.locator(".dp-meaning").first.inner_text()
    opened(page, address, page.url.split("/", 3)[3])
    assert live_figure(page, "figure.values.epsilon", name="audit") == claim
    assert page.locator(".dp-meaning").first.inner_text() == said


def test_an_audit_that_is_cancelled_keeps_what_it_has(page, address):
    opened(page, address, "audit?depth=look&target=gmlvq&trainings=10000&seed=4321", idle=False)
    told(page, re.compile(r"Not refuted by \d+ trials of each kind"))
    page.get_by_role("button", name="Cancel").click(timeout=PATIENCE)
    settled(page, name="audit")
    told(page, re.compile(r"Not refuted by \d+ trials of each kind"))
    assert not page.get_by_text("10 000 trials of each kind").locator("visible=true").count()
