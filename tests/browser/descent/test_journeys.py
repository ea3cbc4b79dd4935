"""Journeys through the page Gradient descent in a real browser."""

from tests.browser.journey import dragged, live_figure, opened, picture


def test_dragging_moves_the_picture_and_letting_go_writes_the_link(page, address):
    dragged(
        page,
        address,
        "descent?model=logistic&n_steps=20",
        "ε, privacy parameter",
        "border",
        "budget",
    )


def test_a_training_plays_and_keeps_its_place(page, address):
    opened(page, address, "descent?model=logistic&n_steps=20")
    slider = page.get_by_role("slider", name="training", exact=True)
    slider.press("Home")
    start = picture(page, "border")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("window.__dpLive.descent.values.progress === 100")
    assert picture(page, "border") != start
    slider.press("ArrowLeft")
    page.wait_for_timeout(600)
    page.wait_for_function("!window.__dpLive.descent.stats.waiting")
    assert live_figure(page, "figure.values.progress", name="descent") == 95
