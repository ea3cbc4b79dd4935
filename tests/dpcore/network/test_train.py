"""DP-SGD of the network: steps by hand, noise, resuming, lots, the account."""

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant

from dpcore import sgd
from dpcore._noise import unit_normals
from dpcore.network import DIGITS, ConvNet, Convolution, Recipe, accuracy, clipped_sum, descend
from dpcore.network.train import WEIGHT_LIMIT, tame, training_guarantee
from tests.stopping import Stopped, stop_after

TINY = ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2)
RECIPE = Recipe(clip_norm=0.5, noise_multiplier=1.5, sample_rate=0.4, n_steps=6, learning_rate=0.2)


def some(n=12, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, 16), dtype=np.float32), rng.integers(0, 2, n)


def run(recipe=RECIPE, seed=1, data=None, **more):
    X, y = data or some()
    asked = {"expected_n": 12, "snapshots": range(recipe.n_steps + 1), **more}
    return dict(descend(TINY, X, y=y, recipe=recipe, streams=sgd.Streams.of(seed), **asked))


def test_a_step_is_the_clipped_sum_plus_noise_over_the_public_lot_size():
    X, y = some()
    found, streams = run(), sgd.Streams.of(1)
    lots = sgd.poisson_lots(12, 0.4, n_steps=6, rng=streams.lots)
    for t in range(6):
        lot = lots.indices[lots.offsets[t] : lots.offsets[t + 1]]
        noise = 1.5 * 0.5 * unit_normals(streams.key, t, TINY.n_weights)
        total = clipped_sum(TINY, found[t], X=X[lot], y=y[lot], clip_norm=0.5) + noise
        assert found[t + 1] == pytest.approx(found[t] - 0.2 / (0.4 * 12) * total, abs=1e-6)


def test_it_goes_on_from_any_snapshot_with_the_same_numbers():
    whole = run()
    rest = run(resume=(3, whole[3]))
    assert sorted(rest) == [4, 5, 6]
    assert np.array_equal(rest[6], whole[6])
    assert not run(resume=(6, whole[6]))


def test_a_missing_picture_leaves_everybody_elses_coins_and_the_noise_alone():
    X, y = some()
    gone = run(without=11)
    shorter = run(Recipe(clip_norm=0.5, noise_multiplier=0, sample_rate=1.0, n_steps=1), without=11)
    by_hand = run(
        Recipe(clip_norm=0.5, noise_multiplier=0, sample_rate=1.0, n_steps=1), data=(X[:11], y[:11])
    )
    assert shorter[1] == pytest.approx(by_hand[1], abs=1e-6)
    assert not np.array_equal(gone[6], run()[6])


def test_the_step_size_falls_to_zero_when_asked():
    linear = run(
        Recipe(clip_norm=0.5, noise_multiplier=1.5, sample_rate=0.4, n_steps=6, schedule="linear")
    )
    moves = [np.linalg.norm(linear[t + 1] - linear[t]) for t in range(6)]
    assert moves[5] < 0.5 * moves[0]


def test_weights_stay_finite_whatever_is_asked():
    wild = Recipe(
        clip_norm=1e6, noise_multiplier=1e6, sample_rate=0.4, n_steps=4, learning_rate=1e6
    )
    found = run(wild)
    assert all(np.abs(weights).max() <= WEIGHT_LIMIT for weights in found.values())


def test_pixels_are_put_into_their_bounds_one_by_one():
    found = tame(np.array([[np.nan, np.inf, -np.inf, 0.25, 3e38]]))
    assert found.tolist() == [[0, 1, 0, 0.25, 1]]


def test_nobody_waits_for_a_training_that_is_not_wanted():
    with pytest.raises(Stopped):
        run(check=stop_after(2))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"data": (np.zeros((12, 9), np.float32), np.zeros(12, int))}, "12 rows"),
        ({"data": (some()[0], np.full(12, 2))}, "from 0 to 1"),
        ({"expected_n": 0}, "expected_n=0"),
    ],
)
def test_bad_input_gets_a_sentence(changed, words):
    with pytest.raises(ValueError, match=words):
        run(**changed)


def test_noise_without_a_clipping_norm_is_refused():
    with pytest.raises(ValueError, match="Give a clip_norm"):
        Recipe(clip_norm=None, noise_multiplier=1.0)


def test_the_account_is_the_independent_accountants():
    recipe = Recipe(clip_norm=1.0, noise_multiplier=1.3, sample_rate=256 / 60_000, n_steps=234)
    step = dp_event.PoissonSampledDpEvent(256 / 60_000, dp_event.GaussianDpEvent(1.3))
    peer = PLDAccountant().compose(step, 234).get_epsilon(1e-5)
    assert recipe.epsilon(1e-5) == pytest.approx(peer, rel=5e-3)
    assert recipe.plain().epsilon(1e-5) == np.inf


def test_the_guarantee_says_what_is_public_and_nothing_without_noise():
    made = training_guarantee(RECIPE, 1e-5, expected_n=12, n_weights=100)
    assert made.status == "proved"
    assert made.neighbouring == "add_remove"
    assert made.epsilon == RECIPE.epsilon(1e-5)
    assert "N = 12" in made.public[0]
    assert (
        training_guarantee(RECIPE.plain(), 1e-5, expected_n=12, n_weights=100).status == "nominal"
    )


def test_the_end_of_the_noise_is_paid_for_as_true_noise_would_be_without_it():
    recipe = Recipe(clip_norm=1.0, noise_multiplier=0.3, sample_rate=0.5, n_steps=500)
    made = training_guarantee(recipe, 1e-12, expected_n=12, n_weights=26_010)
    missing = 500 * 26_010 * 2.0**-89
    assert made.delta > 1e-12
    assert made.parts[0].delta == made.delta
    assert made.delta - 1e-12 >= 2 * missing * (1 - 1e-3)


def test_it_learns_digits():
    from dpcore.datasets import load

    data = load("digits")
    recipe = Recipe(
        clip_norm=None, noise_multiplier=0, sample_rate=0.1, n_steps=120, learning_rate=0.25
    )
    X, y = (data.X / 16).astype(np.float32), data.y
    run = descend(
        DIGITS, X, y=y, recipe=recipe, streams=sgd.Streams.of(0), expected_n=len(y), snapshots=[120]
    )
    weights = dict(run)[120]
    assert accuracy(DIGITS, weights, X=(data.X_test / 16).astype(np.float32), y=data.y_test) > 0.85
