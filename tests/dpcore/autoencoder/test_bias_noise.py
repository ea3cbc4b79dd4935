"""The perturbed model: against a loop, at its limits, and the paper's noise."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.autoencoder import (
    EPSILONS,
    KINDS,
    Weights,
    draw_noise,
    nominal_guarantee,
    perturb_biases,
    sigmas,
    similarity,
)
from dpcore.autoencoder.attacks import logit


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("calibration", ["classical", "analytic"])
def test_the_grid_is_what_a_loop_over_perturbed_models_gives(digits, shared, calibration):
    w, X, grid = digits.weights, digits.X_test[:5], (0.8, 4.0)
    noise = draw_noise(w, 3, rng=np.random.default_rng(0), images=1 if shared else 5)
    found = perturb_biases(w, X, epsilon=grid, noise=noise, calibration=calibration)
    assert (found.shape, found.dtype) == ((2, 3, 3, 5, 64), np.float32)
    for k, kind in enumerate(KINDS):
        for e, (first, second) in enumerate(sigmas(grid, kind=kind, calibration=calibration)):
            for r in range(3):
                for i in range(5):
                    j = 0 if shared else i
                    model = Weights(
                        w.W1, w.b1 + first * noise.hidden[r, j],
                        w.W2, w.b2 + second * noise.output[r, j],
                    )  # fmt: skip
                    assert np.allclose(found[e, k, r, i], model.reconstruct(X[i]), atol=2e-5)


def test_infinite_epsilon_is_the_clean_model(digits):
    X = digits.X_test[:7]
    found = perturb_biases(digits.model, X, epsilon=[math.inf], rng=np.random.default_rng(0))
    assert np.allclose(found, digits.model.reconstruct(X), atol=1e-6)


def test_more_epsilon_is_a_better_picture(digits):
    X = digits.X_test[:50]
    found = perturb_biases(digits.model, X, rng=np.random.default_rng(0), draws=20)
    errors = similarity.mse(X, found).mean((-1, -2))
    assert (np.diff(errors, axis=0) < 0).all()
    assert errors[-1].max() < errors[0].min()


def test_the_noise_of_the_output_is_the_same_one_scaled(digits):
    grid = np.array([2.0, 4.0, 8.0])
    X = digits.X_test[:3]
    found = perturb_biases(
        digits.model, X, kind="output", epsilon=grid, rng=np.random.default_rng(0)
    )
    moved = (logit(found[:, 0]) - digits.weights.logits(X)) * grid[:, None, None, None]
    inside = np.abs(logit(found[:, 0])).max(0) < 8
    assert inside.mean() > 0.5
    assert np.abs(moved - moved[0])[:, inside].max() < 0.02


def test_the_noise_has_the_size_it_claims(digits):
    # 2,000 standard normals: a mean square outside 6 deviations has a chance below 1e-8.
    noise = draw_noise(digits.model, 40, rng=np.random.default_rng(0))
    assert (noise.hidden.shape, noise.output.shape) == ((40, 1, 16), (40, 1, 64))
    for z in (noise.hidden, noise.output):
        bound = -norm.ppf(1e-8) * math.sqrt(2 / z.size)
        assert abs(float(np.square(z).mean()) - 1) < bound
    assert abs(np.corrcoef(noise.hidden[:, 0, 0], noise.output[:, 0, 0])[0, 1]) < 0.9


def test_noise_shared_or_not(digits):
    X = np.repeat(digits.X_test[:1], 4, axis=0)
    shared = perturb_biases(
        digits.model, X, kind="hidden", epsilon=2.0, rng=np.random.default_rng(0)
    )
    assert np.allclose(shared, shared[..., :1, :], atol=1e-6)
    fresh = draw_noise(digits.model, 10, rng=np.random.default_rng(0), images=4)
    assert (
        np.ptp(perturb_biases(digits.model, X, kind="hidden", epsilon=2.0, noise=fresh), axis=-2)
        > 0
    ).any()


def test_the_papers_sigma_and_the_smallest_one():
    assert sigmas(0.8, kind="hidden")[0] == pytest.approx([6.056007, 0], abs=1e-6)
    assert sigmas(0.8, kind="output")[0] == pytest.approx([0, 6.056007], abs=1e-6)
    assert sigmas(0.8, kind="both")[0] == pytest.approx([12.112014] * 2, abs=1e-6)
    assert sigmas(8.0, kind="hidden")[0, 0] == pytest.approx(0.605601, abs=1e-6)
    for epsilon, sigma in ((0.8, 4.572762), (4, 1.081162), (8, 0.600229)):
        found = sigmas(epsilon, kind="output", calibration="analytic")[0, 1]
        assert found == pytest.approx(sigma, abs=1e-6)
    both = sigmas(0.8, kind="both", calibration="analytic")[0]
    assert both == pytest.approx([6.4669] * 2, abs=1e-4)
    assert sigmas(EPSILONS, kind="both").shape == (7, 2)


def test_the_promise_is_nominal():
    privacy = nominal_guarantee(0.8, kind="both")
    assert (privacy.epsilon, privacy.status, privacy.claimed_epsilon) == (math.inf, "nominal", 0.8)
    assert sum(part.epsilon for part in privacy.parts) == pytest.approx(0.8)
    assert len(nominal_guarantee(0.8, kind="hidden").parts) == 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"kind": "weights"}, "kind='weights'"),
        ({"epsilon": [0.0]}, "epsilon=0"),
        ({"epsilon": -1}, "epsilon=-1"),
        ({"delta": 0}, "delta=0"),
        ({"draws": 0}, "draws=0"),
        ({"rng": None}, "rng=None"),
        ({"calibration": "best"}, "calibration='best'"),
        ({"X": np.zeros((3, 5))}, r"\(m, 64\)"),
        ({"model": 3}, "model=3"),
    ],
)
def test_bad_arguments_are_named(digits, bad, words):
    good = {"model": digits.model, "X": digits.X_test[:2], "rng": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=words):
        perturb_biases(**{**good, **bad})


@pytest.mark.slow
def test_mnist_is_as_grainy_as_written_down(mnist):
    X = mnist.X_test[:200]
    found = perturb_biases(mnist.model, X, kind=["hidden", "output"], rng=np.random.default_rng(0))
    errors = similarity.mse(X, found).mean(-1)[[0, -1]]
    alike = similarity.ssim(X, found[[0, -1]]).mean((-1, -2))
    # The table has two draws a cell, so its mean spreads by that of one draw over √2, and three
    # decimals.
    spread = errors.std(-1) / np.sqrt(2)
    assert (np.abs(errors.mean(-1) - [[0.136, 0.102], [0.006, 0.005]]) < 5 * spread + 5e-4).all()
    assert errors.mean(-1) == pytest.approx(np.array([[0.136, 0.102], [0.006, 0.005]]), rel=0.4)
    # Hidden noise at .8 moves the similarity by .07 from draw to draw, all else by less than .01.
    assert alike[0] == pytest.approx([0.22, 0.29], abs=0.1)
    assert alike[1] == pytest.approx([0.87, 0.88], abs=0.04)


@pytest.mark.parametrize("epsilon", [1e-310, 0.0, math.nan])
def test_an_epsilon_whose_noise_would_overflow_is_refused(epsilon):
    with pytest.raises(ValueError, match="is not allowed"):
        sigmas([1.0, epsilon], kind="both")
    assert np.isfinite(sigmas([1e-12, math.inf], kind="both").astype(np.float32)).all()
