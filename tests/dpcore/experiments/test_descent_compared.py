"""Noise at four places and models of growing size: closed forms, the library's own runs, what is claimed."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from dpcore import accounting, sgd
from dpcore.descent import ObjectivePerturbationClassifier, descend
from dpcore.experiments import descent
from dpcore.experiments.composition_tables import NOISE_GRID
from dpcore.experiments.descent import DescentParams, comparisons
from dpcore.experiments.descent.cost import WIDTH_GRID
from dpcore.mechanisms import gaussian_epsilon, gaussian_sigma
from tests.stopping import Stopped, stop_after


def test_the_first_place_is_the_best_and_the_last_the_worst():
    *_, found = descent.run_places("corners", 0.03, 1e-5, 0, n_draws=15)
    middle = dict(zip(descent.PLACES, found.quantiles()[1], strict=True))
    at = descent.PLACE_NODES.index(2.0)
    assert middle["objective"][at] > middle["gradient"][at] > middle["input"][at] + 0.1
    assert middle["objective"][at] > middle["output"][at] + 0.03
    assert found.trivial == 0.5 < found.best
    assert middle["objective"][-1] == pytest.approx(found.exact, abs=0.02)


def test_rows_have_norm_one_at_most_and_the_minimum_is_scikit_learns():
    task = descent.task("moons")
    assert np.square(task.X).sum(1).max() <= 1
    strength = task.strength(0.03)
    other = LogisticRegression(
        C=1 / (2 * strength * len(task.y)), fit_intercept=False, tol=1e-10
    ).fit(task.X, task.y)
    assert task.plain(0.03) == pytest.approx(other.coef_[0], abs=1e-4)


def test_no_record_moves_a_sum_of_gradients_or_a_signed_row_by_more_than_two():
    task = descent.task("corners")
    weights = np.random.default_rng(0).normal(0, 30, (20, 4))
    signed = task.X * np.where(task.y > 0, 1, -1)[:, None]
    p = 1 / (1 + np.exp(np.clip(weights @ signed.T, -500, 500)))
    assert (p * np.linalg.norm(signed, axis=1)).max() <= 1


def test_gradient_noise_of_all_steps_costs_epsilon():
    """T sums with noise σ and a reach of 2 are one with σ/√T."""
    for epsilon in (0.2, 2.0, 12.0):
        sigma = gaussian_sigma(2.0, epsilon, delta=1e-5) * math.sqrt(comparisons.N_STEPS)
        assert gaussian_epsilon(
            sigma / math.sqrt(comparisons.N_STEPS), 2.0, delta=1e-5
        ) == pytest.approx(epsilon)
        spent = accounting.epsilon(
            noise_multiplier=sigma / 2, sample_rate=1.0, n_steps=comparisons.N_STEPS, delta=1e-5
        )
        assert spent == pytest.approx(epsilon, rel=2e-3)


def test_steps_without_noise_lead_to_the_minimum():
    task = descent.task("blobs")
    strength = task.strength(1.0)
    path = comparisons.descend_everybody(
        task.X, task.y, strength, np.zeros(1), np.zeros((4000, 4)), len(task.y)
    )
    assert path[0, -1] == pytest.approx(task.plain(1.0), abs=1e-6)


def test_the_objective_of_the_page_is_the_estimators():
    """Both coordinates and their product, given to the estimator with bounds, and the same seed."""
    task, problem = descent.task("moons"), descent.named_problem("moons", "logistic")
    X = np.column_stack([problem.X[:, :2], problem.X[:, 0] * problem.X[:, 1]])
    with pytest.warns(match="random_state"):
        model = ObjectivePerturbationClassifier(
            epsilon=1.0, delta=1e-5, regularisation=task.strength(0.03), bounds=(-1, 1), classes=[0, 1],
            random_state=np.random.default_rng(0),
        ).fit(X, problem.y.astype(int))  # fmt: skip
    *_, found = descent.run_places("moons", 0.03, 1e-5, 0, n_draws=1)
    assert model.privacy_.epsilon == 1.0
    noise = comparisons.objective_noise(
        1.0, 1e-5, regularisation=task.strength(0.03), n_samples=len(task.y)
    )
    assert model.noise_ == noise
    assert found.accuracy.shape == (4, 1, 12)


@pytest.fixture(scope="module")
def small():
    params = DescentParams(asked="noise", n_steps=20)
    problem = descent.named_problem(params.dataset, params.model)
    told: list[float] = []
    *grown, found = descent.run_sizes(problem, params, n_draws=1, progress=told.append)
    return params, problem, found, grown, told


def test_a_size_is_one_training(small):
    params, problem, found, *_ = small
    s, v = WIDTH_GRID.index(8), NOISE_GRID.index(2.0)
    model, X, X_test = comparisons._models(problem, 8, 1)[0]
    path = descend(
        model, X, y=problem.y, recipe=params.recipe(), noise_multiplier=np.array([2.0]), streams=sgd.Streams.of(1, 2),
        snapshots=np.array([20]),
    )  # fmt: skip
    right = (model.scores(path.weights[:, 0], X_test) > 0) == (problem.y_test > 0)
    assert found.accuracy[0, 0, s, v] == right.mean()
    assert found.accuracy.shape == (2, 1, len(WIDTH_GRID), len(NOISE_GRID))


def test_sizes_appear_one_after_the_other_and_progress_is_told(small):
    _, _, found, grown, told = small
    assert len(grown) == len(WIDTH_GRID) - 1
    for s, part in enumerate(grown):
        there = np.isfinite(part.accuracy).all(axis=(0, 1, 3))
        assert there.tolist() == [k <= s for k in range(len(WIDTH_GRID))]
        assert (part.accuracy[:, :, : s + 1] == found.accuracy[:, :, : s + 1]).all()
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_long_training_is_drawn_less_often_and_stops_in_its_midst():
    params = DescentParams(sample_rate=1.0, n_steps=500)
    problem = descent.named_problem(params.dataset, params.model)
    with pytest.raises(Stopped):
        next(descent.run_sizes(problem, params, check=stop_after(3)))
    assert descent.draws_of(params) < descent.draws_of(DescentParams()) == descent.N_SIZE_DRAWS


def test_features_keep_their_length_and_gradients_of_networks_grow(small):
    _, problem, found, *_ = small
    for d in (5, 1025):
        length = np.linalg.norm(comparisons.random_features(problem.X, d, 0), axis=1)
        assert length.max() <= math.sqrt(2)
        assert length.mean() == pytest.approx(1, abs=0.2)
    assert (np.diff(found.gradient[0]) > 0).all()
    assert found.gradient[1] == pytest.approx(np.full(len(WIDTH_GRID), 0.5), abs=0.1)


def test_noise_is_as_long_as_is_said(small):
    params = small[0]
    noise, together = descent.lengths(params, 64, params.noise_multiplier)
    d = descent.n_parameters(64)
    drawn = (
        params.noise_multiplier * params.clip_norm * np.random.default_rng(0).normal(size=(200, d))
    )
    assert np.linalg.norm(drawn, axis=1).mean() == pytest.approx(noise, rel=0.01)
    assert together == 0.1 * 400 * params.clip_norm
