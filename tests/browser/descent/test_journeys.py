"""A journey through the page Gradient descent in a real browser."""

from tests.browser.journey import dragged, live_figure, opened, picture


def test_a_handle_moves_the_picture_and_a_training_plays_and_keeps_its_place(page, address):
    opened(page, address, "descent?model=logistic&n_steps=20")
    dragged(page, address, "descent", ("ε, privacy parameter", "border", "budget"))
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
