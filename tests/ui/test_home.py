"""The home page's links: every preset of the tour is a link that its page accepts."""

import importlib

import pytest

from dpcore.experiments.params import Params
from ui.views.home import TOUR


@pytest.mark.parametrize(("page", "label", "link", "words"), TOUR, ids=[item[1] for item in TOUR])
def test_presets_are_links_that_the_page_accepts(page, label, link, words):
    module = importlib.import_module(f"dpcore.experiments.{page}")
    (params,) = [
        found
        for name in module.__all__
        if isinstance(found := getattr(module, name), type)
        and issubclass(found, Params)
        and name.endswith("Params")
    ]
    made, problems = params.from_link(link)
    assert problems == []
    assert {name: made.controls()[name].show(getattr(made, name)) for name in link} == link
    assert label
    assert words.endswith((".", "?"))
