"""The draws that pages open with: none of them is a lucky one, and the program that says so counts right."""

import json

import numpy as np
import pytest

from dpcore.experiments.network import NetworkParams
from pages.network.measured import SEEDS_FILE, settings_of
from tools import openings
from tools.openings import Opening


def opening(value, others):
    return Opening(page="x", headline="y", value=value, others=np.array(others, float))


@pytest.mark.parametrize(
    ("value", "rank", "typical"),
    [(-1.0, 1, False), (19.5, 21, True), (100.0, 41, False), (20.0, 21.5, True), (37.5, 39, False)],
)
def test_a_rank_is_the_place_among_all(value, rank, typical):
    found = opening(value, range(40))
    assert found.rank == rank
    assert found.is_typical is typical
    assert ("extreme" in found.row()) is not typical


def test_the_most_typical_seed_is_the_one_nearest_to_both_medians():
    found = {0: (0.9, 0.99), 1: (0.5, 0.9), 2: (0.7, 0.95), 3: (0.6, 0.93), 4: (0.8, 0.97)}
    assert openings.typical(found) == 2


def test_regression_opens_with_a_typical_line():
    assert openings.of_regression().is_typical


def test_deep_networks_opens_with_its_most_typical_seed():
    told = json.loads(SEEDS_FILE.read_text("utf-8"))
    assert told["params"] == settings_of(NetworkParams())
    found = {int(seed): right for seed, *right in told["seeds"]}
    assert len(found) == 41
    assert openings.typical(found) == NetworkParams().seed


@pytest.mark.slow
@pytest.mark.parametrize("make", [openings.of_matrix, openings.of_relevance])
def test_private_prototypes_open_with_a_typical_draw(make):
    assert make().is_typical
