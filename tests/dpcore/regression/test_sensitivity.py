"""Sensitivities by brute force: all pairs of records on a grid of the domain, d = 1 to 4."""

import itertools
import math

import numpy as np
import pytest

from dpcore.regression import sensitivity as s
from dpcore.regression.descent import clipped_gradients
from dpcore.regression.perturbed_solution import ball_ridge
from dpcore.regression.statistics import Bounds, sufficient_statistics

DIMENSIONS = (1, 2, 3, 4)


def people(d, values=(-1.0, 0.0, 1.0)):
    """Every record (x, y) of a grid, with the intercept first: (m, d + 2)."""
    grid = np.array(list(itertools.product(values, repeat=d + 1)))
    return np.column_stack([np.ones(len(grid)), grid])


def random_people(d, n=400):
    inside = np.random.default_rng(d).uniform(-1, 1, (n, d + 1))
    return np.column_stack([np.ones(n), inside])


def worst(statistic, order, records):
    """Largest change of a statistic (m, q) when one record becomes another."""
    values = statistic(records)
    return max(np.linalg.norm(values - one, ord=order, axis=1).max() for one in values)


def quadratic(z):
    x = z[:, :-1]
    return (x[:, :, None] * x[:, None, :]).reshape(len(z), -1)


def linear(z):
    return -2 * z[:, -1:] * z[:, :-1]


def joint(z):
    x = z[:, :-1]
    upper = np.triu_indices(x.shape[1])
    return np.column_stack([x[:, upper[0]] * x[:, upper[1]], z[:, -1:] * x])


def svec(z):
    upper = np.triu_indices(z.shape[1], 1)
    return np.column_stack([z**2, math.sqrt(2) * z[:, upper[0]] * z[:, upper[1]]])


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize(
    ("statistic", "formula"),
    [(quadratic, s.quadratic), (linear, s.linear), (joint, s.joint)],
    ids=["quadratic", "linear", "joint"],
)
def test_l1_sensitivities_are_reached_and_never_passed(d, statistic, formula):
    assert worst(statistic, 1, people(d)) == pytest.approx(formula(d))
    assert worst(statistic, 1, random_people(d)) <= formula(d)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_printed_quadratic_is_twice_the_largest_change(d):
    assert s.printed_quadratic(d) == pytest.approx(2 * worst(quadratic, 1, people(d)))


@pytest.mark.parametrize("d", DIMENSIONS)
def test_one_record_more_moves_as_much_where_it_is_said_so(d):
    records = people(d)
    assert np.abs(quadratic(records)).sum(1).max() == s.quadratic(d)
    assert np.abs(joint(records)).sum(1).max() == s.joint(d)
    assert np.abs(linear(records)).sum(1).max() == s.linear(d, "add_remove")
    assert np.linalg.norm(svec(records), axis=1).max() == pytest.approx(s.svec(d, "add_remove"))


@pytest.mark.parametrize("d", DIMENSIONS)
def test_svec_is_never_passed_and_reached_by_orthogonal_corners(d):
    largest = worst(svec, 2, people(d))
    assert max(largest, worst(svec, 2, random_people(d))) <= s.svec(d) + 1e-12
    if d % 2 == 0:
        assert largest == pytest.approx(s.svec(d))


@pytest.mark.parametrize("d", DIMENSIONS)
def test_adassp_sensitivities(d):
    x = people(d)[:, :-1]
    matrices = x[:, :, None] * x[:, None, :]
    rows, columns = np.triu_indices(d + 1)
    B2 = d + 1
    assert worst(lambda z: quadratic(z).reshape(len(z), d + 1, d + 1)[:, rows, columns], 2,
                 people(d)) <= math.sqrt(2) * B2 + 1e-12  # fmt: skip
    assert worst(lambda z: z[:, -1:] * z[:, :-1], 2, people(d)) == pytest.approx(2 * math.sqrt(B2))
    rest = quadratic(random_people(d, 30)).sum(0).reshape(d + 1, d + 1)
    lowest = np.linalg.eigvalsh(rest + matrices)[:, 0]
    assert np.ptp(lowest) <= B2


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("radius", [0.5, 1.0, 3.0])
def test_gradient_bound_is_reached_on_the_ball(d, radius):
    z = people(d, (-1.0, 1.0))
    x, y = z[:, :-1], z[:, -1]
    theta = radius * x[0] / np.linalg.norm(x[0])
    size = np.abs(x @ theta - y) * np.linalg.norm(x, axis=1)
    assert size.max() == pytest.approx(s.gradient_bound(d, radius))
    other = np.random.default_rng(d).standard_normal((200, d + 1))
    other *= radius / np.linalg.norm(other, axis=1, keepdims=True)
    sizes = np.abs(other @ x.T - y) * np.linalg.norm(x, axis=1)
    assert sizes.max() <= s.gradient_bound(d, radius) + 1e-12


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("ridge", [0.05, 0.5])
def test_minimisers_of_neighbours_are_near(d, ridge):
    rng = np.random.default_rng(d)
    unit = Bounds(low=[-1] * d, high=[1] * d, target_low=-1, target_high=1)
    reach = s.output(d, 12, ridge)
    furthest = 0.0
    for _ in range(150):
        z = np.sign(rng.standard_normal((13, d + 1)))
        first, second = (
            ball_ridge(sufficient_statistics(part[:, :-1], part[:, -1], bounds=unit), ridge)
            for part in (z[:12], z[1:])
        )
        furthest = max(furthest, float(np.linalg.norm(first - second)))
    assert 0 < furthest <= reach
    assert s.output(d, 24, ridge) == pytest.approx(reach / 2)


def test_output_perturbation_formula():
    assert s.output(3, 1000, 0.1) == pytest.approx(2 * 2 * 3 / 100)


@pytest.mark.parametrize("d", DIMENSIONS)
@pytest.mark.parametrize("clip_norm", [0.3, 1.0, 2.5])
def test_a_replaced_record_moves_clipped_gradients_by_at_most_twice_the_norm(d, clip_norm):
    z = people(d)
    for theta in np.random.default_rng(d).standard_normal((5, 1, d + 1)) * 2:
        one = np.concatenate([
            clipped_gradients(row[None, :-1], row[None, -1], theta, clip_norm) for row in z
        ])  # fmt: skip
        assert np.linalg.norm(one, axis=1).max() <= clip_norm * (1 + 1e-12)
        assert worst(lambda _, g=one: g, 2, z) <= 2 * clip_norm * (1 + 1e-12)


@pytest.mark.parametrize("name", ["printed_quadratic", "quadratic", "linear", "joint", "svec"])
def test_bad_dimensions_are_named(name):
    with pytest.raises(ValueError, match="n_features=0 is not allowed"):
        getattr(s, name)(0)


@pytest.mark.parametrize("d", [1, 2])
def test_the_printed_factor_makes_the_sensitivities_2m_times_smaller_and_moves_no_minimum(d):
    """J = 1/(2m) Σ(h - y)²: brute force over the last of m records, and its minimum by least squares."""
    m, records = 7, people(d)
    rest = random_people(d, m - 1)
    sums = rest[:, :-1].T @ rest[:, :-1], -2 * rest[:, -1] @ rest[:, :-1]

    def coefficients(statistic, start):
        return lambda z: (start.ravel() + statistic(z)) / (2 * m)

    assert worst(coefficients(quadratic, sums[0]), 1, records) == pytest.approx(
        s.printed_quadratic(d) / 2 / (2 * m)
    )
    assert worst(coefficients(linear, sums[1]), 1, records) == pytest.approx(s.linear(d) / (2 * m))
    best, left, *_ = np.linalg.lstsq(rest[:, :-1], rest[:, -1], rcond=None)
    A, b = (part / (2 * len(rest)) for part in sums)
    assert np.linalg.solve(2 * A, -b) == pytest.approx(best)
    lowest = best @ A @ best + b @ best + (rest[:, -1] @ rest[:, -1]) / (2 * len(rest))
    assert lowest == pytest.approx(left[0] / (2 * len(rest)))
