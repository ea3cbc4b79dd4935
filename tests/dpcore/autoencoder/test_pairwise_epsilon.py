"""True ε: exact, as tabulated, and refuted claims."""

import math

import numpy as np
import pytest

from dpcore.autoencoder import EPSILONS, KINDS, pairwise_epsilon, perturb_biases, sigmas
from dpcore.mechanisms import gaussian_delta, gaussian_epsilon


@pytest.mark.parametrize("delta", [1e-8, 1e-5, 1e-2])
def test_many_distances_are_as_exact_as_one(delta):
    mu = np.array([1e-4, 0.01, 0.3, 1, 5.2, 24, 128, 800])
    found = pairwise_epsilon.gaussian_epsilons(mu, delta)
    assert found == pytest.approx([gaussian_epsilon(1 / m, 1.0, delta=delta) for m in mu], rel=1e-9)
    inside = found > 0
    back = [
        gaussian_delta(1 / m, 1.0, epsilon=e)
        for m, e in zip(mu[inside], found[inside], strict=True)
    ]
    assert back == pytest.approx(np.full(inside.sum(), delta), rel=1e-3)


def test_no_distance_and_no_noise():
    assert pairwise_epsilon.gaussian_epsilons([0.0, math.inf]).tolist() == [0, math.inf]
    assert pairwise_epsilon.gaussian_epsilons(np.ones((2, 3))).shape == (2, 3)
    with pytest.raises(ValueError, match="below 0"):
        pairwise_epsilon.gaussian_epsilons([-1.0])
    with pytest.raises(ValueError, match="delta=0"):
        pairwise_epsilon.gaussian_epsilons([1.0], 0)


def test_the_pair_is_measured_where_the_noise_is(digits):
    a, b = digits.X_test[0], digits.X_test[1]
    w = digits.weights
    for kind, place in (("hidden", w.hidden), ("output", w.logits)):
        reach = float(np.linalg.norm(place(a).astype(float) - place(b)))
        wanted = [gaussian_epsilon(sigmas(e, kind=kind).max(), reach, delta=1e-5) for e in EPSILONS]
        assert pairwise_epsilon.pair_epsilon(w, a, b, kind=kind) == pytest.approx(wanted, rel=1e-5)
    both = pairwise_epsilon.pair_epsilon(w, a, b, kind="both")
    # The output noise comes on top of hidden noise of the same size: it can only hide more.
    doubled = pairwise_epsilon.pair_epsilon(w, a, b, np.array(EPSILONS) / 2, kind="hidden")
    assert (both < doubled).all()
    for kind in KINDS:
        found = pairwise_epsilon.pair_epsilon(w, a, b, kind=kind)
        assert (np.diff(found) > 0).all()
        assert (found == pairwise_epsilon.pair_epsilon(w, b, a, kind=kind)).all()
        assert pairwise_epsilon.pair_epsilon(w, a, a, kind=kind).tolist() == [0] * 7
        assert pairwise_epsilon.pair_epsilon(w, a, b, [math.inf], kind=kind).tolist() == [math.inf]


MEDIANS = {
    ("digits", "hidden"): (6.5, 15, 26, 39, 54, 100, 158),
    ("digits", "output"): (25, 68, 128, 205, 299, 608, 1023),
    ("mnist", "hidden"): (35, 99, 189, 307, 452, 936, 1590),
    ("mnist", "output"): (398, 1388, 2969, 5141, 7904, 17396, 30582),
}


@pytest.mark.parametrize("kind", ["hidden", "output"])
@pytest.mark.parametrize("name", ["digits", pytest.param("mnist", marks=pytest.mark.slow)])
def test_typical_people_are_as_far_apart_as_tabulated(request, name, kind):
    setting = request.getfixturevalue(name)
    found = pairwise_epsilon.median_pair_epsilon(
        setting.model, setting.everyone, kind=kind, pairs=8000, rng=np.random.default_rng(0)
    )
    assert found == pytest.approx(MEDIANS[name, kind], rel=0.15)


def test_a_certificate_keeps_its_confidence():
    # Gaussian releases at distance 1: a certificate above the true ε has a chance of 5 % a run, so
    # 27 or more of 100 runs have one below 1e-6.
    rng = np.random.default_rng(0)
    delta = 1e-5
    truth = gaussian_epsilon(1.0, 1.0, delta=delta)
    found = [
        pairwise_epsilon.certified_epsilon(rng.normal(1, 1, 2000), rng.normal(0, 1, 2000), delta)
        for _ in range(100)
    ]
    assert np.sum(np.array(found) > truth) < 27
    assert np.median(found) > 0.3 * truth


def test_a_certificate_at_its_ceiling_and_of_nothing():
    n = 20_000
    assert pairwise_epsilon.certified_epsilon(np.ones(n), np.zeros(n)) == pytest.approx(
        7.90, abs=0.01
    )
    assert pairwise_epsilon.certified_epsilon(np.zeros(n), np.zeros(n)) == 0
    assert pairwise_epsilon.certified_epsilon(np.zeros(n), np.ones(n)) == 0
    with pytest.raises(ValueError, match="four"):
        pairwise_epsilon.certified_epsilon([1.0], [0.0] * 9)
    with pytest.raises(ValueError, match="confidence=1"):
        pairwise_epsilon.certified_epsilon(np.ones(9), np.zeros(9), confidence=1)


def test_every_claim_of_the_method_is_refuted_by_two_nines(digits):
    nines = digits.X_test[digits.y_test == 9]
    clean = digits.weights.logits(nines).astype(float)
    a = 0
    b = np.square(clean - clean[a]).sum(1).argsort()[len(nines) // 2]
    for epsilon in (0.8, 3.2):
        scores = []
        for seed, row in enumerate((a, b)):
            out = perturb_biases(
                digits.model, nines[[row]], kind="output", epsilon=epsilon, draws=20_000,
                rng=np.random.default_rng(seed),
            )[0, 0, :, 0]  # fmt: skip
            x = np.clip(out.astype(float), 1e-38, 1 - 2.0**-25)
            scores.append((np.log(x) - np.log1p(-x)) @ (clean[a] - clean[b]))
        assert pairwise_epsilon.certified_epsilon(*scores) > epsilon
