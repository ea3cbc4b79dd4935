"""The numbers behind the formulas of Kumar, Moser and Fischer (kernel affine hull machines)."""

from __future__ import annotations

import math

import numpy as np

from dpcore import accounting, kahm
from dpcore.accounting import tables
from dpcore.experiments.formulas.number import DELTA, Number, classical, counts
from dpcore.mechanisms import calibration, randomized_response, staircase

__all__ = ["NUMBERS"]

_ENTRIES = 60_000 * 784  # of MNIST
_PIXELS = 784
_DELTAS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)


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
        right=lambda e: calibration.gaussian_sigma(1.0, e, DELTA),
    ),
    "1.9": Number(
        what="ε of 5000 steps at q = 0.01", symbol="σ", moves="noise multiplier", grid=(1.0, 1.5, 2.0, 3.0, 4.0),
        right=lambda s: float(tables.epsilons([s], DELTA, 0.01, 50)[0]),
        printed=lambda s: accounting.epsilon(s, 0.01, 5000, DELTA, accountant="rdp"),
    ),
    "1.10": Number(
        what="largest ε that n attacks can show, however good they are", symbol="n", moves="attacks",
        grid=(10.0, 30.0, 100.0, 300.0, 1000.0, 10000.0), start=30.0, right=_certified,
        printed=lambda n: np.inf,
    ),
}  # fmt: skip
