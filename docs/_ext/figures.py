"""The figures of the guide: each is computed by dpcore when the site is built."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from svg import Curve, chart, pictures

from dpcore import accounting, sgd
from dpcore.audit import ceiling, choose_threshold, count, two_worlds
from dpcore.autoencoder import attacks, noise_cancelling, perturb_biases
from dpcore.datasets import load, load_regression, plane
from dpcore.descent import Recipe, descend
from dpcore.experiments.autoencoder import digits_problem
from dpcore.experiments.descent import named_problem
from dpcore.kahm import record_epsilon
from dpcore.lvq import DPGLVQ, DPGMLVQ, GLVQ, GMLVQ
from dpcore.mechanisms import Laplace, gaussian_sigma, staircase
from dpcore.regression import (
    Bounds,
    ada_ssp,
    functional_mechanism,
    gaussian_statistics,
    joint_release,
    sufficient_statistics,
)
from dpcore.regression.solve import Repair

DELTA = 1e-5
SEED = 0


def mechanisms() -> str:
    """Mean error of a number of sensitivity 1 against ε."""
    eps = np.geomspace(0.1, 8, 40)
    normal = math.sqrt(2 / math.pi)  # E|Z|
    exact = [normal * gaussian_sigma(1.0, e, delta=DELTA) for e in eps]
    classical = [normal * gaussian_sigma(1.0, e, delta=DELTA, calibration="classical") for e in eps]
    stairs = [staircase(1.0, e).mean_error() for e in eps]
    curves = [
        Curve("Gaussian, classical", eps, classical, 1, dashed=True),
        Curve("Gaussian, exact", eps, exact, 1),
        Curve("Laplace", eps, [Laplace(epsilon=e).mean_error() for e in eps], 0),
        Curve("staircase", eps, stairs, 2),
    ]
    return chart(curves, x="ε", y="mean error", log_x=True, log_y=True)


def accountants() -> str:
    """ε of T sampled Gaussian steps by three accounts."""
    steps = np.array([100, 300, 1000, 3000, 10000])
    sigma, rate = 2.0, 0.01
    single = [
        int(t)
        * accounting.epsilon(
            noise_multiplier=sigma, sample_rate=rate, n_steps=1, delta=DELTA / int(t)
        )
        for t in steps
    ]
    tight = [
        accounting.epsilon(noise_multiplier=sigma, sample_rate=rate, n_steps=int(t), delta=DELTA)
        for t in steps
    ]
    rdp = [
        accounting.epsilon(
            noise_multiplier=sigma, sample_rate=rate, n_steps=int(t), delta=DELTA, accountant="rdp"
        )
        for t in steps
    ]
    curves = [
        Curve("adding up (basic)", steps, single, 4, dashed=True),
        Curve("Rényi", steps, rdp, 1),
        Curve("loss distribution", steps, tight, 0),
    ]
    return chart(curves, x="steps T", y="ε", log_x=True, log_y=True)


def budget() -> str:
    """The cost of k questions of ε = 0.1 each, by three rules of composition."""
    k = np.unique(np.geomspace(1, 1000, 25).astype(int))
    curves = [
        Curve("basic: kε", k, accounting.basic(0.1, k), 4, dashed=True),
        Curve("advanced", k, accounting.advanced(0.1, k, slack=DELTA), 1),
        Curve(
            "optimal",
            k,
            [accounting.optimal(epsilon=0.1, n_steps=int(i), delta=DELTA) for i in k],
            0,
        ),
    ]
    return chart(curves, x="questions k", y="ε of all", log_x=True, log_y=True)


def descent() -> str:
    """Test accuracy while a private logistic model trains, at three noise multipliers."""
    problem = named_problem("moons", "logistic")
    recipe = Recipe(n_steps=200)
    steps = np.unique(np.geomspace(1, recipe.n_steps, 24).astype(np.int64))
    sigmas = np.array([0.0, 2.0, 10.0])
    path = descend(
        problem.model, problem.X, y=problem.y, recipe=recipe, noise_multiplier=sigmas,
        streams=sgd.Streams.of(SEED), snapshots=steps, expected_n=400,
    )  # fmt: skip
    curves = [
        Curve(f"σ = {sigma:g}", steps, problem.accuracy(weights), colour)
        for colour, sigma, weights in zip((4, 0, 1), sigmas, path.weights, strict=True)
    ]
    return chart(curves, x="steps", y="test accuracy", log_x=True)


def prototypes() -> str:
    """Accuracy of private prototypes on the digits against ε."""
    data = load("digits")
    eps = np.array([0.25, 0.5, 1.0, 2.0, 4.0, 8.0])
    public = {"bounds": (data.low, data.high), "expected_n": 1400, "classes": range(10)}
    scores = []
    for e in eps:
        model = DPGLVQ(epsilon=float(e), **public, random_state=SEED).fit(data.X, data.y)
        scores.append(model.score(data.X_test, data.y_test))
    plain = GLVQ().fit(data.X, data.y).score(data.X_test, data.y_test)
    curves = [
        Curve("GLVQ, not private", eps[[0, -1]], [plain, plain], 4, dashed=True),
        Curve("DPGLVQ", eps, scores, 0),
    ]
    return chart(curves, x="ε", y="test accuracy", log_x=True)


def relevances() -> str:
    """Which pixels of the digits a matrix classifier uses, at three ε and without noise."""
    data = load("digits")
    public = {"bounds": (data.low, data.high), "expected_n": 1400, "classes": range(10)}
    images, names = [], []
    for e in (1.0, 4.0, 16.0):
        model = DPGMLVQ(epsilon=e, clip_norm=2.0, **public, random_state=SEED)
        images.append(_picture(model.fit(data.X, data.y).relevances_))
        names.append(f"ε = {e:g}")
    scaled = (data.X - data.low) / (data.high - data.low)
    images.append(_picture(GMLVQ(max_iter=60).fit(scaled, data.y).relevances_))
    return pictures([("relevances", images)], [*names, "not private"])


def _picture(values: np.ndarray) -> np.ndarray:
    return np.sqrt(values / values.max()).reshape(8, 8)


def regression() -> str:
    """Test error of four ways to release a linear fit, median of 40 draws, against ε."""
    data = load_regression("census_synthetic", n_samples=20_000)
    bounds = Bounds(
        low=data.low, high=data.high, target_low=data.target_low, target_high=data.target_high
    )
    train = sufficient_statistics(data.X, data.y, bounds=bounds)
    test = sufficient_statistics(data.X_test, data.y_test, bounds=bounds)
    eps = np.geomspace(0.5, 64, 12)
    draws, same = 40, {"test": test}
    made = {
        "as printed, repaired": functional_mechanism(
            train, eps, n_draws=draws, rng=_rng(), repair=Repair(), **same
        ),
        "one joint release": joint_release(
            train, eps, n_draws=draws, rng=_rng(), repair=Repair(), **same
        ),
        "Gaussian sums": gaussian_statistics(
            train, eps, delta=DELTA, n_draws=draws, rng=_rng(), repair=Repair(), **same
        ),
        "AdaSSP": ada_ssp(train, eps, delta=DELTA, n_draws=draws, rng=_rng(), **same),
    }
    curves = [
        Curve(name, eps, np.median(found.test_mse, axis=0), colour)
        for colour, (name, found) in zip((1, 3, 2, 0), made.items(), strict=True)
    ]
    return chart(curves, x="ε", y="test error (scaled)", log_x=True)


def _rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


def autoencoder() -> str:
    """Pictures under noise on the output biases, and how many of a batch are found again."""
    problem = digits_problem()
    batch = problem.everyone[:100]
    levels = (0.8, 4.0, 8.0)
    released = perturb_biases(
        problem.weights, batch, kind="output", epsilon=levels, draws=1, rng=_rng()
    )
    clean = perturb_biases(
        problem.weights, batch, kind="output", epsilon=np.inf, draws=1, rng=_rng()
    )
    columns = ["original", *(f"ε = {e:g}" for e in levels), "no noise"]
    shown = [batch, *released[:, 0, 0], clean[0, 0, 0]]
    rows = [(f"digit {i + 1}", [part[i].reshape(8, 8) for part in shown]) for i in (0, 1)]
    found = noise_cancelling.link_shared(problem.weights, released[0, 0, 0], problem.everyone)
    share = attacks.linked_share(found, np.arange(100))
    return pictures(rows, columns) + (
        f"<p>Of the 100 pictures released with one noise vector at ε = 0.8, an attacker who has the "
        f"network finds {float(share):.0%} again.</p>"
    )


def records() -> str:
    """ε of a whole record when each of its values is 1-DP, by number of features."""
    features = np.unique(np.geomspace(1, 64, 10).astype(int))
    found = [record_epsilon(1.0, int(p), delta=DELTA) for p in features]
    curves = [
        Curve("claimed: one value", features, np.ones(len(features)), 4, dashed=True),
        Curve("record: sum of all", features, [f.pure for f in found], 1),
        Curve("record: exact, δ = 10⁻⁵", features, [f.tight for f in found], 0),
    ]
    return chart(curves, x="features p", y="ε", log_x=True, log_y=True)


def audit() -> str:
    """What an attack on Laplace noise of ε = 1 shows with more and more releases."""
    rng, mechanism = _rng(), Laplace(epsilon=1.0, bounds=(0.0, 1.0))
    most = 20_000
    chosen = [mechanism.sample(np.full(2000, world), rng) for world in (0.0, 1.0)]
    cut = choose_threshold(*chosen, delta=0.0)
    without, with_canary = (mechanism.sample(np.full(most, w), rng) for w in (0.0, 1.0))
    sizes = np.unique(np.geomspace(20, most, 16).astype(int))
    shown = [two_worlds(*count(without[:n], with_canary[:n], threshold=cut), n=n) for n in sizes]
    curves = [
        Curve("most that n can show", sizes, [ceiling(int(n)) for n in sizes], 4, dashed=True),
        Curve("claimed ε", sizes, np.ones(len(sizes)), 1),
        Curve("shown by the attack", sizes, [b.epsilon_lower for b in shown], 0),
    ]
    return chart(curves, x="releases n in each world", y="ε", log_x=True)


def datasets() -> str:
    """The three kinds of iris in the plane of largest spread."""
    data = load("iris")
    origin, axes = plane(data.X)
    flat = (data.X - origin) @ axes
    curves = [
        Curve(name, *flat[data.y == label].T, label, marks=True)
        for label, name in enumerate(data.classes)
    ]
    return chart(curves, x="first axis", y="second axis")


FIGURES: dict[str, Callable[[], str]] = {
    made.__name__: made
    for made in (
        mechanisms, accountants, budget, descent, prototypes, relevances, regression, autoencoder,
        records, audit, datasets,
    )
}  # fmt: skip
