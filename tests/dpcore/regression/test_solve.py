"""Solving for all ε at once is solving the noisy system at each of them."""

import math

import numpy as np
import pytest

from dpcore.regression import noise as noises
from dpcore.regression.solve import REPAIRS, Repair, solve_grid
from dpcore.regression.statistics import Bounds, SufficientStatistics, sufficient_statistics

EPSILON = [0.05, 0.3, 1.0, 5.0, math.inf]


def sums(n=3000, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    y = np.clip(0.3 * X.sum(1) / d + 0.1 * rng.standard_normal(n), -1, 1)
    unit = Bounds(low=[-1] * d, high=[1] * d, target_low=-1, target_high=1)
    return sufficient_statistics(X, y, bounds=unit)


def by_hand(A, c, shift, kind):
    """The rule, read from its sentence, for one noisy system."""
    if kind == "none":
        return np.linalg.solve(A, c)
    w, V = np.linalg.eigh(A)
    if kind == "floor":
        return V @ ((V.T @ c) / (np.maximum(w, 0) + shift))
    kept = w + shift > 0
    return V[:, kept] @ ((V[:, kept].T @ c) / (w + shift)[kept])


@pytest.mark.parametrize("kind", REPAIRS)
@pytest.mark.parametrize("n", [40, 3000])
def test_one_decomposition_gives_what_every_system_alone_gives(kind, n):
    given, rule = sums(n), Repair(kind=kind, floor=1.0)
    noise = noises.joint_noise(4, 30, np.random.default_rng(1))
    scales = noises.laplace_scales(EPSILON[:-1])
    found, indefinite = solve_grid(given, noise, scales, rule)
    assert indefinite.any()
    assert not indefinite.all()
    for i, j in np.ndindex(found.shape[:2]):
        A = given.quadratic + scales[j] * noise.matrix[i]
        c = given.linear + scales[j] * noise.vector[i]
        alone = by_hand(A, c, scales[j] * rule.shift(noise), kind)
        np.testing.assert_allclose(found[i, j], alone, rtol=1e-6, atol=1e-8 * abs(alone).max())
        assert indefinite[i, j] == (np.linalg.eigvalsh(A)[0] <= 0)


@pytest.mark.parametrize("kind", REPAIRS)
def test_no_noise_is_least_squares_also_when_sums_are_singular(kind):
    given = sums()
    noise = noises.gaussian_noise(4, 3, np.random.default_rng(1))
    found, _ = solve_grid(given, noise, np.zeros(1), Repair(kind=kind))
    np.testing.assert_allclose(found, np.broadcast_to(given.solve(), found.shape), rtol=1e-9)
    flat = SufficientStatistics(
        quadratic=np.diag([9.0, 4, 1, 1, 0]), linear=np.array([3.0, 1, 0.5, 0, 0]),
        target_square=9.0, n_samples=9,
    )  # fmt: skip
    found, indefinite = solve_grid(flat, noise, np.zeros(1), Repair(kind=kind))
    np.testing.assert_allclose(found[:, 0], np.broadcast_to(flat.solve(), (3, 5)), atol=1e-12)
    assert indefinite.all()


@pytest.mark.parametrize("kind", REPAIRS)
def test_singular_sums_with_noise_are_repaired_the_long_way(kind):
    flat = SufficientStatistics(
        quadratic=np.diag([900.0, 400, 100, 100, 0]), linear=np.array([300.0, 100, 50, 0, 0]),
        target_square=900.0, n_samples=900,
    )  # fmt: skip
    noise = noises.joint_noise(4, 20, np.random.default_rng(1))
    found, _ = solve_grid(flat, noise, np.array([1.0]), Repair(kind=kind))
    for i in range(20):
        alone = by_hand(
            flat.quadratic + noise.matrix[i], flat.linear + noise.vector[i],
            Repair(kind=kind).shift(noise), kind,
        )  # fmt: skip
        np.testing.assert_allclose(found[i, 0], alone, rtol=1e-7, atol=1e-10)


def test_noise_matrices_are_symmetric_and_scaled_by_the_budget():
    for make in (noises.joint_noise, noises.gaussian_noise):
        unit = make(3, 5, np.random.default_rng(0))
        assert (unit.matrix == unit.matrix.transpose(0, 2, 1)).all()
        assert unit.vector.shape == (5, 4)
    assert noises.laplace_scales([0.5, math.inf]).tolist() == [2.0, 0.0]
    scales = noises.gaussian_scales([0.1, 1.0, 10.0, math.inf], 1e-5)
    np.testing.assert_allclose(scales[:3], [30.749566, 3.730632, 0.499889], rtol=1e-6)
    assert scales[3] == 0


@pytest.mark.parametrize("d", [1, 2, 5])
def test_every_released_number_has_noise_of_its_own(d):
    D, upper = d + 1, np.triu_indices(d + 1)
    for unit in (
        noises.joint_noise(d, 3, np.random.default_rng(0)),
        noises.gaussian_noise(d, 3, np.random.default_rng(0)),
        noises.functional_noise(d, 3, np.random.default_rng(0), share=0.5),
    ):
        numbers = np.column_stack([unit.matrix[:, *upper], unit.vector])
        assert numbers.shape[1] == D * (D + 1) // 2 + D
        assert len(np.unique(numbers)) == numbers.size


def spread(values, expected, laplace):
    """Whether a sample deviation is within 6 standard errors: false alarm below 1e-8 each.

    The variance of m draws has a relative error of √((κ - 1)/m), κ = 6 (Laplace) or 3.
    """
    error = math.sqrt(((6 if laplace else 3) - 1) / values.size) / 2
    assert values.std() == pytest.approx(expected, rel=6 * error)


def test_noise_has_the_scale_of_its_sensitivity():
    m, d = 4000, 3
    D, diagonal = d + 1, np.arange(d + 1)
    upper = np.triu_indices(D, 1)
    rng = np.random.default_rng(5)
    joint = noises.joint_noise(d, m, rng)
    for part in (joint.matrix[:, *upper], joint.matrix[:, diagonal, diagonal], joint.vector):
        spread(part, math.sqrt(2) * 14, laplace=True)
    gauss = noises.gaussian_noise(d, m, rng)
    spread(gauss.matrix[:, *upper], 5.0, laplace=False)
    spread(gauss.matrix[:, diagonal, diagonal], math.sqrt(2) * 5, laplace=False)
    spread(gauss.vector, 5.0, laplace=False)
    for kind, first in (("printed", 32.0), ("tight", 16.0)):
        split = noises.functional_noise(d, m, rng, share=0.8, sensitivities=kind)
        spread(split.matrix[:, *upper], first / 0.8, laplace=True)
        spread(split.matrix[:, diagonal, diagonal], math.sqrt(2) * first / 0.8, laplace=True)
        spread(split.vector, math.sqrt(2) * 8 / 0.2, laplace=True)
        assert split.off_diagonal_sd == pytest.approx(first / 0.8)
    assert (joint.off_diagonal_sd, gauss.off_diagonal_sd) == pytest.approx((14 * 2**0.5, 5))


@pytest.mark.parametrize(
    "options", [{"kind": "ball"}, {"floor": -1}, {"ridge": math.nan}], ids=["kind", "k", "ridge"]
)
def test_bad_repairs_are_named(options):
    with pytest.raises(ValueError, match="is not allowed"):
        Repair(**options)
