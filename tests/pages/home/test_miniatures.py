"""Miniatures of the home page: the page's own numbers, with nothing that would ask Python."""

import math

import numpy as np
import pytest

from dpcore.experiments import autoencoder
from dpcore.experiments.autoencoder import attacks
from dpcore.experiments.grids import EPSILON_GRID
from pages import specs
from pages.home.cards import figure_of, first, groups
from ui.frame.page_spec import PageSpec
from ui.jobs import pools
from ui.jobs.pool import Jobs

CARDS = [spec for spec in specs() if spec.card]


@pytest.fixture
def few_attacks(monkeypatch):
    """The autoencoder is attacked at three noise levels, not thirteen; no other test gets these results."""
    levels, apart = (0.039, 0.8, 26.0), Jobs()
    for module in (autoencoder, attacks):
        monkeypatch.setattr(module, "LEVELS", levels)
    monkeypatch.setattr(attacks, "_ORDER", list(range(len(levels))))
    monkeypatch.setattr(pools, "shared_jobs", lambda: apart)
    figure_of.cache_clear()
    yield
    figure_of.cache_clear()
    apart.close()


@pytest.mark.parametrize("spec", CARDS, ids=lambda spec: spec.key)
def test_a_miniature_is_small_and_moves_in_the_browser(spec, request):
    if spec.key == "autoencoder":
        request.getfixturevalue("few_attacks")
    live_figure = figure_of(spec.key)
    assert live_figure.compact
    assert len(live_figure.panels) == 1
    assert len(live_figure.readouts) <= 2
    assert not live_figure.texts  # cards of one row are alike
    shown = [control for control in live_figure.controls if not control.hidden]
    assert {control.name for control in shown} == set(spec.card.keep)
    assert len(shown) <= 2
    assert all(control.mode == "local" for control in shown)
    moved = {name for array in live_figure.arrays.values() for name in array.dims}
    moved |= {
        dim for table in live_figure.coords.values() for dim in live_figure.arrays[table].dims
    }
    assert all(control.name in moved for control in shown)
    assert sum(array.values.nbytes for array in live_figure.arrays.values()) < 1_500_000
    told = [
        live_figure.evaluate(readout.value, live_figure.values) for readout in live_figure.readouts
    ]
    for k, readout in enumerate(live_figure.readouts):  # the draw stands in for a median
        if np.isnan(told[k]) and readout.draw:
            told[k] = live_figure.evaluate(readout.draw, live_figure.values)
    assert not np.isnan(told).any()  # a card waits for nothing: a dash would stay


def test_the_figure_that_comes_first_says_how_sure_somebody_can_become():
    (figure,) = first()
    sure = figure.readouts[-1]
    told = [float(figure.evaluate(sure.value, {"epsilon": epsilon})) for epsilon in EPSILON_GRID]
    bounds = [1 / (1 + math.exp(-epsilon)) for epsilon in EPSILON_GRID]
    assert all(
        bound - 1e-7 <= one <= bound + 0.002 for one, bound in zip(told, bounds, strict=True)
    )
    assert "1 of 100\u202f000 results" in sure.note


def test_a_card_moves_its_first_handle_once_and_the_large_figure_does_not():
    assert [
        control.sways for control in figure_of("mechanisms").controls if not control.hidden
    ] == [True]
    assert not any(getattr(control, "sways", False) for control in first()[0].controls)


def test_every_page_with_a_figure_has_a_miniature_and_its_place_among_the_cards():
    assert [spec.key for spec in specs() if isinstance(spec, PageSpec) and not spec.card] == []
    shown = {spec.key for pages in groups().values() for spec in pages}
    assert shown == {spec.key for spec in specs() if isinstance(spec, PageSpec)}
