"""What the paper's releases are good for: learning from them, tested on real pictures."""

import numpy as np
import pytest

from dpcore.autoencoder import accuracy, attacks, draw_noise, perturb_biases, sigmas


def learnt(setting, kind, epsilon, draws, steps=300):
    X, y = setting.X[:10_000], setting.y[:10_000]
    rng = np.random.default_rng(0)
    scores = []
    for _ in range(draws):
        released = perturb_biases(setting.model, X, kind=kind, epsilon=epsilon, draws=1, rng=rng)[
            :, 0, 0
        ]
        scores.append(
            [
                accuracy(
                    x,
                    y,
                    X_test=setting.X_test,
                    y_test=setting.y_test,
                    classifier="mlp",
                    steps=steps,
                )
                for x in released
            ]
        )
    return np.mean(scores, axis=0)


# Written down are means of three draws, with a classifier that learns 200 passes. One draw spreads by .15
# at .8 and, for "both", by .13 at 8: bounds are six standard errors of a mean of two.
@pytest.mark.parametrize(
    ("kind", "wanted", "near"),
    [
        ("hidden", (0.36, 0.94), (0.4, 0.12)),
        ("output", (0.47, 0.95), (0.4, 0.06)),
        ("both", (0.33, 0.88), (0.4, 0.4)),
    ],
)
def test_digits_teach_as_much_as_written_down(digits, kind, wanted, near):
    found = learnt(digits, kind, [0.8, 8.0], draws=2, steps=1400)
    for value, there, reach in zip(found, wanted, near, strict=True):
        assert value == pytest.approx(there, abs=reach)
    assert found[1] > found[0] + 0.15


def test_noise_on_both_is_hidden_noise_made_worse(digits):
    """Output noise on a release with hidden noise at ε/2 makes one with noise on both at ε."""
    noise = draw_noise(digits.model, 2, rng=np.random.default_rng(0))
    X = digits.X_test[:5]
    half = perturb_biases(digits.model, X, kind="hidden", epsilon=4.0, noise=noise)
    worse = attacks.logit(half) + sigmas(8.0, kind="both")[0, 1] * noise.output
    both = perturb_biases(digits.model, X, kind="both", epsilon=8.0, noise=noise)
    seen = (half > 1e-6) & (half < 1 - 1e-6)  # float32 cannot undo a sigmoid at its ends
    np.testing.assert_allclose((1 / (1 + np.exp(-worse)))[seen], both[seen], atol=2e-2)


def test_clean_digits_teach_nearly_everything(digits):
    clean = digits.model.reconstruct(digits.X)
    found = [
        accuracy(x, digits.y, X_test=digits.X_test, y_test=digits.y_test, classifier="mlp")
        for x in (digits.X, clean)
    ]
    assert found == pytest.approx([0.976, 0.960], abs=0.02)


@pytest.mark.slow
def test_mnist_teaches_as_much_as_written_down(mnist):
    assert learnt(mnist, "output", [2.4, 8.0], draws=1) == pytest.approx([0.91, 0.93], abs=0.03)
