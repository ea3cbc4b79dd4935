"""Miniatures of the home page: the page's own numbers, with nothing that would ask Python."""

import pytest

from pages import specs
from pages.home.cards import figure_of

CARDS = [spec for spec in specs() if spec.card]


@pytest.mark.parametrize("spec", CARDS, ids=lambda spec: spec.key)
def test_a_miniature_is_small_and_moves_in_the_browser(spec):
    lab = figure_of(spec.key)
    assert lab.compact
    assert len(lab.panels) == 1
    assert len(lab.readouts) <= (2 if spec.card.panel else 3)
    shown = [control for control in lab.controls if not control.hidden]
    assert 1 <= len(shown) <= 2
    assert all(control.mode == "local" for control in shown)
    moved = {name for array in lab.arrays.values() for name in array.dims}
    moved |= {dim for table in lab.coords.values() for dim in lab.arrays[table].dims}
    assert all(control.name in moved for control in shown)
    assert sum(array.values.nbytes for array in lab.arrays.values()) < 1_500_000
