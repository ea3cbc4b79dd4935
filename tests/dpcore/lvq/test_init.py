"""The private start: the same unit noise at every scale, and the right amount of it."""

import numpy as np
import pytest

from dpcore.lvq import init


def statistics(n=4000, d=3, k=4):
    rng = np.random.default_rng(0)
    X = rng.uniform(-0.5, 0.5, (n, d)).astype(np.float32)
    return init.class_statistics(X, np.arange(n) % k, k), X


def run(kind="gaussian", scale=(0.0,), m=1, seed=0):
    (sums, counts), _ = statistics()
    scale = np.array(scale)
    return init.start(
        sums, counts, count_scale=scale, sum_scale=scale, kind=kind, prototypes_per_class=m,
        rng=np.random.default_rng(seed),
    )  # fmt: skip


def test_without_noise_it_is_the_class_means():
    _, X = statistics()
    means = np.array([X[np.arange(4000) % 4 == c].mean(0) for c in range(4)])
    np.testing.assert_allclose(run()[0], means, atol=1e-6)


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_noise_is_one_draw_scaled(kind):
    found = run(kind, (0.0, 10.0, 20.0))
    first, second = found[1] - found[0], found[2] - found[0]
    np.testing.assert_allclose(second, 2 * first, rtol=0.1, atol=1e-3)


@pytest.mark.parametrize(("kind", "deviation"), [("gaussian", 1.0), ("laplace", np.sqrt(2))])
def test_spread_of_the_noise(kind, deviation):
    # 1,200 values of relative error 2 % each: 15 % is beyond 7 deviations.
    found = np.concatenate([run(kind, (0.0, 20.0), seed=s)[1] for s in range(100)])
    centre = run(kind)[0]
    spread = (found.reshape(100, 4, 3) - centre).std()
    assert spread == pytest.approx(deviation * 20 / 1000, rel=0.15)


def test_tiny_noisy_counts_are_clamped_and_means_stay_in_the_domain():
    assert np.abs(run("laplace", (1e6,))).max() <= 1


def test_the_papers_start_is_not_put_back_on_the_domain():
    (sums, counts), _ = statistics()

    def start(project):
        return init.start(
            sums, counts, count_scale=0.0, sum_scale=1e4, kind="laplace", project=project,
            rng=np.random.default_rng(0),
        )  # fmt: skip

    assert np.abs(start(False)).max() > 1
    np.testing.assert_allclose(np.clip(start(False), -1, 1), start(True), atol=1e-6)


def test_several_prototypes_a_class_differ_by_public_jitter():
    found = run(m=3)[0]
    assert found.shape == (12, 3)
    assert len(np.unique(found, axis=0)) == 12
    assert (init.public_start(4, 3, 2, np.random.default_rng(0)).shape) == (8, 3)


@pytest.mark.parametrize("bad", [{"kind": "cauchy"}, {"m": 0}])
def test_bad_arguments_are_named(bad):
    with pytest.raises(ValueError, match="is not allowed"):
        run(**bad)
