"""Membership: the curve, and the attacker who throws noisy biases away."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from dpcore.autoencoder import Autoencoder, Weights, draw_noise, membership, perturb_biases


def test_the_curve_is_scikit_learns():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=200).round(1), rng.normal(0.5, 1, size=300).round(1)
    found = membership.roc(a, b)
    truth = np.repeat([1, 0], [200, 300])
    assert found.area == pytest.approx(roc_auc_score(truth, -np.concatenate([a, b])))
    assert found.at(1.0) == 1
    assert found.at(0.1) == pytest.approx(
        max((a <= t).mean() for t in np.append(b, -9) if (b <= t).mean() <= 0.1), abs=0.06
    )
    assert (np.diff(found.true_positive_rate) >= 0).all()
    assert membership.roc([0.0], [1.0]).area == 1
    assert membership.roc([1.0], [1.0]).area == 0.5
    with pytest.raises(ValueError, match="empty"):
        membership.roc([], [1.0])
    with pytest.raises(ValueError, match="false_positive_rate=2"):
        found.at(2)


@pytest.fixture(scope="module")
def overfit(digits):
    order = np.random.default_rng(0).permutation(len(digits.everyone))
    members, others, public = np.split(digits.everyone[order[:1112]], [212, 912])
    model = Autoencoder(
        n_hidden=32, epochs=700, batch_size=32, learning_rate=3e-3, random_state=0
    ).fit(members)  # fmt: skip
    return model.weights_, members, others, public


def area(model, members, others):
    errors = (np.square(model.reconstruct(x) - x).mean(1) for x in (members, others))
    return membership.roc(*errors).area


def test_biases_fitted_anew_forget_the_noise(overfit):
    weights, members, others, public = overfit
    # Written down: .97 without noise, .92 for the attacker who ignores noise.
    assert area(weights, members, others) == pytest.approx(0.97, abs=0.03)
    noisy = Weights(weights.W1, weights.b1 + 50, weights.W2, weights.b2 - 50)
    again = membership.refit_biases(noisy, public)
    assert area(again, members, others) == pytest.approx(0.92, abs=0.04)
    same = membership.refit_biases(weights, public)
    assert (again.b1 == same.b1).all()
    assert (again.W1 == weights.W1).all()


def test_noise_hides_members_from_the_plain_attack(overfit):
    weights, members, others, _ = overfit
    noise = draw_noise(weights, 5, rng=np.random.default_rng(0))
    released = [
        perturb_biases(weights, x, kind="hidden", epsilon=[0.8, np.inf], noise=noise)[:, 0]
        for x in (members, others)
    ]
    errors = [np.square(r - x).mean(-1) for r, x in zip(released, (members, others), strict=True)]
    areas = [membership.roc(errors[0][e], errors[1][e]).area for e in (0, 1)]
    assert areas[0] == pytest.approx(0.5, abs=0.1)
    assert areas[1] > 0.93


def test_the_refit_is_at_a_minimum(overfit):
    weights, _, _, public = overfit
    loss = [
        float(np.square(membership.refit_biases(weights, public, steps=n).reconstruct(public)
                        - public).mean())
        for n in (1, 10, 100)
    ]  # fmt: skip
    assert loss[0] > loss[1] > loss[2]
