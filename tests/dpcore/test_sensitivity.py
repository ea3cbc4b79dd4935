"""Sensitivities, by brute force over neighbouring data sets on the corners of the domain."""

import itertools
import math

import numpy as np
import pytest

from dpcore import sensitivity as s

CORNERS = {d: [np.array(c) for c in itertools.product([-1.0, 1.0], repeat=d)] for d in (1, 2, 3)}


def release(records, d, with_counts):
    out = np.zeros((2, d + with_counts))
    for label, x in records:
        out[label, with_counts:] += x
        if with_counts:
            out[label, 0] += 1
    return out.ravel()


def worst(d, neighbouring, norm, with_counts):
    people = [(label, x) for label in (0, 1) for x in CORNERS[d]]
    nobody = np.zeros(2 * (d + with_counts))
    values = [release([person], d, with_counts) for person in people]
    others = [nobody] if neighbouring == "add_remove" else values
    return max(np.linalg.norm(a - b, ord=norm) for a in values for b in others)


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("norm", [1, 2])
@pytest.mark.parametrize("neighbouring", ["add_remove", "replace_one"])
def test_class_sums_and_joint_release(d, norm, neighbouring):
    sums = s.class_sums(d, norm=norm, neighbouring=neighbouring)
    assert sums == pytest.approx(worst(d, neighbouring, norm, 0))
    joint = s.counts_and_sums(d, norm=norm, neighbouring=neighbouring)
    assert joint >= worst(d, neighbouring, norm, 1) - 1e-12
    if neighbouring == "add_remove":
        assert joint == pytest.approx(worst(d, neighbouring, norm, 1))


def test_counts():
    assert s.count(neighbouring="add_remove") == 1
    assert s.count(neighbouring="replace_one") == 0
    assert s.histogram(norm=1, neighbouring="add_remove") == 1
    assert s.histogram(norm=1, neighbouring="replace_one") == 2
    assert s.histogram(norm=2, neighbouring="replace_one") == pytest.approx(math.sqrt(2))


def test_mean_needs_a_public_number_of_records():
    assert s.mean(0, 1, n_samples=1000, neighbouring="replace_one") == pytest.approx(0.001)
    with pytest.raises(ValueError, match="noisy sum and a noisy count"):
        s.mean(0, 1, n_samples=1000, neighbouring="add_remove")


def test_clipped_sum_doubles_when_somebody_is_displaced():
    assert s.clipped_sum(0.5, neighbouring="add_remove") == 0.5
    assert s.clipped_sum(0.5, neighbouring="replace_one") == 1.0
    assert s.clipped_sum(0.5, neighbouring="add_remove", fixed_size=True) == 1.0


def test_minimiser_bound_is_attained():
    # ℓ_i(w) = -G z_i w + μ w²/2 has the minimiser G mean(z)/μ: replacing z = 1 by -1 moves 2G/(nμ).
    lipschitz, mu, n = 1.0, 0.1, 50
    z = np.ones(n)
    other = np.r_[-1.0, z[1:]]
    moved = abs(lipschitz * z.mean() / mu - lipschitz * other.mean() / mu)
    assert s.minimiser(lipschitz, mu, n_samples=n, neighbouring="replace_one") == pytest.approx(
        moved
    )
    assert moved == pytest.approx(0.4)


@pytest.mark.parametrize("neighbouring", ["add", None, "replace"])
def test_the_neighbouring_relation_is_asked_for(neighbouring):
    with pytest.raises(ValueError, match="choose one of 'add_remove', 'replace_one'"):
        s.count(neighbouring=neighbouring)
    with pytest.raises(TypeError):
        s.count()
