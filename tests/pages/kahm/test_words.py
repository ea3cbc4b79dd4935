"""The words of Affine hulls at the ends of their controls."""

import math

import numpy as np
import pytest

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm import KahmParams, RecordLevelBaseline
from pages.kahm.figure_machine import _weights
from pages.kahm.figure_picture_panels import _after
from pages.kahm.words import _tight


def test_nothing_is_said_to_be_smoothed_in_no_rounds():
    assert "moves both clouds" not in _after(0)
    assert "it is the noisy record itself" in _after(0)
    assert _after(1).startswith("Her published record after 1 round. Smoothing moves")
    assert "after 5 rounds." in _after(5)


def baseline_of(epsilon):
    grid = np.full(len(EPSILON_GRID), epsilon)
    return RecordLevelBaseline(pure=grid, tight=grid, central=grid, beside=grid)


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
