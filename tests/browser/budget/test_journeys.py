"""Journeys through the page Budget in a real browser."""

from tests.browser.journey import dragged, known, live_figure, opened


def test_handles_move_the_picture_and_the_ledger_lives_in_the_link(page, address):
    opened(page, address, "budget")
    dragged(
        page,
        address,
        "budget",
        ("σ, noise multiplier", "spent", "noise_multiplier"),
        ("T, questions", "purses", "n_steps"),
    )
    _fill_a_ledger(page)
    _guess_a_curve(page)


def _fill_a_ledger(page):
    """Add two answers, move a handle, undo: the link tells of it all."""
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function("location.search.includes('ledger=L0.5')")
    page.get_by_text("true total").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_function(
        "location.search.includes('L0.5%2CL0.5') || location.search.includes('L0.5,L0.5')"
    )
    slider = page.get_by_role("slider", name="T, questions", exact=True)
    before = live_figure(page, "figure.values.n_steps", name="budget")
    slider.press("ArrowLeft")  # a commit of the figure leaves the ledger alone
    known(page, f"figure.answered.n_steps < {before}", name="budget")
    page.wait_for_function(f"!location.search.includes('n_steps={before:g}')")
    assert "L0.5" in page.url
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_function(
        "!location.search.includes('L0.5%2C') && !location.search.includes('L0.5,')"
    )


def _guess_a_curve(page):
    """Guess a curve by keys before it is seen."""
    page.get_by_role("button", name="Predict, then see").click()
    page.locator(".dp-readouts").first.wait_for(state="hidden")  # the numbers would give it away
    page.locator("[data-panel=spent] .dp-pad").focus()
    for _ in range(13):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Show the truth").click()
    page.get_by_text("On the average your guess is off by").wait_for()
    page.locator(".dp-readouts").first.wait_for(state="visible")


def test_weights_split_the_budget_in_the_browser_and_stand_in_the_link(page, address):
    opened(page, address, "budget?topic=split")
    mean = "figure.slice('relative_mean')[0]"
    before = live_figure(page, mean, name="budget")
    handle = ("weight of the histogram", "errors", "weight_histogram")
    dragged(page, address, "budget", handle)
    assert live_figure(page, mean, name="budget") > 1.2 * before, "what one gets, the others lose"
    page.locator(".dp-meaning").get_by_text("The worst off is the").wait_for()
    page.get_by_role("button", name="Equal weights").click()
    page.wait_for_function("!location.search.includes('weight_')")
    page.get_by_role("button", name="Many equal answers").click()
    page.locator("[data-panel=purses]").wait_for()
    page.wait_for_function("!location.search.includes('topic')")
