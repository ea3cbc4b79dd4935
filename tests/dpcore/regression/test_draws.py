"""Many draws over a grid of ε: properties, then the measured errors of the design sheet."""

import math

import numpy as np
import pytest

from dpcore import accounting, datasets
from dpcore.regression import (
    Bounds,
    Repair,
    SufficientStatistics,
    ada_ssp,
    functional_mechanism,
    gaussian_statistics,
    gradient_descent,
    joint_release,
    output_perturbation,
    sufficient_statistics,
)
from dpcore.regression.baselines import ada_ssp_epsilon
from dpcore.regression.descent import clipped_gradients, descent_noise
from dpcore.regression.perturbed_solution import ball_ridge

FLOOR, FLOOR2, TRIM = Repair(), Repair(floor=2.0), Repair(kind="trim")


def chance(seed=1):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module", params=["diabetes", "synth1d", "census_synthetic"])
def named(request):
    return request.param, problem(request.param)


_KEPT = {}


def problem(name):
    if name not in _KEPT:
        data = datasets.load_regression(name)
        bounds = Bounds(
            low=data.low, high=data.high, target_low=data.target_low, target_high=data.target_high
        )
        small = len(data.X) < 1000
        _KEPT[name] = (
            sufficient_statistics(data.X, data.y, bounds=bounds),
            sufficient_statistics(data.X_test, data.y_test, bounds=bounds),
            (bounds.scale(data.X), bounds.scale_target(data.y)) if small else None,
        )
    return _KEPT[name]


METHODS = {
    "printed": lambda p, e, m: functional_mechanism(p[0], e, n_draws=m, rng=chance(), test=p[1]),
    "printed equal": lambda p, e, m: functional_mechanism(
        p[0], e, n_draws=m, rng=chance(), split="equal", test=p[1]
    ),
    "printed trim": lambda p, e, m: functional_mechanism(
        p[0], e, n_draws=m, rng=chance(), repair=TRIM, test=p[1]
    ),
    "joint floor 1": lambda p, e, m: joint_release(p[0], e, n_draws=m, rng=chance(), repair=FLOOR, test=p[1]),
    "joint floor 2": lambda p, e, m: joint_release(p[0], e, n_draws=m, rng=chance(), repair=FLOOR2, test=p[1]),
    "gauss floor 1": lambda p, e, m: gaussian_statistics(
        p[0], e, delta=delta(p), n_draws=m, rng=chance(), repair=FLOOR, test=p[1]
    ),
    "gauss floor 2": lambda p, e, m: gaussian_statistics(
        p[0], e, delta=delta(p), n_draws=m, rng=chance(), repair=FLOOR2, test=p[1]
    ),
    "adassp published": lambda p, e, m: ada_ssp(
        p[0], e, delta=delta(p), n_draws=m, rng=chance(), calibration="published", test=p[1]
    ),
    "adassp exact": lambda p, e, m: ada_ssp(p[0], e, delta=delta(p), n_draws=m, rng=chance(), test=p[1]),
    "output 0.3": lambda p, e, m: output_perturbation(p[0], e, delta=delta(p), n_draws=m, rng=chance(), test=p[1]),
    "descent 20": lambda p, e, m: gradient_descent(
        *p[2], epsilon=e, delta=1e-5, n_draws=m, rng=chance(), test=p[1]
    ),
    "descent 60": lambda p, e, m: gradient_descent(
        *p[2], epsilon=e, delta=1e-5, n_draws=m, rng=chance(), n_steps=60, test=p[1]
    ),
}  # fmt: skip
OF_SUMS = [name for name in METHODS if not name.startswith("descent")]


def delta(p):
    return 1e-6 if p[0].n_samples > 1e5 else 1e-5


def median(name, method, epsilon, draws=2000):
    return float(np.median(METHODS[method](problem(name), epsilon, draws).test_mse))


@pytest.mark.parametrize("method", METHODS)
def test_shapes_and_errors_agree_and_repeat(method):
    p = problem("synth1d")
    one, two = (METHODS[method](p, [0.5, 2.0, math.inf], 7) for _ in range(2))
    assert one.coefficients.shape == (7, 3, 2)
    assert (one.coefficients == two.coefficients).all()
    np.testing.assert_allclose(one.test_mse, p[1].mse(one.coefficients))
    if one.indefinite_share is not None:
        assert one.indefinite_share.shape == (3,)


@pytest.mark.parametrize("method", OF_SUMS[:-1])
@pytest.mark.parametrize("name", ["diabetes", "synth1d", "census_synthetic"])
def test_infinite_epsilon_is_least_squares(method, name):
    p = problem(name)
    found = METHODS[method](p, math.inf, 2).coefficients[:, 0]
    np.testing.assert_allclose(found, np.broadcast_to(p[0].solve(), found.shape), rtol=1e-6)


def test_infinite_epsilon_of_the_others_is_the_method_without_noise():
    p = problem("diabetes")
    found = output_perturbation(p[0], math.inf, delta=1e-5, n_draws=2, rng=chance()).coefficients[
        0, 0
    ]
    np.testing.assert_allclose(found, ball_ridge(p[0], 0.3))
    # Without clipping and with many steps, descent ends at least squares.
    far = gradient_descent(
        *problem("synth1d")[2], epsilon=math.inf, delta=1e-5, n_draws=1, rng=chance(), n_steps=400,
        clip_norm=50.0,
    )  # fmt: skip
    np.testing.assert_allclose(far.coefficients[0, 0], problem("synth1d")[0].solve(), rtol=1e-9)


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("printed", "printed equal")])
def test_more_budget_is_less_error(method):
    found = METHODS[method](problem("synth1d"), [0.05, 0.2, 1.0, 5.0, 50.0], 400)
    middle = np.median(found.test_mse, axis=0)
    assert (np.diff(middle) < 1e-4).all()
    assert middle[0] > 1.5 * middle[-1]


def test_noise_is_the_same_for_every_epsilon():
    p = problem("census_synthetic")
    grid = joint_release(p[0], [20.0, 40.0, 80.0], n_draws=20, rng=chance()).coefficients
    alone = joint_release(p[0], [40.0], n_draws=20, rng=chance()).coefficients[:, 0]
    np.testing.assert_allclose(alone, grid[:, 1], rtol=1e-9)
    # To first order coefficients move in proportion to 1/ε.
    move = grid - p[0].solve()
    np.testing.assert_allclose(move[:, 1], 2 * move[:, 2], atol=0.05 * np.abs(move[:, 1]).max())


def test_ball_ridge_is_the_constrained_minimiser():
    p = problem("diabetes")
    A, c = p[0].quadratic / 353, p[0].linear / 353
    rng = chance()
    for mu, radius in ((0.3, 1.0), (0.001, 0.2), (0.001, 5.0)):
        best = ball_ridge(p[0], mu, radius)
        assert np.linalg.norm(best) <= radius * (1 + 1e-9)
        other = best + rng.standard_normal((500, 11)) * 0.05
        other /= np.maximum(1, np.linalg.norm(other, axis=1, keepdims=True) / radius)
        both = np.vstack([best, other])
        value = np.einsum("ij,jk,ik->i", both, A, both) / 2 - both @ c
        value += mu / 2 * (both**2).sum(1)
        assert value.argmin() == 0
    assert np.linalg.norm(ball_ridge(p[0], 0.001, 0.2)) == pytest.approx(0.2)


def test_clipped_gradients_are_those_of_a_loop():
    rng = chance()
    X, y, theta = (
        rng.standard_normal((5000, 3)),
        rng.standard_normal(5000),
        rng.standard_normal((4, 3)),
    )
    found = clipped_gradients(X, y, theta, 0.7)
    # The two sums of n terms may be rounded apart by (n + D + 4)² 2⁻⁵¹ of C, 1.1e-8 here: so much shorter are they.
    room = (5000 + 3 + 4) ** 2 * 2.0**-51
    for one, total in zip(theta, found, strict=True):
        g = (X @ one - y)[:, None] * X
        g *= np.minimum(1, 0.7 * (1 - room) / np.linalg.norm(g, axis=1, keepdims=True))
        np.testing.assert_allclose(total, g.sum(0), rtol=1e-10)


EDGES = [0.0, 5e-324, 1e-30, 1.0, -1e30, 1e154, -1.7e308, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("clip_norm", [1e-30, 0.7, 1e30])
def test_no_coefficients_make_a_record_move_the_sum_by_more_than_c(clip_norm):
    """A learning rate of 1.7e308 led to coefficients without a value: a bound of 2.73 at ε = .1."""
    rows = np.array(
        [[1.0, a, b] for a in (-1.0, -0.0, 5e-324, 0.3, 1.0) for b in (-1.0, 1e-9, 1.0)]
    )
    thetas = np.array([[a, b, c] for a in EDGES for b in EDGES for c in (0.0, 1.0, np.inf, np.nan)])
    for row in rows:
        for y in (-1.0, 0.0, 1.0):
            found = clipped_gradients(row[None], np.array([y]), thetas, clip_norm)
            assert np.linalg.norm(found / clip_norm, axis=1).max() <= 1


def test_descent_noise_is_exact_composition():
    from dpcore import mechanisms

    z = float(descent_noise(1.3, 1e-5, n_steps=20)[0])
    # T Gaussians of sensitivity 2 (replaced record) and deviation z are one of sensitivity 2√T.
    assert mechanisms.gaussian_delta(z, 2 * math.sqrt(20), epsilon=1.3) == pytest.approx(1e-5)


def test_descent_noise_on_samples_costs_no_more_than_asked():
    z = float(descent_noise(1.3, 1e-5, sample_rate=0.2, n_steps=20)[0])
    steps = {"sample_rate": 0.2, "n_steps": 20, "delta": 1e-5, "neighbouring": "replace_one"}
    assert accounting.epsilon(noise_multiplier=z, **steps) <= 1.3
    assert accounting.epsilon(noise_multiplier=0.98 * z, **steps) > 1.3
    assert z < float(descent_noise(1.3, 1e-5, n_steps=20)[0])
    assert descent_noise([math.inf], 1e-5, sample_rate=0.2, n_steps=20).tolist() == [0.0]


def test_a_descent_on_samples_keeps_its_noise_and_knows_its_limit():
    X, y = problem("synth1d")[2]
    how = {"n_steps": 20, "noise_multiplier": [4.0, 0.0]}
    drawn = {
        q: gradient_descent(
            X, y, epsilon=[1.0, math.inf], delta=1e-5, n_draws=3, rng=chance(), sample_rate=q, **how
        ).coefficients
        for q in (0.3, 0.9, 1.0)
    }
    noise = {q: made[:, 0] - made[:, 1] for q, made in drawn.items()}
    # The same unit noise, divided by qn: what is left is how the lots bend it.
    np.testing.assert_allclose(0.3 * noise[0.3], noise[1.0], rtol=0.5)
    np.testing.assert_allclose(drawn[0.9][:, 1], drawn[1.0][:, 1], atol=0.1)
    assert not np.array_equal(drawn[0.3][0, 1], drawn[0.3][1, 1])  # every draw has lots of its own


def test_adassp_real_cost():
    assert ada_ssp_epsilon(1.0, 1e-5, "published") == pytest.approx(0.562, abs=5e-4)
    assert ada_ssp_epsilon(1.0, 1e-5) == 1.0
    assert ada_ssp_epsilon(math.inf, 1e-5, "published") == math.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [(lambda p: joint_release(p[0], 0.0, n_draws=5, rng=chance()), "epsilon=0.0"),
     (lambda p: joint_release(p[0], 1.0, n_draws=0, rng=chance()), "n_draws=0"),
     (lambda p: gaussian_statistics(p[0], 1.0, delta=1.5, n_draws=5, rng=chance()), "delta=1.5"),
     (lambda p: ada_ssp(p[0], 1.0, delta=1e-5, n_draws=5, rng=chance(), failure=1.0), "failure=1.0"),
     (lambda p: output_perturbation(p[0], 1.0, delta=1e-5, n_draws=5, rng=chance(), ridge=0), "ridge=0"),
     (lambda p: gradient_descent(
         *p[2], epsilon=1.0, delta=1e-5, n_draws=5, rng=chance(), n_steps=0), "n_steps=0")],
)  # fmt: skip
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=f"{message} is not allowed"):
        call(problem("synth1d"))


# Medians of the tables these methods were specified with: 400 draws there, 2,000 here. What they prove:
# - census_synthetic was made to reproduce the rows of the functional mechanism and of the noisy sums at
#   ε from 0.1 to 0.3; AdaSSP and output perturbation were not looked at when it was made.
# - Two things were left open and read off the diabetes table: λ of trim counts deviations of an
#   off-diagonal entry, and descent returns the mean of the last half of its steps.
# - Feature bounds of diabetes were not written down. Ours are round numbers a physician might declare,
#   chosen among such by comparison with the table (docs/regression.md has every cell).
GOLDEN = [
    ("diabetes", "printed trim", 0.1, 0.4067), ("diabetes", "printed trim", 1, 0.3221),
    ("diabetes", "joint floor 1", 0.1, 0.2688), ("diabetes", "joint floor 1", 1, 0.1840),
    ("diabetes", "joint floor 1", 10, 0.0981), ("diabetes", "joint floor 2", 0.5, 0.1723),
    ("diabetes", "joint floor 2", 5, 0.1074), ("diabetes", "gauss floor 1", 3, 0.1113),
    ("diabetes", "gauss floor 1", 0.3, 0.2163), 
    ("diabetes", "gauss floor 1", 1.5, 0.1346),
    ("diabetes", "gauss floor 2", 0.1, 0.1926), ("diabetes", "gauss floor 2", 1, 0.1279),
    ("diabetes", "gauss floor 2", 10, 0.0871), ("diabetes", "adassp published", 0.3, 0.1645),
    ("diabetes", "adassp published", 3, 0.1155), ("diabetes", "adassp exact", 1, 0.1371),
    ("diabetes", "output 0.3", 1, 0.3604), ("diabetes", "output 0.3", 10, 0.1351),
    ("diabetes", "descent 20", 0.5, 0.1131), ("diabetes", "descent 20", 1, 0.0886),
    ("diabetes", "descent 20", 10, 0.0802), ("diabetes", "descent 60", 2, 0.0892),
    ("synth1d", "printed", 0.3, 0.0344), ("synth1d", "printed", 1, 0.0249),
    ("synth1d", "joint floor 1", 0.1, 0.0435), ("synth1d", "gauss floor 1", 0.3, 0.0318),
    ("synth1d", "adassp exact", 0.2, 0.0578), ("synth1d", "descent 20", 0.3, 0.0264),
    ("census_synthetic", "printed", 0.1, 0.4042), ("census_synthetic", "printed", 0.3, 0.1875),
    ("census_synthetic", "printed equal", 0.2, 0.2829),
    ("census_synthetic", "printed trim", 0.1, 0.2009),
    ("census_synthetic", "joint floor 1", 0.1, 0.1883),
    ("census_synthetic", "gauss floor 1", 0.1, 0.1839),
    ("census_synthetic", "adassp published", 0.1, 0.1935),
    ("census_synthetic", "adassp exact", 0.1, 0.1869),
    ("census_synthetic", "output 0.3", 1, 0.2225),
]  # fmt: skip
# Cells beyond five per cent: the median of 400 draws that was written down is itself uncertain, by 10 to
# 13 per cent without repair, 3 to 7 with trimming, and by 18 for the 20 draws a descent had at least.
# The tolerances are what was measured, rounded up.
ROUGH = [
    ("diabetes", "printed", 0.1, 1.5316, 0.30), ("diabetes", "printed", 5, 0.7049, 0.30),
    ("diabetes", "printed equal", 1, 0.2255, 0.15), ("diabetes", "printed trim", 1.5, 0.2897, 0.10),
    ("diabetes", "printed trim", 2, 0.2603, 0.10),
    ("diabetes", "gauss floor 1", 0.75, 0.1670, 0.06), ("diabetes", "descent 60", 0.2, 1.8499, 0.25),
    ("synth1d", "printed", 0.1, 0.1441, 0.16),
]  # fmt: skip


@pytest.mark.parametrize(("name", "method", "epsilon", "expected"), GOLDEN)
def test_medians_of_the_sheet_within_five_per_cent(name, method, epsilon, expected):
    draws = 500 if method.startswith("descent") else 2000
    assert median(name, method, epsilon, draws) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(("name", "method", "epsilon", "expected", "within"), ROUGH)
def test_medians_of_heavy_tailed_rows(name, method, epsilon, expected, within):
    draws = 500 if method.startswith("descent") else 4000
    assert median(name, method, epsilon, draws) == pytest.approx(expected, rel=within)


@pytest.mark.parametrize(
    ("name", "epsilon", "expected"),
    [("diabetes", 0.1, 1.0), ("diabetes", 10, 1.0), ("census_synthetic", 0.1, 0.53),
     ("census_synthetic", 0.3, 0.0), ("synth1d", 0.1, 0.14)],
)  # fmt: skip
def test_share_of_draws_without_a_minimum(name, epsilon, expected):
    found = METHODS["printed"](problem(name), epsilon, 2000)
    assert found.indefinite_share[0] == pytest.approx(expected, abs=0.05)


def test_without_privacy_the_errors_are_those_of_the_sheet(named):
    name, (train, test, _) = named
    plain, mean, zero = {
        "diabetes": (0.0813, 0.1242, 0.1829),
        "synth1d": (0.0239, 0.1501, 0.1623),
        "census_synthetic": (0.1830, 0.2807, 0.3282),
    }[name]
    constant = np.zeros(len(train.linear))
    constant[0] = train.linear[0] / train.n_samples
    assert test.mse(train.solve()) == pytest.approx(plain, rel=0.005)
    assert test.mse(constant) == pytest.approx(mean, rel=0.005)
    assert test.mse(0 * constant) == pytest.approx(zero, rel=0.005)


def test_the_verdicts_of_the_sheet():
    # Large n: one Gaussian release is best, then the joint one; as printed is worst.
    order = ["gauss floor 1", "joint floor 1", "printed trim", "printed"]
    found = [median("census_synthetic", m, 0.1, 500) for m in order]
    assert found == sorted(found)
    # Small n: descent is best from ε about 0.5; the functional mechanism loses to the mean at 1.
    assert median("diabetes", "descent 20", 1.0, 200) < median(
        "diabetes", "gauss floor 2", 1.0, 500
    )
    assert median("diabetes", "joint floor 2", 1.0, 500) > 0.1242


@pytest.mark.parametrize("calibration", ["exact", "published"])
def test_the_compiled_solver_gives_what_numpy_gives(named, monkeypatch, calibration):
    from dpcore.regression import baselines

    def call():
        grid, options = [0.1, 1.0, 10.0, math.inf], {"calibration": calibration}
        return ada_ssp(
            named[1][0], grid, delta=1e-5, n_draws=40, rng=chance(), **options
        ).coefficients

    fast = call()
    monkeypatch.setattr(baselines, "_SMALLEST_PIVOT", math.inf)  # all systems go to numpy
    np.testing.assert_allclose(fast, call(), rtol=1e-9, atol=1e-12)


def test_systems_that_need_pivoting_are_solved_with_it():
    from dpcore.regression import baselines

    train = SufficientStatistics(
        quadratic=np.array([[1e-9, 1.0], [1.0, 0.0]]), linear=np.array([1.0, 2.0]),
        target_square=1.0, n_samples=3,
    )  # fmt: skip
    nothing = np.zeros((1, 2, 2)), np.zeros((1, 2))
    found = baselines._solved(train, *nothing, np.ones(1), np.zeros((1, 1)))
    np.testing.assert_allclose(found[0, 0], np.linalg.solve(train.quadratic, train.linear))
