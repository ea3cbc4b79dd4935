"""A journey through the page on answers in a real browser."""

from tests.browser.journey import dragged, opened, picture


def test_each_press_asks_once_more_and_the_handle_asks_often(page, address):
    opened(page, address, "queries")
    press = page.get_by_role("button", name="Ask again", exact=True)
    before = picture(page, "answers")
    for answers in (2, 3):
        press.click()
        page.wait_for_function(f"location.search.includes('n_answers={answers}')")
    assert picture(page, "answers") != before
    dragged(page, address, "queries", ("k, answers", "hits", "n_answers"))
