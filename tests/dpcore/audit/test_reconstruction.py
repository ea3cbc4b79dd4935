"""Reconstruction of people from tables: brute force over small populations, an integer program, properties."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from dpcore import audit
from dpcore.audit import consistent_populations, marginal_tables, n_recovered, reconstruct


def populations(n, n_groups):
    """All populations of n people in ``n_groups`` groups."""
    cells = 4 * n_groups
    for bars in itertools.combinations(range(n + cells - 1), cells - 1):
        ends = (-1, *bars, n + cells - 1)
        counts = [b - a - 1 for a, b in itertools.pairwise(ends)]
        yield np.array(counts).reshape(n_groups, 2, 2)


def frequencies(n_groups, rng):
    shares = rng.uniform(0.5, 2.0, (n_groups, 2, 2))
    return shares / shares.sum()


def objective(people, tables, scale, shares):
    exact = marginal_tables(people)[: len(tables)]
    misfit = sum(np.abs(y - c).sum() for y, c in zip(tables, exact, strict=True)) / scale
    logs = [
        math.lgamma(x + 1) - x * math.log(p) for x, p in zip(people.flat, shares.flat, strict=True)
    ]
    return misfit + sum(logs)


@pytest.mark.parametrize("n_tables", [0, 1, 2, 3])
@pytest.mark.parametrize(("n", "n_groups"), [(1, 1), (3, 2), (4, 2), (2, 3)])
def test_the_likeliest_population_is_that_of_brute_force(n, n_groups, n_tables):
    rng = np.random.default_rng(n + 10 * n_groups + 100 * n_tables)
    every = list(populations(n, n_groups))
    for scale in (0.3, 1.0, 4.0):
        shares = frequencies(n_groups, rng)
        people = every[rng.integers(len(every))]
        tables = [y + scale * rng.laplace(size=y.shape) for y in marginal_tables(people)[:n_tables]]
        found = reconstruct(tables, scale=scale, frequencies=shares, n_people=n)
        best = min(objective(other, tables, scale, shares) for other in every)
        assert objective(found, tables, scale, shares) == pytest.approx(best, abs=1e-9)


def test_without_noise_the_likeliest_consistent_population_is_found():
    rng = np.random.default_rng(5)
    every = list(populations(4, 2))
    for _ in range(10):
        shares, people = frequencies(2, rng), every[rng.integers(len(every))]
        for k in (1, 2, 3):
            tables = marginal_tables(people)[:k]
            fits = [
                one for one in every
                if all((a == b).all() for a, b in zip(marginal_tables(one), tables, strict=False))
            ]  # fmt: skip
            found = reconstruct(tables, scale=0.0, frequencies=shares, n_people=4)
            for mine, theirs in zip(marginal_tables(found), tables, strict=False):
                assert (mine == theirs).all()
            best = min(objective(one, (), 1.0, shares) for one in fits)
            assert objective(found, (), 1.0, shares) == pytest.approx(best, abs=1e-9)
            assert consistent_populations(tables) == len(fits)


def least_misfit(tables, n):
    """The least Σ |y - c(x)| over populations of n people, by HiGHS."""
    shape = (len(tables[0]), 2, 2)
    cells, y = math.prod(shape), np.concatenate([table.ravel() for table in tables])
    units = np.eye(cells).reshape(cells, *shape)
    margins = np.array(
        [np.concatenate([t.ravel() for t in (u.sum(2), u.sum(1), u.sum(0))]) for u in units]
    ).T
    eye = np.eye(len(y))
    above, below = np.hstack([margins, eye]), np.hstack([margins, -eye])
    whole = np.concatenate([np.ones(cells), np.zeros(len(y))])
    found = milp(
        whole * 0 + np.concatenate([np.zeros(cells), np.ones(len(y))]),
        constraints=[
            LinearConstraint(above, lb=y), LinearConstraint(below, ub=y), LinearConstraint(whole, n, n),
        ],
        integrality=whole,
        bounds=Bounds(0, np.inf),
    )  # fmt: skip
    assert found.success
    return found.fun


def test_twelve_people_fit_nearly_as_well_as_an_integer_program_allows():
    """At a small scale b the misfit alone decides: a better one is worth 1/b, and equal frequencies little."""
    rng = np.random.default_rng(2)
    shares = np.full((10, 2, 2), 1 / 40)
    for _ in range(3):
        people = rng.multinomial(12, shares.ravel()).reshape(shares.shape)
        tables = [y + rng.laplace(size=y.shape) for y in marginal_tables(people)]
        found = reconstruct(tables, scale=1e-6, frequencies=shares, n_people=12)
        misfit = sum(
            np.abs(y - c).sum() for y, c in zip(tables, marginal_tables(found), strict=True)
        )
        assert misfit == pytest.approx(least_misfit(tables, 12), abs=1e-4)


@pytest.mark.parametrize("neighbouring", ["add_remove", "replace_one"])
def test_the_sensitivity_of_each_table_is_that_of_brute_force(neighbouring):
    worst = np.zeros(3)
    for people in populations(3, 2):
        for i, j in itertools.product(range(8), repeat=2):
            other = people.ravel().copy()
            if not other[i]:
                continue
            other[i] -= 1
            if neighbouring == "replace_one":
                other[j] += 1
            pairs = zip(
                marginal_tables(people), marginal_tables(other.reshape(2, 2, 2)), strict=True
            )
            worst = np.maximum(worst, [np.abs(a - b).sum() for a, b in pairs])
    from dpcore import sensitivity

    assert (worst == sensitivity.histogram(norm=1, neighbouring=neighbouring)).all()


def test_people_with_the_same_attributes_are_counted_once_each():
    here = np.array([[[2, 0], [1, 0]]])
    assert n_recovered(here, here) == 3
    assert n_recovered(here, [[[3, 0], [0, 0]]]) == 2
    assert n_recovered(here, [[[0, 1], [0, 2]]]) == 0


EVEN = np.full((2, 2, 2), 1 / 8)
EMPTY = np.zeros((2, 2))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: reconstruct([EMPTY], scale=-1, frequencies=EVEN, n_people=3), "scale=-1 is not allowed"),
        (lambda: reconstruct([EMPTY], scale=1, frequencies=EVEN, n_people=17), "from 1 to 16"),
        (lambda: reconstruct([EMPTY], scale=1, frequencies=EVEN * 2, n_people=3), "with the sum 1"),
        (lambda: reconstruct([EMPTY[0]], scale=1, frequencies=EVEN, n_people=3), "of the shapes"),
        (lambda: reconstruct([EMPTY + 0.5], scale=0, frequencies=EVEN, n_people=3), "contradict each other"),
        (lambda: consistent_populations([]), "length 0"),
        (lambda: consistent_populations([EMPTY - 1]), "whole numbers"),
        (lambda: marginal_tables([[1.0, 0.0]]), r"give counts \(A, 2, 2\)"),
    ],
)  # fmt: skip
def test_bad_tables_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_the_attack_is_offered_by_the_audit():
    assert {"reconstruct", "marginal_tables", "consistent_populations", "n_recovered"} <= set(
        audit.__all__
    )
