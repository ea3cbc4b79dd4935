"""The numbers behind the formulas of Sarkar's lecture."""

from __future__ import annotations

import math
from typing import Any

from dpcore import accounting, sensitivity
from dpcore.descent.erm import output_sensitivity
from dpcore.experiments import epsilon_tables
from dpcore.experiments.formulas.number import DELTA, EPSILONS, Number, classical, counts
from dpcore.mechanisms import Laplace, calibration, printed_exponential_epsilon

__all__ = ["NUMBERS"]

_RATE, _STEPS = 0.01, 5000
_PEOPLE: dict[str, Any] = {
    "symbol": "n",
    "moves": "people",
    "grid": (10.0, 50.0, 100.0, 1000.0, 10000.0),
}
_GROUP: dict[str, Any] = {
    "symbol": "k",
    "moves": "people in a group",
    "grid": counts(),
    "start": 2.0,
}
_NOISES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)


def _sigma(epsilon: float) -> float:
    return calibration.gaussian_sigma(1.0, epsilon, delta=DELTA)


def _real(sigma: float, moved: float = 1.0) -> float:
    return calibration.gaussian_epsilon(sigma, moved, delta=DELTA)


def _steps(epsilon: float) -> float:
    """What 5000 steps cost, each of the noise that is printed for ε."""
    return float(epsilon_tables.epsilons([classical(epsilon)], DELTA, _RATE, 50)[0])


def _one_step(epsilon: float) -> float:
    return accounting.epsilon(
        noise_multiplier=classical(epsilon), sample_rate=_RATE, n_steps=1, delta=_RATE * DELTA
    )


def _printed_norm(p: float) -> float:
    """(x₁^p + x₂^p)^(1/p) of (1, −1), as printed."""
    return float((1 + (-1) ** int(p)) ** (1 / p))


NUMBERS = {
    "3.1": Number(
        what="largest ratio of two probabilities for a group of k, ε = 1", **_GROUP,
        right=lambda k: math.exp(k), printed=lambda k: math.exp(k),
    ),
    "3.2": Number(
        what="δ for a group of k, when it is 10⁻⁵ for one person and ε = 1", **_GROUP,
        right=lambda k: accounting.group_privacy(1.0, DELTA, group=int(k))[1], printed=lambda k: DELTA,
    ),
    "3.3": Number(
        what="scale of the noise that protects a group of k, ε = 1", **_GROUP,
        right=lambda k: calibration.laplace_scale(k, 1.0), printed=lambda k: k,
    ),
    "3.4": Number(
        what="thousand pounds that a group of k can move the sum by, salaries up to 50", **{**_GROUP, "start": 4.0},
        right=lambda k: k * sensitivity.clipped_sum(50.0, neighbouring="add_remove"), printed=lambda k: 50 * k,
    ),
    "3.5": Number(
        what="how far one person can move a mean of values in [0, 1]", **_PEOPLE, start=1000.0,
        right=lambda n: sensitivity.mean(0.0, 1.0, n_samples=int(n), neighbouring="replace_one"),
        printed=lambda n: 1 / n,
    ),
    "3.6": Number(
        what="probability of an error larger than t times the mean error", symbol="t", moves="times the mean error",
        grid=counts(), start=3.0, right=lambda t: math.exp(-t),
    ),
    "3.7": Number(
        what="standard deviation of the error of a sum when everybody adds noise alone, ε = 1", **_PEOPLE,
        start=10000.0, right=lambda n: math.sqrt(2 * n), printed=lambda n: math.sqrt(2),
    ),
    "3.8": Number(
        what="whole records that a δ-private method may publish, of 100 000", symbol="δ", moves="failure probability",
        grid=(1e-8, 1e-7, 1e-6, 1e-5, 1e-4), start=1e-5, right=lambda d: 1e5 * d,
    ),
    "3.9": Number(what="σ of Gaussian noise, sensitivity 1", right=_sigma, printed=classical),
    "3.10": Number(
        what="δ of k mechanisms of δ = 10⁻⁵, together at kε", symbol="k", moves="answers",
        grid=counts(30, 100), start=10.0, right=lambda k: -math.expm1(k * math.log1p(-DELTA)),
        printed=lambda k: k * DELTA,
    ),
    "3.11": Number(
        what="times worse: the mean of k answers that share one ε, against one answer", symbol="k", moves="answers",
        grid=(1.0, 4.0, 9.0, 16.0, 25.0, 100.0), start=25.0, right=math.sqrt, printed=lambda k: 1.0,
    ),
    "3.12": Number(
        what="ε after k steps that see only the published answer", symbol="k", moves="steps after it",
        grid=counts(), start=5.0, right=lambda k: 1.0, printed=lambda k: 1.0,
    ),
    "3.13": Number(
        what="length of (1, −1)", symbol="p", moves="which norm", grid=(1.0, 2.0, 3.0, 4.0),
        right=lambda p: 2 ** (1 / p), printed=_printed_norm,
    ),
    "3.14": Number(
        what="standard deviation of Gaussian noise on d counts, ε = 1 (printed line: Laplace noise)", symbol="d",
        moves="counts that one person can move", grid=counts(20, 50, 100), start=1.0,
        right=lambda d: _sigma(1.0) * math.sqrt(d), printed=lambda d: math.sqrt(2) * d,
    ),
    "3.15": Number(
        what="dimensions from which Gaussian noise is smaller, δ = 10⁻⁵",
        right=lambda e: (_sigma(e) * e) ** 2 / 2, printed=lambda e: math.log(1.25 / DELTA),
    ),
    "3.16": Number(
        what="times more noise in a sum than one curator needs", **_PEOPLE, start=10000.0, right=math.sqrt,
    ),
    "3.17": Number(
        what="strong convexity of λ‖w‖²", symbol="λ", moves="regularisation", grid=(0.01, 0.05, 0.1, 0.5, 1.0),
        start=0.05, right=lambda r: 2 * r, printed=lambda r: 2 * r,
    ),
    "3.18": Number(
        what="how far one record moves the minimiser, μ = 0.1, G = 1", **_PEOPLE, start=50.0,
        right=lambda n: sensitivity.minimiser(1.0, 0.1, n_samples=int(n), neighbouring="replace_one"),
        printed=lambda n: output_sensitivity(1.0, 0.1, n_samples=int(n), as_printed=True),
    ),
    "3.19": Number(
        what="σ of the published weights, G = 1, μ = 0.1, n = 50",
        right=lambda e: calibration.gaussian_sigma(0.4, e, delta=DELTA), printed=lambda e: 0.8 * classical(e),
    ),
    "3.20": Number(
        what="ε of one step that clips the batch's gradient", symbol="σ", moves="noise multiplier", grid=_NOISES,
        right=lambda s: _real(s, 2.0), printed=_real,
    ),
    "3.21": Number(what="real ε of one step", right=lambda e: _real(classical(e)), printed=lambda e: e),
    "3.22": Number(
        what="ε of one step on a random hundredth of the records, with the printed noise, at δ = 10⁻⁷",
        grid=(0.25, 0.5, 0.75, 0.8, 0.85, 0.9, 1.0), right=_one_step,
        printed=lambda e: float(accounting.printed_sum(e, _RATE, n_steps=1)),
    ),
    "3.23": Number(
        what="ε of 5000 steps at q = 0.01", grid=tuple(e for e in EPSILONS if e >= 0.5), start=4.0,
        right=_steps, printed=lambda e: float(accounting.printed_root(e, _RATE, n_steps=_STEPS)),
    ),
    "3.24": Number(
        what="ε of one step on a random hundredth of the records",
        right=lambda e: float(accounting.amplified(e, _RATE)),
        printed=lambda e: math.log1p(_RATE * math.expm1(e)),
    ),
    "3.25": Number(
        what="ε of one step on a random hundredth of the records", start=2.0,
        right=lambda e: float(accounting.amplified(e, _RATE)), printed=lambda e: 2 * _RATE * e,
    ),
    "3.26": Number(
        what="ε that one pair of data sets shows, claimed 1", symbol="m", moves="options",
        grid=(2.0, 10.0, 100.0, 1000.0), start=1000.0,
        right=lambda m: printed_exponential_epsilon(int(m), 1.0), printed=lambda m: 1.0,
    ),
    "3.27": Number(
        what="standard deviation of the noise in an averaged gradient, σ = C = 1", symbol="L",
        moves="records in a lot", grid=(16.0, 64.0, 256.0, 1024.0, 4096.0), start=4096.0, right=lambda n: 1 / n,
    ),
    "3.28": Number(
        what="variance of Laplace noise", symbol="b", moves="scale", grid=(0.1, 0.5, 1.0, 2.0, 5.0),
        right=lambda b: Laplace(epsilon=1 / b).variance(), printed=lambda b: 2 * b**2,
    ),
    "3.29": Number(
        what="scale of the noise on a sum of heights up to 7 feet", printed=lambda e: 7 / e,
        right=lambda e: calibration.laplace_scale(7.0, e),
    ),
    "3.30": Number(
        what="δ of the printed Gaussian noise for δ = 10⁻⁵", printed=lambda e: DELTA,
        right=lambda e: calibration.gaussian_delta(classical(e), 1.0, epsilon=e),
    ),
}  # fmt: skip
