"""The start alone: the printed scales, and that what is drawn has them."""

import numpy as np
import pytest

from dpcore import sgd
from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.lvq import init

PARAMS = RelevanceParams(init_share=0.2)


@pytest.fixture(scope="module")
def problem():
    return Problem(load("wine"), 1)


@pytest.mark.parametrize(("lots", "twice"), [("poisson", 1), ("fixed", 2)])
def test_the_laplace_scales_are_the_printed_ones(problem, lots, twice):
    found = relevance.noisy_start(problem, PARAMS.but(lots=lots), "laplace")
    first = 0.2 * np.array(EPSILON_GRID)
    d = problem.X.shape[1]
    for column in range(len(DELTA_GRID)):
        assert found.scales[:, column, 0] == pytest.approx(twice * 2 / first)
        assert found.scales[:, column, 1] == pytest.approx(twice * 2 * d / first)


@pytest.mark.parametrize("kind", ["laplace", "gaussian"])
def test_a_node_is_the_start_at_its_scale_and_the_index_leads_to_it(problem, kind):
    found = relevance.noisy_start(problem, PARAMS, kind)
    assert found.means.shape == (17, relevance.START_DRAWS, 3, 13)
    assert found.index().min() == pytest.approx(0, abs=1e-4)
    assert found.index().max() == pytest.approx(16, abs=1e-4)
    back = found.nodes[0] * (found.nodes[1] / found.nodes[0]) ** found.index()
    np.testing.assert_allclose(back, found.scales[..., 1], rtol=1e-5)
    counts_per_sum = 1 / 13 if kind == "laplace" else 1.0
    chance = sgd.Streams.of(PARAMS.seed, 0, 3).start
    again = init.start(
        problem.sums, problem.counts, count_scale=counts_per_sum * found.nodes,
        sum_scale=found.nodes, kind=kind, rng=chance,
    )  # fmt: skip
    np.testing.assert_array_equal(again, found.means[:, 3])
