"""Journeys through the page Mechanisms in a real browser."""

import pytest

from tests.browser.journey import dragged


@pytest.mark.parametrize(
    ("path", "name", "panel", "parameter"),
    [
        ("mechanisms", "ε, privacy parameter", "worlds", "epsilon"),
        ("mechanisms?noise=gaussian", "k, people who differ", "worlds", "group"),
    ],
)
def test_dragging_moves_the_picture_and_letting_go_writes_the_link(
    page, address, path, name, panel, parameter
):
    dragged(page, address, path, name, panel, parameter)
