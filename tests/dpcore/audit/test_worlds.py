"""The attacks of the worlds are strong, false claims are found; `test_short_audit` runs them all."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.audit import gaussian_bound, two_worlds
from dpcore.audit.likelihood_ratios import (
    IMPOSSIBLE,
    best_cut,
    laplace_cut,
    laplace_evidence,
    step_evidence,
)
from dpcore.audit.prototype_attack import clipped_gradients
from dpcore.audit.registry import all_worlds
from dpcore.audit.thresholds import choose_threshold, count
from dpcore.lvq import gradients, matrix

WORLDS = all_worlds()
BY_NAME = {world.name: world for world in WORLDS}


def bounds(world, n, confidence, seed=1):
    """What n releases in each world demonstrate: ε by two worlds, and by the Gaussian-DP bound."""
    rng = np.random.default_rng(seed)
    without = [world.release(False, rng) for _ in range(n)]
    there = [world.release(True, rng) for _ in range(n)]
    delta, cut = min(world.claim().delta, 0.5), world.threshold
    if cut is None:
        cut = choose_threshold(without[: n // 2], there[: n // 2], delta=delta)
        without, there = without[n // 2 :], there[n // 2 :]
    k0, k1 = count(without, there, threshold=cut)
    found = [two_worlds(k0, k1, n=len(there), delta=delta, confidence=confidence).epsilon_lower]
    if world.gaussian:
        found.append(
            gaussian_bound(
                k0, k1, n=len(there), delta=delta, curve="gaussian", confidence=confidence
            ).epsilon_lower
        )
    return max(found)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "share", "n"),
    [
        ("laplace, add_remove", 0.5, 2000),
        ("staircase, add_remove", 0.5, 2000),
        ("gaussian, add_remove", 0.6, 1000),
        ("exponential", 0.5, 2000),
        ("randomized response, 5 options", 0.6, 1000),
        ("histogram, laplace, replace_one", 0.6, 2000),
        ("group of 3, laplace noise for one", 0.6, 2000),
        ("five answers, remembered", 0.6, 2000),
        ("DPGLVQ, steps, q = 1, add_remove", 0.35, 150),
        ("DPGLVQ, gaussian start, add_remove", 0.1, 300),
        ("DPGMLVQ, steps, q = 1, replace_one", 0.35, 150),
        ("CentralClassMean", 0.1, 300),
        ("descend, q = 1", 0.5, 150),
        ("ObjectivePerturbationClassifier, add_remove", 0.05, 200),
        ("SufficientStatisticsRegression, all sums", 0.4, 600),
        ("ClassGaussians, statistics", 0.3, 600),
    ],
)
def test_a_claim_of_a_part_of_the_truth_is_refuted(name, share, n):
    # The seed is fixed: the attacks reach this share of the claim at 95 %.
    world = BY_NAME[name]
    assert bounds(world, n, 0.95) > share * world.claim().epsilon


def test_a_release_without_noise_is_found():
    world = BY_NAME["laplace, add_remove"]
    bare = replace(world, release=lambda canary, rng: float(canary))
    assert bounds(bare, 100, 1 - 1e-9) > 1.0


def test_mechanisms_give_finite_scores():
    rng = np.random.default_rng(0)
    for world in WORLDS[:12]:
        assert np.isfinite([world.release(c, rng) for c in (True, False)]).all(), world.name


def test_gradients_of_the_attacker_agree_with_the_library_away_from_the_edge():
    rng = np.random.default_rng(2)
    for label in (0, 1):
        x, W = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, (4, 2, 3))
        Omega = rng.standard_normal((4, 2, 3))
        for clip in (0.1, 100.0):
            mine = clipped_gradients(x, label, W, None, clip)
            theirs = [
                gradients.clipped_sum(x[None], [label], W=w, labels=[0, 1], clip_norm=clip).ravel()
                for w in W
            ]
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-7)
            mine = clipped_gradients(x, label, W, Omega, clip)
            theirs = [
                np.concatenate(
                    [g.ravel() for g in matrix.clipped_sum(x[None], [label], w, o, [0, 1], clip)]
                )
                for w, o in zip(W, Omega, strict=True)
            ]
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-7)


def test_evidence_of_steps_is_the_likelihood_ratio():
    from scipy.stats import norm

    u, g, h, q, s = 0.7, 1.0, -0.5, 0.3, 2.0
    p = [norm.pdf(u, m, s) for m in (0, h, g, g + h)]
    there = (1 - q) ** 2 * p[0] + q * (1 - q) * (p[1] + p[2]) + q * q * p[3]
    without = (1 - q) * p[0] + q * p[1]
    found = step_evidence([[u]], [[g]], [[[h]]], scale=s, sample_rate=q)
    assert found == pytest.approx(np.log(there / without), abs=1e-12)
    full = step_evidence([[u]], [[g]], [[[h]]], scale=s, replaced=[[-g]])
    assert full == pytest.approx(norm.logpdf(u, g + h, s) - norm.logpdf(u, h - g, s), abs=1e-12)


def test_what_noise_cannot_explain_is_impossible():
    assert step_evidence([[40.0]], [[1.0]], scale=1.0) == IMPOSSIBLE
    assert step_evidence([[np.inf]], [[1.0]], scale=1.0) == IMPOSSIBLE
    assert abs(step_evidence([[4.0]], [[1.0]], scale=1.0)) < 10


def test_cuts_from_theory():
    assert laplace_evidence([1.0], [0.0], [2.0], 1.0) == 0.0
    assert laplace_evidence([5.0, -3.0], 0.0, 1.0, 0.5) == 0.0
    # One Laplace number, ε = 1: the best cut lies where the ratio is e^ε or nearly so.
    assert 0.4 < abs(laplace_cut([1.0])) < 1.01
    cut = best_cut(lambda t: 1 - t, lambda t: np.square(t), np.linspace(0.01, 0.99, 99))
    assert cut < 0.1 or cut > 0.9
