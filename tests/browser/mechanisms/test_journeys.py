"""A journey through the page Mechanisms in a real browser."""

from tests.browser.journey import dragged, opened


def test_dragging_moves_the_picture_and_letting_go_writes_the_link(page, address):
    opened(page, address, "mechanisms?noise=gaussian")
    dragged(
        page,
        address,
        "mechanisms",
        ("ε, privacy parameter", "worlds", "epsilon"),
        ("k, people who differ", "worlds", "group"),
    )
