"""The numbers behind the formulas of Kumar, Moser and Fischer (kernel affine hull machines)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore import accounting, kahm
from dpcore.experiments import epsilon_tables
from dpcore.experiments.formulas.denominators import along, machine
from dpcore.experiments.formulas.number import DELTA, Number, classical, counts
from dpcore.mechanisms import calibration, randomized_response, staircase

__all__ = ["NUMBERS"]

_ENTRIES = 60_000 * 784  # of MNIST
_PIXELS = 784
_DELTAS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)


_RIDGE: dict[str, Any] = {
    "symbol": "λ",
    "moves": "regularisation",
    "grid": (0.01, 0.1, 0.5, 1.0, 2.0, 5.0),
}


def _nearer(ridge: float) -> float:
    """The weight of a record at its own place, beside a second one at kernel value 0.5."""
    K = np.array([[1, 0.5], [0.5, 1]])
    h = np.linalg.solve(K + ridge * np.eye(2), K[0])
    return float(h[0] / h.sum())


def _certified(trials: float) -> float:
    """The ε that n of n right guesses prove at 95 %, two-sided."""
    wrong = 1 - 0.025 ** (1 / trials)
    return math.log((1 - wrong) / wrong)


NUMBERS = {
    "1.1": Number(
        what="ε after k steps that see nothing but the noisy data", symbol="k", moves="steps after it",
        grid=counts(100), start=10.0, right=lambda k: 1.0, printed=lambda k: 1.0,
    ),
    "1.2": Number(
        what="ε of a whole record when each of its values has ε = 1", symbol="p", moves="values of a record",
        grid=(1.0, 4.0, 13.0, 64.0, 784.0), start=784.0,
        right=lambda p: p * kahm.record_epsilon(1.0, 1).pure, printed=lambda p: 1.0,
    ),
    "1.3": Number(
        what="mean size of the noise, d = 1", right=lambda e: staircase(1.0, e).mean_error(),
        printed=lambda e: (1 - DELTA) / e,
    ),
    "1.4": Number(
        what="values of MNIST that are published as they are", symbol="δ", moves="probability of no noise",
        grid=_DELTAS, start=1e-5, right=lambda d: d * _ENTRIES,
    ),
    "1.5": Number(
        what="mean size of the noise that one record of 784 values needs at a total of ε",
        right=lambda e: _PIXELS / e, printed=lambda e: 1 / e,
    ),
    "1.6": Number(
        what="ε after r looks at the original data, each paid like the first", symbol="r", moves="looks",
        grid=(0.0, *counts()), start=3.0, right=lambda r: 1.0 + r, printed=lambda r: 1.0,
    ),
    "1.7": Number(
        what="probability that a published label is the true one, if ε protected it too (10 classes)",
        right=lambda e: randomized_response(e, 10).truth, printed=lambda e: 1.0,
    ),
    "1.8": Number(
        what="σ of Gaussian noise, sensitivity 1", printed=classical,
        right=lambda e: calibration.gaussian_sigma(1.0, e, delta=DELTA),
    ),
    "1.9": Number(
        what="ε of 5000 steps at q = 0.01", symbol="σ", moves="noise multiplier", grid=(1.0, 1.5, 2.0, 3.0, 4.0),
        right=lambda s: float(epsilon_tables.epsilons([s], DELTA, 0.01, 50)[0]),
        printed=lambda s: accounting.epsilon(noise_multiplier=s, sample_rate=0.01, n_steps=5000, delta=DELTA,
        accountant="rdp"),
    ),
    "1.10": Number(
        what="largest ε that n attacks can show, however good they are", symbol="n", moves="attacks",
        grid=(10.0, 30.0, 100.0, 300.0, 1000.0, 10000.0), start=30.0, right=_certified,
        printed=lambda n: np.inf,
    ),
    "1.11": Number(
        what="sum of the weights 1 and −w, by which L divides them", symbol="w", moves="second weight",
        grid=(0.0, 0.25, 0.5, 0.75, 0.9, 1.0), start=1.0, right=lambda w: 1 - w,
    ),
    "1.12": Number(
        what="points whose indicator is 1 at a point", symbol="N", moves="distinct points", grid=counts(100),
        right=lambda n: 1.0, printed=lambda n: 1.0,
    ),
    "1.13": Number(
        what="smoothed membership of a point in its own set, alone far from all others", **_RIDGE,
        right=lambda r: 1 / (1 + r),
    ),
    "1.14": Number(
        what="weight of the nearer of two records, both with K = 1 on the diagonal and 0.5 off it", **_RIDGE,
        right=_nearer,
    ),
    "1.15": Number(
        what="sum of the weights of two records", **_RIDGE, right=lambda r: 1.0, printed=lambda r: 1.0,
    ),
    "1.16": Number(
        what="fit at a lone point whose value is 1", **_RIDGE, right=lambda r: 1 / (1 + r),
        printed=lambda r: 1 / (1 + r),
    ),
    "1.17": Number(
        what="sum of the hⁱ, x standard deviations from seven random records (kernel scaled to 1 at the nearest)",
        symbol="x", moves="standard deviations away", grid=(0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0), start=32.0,
        right=lambda x: along(machine(57, 1.0), x),
    ),
    "1.18": Number(
        what="slope of the training error in λ, at most, at the fixed point (a contraction below 1)", symbol="τ",
        moves="mean squares", grid=(0.5, 1.0, 2.0, 4.0, 8.0), start=2.0, right=lambda t: 8 / 27 / t,
    ),
}  # fmt: skip
