"""Linkage of rows with a register: brute force over all pairs of rows, and the ends of the number of columns."""

import numpy as np
import pytest

from dpcore.audit import group_sizes, shared_secrets


@pytest.mark.parametrize("n_columns", [0, 1, 3])
def test_groups_are_those_of_brute_force(n_columns):
    rng = np.random.default_rng(n_columns)
    register, secrets = rng.integers(3, size=(60, n_columns)), rng.integers(2, size=20)
    rows = register[:20]
    same = (rows[:, None] == register).all(-1)
    assert (group_sizes(rows, register) == same.sum(1)).all()
    own = same[:, :20]
    assert (group_sizes(rows) == own.sum(1)).all()
    told = [len(set(secrets[mates])) == 1 for mates in own]
    assert shared_secrets(rows, secrets).tolist() == told


def test_rows_that_the_register_does_not_have_fit_nobody():
    assert group_sizes([[1.5], [2.0]], [[2.0], [2.0]]).tolist() == [0, 2]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: group_sizes([1, 2]), "shapes"),
        (lambda: group_sizes([[1, 2]], [[1]]), "same columns"),
        (lambda: shared_secrets([[1], [2]], [1]), r"give \(n, p\), \(n,\)"),
    ],
)
def test_bad_shapes_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
