"""Journeys through the page Budget in a real browser."""

import pytest

from tests.browser.journey import dragged, opened


@pytest.mark.parametrize(
    ("path", "name", "panel", "parameter"),
    [
        ("budget", "σ, noise multiplier", "spent", "noise_multiplier"),
        ("budget?mechanism=laplace", "T, questions", "spent", "n_steps"),
        ("budget", "T, questions", "purses", "n_steps"),
    ],
)
def test_dragging_moves_the_picture_and_letting_go_writes_the_link(
    page, address, path, name, panel, parameter
):
    dragged(page, address, path, name, panel, parameter)


def test_the_ledger_adds_up_undoes_and_lives_in_the_link(page, address):
    opened(page, address, "budget")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function("location.search.includes('ledger=L0.5')")
    page.get_by_text("true total").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function(
        "location.search.includes('L0.5%2CL0.5') || location.search.includes('L0.5,L0.5')"
    )
    slider = page.get_by_role("slider", name="T, questions", exact=True)
    slider.press("ArrowRight")  # a commit of the figure leaves the ledger alone
    page.wait_for_function("location.search.includes('n_steps=50')")
    assert "L0.5" in page.url
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_function(
        "!location.search.includes('L0.5%2C') && !location.search.includes('L0.5,')"
    )


def test_a_curve_is_guessed_by_keys_before_it_is_seen(page, address):
    opened(page, address, "budget")
    page.get_by_role("button", name="Predict, then see").click()
    page.locator(".dp-readouts").first.wait_for(state="hidden")  # the numbers would give it away
    page.locator("[data-panel=spent] .dp-pad").focus()
    for _ in range(13):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Show the truth").click()
    page.get_by_text("On the average your guess is off by a factor of").wait_for()
    page.locator(".dp-readouts").first.wait_for(state="visible")
