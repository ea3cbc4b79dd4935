"""The home page's links: every preset of the tour is a link that its page accepts."""

import pytest

from pages import PAGES, specs
from pages.home.words import TOUR
from ui.live.depth import Depth

STOPS = [stop for stop in TOUR if stop[0] in PAGES]  # Home leaves out the others


@pytest.mark.parametrize(("page", "label", "link", "words"), STOPS, ids=[item[1] for item in STOPS])
def test_presets_are_links_that_the_page_accepts(page, label, link, words):
    (params,) = [spec.params for spec in specs() if spec.key == page]
    link = dict(link)
    depth = link.pop("depth", "look")
    assert Depth.from_link(depth).in_link == depth
    made, problems = params.from_link(link)
    assert problems == []
    assert {name: made.controls()[name].show(getattr(made, name)) for name in link} == link
    assert label
    assert words.endswith((".", "?"))
