"""A journey through the page on answers in a real browser."""

from tests.browser.journey import dragged, let_go, live_figure, opened, picture


def test_each_press_asks_once_more_and_the_handle_asks_often(page, address):
    opened(page, address, "queries")
    press = page.get_by_role("button", name="Ask again", exact=True)
    before = picture(page, "answers")
    assert live_figure(page, "figure.values.n_answers", name="queries") == 200
    for answers in (1, 2, 3):
        press.click()
        page.wait_for_function(f"location.search.includes('n_answers={answers}')")
    assert picture(page, "answers") != before
    dragged(page, address, "queries", ("k, answers", "hits", "n_answers"))


def test_epsilon_moves_the_people_that_the_solver_finds(page, address):
    opened(page, address, "queries?topic=reconstruct&epsilon=20")
    assert page.get_by_text("The solver finds 12 of 12 people").count()
    # To a tenth of a place: arrays travel in 16 bits with the first message, and exactly later.
    people = (
        "Array.from(figure.slice('right'), (at) => (Number.isNaN(at) ? null : Math.round(10 * at)))"
    )
    before = live_figure(page, people, name="queries")
    let_go(page, "ε, privacy parameter", "block", "epsilon", of="queries")
    found = live_figure(page, people, name="queries")
    assert found != before
    opened(page, address, page.url.split("/", 3)[3])
    assert live_figure(page, people, name="queries") == found
