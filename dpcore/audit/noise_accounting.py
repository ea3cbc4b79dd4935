"""Checks of the ε that is computed from the measured noise and sampling of real releases.

A check runs the code of a release. It measures the scale of the noise, the sampling rate and the number of steps, and
computes the ε of these measurements with the accountant. Sensitivities are computed independently in this module,
because a check that took them from the checked code would repeat the errors of this code.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore.audit.check_result import Check, at_most

__all__ = [
    "ada_event",
    "calls",
    "cost",
    "descent_event",
    "noise_checks",
    "output_event",
    "scale_of",
    "statistics_event",
    "sums_epsilon",
]

Floats = NDArray[np.float64]
ERRORS = 6.0  # standard errors: one correct check in 10⁹ fails
_LOOSE = 1e-3  # of ε: what searches for σ and tables of the account leave open
_DELTA = 1e-5


@contextmanager
def calls(owner: Any, name: str) -> Iterator[list[tuple[Any, dict[str, Any], Any]]]:
    """Record every call of the function ``owner.name`` inside the ``with`` block.

    The context manager returns the list of recorded calls, as (arguments, keyword arguments, result). The function
    works as usual.
    """
    original, noted = getattr(owner, name), []

    def noting(*args: Any, **named: Any) -> Any:
        result = original(*args, **named)
        # Copied, because a caller may add the noise in place.
        noted.append((args, named, result.copy() if isinstance(result, np.ndarray) else result))
        return result

    setattr(owner, name, noting)
    try:
        yield noted
    finally:
        setattr(owner, name, original)


def scale_of(draws: Any, *, kurtosis: float = 3.0) -> float:
    """Return an upper estimate of the standard deviation of draws.

    The estimate is the measured standard deviation plus six standard errors, for draws with the given kurtosis.
    """
    z = np.asarray(draws, float).ravel()
    return float(z.std()) * (1 + ERRORS * math.sqrt((kurtosis - 1) / 4 / len(z)))


def cost(event: accounting.Event, delta: float, neighbouring: Any = "add_remove") -> float:
    """Return the ε at δ of an event, for events with measured noise."""
    return accounting.spent(event, delta, neighbouring=neighbouring)


def _paid(name: str, claimed: float, measured: float) -> Check:
    return at_most(f"{name}: ε of what was drawn", claimed * (1 + _LOOSE), measured)


def noise_checks() -> Iterator[Callable[[], Check]]:
    """Yield the checks of measured noise, as functions without arguments that return a `Check`."""
    yield from _of_lots()
    yield from _of_prototypes()
    yield from (_descent_rate, _descent_size, _descent_in_company)
    if importlib.util.find_spec("torch"):
        yield from (_autoencoder_steps, _autoencoder_lots, _network_noise, _network_lots)
    yield from _of_sums()
    yield from (partial(_element_ratio, kind) for kind in ("laplace", "staircase"))
    yield from (partial(_mechanism, kind) for kind in ("Laplace", "Gaussian", "Staircase"))
    yield from (_sampled_choice, _bias_noise)


def _of_lots() -> Iterator[Callable[[], Check]]:
    for check in (_poisson_rate, _poisson_spread, _poisson_overlap):
        for kind in _POISSON:
            yield from (partial(check, rate, kind) for rate in (0.01, 0.2, 0.5))
    yield from (_fixed_sizes, _fixed_overlap)


def _of_prototypes() -> Iterator[Callable[[], Check]]:
    for kind in ("DPGLVQ", "DPGMLVQ"):
        yield from (partial(_prototype_training, kind, lots) for lots in ("poisson", "fixed"))
        yield partial(_fresh, kind)
    for backend in ("numpy", "numba"):
        yield partial(_independent_steps, backend)
        yield partial(_matrix_parts, backend)
    yield from (partial(_start, kind) for kind in ("gaussian", "laplace"))


def _of_sums() -> Iterator[Callable[[], Check]]:
    for delta, relation in ((1e-5, "replace_one"), (1e-5, "add_remove"), (0.0, "replace_one")):
        yield partial(_objective, delta, relation)
    for variant in ("printed", "tight", "joint", "gaussian"):
        yield partial(_regression_sums, variant)
    yield from (_ada_ssp, partial(_descent_regression, 2), partial(_descent_regression, 20))
    yield partial(_descent_regression, 20, 0.2)
    yield from (_output_regression, _output_classifier, _class_statistics, _class_means)


# Lots


_POISSON = {"poisson_lots": "Poisson lots", "growing_lots": "Poisson lots that grow with q"}


def _poisson(rate: float, kind: str) -> tuple[sgd.Lots, int, int]:
    n, steps = 300, 600
    return getattr(sgd, kind)(n, rate, n_steps=steps, rng=np.random.default_rng(21)), n, steps


def _near(name: str, declared: float, measured: float, error: float) -> Check:
    holds = math.isfinite(measured) and abs(measured - declared) <= ERRORS * error
    return Check(name=name, declared=declared, measured=measured, holds=bool(holds))


def _poisson_rate(rate: float, kind: str) -> Check:
    lots, n, steps = _poisson(rate, kind)
    error = math.sqrt(rate * (1 - rate) / (n * steps))
    return _near(
        f"{_POISSON[kind]}, q = {rate:g}: share of records in a lot", rate,
        len(lots.indices) / (n * steps), error,
    )  # fmt: skip


def _poisson_spread(rate: float, kind: str) -> Check:
    """Return a check that the sizes of Poisson lots have the binomial variance."""
    lots, n, steps = _poisson(rate, kind)
    usual = n * rate * (1 - rate)
    return _near(
        f"{_POISSON[kind]}, q = {rate:g}: variance of their size", usual,
        float(np.diff(lots.offsets).var()), usual * math.sqrt(2.5 / steps),
    )  # fmt: skip


def _overlap(lots: sgd.Lots, steps: int) -> float:
    return sum(
        len(np.intersect1d(lots.at(t), lots.at(t + 1), assume_unique=True))
        for t in range(0, steps - 1, 2)
    ) / (steps // 2)


def _poisson_overlap(rate: float, kind: str) -> Check:
    """Return a check that two successive Poisson lots share the fraction q² of all records.

    ``rate`` is q, the probability that a record joins a lot.
    """
    lots, n, steps = _poisson(rate, kind)
    error = math.sqrt(n * rate**2 * (1 - rate**2) / (steps // 2))
    return _near(
        f"{_POISSON[kind]}, q = {rate:g}: records in two lots that follow each other",
        n * rate**2, _overlap(lots, steps), error,
    )  # fmt: skip


def _fixed() -> tuple[sgd.Lots, int, int, int]:
    n, size, steps = 50, 10, 2000
    return sgd.fixed_lots(n, size, n_steps=steps, rng=np.random.default_rng(22)), n, size, steps


def _fixed_sizes() -> Check:
    lots, _, size, steps = _fixed()
    sizes = np.array([len(np.unique(lots.at(t))) for t in range(steps)])
    return Check(
        name="fixed lots: different records in the lot that has most", declared=size,
        measured=float(sizes.max()), holds=bool((sizes == size).all()),
    )  # fmt: skip


def _fixed_overlap() -> Check:
    lots, n, size, steps = _fixed()
    usual = size * size / n
    error = math.sqrt(usual * (1 - size / n) * (n - size) / (n - 1) / (steps // 2))
    name = "fixed lots: records in two lots that follow each other"
    return _near(name, usual, _overlap(lots, steps), error)


# Prototypes


def _model(kind: str, lots: str = "poisson", **settings: Any) -> Any:
    from dpcore import lvq

    relation = "replace_one" if lots == "fixed" else "add_remove"
    defaults: dict[str, Any] = {
        "epsilon": 2.0, "bounds": (-1.0, 1.0), "sample_rate": 0.2, "epochs": 0.8, "init": "public",
        "expected_n": 60, "classes": (0, 1), "neighbouring": relation, "lots": lots, "average": False,
    }  # fmt: skip
    return getattr(lvq, kind)(**{**defaults, **settings})


def _records(n: int) -> tuple[Floats, NDArray[np.int64]]:
    return np.random.default_rng(23).uniform(-1, 1, (n, 3)), np.arange(n) % 2


def _prototype_training(kind: str, lots: str) -> Check:
    """Return a check that the settings of a training loop of prototypes do not cost more than the claimed ε.

    The noise multiplier, the number of steps and the sampling rate are recorded during a `fit`, and their ε is
    computed. ``kind`` is the class of the model, and ``lots`` is "poisson" or "fixed". The model is trained for four
    steps, so that a missing step is noticed, and on many records, so that the sampling rate is measured accurately.
    """
    from dpcore.lvq import matrix_train, train

    loop = matrix_train if kind == "DPGMLVQ" else train
    X, y = _records(6000)
    with calls(loop, "sweep") as noted:
        model = _model(kind, lots, expected_n=6000).fit(X, y)
    (args, named, _), claimed = noted[-1], model.privacy_
    lots_used: sgd.Lots = next(a for a in args if isinstance(a, sgd.Lots))
    steps = len(lots_used.offsets) - 1
    rate = len(lots_used.indices) / (len(X) * steps)
    if lots == "poisson":
        rate -= ERRORS * math.sqrt(rate * (1 - rate) / (len(X) * steps))
    step = accounting.GaussianEvent(float(np.min(named["noise_multiplier"])))
    event: Any = accounting.FixedSizeSampled(rate, step)
    if lots == "poisson":
        event = accounting.sampled(step, rate)
    measured = cost(accounting.Repeated(event, steps), claimed.delta, claimed.neighbouring)
    return _paid(f"{kind}, {lots} lots", claimed.epsilon, measured)


def _fresh(kind: str) -> Check:
    """Return a check that two fits without a seed have no random number in common."""
    X, y = _records(60)
    first, second = (_model(kind).fit(X, y).path_[1:] for _ in range(2))
    same = float((first == second).mean())
    return at_most(f"{kind}: numbers that two fits without a seed share", 0.0, same)


def _free(n_steps: int, backend: str) -> dict[str, Any]:
    """Return arguments with which a prototype training loop only adds noise, because all lots (batches) are empty.

    The noise multiplier σ, clipping norm C, learning rate η and expected lot size L are 1, so the noise of a step has
    the standard deviation σCη/L = 1.
    """
    return {
        "lots": sgd.Lots(np.zeros(0, np.int32), np.zeros(n_steps + 1, np.int64)),
        "noise_multiplier": np.ones(1), "clip_norm": 1.0, "learning_rate": 1.0,
        "expected_lot": 1.0, "key": 24, "snapshots": np.arange(n_steps + 1), "average": False,
        "bounds": None, "backend": backend,
    }  # fmt: skip


def _correlation(moves: Floats) -> float:
    """Return the larger absolute correlation of the noise, between consecutive steps or between adjacent entries.

    ``moves`` (T, n) holds the noise on n entries in T steps.
    """
    later = float(np.mean(moves[1:] * moves[:-1]) / np.mean(moves**2))
    beside = float(np.mean(moves[:, 1:] * moves[:, :-1]) / np.mean(moves**2))
    return max(abs(later), abs(beside))


def _independent_steps(backend: str) -> Check:
    from dpcore.lvq import train

    path = train.sweep(
        np.zeros((1, 5)), [0], np.zeros((1, 2, 5)), [0, 1], **_free(2000, backend)
    )  # fmt: skip
    moves = np.diff(path[0].astype(float), axis=0).reshape(2000, -1)
    error = ERRORS / math.sqrt(moves.size)
    return at_most(f"GLVQ loop, {backend}: noise shared between steps or numbers", error,
                   _correlation(moves))  # fmt: skip


def _matrix_parts(backend: str) -> Check:
    """Return a check that the noise on prototypes and the noise on the matrix Ω have scale σC and no correlation."""
    from dpcore.lvq import matrix_train

    path = matrix_train.sweep(
        np.zeros((1, 4)), [0], np.zeros((1, 2, 4)), np.eye(4), [0, 1], **_free(1500, backend)
    )  # fmt: skip
    moves = [np.diff(part[0].astype(float), axis=0).reshape(1500, -1) for part in path]
    least = min(scale_of(part) for part in moves)
    together = max(_correlation(part) for part in moves)
    error = ERRORS / math.sqrt(moves[0].size)
    return Check(name=f"GMLVQ loop, {backend}: least noise on prototypes or Ω, independent", declared=1.0,
                 measured=least, holds=least >= 1 and together <= error)  # fmt: skip


def _start(kind: str) -> Check:
    """Return a check of the ε of the noisy class means from which the training of DPGLVQ starts.

    The noise on class sums and the noise on class counts are measured separately. ``kind`` is the kind of noise,
    "gaussian" or "laplace".
    """
    from dpcore.lvq import init

    d = 40
    with calls(init, "start") as noted:
        model = _model("DPGLVQ", init=kind, init_share=0.5, expected_n=60)
        model.fit(np.zeros((60, d)), np.arange(60) % 2)
    named, tails = noted[-1][1], 6.0 if kind == "laplace" else 3.0
    options: dict[str, Any] = {"kind": kind, "rng": np.random.default_rng(38), "project": False}
    size, large = (400, d), 1e7
    sums = large * init.start(
        np.zeros(size),
        np.full(400, large),
        count_scale=0.0,
        sum_scale=named["sum_scale"],
        **options,
    )
    counts = large * init.start(
        np.full(size, large), np.full(400, large), count_scale=1e3 * named["count_scale"], sum_scale=0.0,
        **options,
    )[0, :, 0].astype(float)  # fmt: skip
    on_sums = scale_of(sums, kurtosis=tails)
    on_counts = scale_of(counts - large, kurtosis=tails) / 1e3
    if kind == "laplace":
        measured = math.sqrt(2) * (1 / on_counts + d / on_sums)
    else:
        measured = cost(
            accounting.GaussianEvent(1 / math.hypot(1 / on_counts, math.sqrt(d) / on_sums)), 5e-6
        )
    return _paid(f"DPGLVQ, {kind} start", 1.0, measured)


# Small models and networks


def _descent_rate() -> Check:
    from dpcore.descent import Logistic, Recipe, descend

    recipe = Recipe(clip_norm=0.5, sample_rate=0.2, n_steps=300, learning_rate=0.1)
    X, y = np.zeros((200, 3)), np.zeros(200)
    path = descend(
        Logistic(2), X, y=y, recipe=recipe, noise_multiplier=np.array([2.0]), streams=sgd.Streams.of(25),
        snapshots=np.arange(301), expected_n=200,
    )  # fmt: skip
    return _near("descend: share of records in a lot", 0.2, len(path.lots.indices) / 60_000,
                 math.sqrt(0.16 / 60_000))  # fmt: skip


def _descent_size() -> Check:
    """Return a check that training steps use the declared number of records instead of the true number.

    Trainings on 5 and on 50 records both declare 10 records. Their noise must have the same scale.
    """
    from dpcore.descent import Logistic, Recipe, descend

    recipe = Recipe(clip_norm=0.5, sample_rate=0.5, n_steps=50, learning_rate=2.0)
    sizes = []
    for n in (5, 50):
        path = descend(
            Logistic(99), np.zeros((n, 100)), y=np.zeros(n), recipe=recipe, noise_multiplier=np.array([3.0]),
            streams=sgd.Streams.of(26), snapshots=np.arange(51), expected_n=10,
        )  # fmt: skip
        sizes.append(float(np.diff(path.weights[0], axis=0).std()))
    return _near("descend: length of steps, 50 records against 5", 1.0, sizes[1] / sizes[0], 0.005)


def _descent_in_company() -> Check:
    """Return a check that one record contributes at most the clipping norm to the gradient sum of seven records."""
    from dpcore.descent import Logistic, Network, Recipe
    from dpcore.descent.train import step

    worst, recipe = 0.0, Recipe(clip_norm=0.5, sample_rate=1.0)
    for model in (Logistic(1), Network(1, 2)):
        W = np.full((1, model.n_weights), 0.1)
        others = np.array([[3.0, 1.0]] * 6), np.ones(6)
        for record in ([-1e6, 1.0], [3.0, 1.0], [1e6, -1e6]):
            both = np.vstack([others[0], record]), np.append(others[1], 0.0)
            ends = [
                7 * step(model, W, rows, labels, recipe, np.zeros_like(W), 7)
                for rows, labels in (both, others)
            ]
            worst = max(worst, float(np.sqrt(np.square(ends[0] - ends[1]).sum())))
    return at_most("descend, one record among others", 1.0, worst / 0.5)


def _private_network(n: int, rate: float, steps: int) -> tuple[Any, list[Floats], list[int]]:
    """Train a network privately on blank images; return the guarantee, the noise and the lot sizes.

    The guarantee is that of the whole training. For every step, the noise (divided by the clipping norm) and the size
    of the lot are returned.
    """
    from dpcore.autoencoder import private_network
    from dpcore.autoencoder.private_network import NetworkRecipe

    recipe = NetworkRecipe(n_hidden=4, clip_norm=1e-3, sample_rate=rate, n_steps=steps)
    sent: list[Floats] = []
    with calls(private_network, "clipped_sum") as noted:
        network = private_network.train_private(
            np.zeros((n, 9)), np.arange(n) % 2, recipe=recipe, epsilon=2.0, delta=_DELTA, expected_n=n,
            classes=[0, 1], random_state=27, watch=lambda weights, noisy: sent.append(noisy.copy()),
        )  # fmt: skip
    exact = [np.asarray(total) for _, _, total in noted]
    noise = [(a - b) / recipe.clip_norm for a, b in zip(sent, exact, strict=True)]
    return network.guarantee, noise, [len(args[2]) for args, _, _ in noted]


def _autoencoder_steps() -> Check:
    promise, noise, _ = _private_network(20, 0.5, 200)
    sigma = scale_of(np.array(noise))
    steps = accounting.Repeated(accounting.sampled(accounting.GaussianEvent(sigma), 0.5), 200)
    return _paid("autoencoder by DP-SGD, steps", promise.parts[0].epsilon,
                 cost(steps, promise.delta))  # fmt: skip


def _autoencoder_lots() -> Check:
    _, _, sizes = _private_network(300, 0.2, 100)
    return _near("autoencoder by DP-SGD: share of pictures in a lot", 0.2, sum(sizes) / 30_000,
                 math.sqrt(0.16 / 30_000))  # fmt: skip


def _convolutional(n: int, rate: float, steps: int) -> tuple[Any, Floats, list[int]]:
    from dpcore.network import train
    from dpcore.network.architecture import ConvNet, Convolution

    network = ConvNet(4, Convolution(1, 2, 1), Convolution(2, 1, 1), hidden=2, n_classes=2)
    recipe = train.Recipe(
        clip_norm=1.0, noise_multiplier=2.0, sample_rate=rate, n_steps=steps, learning_rate=0.01,
        schedule="constant",
    )  # fmt: skip
    with calls(train, "clipped_sum") as noted:
        path = [
            weights
            for _, weights in train.descend(
                network, np.zeros((n, 16), np.float32), y=np.arange(n) % 2, recipe=recipe, streams=sgd.Streams.of(28),
                expected_n=n, snapshots=range(steps + 1),
            )
        ]  # fmt: skip
    moves = -np.diff(np.array(path, float), axis=0) * rate * n / 0.01
    noise = moves - np.array([np.asarray(total) for _, _, total in noted])
    return recipe, noise, [len(named["X"]) for _, named, _ in noted]


def _network_noise() -> Check:
    recipe, noise, _ = _convolutional(4, 0.5, 60)
    steps = accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(scale_of(noise)), 0.5), 60
    )
    return _paid("convolutional network, steps", recipe.epsilon(_DELTA), cost(steps, _DELTA))


def _network_lots() -> Check:
    _, _, sizes = _convolutional(400, 0.05, 30)
    return _near("convolutional network: share of pictures in a lot", 0.05, sum(sizes) / 12_000,
                 math.sqrt(0.05 * 0.95 / 12_000))  # fmt: skip


# Objectives, solutions, sums


def _objective(delta: float, relation: Any) -> Check:
    """Return a check of the ε of objective perturbation, computed from the measured scale of its noise.

    The noise is a random vector b in the objective. Since the gradient of the objective is zero at the fitted
    coefficients, b can be computed from the coefficients.
    """
    from scipy.special import expit

    from dpcore.descent import ObjectivePerturbationClassifier
    from dpcore.descent.objective import unit_rows

    X, y = _records(40)
    own, tilts = 2 * 0.05 * 40, []
    rows, rng = unit_rows(X), np.random.default_rng(29)
    for _ in range(300):
        model = ObjectivePerturbationClassifier(
            epsilon=2.0, delta=delta, regularisation=0.05, neighbouring=relation, bounds=(-1, 1), classes=[0,
            1], expected_n=40, random_state=rng
        ).fit(X, y)  # fmt: skip
        w = model.coefficients_
        tilts.append(-(rows.T @ (expit(rows @ w) - y) + own * w))
    b = np.array(tilts)
    twice = 2 if relation == "replace_one" else 1
    if delta:
        jacobian = math.log1p(0.25 / own)
        rest = cost(accounting.GaussianEvent(scale_of(b)), delta, relation)
    else:
        jacobian = twice * math.log1p(0.25 / own)
        length = np.sqrt(np.square(b).sum(1))  # Gamma(D, scale): deviation √D scale, mean D scale
        far = float(length.mean()) * (1 + ERRORS / math.sqrt(len(length) * b.shape[1]))
        rest = twice * b.shape[1] / far
    kind = "Gaussian b" if delta else "Algorithm 2"
    check = _paid(f"objective perturbation, {kind}, {relation}", 2.0, jacobian + rest)
    # A far too large b means that the curvature it was recovered with is wrong.
    return replace(check, holds=check.holds and check.measured > 0.75 * check.declared)


def sums_epsilon(unit_noise: Any, variant: str, scale: float) -> float:
    """Return the ε of the noise on the regression sums A = Σxxᵀ and c = Σyx, from measured standard deviations.

    The noise is measured separately on the diagonal of the matrix A, on the other entries of A and on the vector c,
    so that a wrong scale in one of the three is not averaged out. For Gaussian noise the result is not an ε, but the
    L2 sensitivity divided by the smallest measured standard deviation.

    Parameters
    ----------
    unit_noise : UnitNoise
        Many draws of the noise at scale 1, for D = d + 1 coefficients.
    variant : str
        Calibration of the noise: "printed", "tight", "joint" or "gaussian".
    scale : float
        Factor by which the unit noise is multiplied.
    """
    D = unit_noise.vector.shape[1]
    tails = 3.0 if variant == "gaussian" else 6.0
    diagonal, off, vector = (
        scale * scale_of(part, kurtosis=tails)
        for part in (unit_noise.matrix[:, 0, 0], unit_noise.matrix[:, 0, 1], unit_noise.vector)
    )
    if variant == "gaussian":  # of svec: the diagonal once, what is off it √2 of both halves
        epsilon = math.sqrt(2) * (D + 1) / min(diagonal, math.sqrt(2) * off, math.sqrt(2) * vector)
    elif variant == "joint":
        epsilon = math.sqrt(2) * ((D + 1) ** 2 + D - 1) / 2 / min(diagonal, off, vector)
    else:
        reach = (2 if variant == "printed" else 1) * D * D
        epsilon = reach / min(diagonal / math.sqrt(2), off) + 2 * D / (vector / math.sqrt(2))
    return float(epsilon)


def _regression_sums(variant: str) -> Check:
    from dpcore.regression import noise

    d, n, rng = 2, 20_000, np.random.default_rng(30)
    if variant == "joint":
        unit_noise = noise.joint_noise(d, n, rng)
    elif variant == "gaussian":
        unit_noise = noise.gaussian_noise(d, n, rng)
        reach = sums_epsilon(unit_noise, variant, 1.0)
        return at_most("sufficient statistics: Δ₂ over the least noise", 1.0, reach)
    else:
        unit_noise = noise.functional_noise(d, n, rng, share=0.4, sensitivities=variant)
    return _paid(f"functional mechanism, {variant}", 1.0, sums_epsilon(unit_noise, variant, 1.0))


def ada_event(epsilon: float, delta: float) -> accounting.Event:
    """Return the privacy event of the noise that is measured in `dpcore.regression.ada_ssp`.

    The method releases a matrix A, a vector c and the smallest eigenvalue λ_min of A, all with Gaussian noise. The
    event is the composition of these three releases. The noise on λ_min is measured by the interquartile range of the
    ridge penalty, which the method computes from the noisy λ_min.
    """
    from dpcore.regression import baselines, statistics

    D, n = 2, 4000
    sigma = float(baselines._ada_scales(np.array([epsilon]), delta, "exact")[0][0])
    place = sigma * D * (math.sqrt(math.log(6 / delta)) + 2)
    sums = statistics.SufficientStatistics(
        quadratic=place * np.eye(D), linear=np.zeros(D), target_square=1.0, n_samples=1000
    )
    with calls(baselines, "_solved") as noted:
        baselines.ada_ssp(sums, [epsilon], delta=delta, n_draws=n, rng=np.random.default_rng(31))
    (_, N, M, scale, ridge), _, _ = noted[-1]
    low, high = np.quantile(np.asarray(ridge)[:, 0], (0.25, 0.75))
    least = (high - low) / 1.34898 * (1 + ERRORS * 1.57 / math.sqrt(n))
    A = min(scale_of(N[:, 0, 1]), scale_of(N[:, 0, 0])) * scale[0]
    c = scale_of(M) * scale[0]
    parts = (D / least, math.sqrt(2) * D / A, 2 * math.sqrt(D) / c)
    return accounting.GaussianEvent(1 / math.hypot(*parts))


def _ada_ssp() -> Check:
    return _paid("AdaSSP, exact", 1.0, cost(ada_event(1.0, _DELTA), _DELTA))


def descent_event(
    epsilon: float,
    delta: float,
    *,
    noise_multiplier: float | None = None,
    sample_rate: float = 1.0,
    n_steps: int,
) -> accounting.Event:
    """Return the privacy event of the noise and the lots that are measured in `dpcore.regression.gradient_descent`.

    Parameters
    ----------
    epsilon, delta : float
        Requested privacy cost of the fit.
    noise_multiplier : float or None
        Noise multiplier to use instead of the one calibrated to (ε, δ).
    sample_rate : float
        Requested sample rate; if below 1, the event has the measured share of records in a lot.
    n_steps : int
        Number of steps.
    """
    from dpcore.regression import descent

    clip, eta, n = 0.5, 1e-6, 5 if sample_rate == 1 else 400
    draws, features = (20_000, 1) if sample_rate == 1 else (300, 120)
    with calls(sgd, "growing_lots") as noted:
        coefficients = descent.gradient_descent(
            np.zeros((n, features)), np.zeros(n), epsilon=epsilon, delta=delta,
            noise_multiplier=noise_multiplier, sample_rate=sample_rate, n_steps=n_steps, n_draws=draws,
            rng=np.random.default_rng(32), learning_rate=eta, clip_norm=clip, average=False,
        ).coefficients  # fmt: skip
    z = scale_of(coefficients) * n * sample_rate / (eta * clip * math.sqrt(n_steps))
    shares = [len(lots.indices) / (n * n_steps) for _, _, lots in noted]
    rate = float(np.mean(shares)) if shares else 1.0
    return accounting.Repeated(
        accounting.sampled(accounting.GaussianEvent(z), min(rate, 1.0)), n_steps
    )


def _descent_regression(steps: int, sample_rate: float = 1.0) -> Check:
    event = descent_event(1.0, _DELTA, sample_rate=sample_rate, n_steps=steps)
    lots = "" if sample_rate == 1 else f", q = {sample_rate:g}"
    return _paid(
        f"regression by descent, {steps} steps{lots}", 1.0, cost(event, _DELTA, "replace_one")
    )


def output_event(epsilon: float, delta: float) -> accounting.Event:
    """Return the privacy event of the noise that is measured in regression coefficients with output perturbation.

    The coefficients are computed from sums over 10⁹ records, so that the noise on the coefficients is small.
    """
    from dpcore.regression import perturbed_solution, statistics

    n, ridge, radius, B = 10**9, 0.3, 1.0, math.sqrt(2)
    sums = statistics.SufficientStatistics(
        quadratic=float(n) * np.eye(2), linear=np.zeros(2), target_square=0.0, n_samples=n
    )
    coefficients = perturbed_solution.output_perturbation(
        sums,
        [epsilon],
        delta=delta,
        n_draws=20_000,
        rng=np.random.default_rng(33),
        ridge=ridge,
        radius=radius,
    ).coefficients
    reach = 2 * B * (B * radius + 1) / (n * ridge)
    return accounting.GaussianEvent(scale_of(coefficients) / reach)


def _output_regression() -> Check:
    measured = cost(output_event(1.0, _DELTA), _DELTA)
    return _paid("output perturbation of regression", 1.0, measured)


def _output_classifier() -> Check:
    """Return a check of the output sensitivity 2/(2λn) of logistic regression, for n = 50 and λ = 0.05."""
    from dpcore.descent.erm import output_sensitivity

    reach = 2 * 1.0 / (50 * 2 * 0.05)
    measured = reach / output_sensitivity(1.0, 0.05, n_samples=50)
    return at_most("output perturbation of logistic regression: reach", 1.0, measured)


def statistics_event(
    noted: list[tuple[Any, Any, Any]], R: float, *, units: bool = False
) -> accounting.Event:
    """Return the privacy event of the noise that is measured on class sizes, sums and second moments.

    ``noted`` holds recorded calls of ``statistics.add_noise``, with their results. The records have norm at most
    ``R``.

    If ``units`` is False, the measured scale is the standard deviation of the noise over all calls. If it is True,
    the measured scale is the ratio of the noise to the standard normal draws that were passed to the calls.
    """
    scales = []
    for name in ("sizes", "sums", "moments"):
        added = [
            np.ravel(getattr(result, name) - getattr(args[0], name)) for args, _, result in noted
        ]
        seen = np.concatenate(added)
        if units:
            unit = np.concatenate([np.ravel(getattr(args[1], name)) for args, _, _ in noted])
            scales.append(float(seen @ unit / (unit @ unit)))
        else:
            scales.append(scale_of(seen))
    reach = (r / s for r, s in zip((1.0, R, R * R), scales, strict=True))
    return accounting.GaussianEvent(1 / math.hypot(*reach))


def _class_statistics() -> Check:
    from dpcore.autoencoder import ClassGaussians, statistics

    X, y = np.zeros((40, 4)), np.arange(40) % 2
    with calls(statistics, "add_noise") as noted:
        for seed in range(400):
            ClassGaussians(epsilon=1.0, clip_norm=3.0, n_frequencies=2, image_shape=(2, 2), classes=[0, 1],
                           random_state=seed).fit(X, y)  # fmt: skip
    return _paid("ClassGaussians", 1.0, cost(statistics_event(noted, 3.0), _DELTA))


def _class_means() -> Check:
    from dpcore.kahm import CentralClassMean

    X, y = np.full((4, 2500), 0.5), [0, 0, 1, 1]
    means = CentralClassMean(epsilon=1.0, random_state=34).fit(X, y).means_
    sigma = scale_of(2 * (means - 0.5)) / math.sqrt(2500)
    return _paid("CentralClassMean", 1.0, cost(accounting.GaussianEvent(sigma), _DELTA))


# Mechanisms


def _largest_ratio(noise: Floats, reach: float) -> float:
    """Return the largest absolute log ratio of the frequencies of two noise values that differ by ``reach``.

    ``reach`` is the sensitivity. Frequencies are counted in bins of width ``reach``/8. Bins with few values are left
    out.
    """
    bins = 8
    counts = np.bincount(np.floor((noise / reach + 40) * bins).astype(int).clip(0, 80 * bins))
    near, far = counts[: -bins or None], counts[bins:]
    enough = (near > 2000) & (far > 2000)
    return float(np.abs(np.log(near[enough] / far[enough])).max())


def _element_ratio(kind: str) -> Check:
    from dpcore.kahm.noise import element_noise

    u = (np.arange(2**21) + 0.5) / 2**21 - 0.5
    noise = element_noise(u, 1.0, kind=kind)
    return at_most(f"element noise, {kind}: ln of ratios", 1.0 + 2e-2, _largest_ratio(noise, 1.0))


def _mechanism(kind: str) -> Check:
    from dpcore import mechanisms

    mechanism = getattr(mechanisms, kind)(epsilon=1.0)
    draws = mechanism.sample(np.zeros(400_000), np.random.default_rng(35))
    if kind == "Gaussian":
        return _paid(kind, 1.0, cost(accounting.GaussianEvent(scale_of(draws)), mechanism.delta))
    # Bins of 2,000 draws: 6 standard errors of ln of a ratio are .19.
    return at_most(f"{kind}: ln of ratios", 1.2, _largest_ratio(draws, 1.0))


def _sampled_choice() -> Check:
    """Return a check of how often the exponential mechanism chooses the first of 20 options on two neighbours.

    On the first data set the first option has the score 1 and all others 0; on the second it has 0 and all others 1.
    """
    from dpcore.mechanisms import Exponential

    mechanism, n, first = Exponential(epsilon=2.0), 200_000, np.eye(20)[0]
    rates = [
        float((mechanism.sample(scores, np.random.default_rng(36), n) == 0).mean())
        for scores in (first, 1 - first)
    ]
    error = ERRORS * math.sqrt(2 / (n * min(rates)))
    measured = math.log(rates[0] / rates[1])
    return at_most("Exponential, drawn: ln of ratios", 2.0 + error, measured)


def _bias_noise() -> Check:
    """Return a check that the noise on the biases of a network has the classical scale √(2 ln(1.25/δ))/ε."""
    from dpcore.autoencoder import Weights, bias_noise

    zero = [np.zeros(shape, np.float32) for shape in ((4, 3), (3,), (3, 4), (4,))]
    unit = bias_noise.draw_noise(Weights(*zero), 4000, rng=np.random.default_rng(37))
    sigma = float(bias_noise.sigmas(2.0, _DELTA, kind="hidden")[0, 0])
    least = min(float(unit.hidden.std()), float(unit.output.std())) * sigma
    declared = math.sqrt(2 * math.log(1.25 / _DELTA)) / 2
    return _near("bias noise: √(2 ln(1.25/δ))/ε", declared, least, declared / math.sqrt(24_000))
