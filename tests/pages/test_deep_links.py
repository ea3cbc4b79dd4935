"""A link to any page as the very first request of a process: there is no page before it to lean on."""

from pathlib import Path

import pytest

from pages import PAGES, specs
from tests.browser.forked import served_by_a_fork
from tests.browser.visitor import visiting
from ui.frame.page_spec import PageSpec

PAGES_OF_ONE_FIGURE = {spec.key for spec in specs() if isinstance(spec, PageSpec)}
ROOT = Path(__file__).resolve().parents[2]
# Every request imports all pages: what a page does first differs little, so every third is asked for in `make test`.
ASKED = [
    pytest.param(name, marks=[pytest.mark.thorough] if place % 3 else [])
    for place, name in enumerate(PAGES)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_the_first_request_of_a_process_opens_the_page_it_names(name):
    with served_by_a_fork(ROOT / "app.py") as address, visiting(address) as visitor:
        visitor.open(name)
    if name in PAGES_OF_ONE_FIGURE:
        assert visitor.live_figures.keys() == {name}
    else:
        assert visitor.live_figures
