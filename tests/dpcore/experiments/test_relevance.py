"""The experiment behind the page: what a sweep shows is what single trainings give."""

import numpy as np
import pytest

from dpcore.datasets import load
from dpcore.experiments import relevance
from dpcore.experiments.grids import (
    DELTA_GRID,
    EPOCHS_GRID,
    EPSILON_GRID,
)
from dpcore.experiments.relevance import Problem, RelevanceParams, budget
from dpcore.lvq import DPGLVQ
from tests.stopping import Stopped, stop_after


@pytest.fixture(scope="module")
def problem():
    return Problem(load("blobs"), 1)


@pytest.fixture(scope="module")
def sweep(problem):
    return relevance.run_sweep(problem, RelevanceParams())


def test_same_parameters_same_result(problem, sweep):
    again = relevance.run_sweep(problem, RelevanceParams(), threads=1)
    assert (again.prototypes == sweep.prototypes).all()
    assert (again.errors == sweep.errors).all()


def test_a_node_is_the_estimator_at_that_noise(problem, sweep):
    k = 12
    epsilon = float(budget.start_epsilons(sweep.params, sweep.nodes)[k] / 0.2)
    data = problem.dataset
    model = DPGLVQ(
        epsilon=epsilon,
        learning_rate=0.1,
        bounds=(data.low, data.high),
        random_state=0,
        expected_n=len(data.y),
        classes=np.unique(data.y),
    ).fit(data.X, data.y)
    at = int(np.abs(sweep.epochs - 50).argmin())
    assert model.noise_multiplier_ == pytest.approx(sweep.nodes[k], rel=0.01)
    gap = np.abs(model.prototypes_ - sweep.prototypes[k, at]).max()
    assert gap < 0.02  # the tables stay up to 0.3 % on the safe side, the rest is the same


def test_more_privacy_costs_accuracy_on_average(problem):
    errors = np.mean(
        [
            relevance.run_sweep(problem, RelevanceParams(seed=s), last_epoch=50).errors[:, -1]
            for s in range(8)
        ],
        axis=0,
    )
    assert errors[-1] > errors[0] + 0.2
    assert np.corrcoef(np.arange(len(errors)), errors)[0, 1] > 0.6


def test_no_noise_is_the_limit_of_little_noise(sweep):
    gap = np.abs(sweep.prototypes[0, -1] - sweep.method_prototypes[-1]).max()
    assert gap < 0.1
    assert gap < np.abs(sweep.prototypes[10, -1] - sweep.method_prototypes[-1]).max()


def spread(problem, params, n_seeds=12):
    finals = [
        relevance.run_sweep(problem, params.but(seed=s), last_epoch=params.epochs).prototypes[:, -1]
        for s in range(100, 100 + n_seeds)
    ]
    return np.std(finals, axis=0)


@pytest.mark.parametrize("name", ["blobs", "iris"])
def test_interpolation_errs_less_than_seeds_differ(name):
    problem, params = Problem(load(name), 1), RelevanceParams(dataset=name)
    sweep = relevance.run_sweep(problem, params, last_epoch=50)
    between = np.sqrt(sweep.nodes[:-1] * sweep.nodes[1:])
    exact = relevance.run_sweep(problem, params, nodes=between, last_epoch=50)
    guess = (sweep.prototypes[:-1, -1] + sweep.prototypes[1:, -1]) / 2
    error = np.sqrt(np.square(guess - exact.prototypes[:, -1]).mean((1, 2)))
    seeds = np.sqrt(np.square(spread(problem, params)).mean((1, 2)))
    assert (error < 0.5 * (seeds[:-1] + seeds[1:])).all()


@pytest.mark.parametrize(
    "change", [{"epochs": 20}, {"epochs": 100}, {"delta": 1e-3}, {"delta": 1e-8}]
)
def test_dragging_delta_and_epochs_errs_less_than_seeds_differ(problem, sweep, change):
    """A sweep made for one (δ, E) answers another while it is dragged, through σ alone."""
    wanted = RelevanceParams(**change)
    exact = relevance.run_sweep(problem, wanted)
    table = relevance.index_table(sweep.params, sweep.nodes)
    j, k = DELTA_GRID.index(wanted.delta), EPOCHS_GRID.index(wanted.epochs)
    at = int(np.abs(sweep.epochs - wanted.epochs).argmin())
    seeds = np.sqrt(np.square(spread(problem, wanted)).mean((1, 2)))
    for epsilon in (0.2, 0.5, 1.0, 2.5, 5.0):
        u = float(table[EPSILON_GRID.index(epsilon), j, k])
        low, part = int(u), u - int(u)
        dragged = (1 - part) * sweep.prototypes[low, at] + part * sweep.prototypes[low + 1, at]
        error = np.sqrt(np.square(dragged - exact.at(epsilon).prototypes).mean())
        node = np.abs(exact.nodes - budget.noise_multipliers(wanted)[EPSILON_GRID.index(epsilon)])
        assert error < seeds[node.argmin()]


def test_all_accuracies_are_those_of_each_model(problem, sweep):
    draft = relevance.draft_sweep(problem, sweep.params.but(epsilon=2.5))
    for one in (sweep, draft):
        found = one.accuracies()
        assert found.tolist() == [one.at(epsilon).accuracy for epsilon in EPSILON_GRID]


def test_the_table_of_places_is_the_noise(sweep):
    table = relevance.index_table(sweep.params, sweep.nodes)
    for delta, epochs in ((1e-5, 50), (1e-3, 20)):
        sigmas = budget.noise_multipliers(sweep.params, delta=delta, epochs=epochs)
        u = table[:, DELTA_GRID.index(delta), EPOCHS_GRID.index(epochs)]
        found = sweep.nodes[0] * (sweep.nodes[1] / sweep.nodes[0]) ** u
        inside = (sigmas >= sweep.nodes[0]) & (sigmas <= sweep.nodes[-1])
        np.testing.assert_allclose(found[inside], sigmas[inside], rtol=1e-4)


def test_outcomes_differ_by_the_person_alone(problem):
    params = RelevanceParams(epsilon=20.0)
    person = relevance.chosen_person(problem, params)
    *_, found = relevance.run_outcomes(problem, params, person, n_draws=3)
    assert found.with_record.shape == found.without_record.shape == (3, 13, 4, 2)
    moved = np.abs(found.with_record - found.without_record).mean((0, 2, 3))
    between = found.with_record.std(0).mean((1, 2))
    assert (moved > 0).all()
    assert (moved < between).all()


def test_the_person_can_be_chosen_and_moved(problem):
    far = relevance.chosen_person(problem, RelevanceParams(person=0))
    near = relevance.chosen_person(problem, RelevanceParams(person=100))
    assert far.row != near.row
    moved = relevance.chosen_person(problem, RelevanceParams(person=100, person_dx=-0.3))
    assert moved.x[0] == pytest.approx(near.x[0] - 0.3, abs=1e-6)
    edge = relevance.chosen_person(problem, RelevanceParams(person_dx=2.0, person_dy=2.0))
    assert max(edge.x) <= 1


@pytest.mark.parametrize("record", [1, 40, 999_999])
def test_any_record_can_be_the_person(problem, record):
    found = relevance.chosen_person(problem, RelevanceParams(record=record, person=50))
    assert found.row == min(record, len(problem.y)) - 1
    np.testing.assert_allclose(found.x, problem.X[found.row], atol=1e-6)


def test_the_record_or_the_rank_counts_whichever_was_set_last():
    by_rank = RelevanceParams(person=5, person_dx=0.5)
    clicked = by_rank.but(record=9).following(by_rank)
    assert (clicked.record, clicked.person_dx) == (9, 0.0)
    assert clicked.but(person=10).following(clicked).record == 0
    assert clicked.but(dataset="iris").following(clicked).record == 0
    assert clicked.but(epsilon=2.0).following(clicked).record == 9


def test_guarantees_of_both_recipes(problem):
    tight = relevance.guarantee(RelevanceParams(epsilon=2.5), problem)
    assert (tight.epsilon, tight.delta) == (pytest.approx(2.5), pytest.approx(1e-5))
    assert tight.status == "proved"
    printed = relevance.guarantee(RelevanceParams(epsilon=2.5, recipe="paper"), problem)
    assert printed.claimed_epsilon == 2.5
    assert printed.epsilon == pytest.approx(0.5 + 1.1789, rel=1e-2)
    broken = relevance.guarantee(RelevanceParams(epsilon=10, recipe="paper"), problem)
    assert broken.epsilon > 15


def test_estimated_bounds_leave_no_guarantee():
    from dpcore.datasets import read_csv

    raw = b"a,b,c\n" + b"".join(f"{i},{i % 7},{'xy'[i % 2]}\n".encode() for i in range(60))
    own = Problem(read_csv(raw).to_dataset("c", estimate_bounds=True), 1)
    assert relevance.guarantee(RelevanceParams(dataset="own"), own).status == "nominal"


@pytest.mark.parametrize("rate", [0.001, 1.0])
def test_extreme_sampling_rates(rate):
    found = relevance.run(RelevanceParams(sample_rate=rate))
    assert np.isfinite(found.prototypes).all()
    assert np.abs(found.prototypes).max() <= 1


def test_lines_are_the_trainings_they_stand_for(problem):
    params = RelevanceParams(dataset="blobs", prototypes_per_class=1, epsilon=2.5, epochs=10)
    sweep = relevance.run_sweep(problem, params)
    lines = {name: relevance.run_line(problem, params, name) for name in relevance.LINES}
    kept = sweep.epochs <= params.epochs
    for name in relevance.LINES:
        grid = params.controls()[name].grid
        for value in (grid[2], getattr(params, name), grid[-3]):
            here = params.but(**{name: value})
            sigma = budget.noise_multipliers(here)[[EPSILON_GRID.index(2.5)]]
            there = relevance.named_problem(here.dataset, here.prototypes_per_class)
            exact = relevance.run_sweep(there, here, nodes=sigma, last_epoch=10)
            k, n = grid.index(value), len(there.labels)
            assert lines[name].noise_multipliers[k] == pytest.approx(sigma[0])
            np.testing.assert_allclose(
                lines[name].prototypes[k, kept][-1, :n], exact.prototypes[0, -1], atol=2e-6
            )
            assert lines[name].errors[k, kept][-1] == exact.errors[0, -1]
            assert lines[name].method_errors[k, kept][-1] == exact.method_errors[-1]
            assert lines[name].plain_errors[k, kept][-1] == exact.plain_errors[-1]


def test_a_line_along_m_holds_the_models_without_privacy(problem, monkeypatch):
    from dpcore.experiments.relevance import params as module

    params = RelevanceParams(dataset="blobs", prototypes_per_class=1, epsilon=2.5, epochs=2)
    found, k = relevance.run_line(problem, params, "prototypes_per_class"), 2
    there = relevance.named_problem(params.dataset, 3)
    assert found.labels[k, :12].tolist() == there.labels.tolist()
    assert (found.bests[k, :12] == there.best).all()
    assert np.isnan(found.bests[k, 12:]).all()
    assert np.isnan(found.prototypes[k, :, 12:]).all()
    assert found.best_errors[k] == there.best_error
    monkeypatch.setattr(module, "_DRAFT_SIZE", 0)
    fresh = Problem(problem.dataset, 1)
    own = relevance.run_line(fresh, params.but(dataset="own"), "prototypes_per_class")
    assert np.isnan(own.bests).all()


@pytest.mark.parametrize("name", relevance.LINES)
def test_lines_stop_when_told_and_tell_how_far_they_are(problem, name):
    told = []
    with pytest.raises(Stopped):
        relevance.run_line(
            problem,
            RelevanceParams(dataset="blobs", prototypes_per_class=1),
            name,
            progress=told.append,
            check=stop_after(),
        )
    assert told == sorted(told)
    assert all(0 <= part < 1 for part in told)


def test_outcomes_stop_when_told(problem):
    person = relevance.chosen_person(problem, RelevanceParams())
    growing = relevance.run_outcomes(problem, RelevanceParams(), person, check=stop_after(4))
    with pytest.raises(Stopped):
        list(growing)


@pytest.mark.parametrize(("claimed", "cost"), [(0.75, 0.417), (1.5, 0.886), (2.5, 1.574)])
def test_the_printed_recipe_composed_together_costs_what_the_table_says(claimed, cost):
    params = RelevanceParams().but(**relevance.PAPER).but(epsilon=claimed, recipe="paper")
    assert relevance.joint_epsilon(params) == pytest.approx(cost, abs=5e-4)
    added = relevance.real_epsilons(params)[EPSILON_GRID.index(claimed)]
    assert relevance.joint_epsilon(params) < added
