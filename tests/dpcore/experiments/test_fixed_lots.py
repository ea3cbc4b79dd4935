"""Lots of a fixed size on the pages of private prototypes and matrices: "random subset of size L"."""

import numpy as np
import pytest

from dpcore import accounting, sgd
from dpcore.datasets import load
from dpcore.experiments import matrix, relevance
from dpcore.experiments.grids import EPSILON_GRID, SAMPLE_RATE_GRID
from dpcore.experiments.matrix import MatrixParams
from dpcore.experiments.relevance import Problem, RelevanceParams, budget
from dpcore.experiments.relevance.outcomes import World
from dpcore.lvq import DPGLVQ, DPGMLVQ

FIXED = RelevanceParams(lots="fixed")


@pytest.fixture(scope="module")
def problem():
    return Problem(load("blobs"), 1)


def declared(problem):
    data = problem.dataset
    return {
        "bounds": (data.low, data.high), "lots": "fixed", "neighbouring": "replace_one",
        "classes": np.unique(data.y), "random_state": 0,
    }  # fmt: skip


def test_a_node_is_the_estimator_at_that_noise(problem):
    params = FIXED.but(sample_rate=0.02)
    sweep = relevance.run_sweep(problem, params)
    k = 12
    epsilon = float(budget.start_epsilons(params, sweep.nodes)[k] / 0.2)
    data = problem.dataset
    model = DPGLVQ(epsilon=epsilon, learning_rate=0.1, sample_rate=0.02, **declared(problem))
    model.fit(data.X, data.y)
    at = int(np.abs(sweep.epochs - 50).argmin())
    assert model.noise_multiplier_ == pytest.approx(sweep.nodes[k], rel=0.02)
    assert np.abs(model.prototypes_ - sweep.prototypes[k, at]).max() < 0.03


def test_a_matrix_is_that_of_the_estimator_at_that_noise():
    params = MatrixParams(epsilon=5.0, lots="fixed", sample_rate=0.05)
    problem = matrix.MatrixProblem(load("blobs"), 1)
    sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(5.0)])
    data = problem.dataset
    model = DPGMLVQ(
        epsilon=5.0, learning_rate=params.learning_rate, clip_norm=params.clip_norm, sample_rate=0.05,
        epochs=params.epochs, **declared(problem),
    ).fit(data.X, data.y)  # fmt: skip
    assert model.noise_multiplier_ == pytest.approx(sigma, rel=0.01)
    found = matrix.run_sweep(problem, params, nodes=np.array([model.noise_multiplier_]))
    assert np.abs(model.omega_ - found.omegas[0, -1]).max() < 0.02


@pytest.mark.parametrize("q", SAMPLE_RATE_GRID)
def test_every_lot_has_the_size_the_account_is_about(q):
    params = FIXED.but(sample_rate=q)
    for n in (1, 9, 105, 250, 1000):
        size = budget.lot_size(params, n)
        assert size <= q * n * (1 + 1e-9) < size + 1
        found = budget.lots(params, n, 7, np.random.default_rng(0))
        assert (np.diff(found.offsets) == size).all()
        assert budget.expected_lot(params, n) == max(1, size)


def test_what_is_asked_for_is_what_is_spent(problem):
    rng = np.random.default_rng(3)
    for _ in range(6):
        params = FIXED.but(
            epsilon=float(rng.choice(EPSILON_GRID)), sample_rate=float(rng.choice(SAMPLE_RATE_GRID)),
            epochs=int(rng.choice([1, 10, 50])), delta=float(rng.choice([1e-8, 1e-5])),
        )  # fmt: skip
        sigma = float(budget.noise_multipliers(params)[EPSILON_GRID.index(params.epsilon)])
        steps = budget.n_steps(params.epochs, params.sample_rate)
        size = budget.lot_size(params, len(problem.y))
        spent = accounting.epsilon(
            noise_multiplier=sigma, sample_rate=max(size, 1) / len(problem.y) if size else params.sample_rate,
            n_steps=steps,
            delta=params.delta / 2, neighbouring="replace_one", lots="fixed",
        )  # fmt: skip
        assert spent <= (1 - params.init_share) * params.epsilon * (1 + 1e-6)
        promise = relevance.guarantee(params, problem)
        assert (promise.neighbouring, promise.status) == ("replace_one", "proved")
        assert promise.epsilon == pytest.approx(params.epsilon)
        assert "random subset of a fixed size" in promise.argument
        assert "fixed size" in promise.parts[-1].mechanism
        assert relevance.joint_epsilon(params) <= params.epsilon * (1 + 1e-6)


def test_the_start_is_made_for_a_replaced_record(problem):
    nodes = np.array([1.0])
    fixed, poisson = (FIXED.but(recipe="paper"), RelevanceParams(recipe="paper"))
    noise_times_share = [
        budget.start_scales(params, nodes, 5) * budget.start_epsilons(params, nodes)
        for params in (fixed, poisson)
    ]
    assert noise_times_share[0] == pytest.approx(2 * noise_times_share[1])


# What the printed σ costs at most, read literally: docs of the fixed account, and the page's words.
@pytest.mark.parametrize(("claimed", "most"), [(0.75, 0.7112), (1.5, 1.7395), (2.5, 3.8291)])
def test_the_printed_recipe_read_literally(problem, claimed, most):
    params = FIXED.but(**relevance.PAPER).but(epsilon=claimed)
    steps = relevance.guarantee(params, problem).parts[-1]
    assert most <= steps.epsilon <= most * 1.005
    real = relevance.real_epsilons(params)[EPSILON_GRID.index(claimed)]
    assert real == pytest.approx(0.2 * claimed + steps.epsilon)
    assert relevance.joint_epsilon(params) < real


def test_all_trainings_shown_together_cost_more_than_one():
    for recipe in ("tight", "paper"):
        params = FIXED.but(recipe=recipe)
        assert relevance.shown_epsilon(params, 0) == 0
        one, all_of_them = (relevance.shown_epsilon(params, n) for n in (1, 41))
        assert relevance.joint_epsilon(params) <= one < all_of_them < 41 * one


@pytest.mark.parametrize("moved", [0.0, -0.3])
def test_the_worlds_differ_in_one_record_that_is_replaced(problem, moved):
    params = FIXED.but(person_dx=moved, sample_rate=0.05)
    person = relevance.chosen_person(problem, params)
    one, other = (World(problem, params, person, present) for present in (True, False))
    differs = (one.X != other.X).any(axis=1)
    assert differs.nonzero()[0].tolist() == [person.row]
    assert (one.counts == other.counts).all()
    for world in (one, other):
        sums = np.array([world.X[problem.y == k].astype(float).sum(0) for k in range(4)])
        np.testing.assert_allclose(world.sums, sums, atol=1e-4)
    lots = [world.lots(params, 30, sgd.Streams.of(1, 2).lots) for world in (one, other)]
    assert (lots[0].indices == lots[1].indices).all()
    assert (np.diff(lots[0].offsets) == budget.lot_size(params, len(problem.y))).all()
    *_, found = relevance.run_outcomes(problem, params, person, n_draws=2, nodes=np.array([1.0]))
    assert 0 < np.abs(found.with_record - found.without_record).max() < 1


def test_the_most_typical_person_is_replaced_by_another(problem):
    params = FIXED.but(person=100)
    person = relevance.chosen_person(problem, params)
    world = World(problem, params, person, False)
    assert (world.X[person.row] != problem.X[person.row]).any()


def test_matrix_outcomes_replace_the_person_too():
    params = MatrixParams(dataset="iris", lots="fixed", sample_rate=0.2)
    problem = matrix.problem_of(params)
    *_, found = matrix.run_outcomes(problem, params, n_draws=2, nodes=np.array([1.0]))
    assert 0 < np.abs(found.with_record - found.without_record).max() < 0.5


def test_lots_of_less_than_one_record_see_nobody(problem):
    params = FIXED.but(sample_rate=0.001, epochs=1)
    assert budget.lot_size(params, len(problem.y)) == 0
    found = relevance.run_sweep(problem, params, nodes=np.array([1.0]), last_epoch=1)
    assert (found.plain_prototypes == found.plain_prototypes[0]).all()


@pytest.mark.parametrize("name", ["clip_norm", "sample_rate"])
def test_lines_are_the_trainings_they_stand_for(problem, name):
    params = FIXED.but(sample_rate=0.05, epochs=5, dataset="blobs", prototypes_per_class=1)
    line = relevance.run_line(problem, params, name)
    k = 9
    here = params.but(**{name: params.controls()[name].grid[k]})
    sigma = budget.noise_multipliers(here)[[EPSILON_GRID.index(1.0)]]
    alone = relevance.run_sweep(problem, here, nodes=sigma, last_epoch=5, references=False)
    np.testing.assert_allclose(line.prototypes[k, -1], alone.prototypes[0, -1], atol=1e-4)


def test_poisson_lots_stay_the_default():
    assert RelevanceParams().lots == MatrixParams().lots == "poisson"
    assert RelevanceParams(lots="fixed").to_link() == {"lots": "fixed"}
