"""Poisson lots, lots of a fixed size, their neighbours, and the average of iterates."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpcore import sgd
from dpcore._noise import unit_normals


def lots(n=200, q=0.05, steps=400, seed=0):
    return sgd.poisson_lots(n, q, n_steps=steps, rng=np.random.default_rng(seed))


def test_sizes_are_binomial():
    # Kolmogorov-Smirnov is conservative for discrete data; the level is 1e-6, the seed fixed.
    sizes = np.diff(lots(n=500, q=0.04, steps=4000).offsets)
    assert stats.kstest(sizes + np.random.default_rng(1).uniform(size=len(sizes)) - 1,
                        lambda v: stats.binom(500, 0.04).cdf(np.floor(v))
                        + stats.binom(500, 0.04).pmf(np.floor(v) + 1) * (v - np.floor(v))
                        ).pvalue > 1e-6  # fmt: skip


def test_every_record_joins_equally_often():
    found = lots(n=100, q=0.1, steps=20_000)
    counts = np.bincount(found.indices, minlength=100)
    assert stats.chisquare(counts).pvalue > 1e-6


def test_no_record_twice_in_a_lot_and_empty_lots_exist():
    found = lots(n=50, q=0.02, steps=500)
    sizes = np.diff(found.offsets)
    assert (sizes == 0).any()
    for a, b in zip(found.offsets, found.offsets[1:], strict=False):
        assert (np.diff(found.indices[a:b]) > 0).all()


@given(st.integers(1, 60), st.floats(0, 1), st.integers(1, 20), st.integers(0, 9))
def test_fixed_lots_have_their_size_and_hold_nobody_twice(n, share, steps, seed):
    size = max(1, round(share * n))
    found = sgd.fixed_lots(n, size, n_steps=steps, rng=np.random.default_rng(seed))
    assert found.offsets.tolist() == [size * t for t in range(steps + 1)]
    table = found.indices.reshape(steps, size)
    assert (np.diff(table, axis=1) > 0).all()
    assert table.min() >= 0
    assert table.max() < n
    again = sgd.fixed_lots(n, size, n_steps=steps, rng=np.random.default_rng(seed))
    assert (again.indices == found.indices).all()


@pytest.mark.parametrize(("n", "size"), [(6, 3), (12_000, 2)])
def test_every_subset_and_every_record_is_equally_likely(n, size):
    # Six records: all 20 subsets. 12,000: the other method of numpy; blocks of records.
    # Chi-square tests at level 1e-6, fixed seed.
    found = sgd.fixed_lots(n, size, n_steps=20_000, rng=np.random.default_rng(0)).indices.reshape(
        -1, size
    )
    if n == 6:
        counts = np.unique(found, axis=0, return_counts=True)[1]
        assert len(counts) == 20
    else:
        counts = np.bincount(found.ravel() // 1000, minlength=12)
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("bad", [(0, 1, 1), (5, 0, 1), (5, 6, 1), (5, 2, 0), (5, 2.5, 1)])
def test_fixed_lots_that_are_refused(bad):
    with pytest.raises(ValueError, match="is not allowed"):
        sgd.fixed_lots(*bad[:2], n_steps=bad[2], rng=np.random.default_rng(0))


@given(st.integers(0, 199))
def test_without_changes_nobody_elses_coins(record):
    whole = lots()
    less = whole.without(record)
    for t in (0, 7, 399):
        here = whole.indices[whole.offsets[t] : whole.offsets[t + 1]]
        there = less.indices[less.offsets[t] : less.offsets[t + 1]]
        assert there.tolist() == [i for i in here.tolist() if i != record]


def test_a_longer_training_begins_with_the_shorter_one():
    short, long = lots(steps=100), lots(steps=400)
    assert (long.indices[: len(short.indices)] == short.indices).all()
    assert (long.offsets[:101] == short.offsets).all()


def test_average_weighs_the_recent_past_and_starts_at_one():
    weights = sgd.average_weights(2000, True)
    share = np.empty(2000)
    left = 1.0
    for t in range(1999, -1, -1):
        share[t] = left * weights[t]
        left *= 1 - weights[t]
    assert weights[0] == 1
    assert share.sum() == pytest.approx(1, rel=1e-4)
    assert (np.diff(share) > 0).all()
    assert (sgd.average_weights(5, False) == 1).all()


def test_linear_schedule_falls_to_zero():
    rates = sgd.step_sizes(0.3, 100, schedule="linear")
    assert rates[0] == pytest.approx(0.3)
    assert rates[-1] == pytest.approx(0.003)
    assert (sgd.step_sizes(0.3, 100, schedule="constant") == np.float32(0.3)).all()


@pytest.mark.parametrize(
    ("bad", "name"),
    [((0, 0.1, 5), "n_samples"), ((5, 0, 5), "sample_rate"), ((5, 1.5, 5), "sample_rate"),
     ((5, 0.1, 0), "n_steps"), ((5, "x", 5), "sample_rate")],
)  # fmt: skip
def test_bad_arguments_are_named(bad, name):
    with pytest.raises(ValueError, match=f"{name}="):
        sgd.poisson_lots(*bad[:2], n_steps=bad[2], rng=np.random.default_rng(0))


def test_unit_normals_are_normal_and_do_not_depend_on_each_other():
    # KS at level 1e-6 on each of six streams; correlations beyond 6 deviations: below 1e-8.
    streams = [unit_normals(key, step, 200_000) for key in (0, 1, 2**62) for step in (0, 1)]
    for z in streams:
        assert stats.kstest(z.astype(float), "norm").pvalue > 1e-6
        assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 6 / np.sqrt(len(z))
    pairs = [(a, b) for i, a in enumerate(streams) for b in streams[:i]]
    assert max(abs(np.corrcoef(a, b)[0, 1]) for a, b in pairs) < 6 / np.sqrt(200_000)


def test_streams_of_a_seed_are_the_same_and_of_another_differ():
    one, again, other = sgd.Streams.of(3, 0), sgd.Streams.of(3, 0), sgd.Streams.of(3, 1)
    assert one.key == again.key != other.key
    assert one.lots.random() == again.lots.random() != other.lots.random()


def test_a_key_has_more_than_128_bits_of_room():
    keys = [sgd.Streams.of(seed).key for seed in range(64)]
    assert len(set(keys)) == 64
    assert max(keys) >> 250 > 0
    assert max(keys) < 2**256


@pytest.mark.parametrize("rate", [1e-9, 1e-18, 1e-100, 5e-324])
def test_tiny_rates_end_and_draw_nobody(rate):
    """False alarms: below 1e-6, the chance that one of 300 coins at 1e-9 shows a head."""
    lots = sgd.poisson_lots(100, rate, n_steps=3, rng=np.random.default_rng(0))
    assert lots.indices.size == 0
    assert lots.offsets.tolist() == [0, 0, 0, 0]


def test_small_rates_draw_as_many_as_they_say():
    """600 heads of 6·10⁸ coins are expected; six standard deviations, false alarms below 1e-6."""
    lots = sgd.poisson_lots(10**6, 1e-6, n_steps=600, rng=np.random.default_rng(3))
    assert abs(lots.indices.size - 600) < 6 * 600**0.5
    assert lots.offsets[0] == 0
    assert lots.offsets[-1] == lots.indices.size
    assert (np.diff(lots.offsets) >= 0).all()


@given(seed=st.integers(0, 10**6), q=st.floats(0.01, 0.6), more=st.floats(0.0, 0.4))
def test_lots_that_grow_hold_those_of_a_smaller_rate(seed, q, more):
    few, many = (
        sgd.growing_lots(40, rate, n_steps=3, rng=np.random.default_rng(seed))
        for rate in (q, q + more)
    )
    for t in range(3):
        assert set(few.at(t)) <= set(many.at(t))
        assert (np.diff(many.at(t)) > 0).all()
    assert (
        sgd.growing_lots(40, 1.0, n_steps=2, rng=np.random.default_rng(seed)).indices.tolist()
        == [*range(40)] * 2
    )
