"""A link to any page as the very first request of a process: there is no page before it to lean on."""

from pathlib import Path

import pytest

from pages import PAGES, specs
from tests.browser.serving import served
from tests.browser.visitor import visiting

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_first_request_of_a_process_opens_the_page_it_names(name):
    with served(ROOT / "app.py") as address, visiting(address) as visitor:
        visitor.open(name)
    assert visitor.live_figures.keys() >= {"miniature" if name == "home" else name}
    assert len(visitor.live_figures) == (
        sum(bool(spec.card) for spec in specs()) if name == "home" else 1
    )
