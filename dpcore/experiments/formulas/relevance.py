"""The numbers behind the formulas of Brinkrolf, Berger and Hammer (2018)."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from dpcore import accounting, sensitivity
from dpcore.experiments import epsilon_tables
from dpcore.experiments.formulas.number import DELTA, Number, counts
from dpcore.experiments.table1.recipes import PRINTED
from dpcore.mechanisms import calibration, randomized_response

__all__ = ["NUMBERS"]

_RATE, _EPOCHS, _STEPS = 0.01, 50, 5000  # q, E and T of the paper
_SHARE = 0.8  # of ε for the gradients, the rest for the start
_CLIP = 0.5
_CLAIMS: dict[str, Any] = {
    "symbol": "ε₂",
    "moves": "claimed ε of the gradients",
    "grid": (0.6, 0.8, 1.2, 2.0),
}
_SIZES: dict[str, Any] = {
    "symbol": "L",
    "moves": "records in a lot",
    "grid": counts(18, 50, 82, 140, 400, 1000),
}
_FEATURES: dict[str, Any] = {"symbol": "d", "moves": "features", "grid": counts(13, 16, 64, 784)}


def _printed_sigma(epsilon: float) -> float:
    return accounting.paper_noise_multiplier(epsilon, DELTA, sample_rate=_RATE, n_steps=_STEPS)


def _swept_cost(epsilon: float) -> float:
    """What the printed σ costs at the smallest q of the authors' sweep."""
    rate = 0.0005
    sigma = accounting.paper_noise_multiplier(
        epsilon, DELTA, sample_rate=rate, n_steps=round(_EPOCHS / rate)
    )
    return float(epsilon_tables.epsilons([sigma], DELTA, rate, _EPOCHS)[0])


def _cost(noise_multiplier: float) -> float:
    return float(epsilon_tables.epsilons([noise_multiplier], DELTA, _RATE, _EPOCHS)[0])


@cache
def _whole(epsilon: float) -> float:
    """What the printed σ and the Laplace start cost together."""
    start = accounting.LaplaceEvent(2 / (epsilon * (1 - _SHARE)))
    step = accounting.sampled(accounting.GaussianEvent(_printed_sigma(_SHARE * epsilon)), _RATE)
    event = accounting.Sequence((start, start, accounting.Repeated(step, _STEPS)))
    return accounting.spent(event, DELTA)


@cache
def _tuned(trainings: float) -> float:
    return accounting.epsilon(
        noise_multiplier=_printed_sigma(1.2),
        sample_rate=_RATE,
        n_steps=int(_STEPS * trainings),
        delta=DELTA,
    )


_TESTED: dict[str, Any] = {
    "symbol": "n",
    "moves": "test records",
    "grid": (100.0, 1000.0, 10000.0),
    "start": 1000.0,
}


def _added(model: str, n: float) -> float:
    cells = PRINTED["mnist", model]
    return n * (cells[2.5][0] - cells["sgd"][0])


_STEP_RATES = (0.005, 0.01, 0.02, 0.05, 0.1)
_SIGMA = 7.9975  # the printed one at ε = 0.75

NUMBERS = {
    "0.1": Number(what="ε when one record is replaced", right=lambda e: 2 * e, printed=lambda e: e),
    "0.2": Number(
        what="largest probability of an event that has probability 10⁻⁶ without the person",
        right=lambda e: math.exp(e) * 1e-6 + DELTA, printed=lambda e: math.exp(e) * 1e-6,
    ),
    "0.3": Number(
        what="ε of k randomised responses of ε = 0.1 at δ = 0", symbol="k", moves="answers",
        grid=(1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0), start=100.0,
        right=lambda k: k * math.log(randomized_response(0.1, 2).truth / (1 - randomized_response(0.1, 2).truth)),
        printed=lambda k: 0.1 * k,
    ),
    "0.4": Number(
        what="probability that the privacy loss of Gaussian noise exceeds ε, at δ = 10⁻⁵",
        right=lambda e: accounting.gaussian_tail(e, DELTA),
    ),
    "0.5": Number(
        what="mean error of a count", printed=lambda e: 1 / e,
        right=lambda e: calibration.laplace_scale(1.0, e),
    ),
    "0.6": Number(
        what="ε₂ if lots have a fixed size, at least", **_CLAIMS, start=1.2,
        right=lambda e: _cost(_printed_sigma(e) / 2), printed=lambda e: e,
    ),
    "0.7": Number(
        what="standard deviation of the noise in the averaged gradient, MNIST at ε = 0.75",
        **_SIZES, start=140.0,
        right=lambda n: _SIGMA * _CLIP / n, printed=lambda n: _SIGMA * _CLIP / math.sqrt(n),
    ),
    "0.8": Number(
        what="largest q for which the cited lemma holds", **_CLAIMS, start=0.6,
        right=lambda e: 1 / (16 * _printed_sigma(e)),
    ),
    "0.9": Number(
        what="real ε₂ of the printed σ at q = 0.0005, E = 50, inside the authors’ sweep",
        symbol="ε₂", moves="claimed ε of the gradients", grid=(0.6, 0.8, 1.2, 2.0), start=2.0,
        right=_swept_cost, printed=lambda e: e,
    ),
    "0.10": Number(
        what="steps", symbol="q", moves="share of the records in a lot", grid=_STEP_RATES, start=0.01,
        right=lambda q: round(_EPOCHS / q), printed=lambda q: _EPOCHS / q,
    ),
    "0.11": Number(
        what="scale of the noise on class counts when one record is replaced",
        right=lambda e: calibration.laplace_scale(
            sensitivity.histogram(norm=1, neighbouring="replace_one"), e
        ),
        printed=lambda e: 1 / e,
    ),
    "0.12": Number(
        what="sensitivity of the class sums when one record is replaced", **_FEATURES, start=16.0,
        right=lambda d: sensitivity.class_sums(int(d), norm=1, neighbouring="replace_one"),
        printed=lambda d: sensitivity.class_sums(int(d), norm=1, neighbouring="add_remove"),
    ),
    "0.13": Number(
        what="scale of the noise on a class sum at ε₁ = 0.15", **_FEATURES, start=16.0,
        right=lambda d: sensitivity.counts_and_sums(int(d), norm=1, neighbouring="add_remove") / 0.15,
        printed=lambda d: 2 * d / 0.15,
    ),
    "0.14": Number(
        what="probability that the noisy count is not positive, ε₁ = 0.15", symbol="N",
        moves="records of a class", grid=(5.0, 10.0, 20.0, 50.0, 100.0, 264.0), start=50.0,
        right=lambda n: 0.5 * math.exp(-n * 0.15 / 2),
    ),
    "0.15": Number(
        what="where the value 1 lies after min–max scaling, once somebody with the value x has joined",
        symbol="x", moves="largest value", grid=counts(20, 100), start=3.0,
        right=lambda x: 4 / (x + 1) - 1, printed=lambda x: 1.0,
    ),
    "0.16": Number(
        what="standard deviation of the noise in the averaged gradient, MNIST at ε = 0.75",
        **_SIZES, start=140.0, right=lambda n: _SIGMA * _CLIP / n, printed=lambda n: _SIGMA * _CLIP,
    ),
    "0.17": Number(
        what="total ε of start and training", symbol="ε", moves="claimed ε", grid=(0.75, 1.5, 2.5),
        start=0.75, right=_whole, printed=lambda e: e,
    ),
    "0.18": Number(
        what="sensitivity of prototypes and matrix together", symbol="C", moves="clipping norm",
        grid=(0.1, 0.2, 0.5, 1.0, 2.0), start=0.5,
        right=lambda c: sensitivity.clipped_sum(c, neighbouring="add_remove"), printed=lambda c: c,
    ),
    "0.19": Number(
        what="σ at ε₂ = 1.2 while qE stays 0.5", symbol="q", moves="share of the records in a lot",
        grid=_STEP_RATES, start=0.01,
        right=lambda q: accounting.paper_noise_multiplier(1.2, DELTA, sample_rate=q, n_steps=round(0.5 / q**2)),
    ),
    "0.20": Number(
        what="ε₂ of a record that k trainings have used, claimed 1.2 each", symbol="k",
        moves="trainings", grid=(1.0, 5.0, 20.0), start=20.0, right=_tuned, printed=lambda k: 1.2,
    ),
    "0.21": Number(
        what="standard deviation of a noise of this variance", symbol="σ²", moves="variance",
        grid=(0.01, 0.025, 0.05, 0.1), start=0.025, right=math.sqrt, printed=lambda v: v,
    ),
    "0.22": Number(
        what="errors of GLVQ that privacy adds on MNIST at ε = 2.5, by Table 1 against SGD", **_TESTED,
        right=lambda n: _added("glvq", n), printed=lambda n: 0.0,
    ),
    "0.23": Number(
        what="errors of GMLVQ that privacy adds on MNIST at ε = 2.5, by Table 1 against SGD", **_TESTED,
        right=lambda n: _added("gmlvq", n), printed=lambda n: 0.0,
    ),
    "0.24": Number(
        what="cost of a record whose wrong prototype is t times as far as the right one (squared)", symbol="t",
        moves="times as far", grid=(0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0), start=2.0,
        right=lambda t: (1 - t) / (1 + t), printed=lambda t: (1 - t) / (1 + t),
    ),
    "0.25": Number(
        what="squared distance of two opposite corners of [−1, 1]^d", **_FEATURES, start=16.0,
        right=lambda d: 4 * d, printed=lambda d: 4 * d,
    ),
    "0.26": Number(
        what="squared distance of two records that differ by 1 in one feature of this relevance", symbol="λ",
        moves="diagonal entry of Λ", grid=(0.01, 0.1, 0.25, 0.5, 1.0), start=0.5,
        right=lambda r: math.sqrt(r) ** 2, printed=lambda r: r,
    ),
}  # fmt: skip
