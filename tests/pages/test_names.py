"""One name for ε on all pages, and which pages say at Look that their noise is for looking."""

import pytest

from pages import specs
from ui.frame.page_spec import PageSpec

PAGES = [spec for spec in specs() if isinstance(spec, PageSpec)]

OTHERS = {"budget": "budget", "audit": "what the software claims"}
"""Words for ε on pages where ε is a budget or somebody's claim."""


def ids(spec):
    return spec.key


@pytest.mark.parametrize("spec", PAGES, ids=ids)
def test_epsilon_has_one_name_on_every_page(spec):
    controls = spec.params.controls()
    if "epsilon" not in controls:
        return
    shown = [own.label for own in spec.controls if own.name == "epsilon" and own.label]
    name = OTHERS.get(spec.key, "privacy parameter")
    for label in shown or [controls["epsilon"].label]:
        assert name in label


def test_a_page_without_a_seed_is_one_that_draws_no_noise():
    """The line that the noise is for looking stands where there is a seed: nowhere it may be missing."""
    for spec in PAGES:
        if "seed" not in spec.params.controls():
            assert isinstance(spec.noise, str), spec.key
