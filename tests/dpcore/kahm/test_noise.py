"""Noise on elements and the ε of a record.

Statistical bounds: 2·10⁶ draws; the relative error of a mean is below 0.001 (one sigma), so 1 % is
ten sigma; the atom of 10 % has 0.2 %; both have a false-alarm rate below 1e-6.
"""

import math

import numpy as np
import pytest

from dpcore.kahm.noise import NOISES, amount, element_delta, element_noise, uniforms
from dpcore.kahm.record_epsilon import record_epsilon

U = uniforms((2_000_000,), np.random.default_rng(0))


@pytest.mark.parametrize("kind", ["laplace", "staircase"])
@pytest.mark.parametrize(("epsilon", "delta", "d"), [(1.0, 0.0, 1.0), (2.0, 0.1, 0.5), (8, 0, 1)])
def test_mean_size_and_atom(kind, epsilon, delta, d):
    v = element_noise(U, epsilon, delta=delta, sensitivity=d, kind=kind)
    mean = amount(epsilon, delta, sensitivity=d, kind=kind)
    assert np.abs(v).mean() == pytest.approx(mean, rel=0.01)
    assert v.mean() == pytest.approx(0, abs=0.01 * mean)
    if delta:
        assert (v == 0).mean() == pytest.approx(delta, rel=0.01)
    else:
        assert (v == 0).mean() < 1e-6
    if kind == "laplace":
        assert v.var() == pytest.approx(2 * (1 - delta) * (d / epsilon) ** 2, rel=0.015)
        assert mean == pytest.approx((1 - delta) * d / epsilon)
    else:
        assert mean == pytest.approx((1 - delta) * d * math.exp(epsilon / 2) / math.expm1(epsilon))


@pytest.mark.parametrize("kind", ["laplace", "staircase"])
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("shift", [0.3, 1.0])
def test_neighbours_cannot_be_told_apart_by_more_than_epsilon(kind, epsilon, shift):
    v = element_noise(U, epsilon, kind=kind)
    edges = np.linspace(-2, 3, 41)
    here, there = (np.histogram(x, edges)[0] for x in (v, v + shift))
    seen = (here > 4000) & (there > 4000)
    assert seen.sum() > 20
    ratio = np.log(here[seen] / there[seen])
    # The standard error of a logarithm of counts above 4000 is below 0.023: six of them.
    assert np.abs(ratio).max() <= epsilon + 6 * 0.023
    if shift == 1.0:
        assert np.abs(ratio).max() >= 0.9 * epsilon


@pytest.mark.parametrize("kind", ["laplace", "staircase"])
def test_the_distribution_function_is_that_of_the_density(kind):
    epsilon = 1.5
    t = np.linspace(0.05, 4, 60)
    if kind == "laplace":
        wanted = np.exp(-epsilon * t)
    else:
        fine = np.linspace(0, 60, 600_001)
        b, gamma = math.exp(-epsilon), 1 / (1 + math.exp(epsilon / 2))
        level = (1 - b) / (2 * (gamma + b * (1 - gamma)))
        k = np.floor(fine)
        density = level * b ** (k + (fine - k >= gamma))
        tail = 1 - 2 * np.concatenate([[0], np.cumsum(density[:-1])]) * 1e-4
        wanted = np.interp(t, fine, tail)
    seen = 1 - np.searchsorted(np.sort(np.abs(element_noise(U, epsilon, kind=kind))), t) / len(U)
    assert seen == pytest.approx(wanted, abs=6 * 0.5 / math.sqrt(len(U)))


@pytest.mark.parametrize("kind", ["laplace", "staircase"])
def test_the_same_noise_for_every_epsilon_shrinks(kind):
    u = U[:1000]
    sizes = np.abs([element_noise(u, e, kind=kind) for e in (0.1, 1, 5, 50, 2000)])
    assert np.isfinite(sizes).all()
    if kind == "laplace":
        assert (np.diff(sizes, axis=0) <= 0).all()
        assert sizes[0] * 0.1 == pytest.approx(sizes[1])
    assert sizes[-1].max() < 0.02
    assert (element_noise(u, math.inf, kind=kind) == 0).all()
    assert (element_noise(u, 1.0, sensitivity=0, kind=kind) == 0).all()


def test_no_noise_is_infinite_at_the_end_of_the_uniforms():
    assert np.isfinite(element_noise([-0.5, 0.5], 0.1)).all()


def test_staircase_is_always_smaller():
    assert amount(1.0, kind="staircase") == pytest.approx(0.959517, abs=1e-6)
    assert amount(3.0, kind="staircase") == pytest.approx(0.234821, abs=1e-6)
    assert amount(10.0, kind="staircase") == pytest.approx(0.006738, abs=1e-6)
    for epsilon in np.geomspace(0.01, 20, 30):
        assert amount(epsilon, kind="staircase") < amount(epsilon)


@pytest.mark.parametrize(
    ("p", "epsilon", "pure", "tight"),
    [
        (2, 1, 2, 2.0),
        (64, 0.1, 6.4, 3.24),
        (64, 0.5, 32, 20.8),
        (64, 1, 64, 48.0),
        (64, 4, 256, 237),
        (784, 0.1, 78.4, 14.9),
        (784, 1, 784, 383),
    ],
)
def test_what_a_record_gets(p, epsilon, pure, tight):
    found = record_epsilon(epsilon, p)
    assert found.pure == pytest.approx(pure)
    assert found.tight == pytest.approx(tight, rel=0.003)
    assert found.tight <= found.pure
    assert record_epsilon(epsilon, p, kind="staircase").tight >= found.tight


def test_one_feature_and_two_in_closed_form():
    assert record_epsilon(1.0, 1).tight == pytest.approx(0.99998, abs=1e-7)
    # One ε-DP mechanism: δ(ε') = (e^ε - e^ε')/(1 + e^ε).
    found = record_epsilon(1.0, 1, delta=0.1, kind="staircase").tight
    assert found == pytest.approx(math.log(math.e - 0.1 * (1 + math.e)))


def test_record_epsilon_by_sampling_the_privacy_loss():
    # Loss of one Laplace element: |x - 1| - |x| times ε. δ(ε') = E[(1 - e^{ε' - L})₊], 2·10⁵ records,
    # standard error below 0.0012.
    x = element_noise(uniforms((200_000, 8), np.random.default_rng(1)), 0.5)
    loss = 0.5 * (np.abs(x - 1) - np.abs(x)).sum(1)
    found = record_epsilon(0.5, 8, delta=0.05).tight
    seen = np.maximum(1 - np.exp(found - loss), 0).mean()
    assert seen == pytest.approx(0.05, abs=6 * 0.0012)


def test_atoms_add_up_over_a_record():
    found = record_epsilon(1.0, 64, atom=1e-3)
    assert found.pure_delta == pytest.approx(1 - (1 - 1e-3) ** 64)
    assert found.tight == math.inf
    assert record_epsilon(0.1, 784, delta=0.01, atom=1e-5).pure_delta == pytest.approx(
        0.0078, abs=1e-4
    )
    assert record_epsilon(1.0, 64, atom=1e-8).tight > record_epsilon(1.0, 64).tight
    assert record_epsilon(math.inf, 64).tight == math.inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: element_noise(U[:2], 0), "epsilon=0"),
        (lambda: element_noise(U[:2], math.nan), "epsilon=nan"),
        (lambda: element_noise(U[:2], 1, delta=1.0), "delta=1.0"),
        (lambda: element_noise(U[:2], 1, sensitivity=-1), "sensitivity=-1"),
        (lambda: element_noise(U[:2], 1, kind="normal"), "kind='normal'"),
        (lambda: amount(-1), "epsilon=-1"),
        (lambda: record_epsilon(1, 0), "n_features=0"),
        (lambda: record_epsilon(1, 2, delta=0), "delta=0"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("kind", NOISES)
def test_delta_covers_the_outputs_that_the_end_of_the_noise_makes_impossible(epsilon, kind):
    """53 random bits end the noise: the last unit of it cannot be had from a neighbour."""
    end = float(element_noise(-0.5, epsilon, kind=kind))
    assert math.isfinite(end)
    u = -0.5 + 2.0**-53 * np.arange(2**14)
    impossible = element_noise(u, epsilon, kind=kind) < end + 1  # y + V, but for no y' = y + 1
    assert impossible[0]
    assert not impossible.all()
    assert impossible.sum() * 2.0**-53 <= element_delta(epsilon)
    assert element_delta(epsilon, 0.1) > 0.1
    assert element_delta(100.0) == 1.0
    privacy = record_epsilon(epsilon, 5, kind=kind)
    assert privacy.pure_delta == pytest.approx(5 * element_delta(epsilon))
