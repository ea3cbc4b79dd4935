"""The page opens with a private model that has learned, and loses what it has learned as ε falls."""

from itertools import pairwise

import numpy as np

from dpcore.datasets.flu import SHIFTS
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.matrix import MatrixParams
from pages.matrix.figure import figure
from pages.matrix.pipeline import PIPELINE
from pages.matrix.words import meaning

USUAL = MatrixParams()


def test_private_bars_reach_those_without_privacy_from_equal_shares():
    drawn = figure(PIPELINE.ready(USUAL))
    median = [
        float(drawn.evaluate("overlap_median", {"epsilon": epsilon})) for epsilon in EPSILON_GRID
    ]
    even = float(np.minimum(drawn.evaluate("best_profile")[::2], 1 / 8).sum())
    assert median[0] < even + 0.05
    assert median[EPSILON_GRID.index(USUAL.epsilon)] > 0.9
    assert median[EPSILON_GRID.index(8.0)] - median[EPSILON_GRID.index(0.1)] > 0.5
    assert all(a <= b + 0.01 for a, b in pairwise(median))


def test_all_eight_measurements_have_bars_and_the_telling_ones_the_highest():
    drawn = figure(PIPELINE.ready(USUAL))
    (panel,) = (panel for panel in drawn.panels if panel.key == "profile")
    assert len(panel.x.words) == 8
    assert set(panel.x.words[:3]) == set(SHIFTS)
    assert (drawn.evaluate("profile")[:6:2] > 2 / 8).all()
    assert "600 made-up people" in " ".join(drawn.texts[-1].strings)


def test_links_of_older_versions_keep_their_data_and_settings():
    found, problems = MatrixParams.from_link({"v": "6", "epsilon": "2"})
    assert problems == []
    assert found == MatrixParams(
        dataset="breast_cancer", epsilon=2.0, clip_norm=0.5, sample_rate=0.05, learning_rate=0.1
    )


def test_the_map_shows_the_person_in_one_world_only():
    state = PIPELINE.ready(USUAL)
    drawn, outcomes = figure(state), state["outcomes"]
    here, there = (
        drawn.arrays[name].values.astype(float)
        for name in ("outcome_places", "outcome_places_without")
    )
    low, high = drawn.arrays["outcome_places"].scale
    places = low + here / 255 * (high - low)
    problem = state.problem
    (number,) = (k for k in range(here.shape[2]) if (there[:, :, k] == 255).all())
    row = int(drawn.arrays["dot_numbers"].values[number]) - 1
    centred = problem.X[row] - problem.plane[0]
    wanted = (centred @ outcomes.axes).swapaxes(0, 1)
    inside = np.abs(wanted) < 0.99 * high
    np.testing.assert_allclose(
        places[:, :, number][inside], wanted[inside], atol=(high - low) / 500
    )
    np.testing.assert_allclose(
        drawn.arrays["outcome_chosen"].values[:, :, 0], wanted, rtol=1e-4, atol=1e-5
    )
    assert np.isnan(drawn.arrays["outcome_chosen_without"].values).all()
    (panel,) = (panel for panel in drawn.panels if panel.bets)
    assert {"places", "chosen"} <= set(panel.bets.hides)  # they would give the answer away


def test_the_sentence_names_a_telling_measurement():
    said = meaning(PIPELINE.ready(USUAL))
    at = EPSILON_GRID.index(USUAL.epsilon)
    assert any(f"most by “{name}”" in said.brief[at] for name in SHIFTS)
