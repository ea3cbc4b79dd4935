"""A journey through the page on answers in a real browser."""

from tests.browser.journey import dragged


def test_asking_more_often_moves_the_picture_and_writes_the_link(page, address):
    dragged(page, address, "queries", "k, answers", "hits", "n_answers")
