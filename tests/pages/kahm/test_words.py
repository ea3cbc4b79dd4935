"""The words of Affine hulls at the ends of their controls."""

import math

import numpy as np
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams, RecordLevelBaseline
from pages.kahm.figure.machine import _weights
from pages.kahm.figure.picture import _two_worlds
from pages.kahm.words import _tight


def ends(rounds):
    """The words of the panel of the published record."""
    return _two_worlds(KahmParams(rounds=rounds), None)[1]


def test_nothing_is_said_to_be_smoothed_in_no_rounds():
    assert "moves both clouds" not in ends(0).caption
    assert "it is the noisy record itself" in ends(0).caption
    assert ends(0).title == "As published"
    assert ends(1).caption.startswith("Her published record after 1 round. Smoothing moves")
    assert "after 5 rounds." in ends(5).caption


def baseline_of(epsilon):
    grid = np.full(len(EPSILON_GRID), epsilon)
    return RecordLevelBaseline(pure=grid, tight=grid, central=grid, class_means=grid)


@pytest.mark.parametrize("delta", [1e-8, 1e-7])
def test_no_epsilon_is_said_where_the_generators_own_delta_is_larger(delta):
    said = _tight(KahmParams(delta=delta), baseline_of(math.inf))
    assert "∞" not in said
    assert "the generator of the noise has a δ of its own" in said


def test_an_epsilon_of_the_account_is_said_at_its_delta():
    said = _tight(KahmParams(delta=1e-5), baseline_of(492.9))
    assert said.endswith("its ε is **493** (tight).")


def test_no_weight_is_said_to_be_negative_where_it_may_not_be():
    assert "may be negative" in _weights(None).caption
