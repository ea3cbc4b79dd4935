"""Numbers that follow from formulas printed in five documents, next to the correct numbers.

Each number is a function of one adjustable quantity, such as ε. The documents are:

- Brinkrolf, Berger and Hammer (2018);
- Kumar, Moser and Fischer (kernel affine hull machines);
- Jain et al. (bias weight perturbation);
- Sarkar's lecture;
- Jiang's slides.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from dpcore import accounting, kahm, sensitivity
from dpcore.autoencoder import paper, similarity
from dpcore.descent.erm import output_sensitivity
from dpcore.experiments import epsilon_tables
from dpcore.experiments.table1.training import PRINTED
from dpcore.kahm.denominator import denominator_along, random_machine
from dpcore.mechanisms import (
    Laplace,
    calibration,
    printed_exponential_epsilon,
    randomized_response,
    staircase,
)
from dpcore.regression import sensitivity as moved
from dpcore.regression import splits

__all__ = [
    "BRINKROLF",
    "DELTA",
    "EPSILONS",
    "JAIN",
    "JIANG",
    "KUMAR",
    "SARKAR",
    "Number",
    "classical",
    "counts",
]

DELTA = 1e-5
EPSILONS = (
    0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0,
)  # fmt: skip


def classical(epsilon: float) -> float:
    """Return the σ of the classical Gaussian mechanism for ε, at sensitivity 1 and δ = `DELTA`."""
    return calibration.gaussian_sigma(1.0, epsilon, delta=DELTA, calibration="classical")


def counts(*more: int) -> tuple[float, ...]:
    """Return the whole numbers 1 to 10 and the given larger ones, for a slider."""
    return (*map(float, range(1, 11)), *map(float, more))


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number that follows from a formula, as a function of one adjustable quantity (a slider).

    Parameters
    ----------
    what : str
        Name of the number, such as "mean error".
    right : callable
        The correct number, as a function of the adjustable quantity.
    printed : callable, optional
        The number that follows from the printed formula, as a function of the adjustable quantity; None
        if no number follows from it.
    symbol, moves : str
        Symbol of the adjustable quantity, and its name in words.
    grid : tuple of float
        Values of the quantity.
    start : float
        Initial value, one of the grid.

    Examples
    --------
    >>> noise = Number(what="mean error", right=lambda e: 1 / e, start=0.5)
    >>> noise.right(noise.start)
    2.0
    """

    what: str
    right: Callable[[float], float]
    printed: Callable[[float], float] | None = None
    symbol: str = "ε"
    moves: str = "privacy parameter"
    grid: tuple[float, ...] = field(default=EPSILONS, repr=False)
    start: float = 1.0

    @property
    def title(self) -> str:
        """Name of the number with a capital first letter.

        If the name begins with a symbol such as ε, it is unchanged.
        """
        first = self.what[0]
        return (first.upper() if first.isascii() else first) + self.what[1:]

    @property
    def is_epsilon(self) -> bool:
        """Whether the number is a privacy parameter ε.

        Examples
        --------
        >>> Number(what="real ε of one step", right=float).is_epsilon
        True
        """
        return self.what.startswith(("ε", "real ε", "total ε"))

    @property
    def middle(self) -> float:
        """Initial value of a slider: ``start``, or the middle of the grid if ``start`` is at an end.

        Examples
        --------
        >>> Number(what="steps", right=float, grid=(1.0, 2.0, 5.0), start=5.0).middle
        2.0
        """
        inside = self.start not in (self.grid[0], self.grid[-1])
        return self.start if inside else self.grid[len(self.grid) // 2]


_RATE, _EPOCHS, _STEPS = 0.01, 50, 5000  # q, E and T of the paper
_SHARE = 0.8  # of ε for the gradients, the rest for the start
_CLIP = 0.5
_CLAIMED_STEPS: dict[str, Any] = {
    "symbol": "ε₂",
    "moves": "claimed ε of the gradients",
    "grid": (0.6, 0.8, 1.2, 2.0),
}
_SIZES: dict[str, Any] = {
    "symbol": "L",
    "moves": "records in a lot",
    "grid": counts(18, 50, 82, 140, 400, 1000),
}
_FEATURES_TRAINED: dict[str, Any] = {
    "symbol": "d",
    "moves": "features",
    "grid": counts(13, 16, 64, 784),
}


def _printed_sigma(epsilon: float) -> float:
    return accounting.paper_noise_multiplier(epsilon, DELTA, sample_rate=_RATE, n_steps=_STEPS)


def _swept_cost(epsilon: float) -> float:
    """Return the actual ε of a training whose σ the authors' formula gives for the claim ``epsilon``.

    The sampling rate is the smallest rate that the authors compare.
    """
    rate = 0.0005
    sigma = accounting.paper_noise_multiplier(
        epsilon, DELTA, sample_rate=rate, n_steps=round(_EPOCHS / rate)
    )
    return float(epsilon_tables.epsilons([sigma], DELTA, rate, _EPOCHS)[0])


def _cost(noise_multiplier: float) -> float:
    return float(epsilon_tables.epsilons([noise_multiplier], DELTA, _RATE, _EPOCHS)[0])


@cache
def _whole(epsilon: float) -> float:
    """Return the actual ε of a whole training whose claimed ε is ``epsilon``.

    The initial prototypes have the Laplace noise, and the gradient steps the noise multiplier σ, that
    the authors' formulas give for this claim.
    """
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

BRINKROLF = {
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
        what="ε₂ if lots have a fixed size, at least", **_CLAIMED_STEPS, start=1.2,
        right=lambda e: _cost(_printed_sigma(e) / 2), printed=lambda e: e,
    ),
    "0.7": Number(
        what="standard deviation of the noise in the averaged gradient, MNIST at ε = 0.75",
        **_SIZES, start=140.0,
        right=lambda n: _SIGMA * _CLIP / n, printed=lambda n: _SIGMA * _CLIP / math.sqrt(n),
    ),
    "0.8": Number(
        what="largest q for which the cited lemma holds", **_CLAIMED_STEPS, start=0.6,
        right=lambda e: 1 / (16 * _printed_sigma(e)),
    ),
    "0.9": Number(
        what="real ε of a training with the printed noise (q = 0.0005 and E = 50, of the authors’ sweep)",
        symbol="ε₂", moves="claimed ε of the gradients", grid=(0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0), start=1.6,
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
        what="sensitivity of the class sums when one record is replaced", **_FEATURES_TRAINED, start=16.0,
        right=lambda d: sensitivity.class_sums(int(d), norm=1, neighbouring="replace_one"),
        printed=lambda d: sensitivity.class_sums(int(d), norm=1, neighbouring="add_remove"),
    ),
    "0.13": Number(
        what="scale of the noise on a class sum at ε₁ = 0.15", **_FEATURES_TRAINED, start=16.0,
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
        what="squared distance of two opposite corners of [−1, 1]^d", **_FEATURES_TRAINED, start=16.0,
        right=lambda d: 4 * d, printed=lambda d: 4 * d,
    ),
    "0.26": Number(
        what="squared distance of two records that differ by 1 in one feature of this relevance", symbol="λ",
        moves="diagonal entry of Λ", grid=(0.01, 0.1, 0.25, 0.5, 1.0), start=0.5,
        right=lambda r: math.sqrt(r) ** 2, printed=lambda r: r,
    ),
}  # fmt: skip


_ENTRIES = 60_000 * 784  # of MNIST
_PIXELS = 784
_DELTAS = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)


_RIDGE: dict[str, Any] = {
    "symbol": "λ",
    "moves": "regularisation",
    "grid": (0.01, 0.1, 0.5, 1.0, 2.0, 5.0),
}


def _nearer(ridge: float) -> float:
    """Return the normalised weight of a record at its own position, for two records with kernel value 0.5.

    ``ridge`` is the regularisation λ.
    """
    K = np.array([[1, 0.5], [0.5, 1]])
    h = np.linalg.solve(K + ridge * np.eye(2), K[0])
    return float(h[0] / h.sum())


def _certified(trials: float) -> float:
    """Return the lower bound on ε from ``trials`` correct guesses, two-sided at 95 %."""
    wrong = 1 - 0.025 ** (1 / trials)
    return math.log((1 - wrong) / wrong)


KUMAR = {
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
        right=lambda x: denominator_along(random_machine(57, 1.0), x),
    ),
    "1.18": Number(
        what="slope of the training error in λ, at most, at the fixed point (a contraction below 1)", symbol="τ",
        moves="mean squares", grid=(0.5, 1.0, 2.0, 4.0, 8.0), start=2.0, right=lambda t: 8 / 27 / t,
    ),
}  # fmt: skip


_CLAIMS: dict[str, Any] = {
    "symbol": "ε",
    "moves": "claimed ε",
    "grid": (0.8, 1.0, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0, 10.0, 20.0),
}
_ROW: dict[str, Any] = {
    "symbol": "ε",
    "moves": "row of the tables",
    "grid": (0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0),
}


def _moved_epsilon(epsilon: float, moved: float = 1.0) -> float:
    return calibration.gaussian_epsilon(classical(epsilon), moved, delta=DELTA)


def _left(size: float) -> float:
    """Return the mean squared error that is left in two pictures after their shared noise is removed.

    The noise is estimated from a known third picture.
    """
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(3, 64))
    released = clean + size * rng.normal(size=64)
    estimates = released - released[0] + clean[0]
    return float(np.mean((estimates - clean)[1:] ** 2))


def _sum_of_squares(share: float) -> float:
    p, q = np.array([share, 1 - share]), np.array([0.5, 0.5])
    return float(similarity.bhattacharyya(p, q) + similarity.hellinger(p, q) ** 2)


def _printed_sum(epsilon: float) -> float:
    row = paper.TABLES["hidden"]
    place = row.epsilon.index(epsilon)
    return row.bhattacharyya[place] + row.hellinger[place] ** 2


def _worse(epsilon: float) -> float:
    """Return a difference of Hellinger distances at ε: noise on the output minus noise on the hidden layer.

    Both distances are from the tables of Jain et al.
    """
    hidden, output = paper.TABLES["hidden"], paper.TABLES["output"]
    place = hidden.epsilon.index(epsilon)
    return output.hellinger[place] - hidden.hellinger[place]


def _step(epsilon: float) -> float:
    """Return the increase of the Bhattacharyya coefficient from the next smaller ε to this ε.

    Both values are from the table of Jain et al. for noise on both layers.
    """
    row = paper.TABLES["both"]
    place = max(1, row.epsilon.index(epsilon))
    return row.bhattacharyya[place] - row.bhattacharyya[place - 1]


def _shuffled(seed: float) -> float:
    rng = np.random.default_rng(int(seed))
    picture = rng.random((1, 64))
    mixed = rng.permuted(picture, axis=1)
    coefficient = similarity.bhattacharyya(
        similarity.histogram(picture), similarity.histogram(mixed)
    )
    return float(np.ravel(coefficient)[0])


JAIN = {
    "2.1": Number(
        what="sensitivity of a histogram when one record is replaced", symbol="k", moves="histograms",
        grid=(1.0, 2.0, 3.0), right=lambda k: k * sensitivity.histogram(norm=1, neighbouring="replace_one"),
    ),
    "2.2": Number(
        what="whole records that δ lets a method publish, of 60\u202f000", symbol="δ", moves="failure probability",
        grid=(1e-8, 1e-7, 1e-6, 1e-5, 1e-4), start=1e-5, right=lambda d: 60_000 * d,
    ),
    "2.3": Number(
        what="probability that the loss exceeds ε, Gaussian noise with δ = 10⁻⁵",
        right=lambda e: accounting.gaussian_tail(e, DELTA), printed=lambda e: DELTA,
    ),
    "2.4": Number(
        what="largest change of a mean of values in [0, 1]", symbol="n", moves="people",
        grid=(10.0, 100.0, 1000.0, 10000.0), start=1000.0,
        right=lambda n: sensitivity.mean(0.0, 1.0, n_samples=int(n), neighbouring="replace_one"),
    ),
    "2.5": Number(what="real ε of the printed noise", **_CLAIMS, right=_moved_epsilon, printed=lambda e: e),
    "2.6": Number(
        what="real ε of the printed noise, were the sensitivity 1", **_CLAIMS, start=1.6,
        right=_moved_epsilon, printed=lambda e: e,
    ),
    "2.7": Number(
        what="σ for two layers at a total of ε", **_CLAIMS, start=0.8,
        right=lambda e: calibration.gaussian_sigma(math.sqrt(2), e, delta=DELTA), printed=lambda e: classical(e / 2),
    ),
    "2.8": Number(
        what="ε after a second step that sees only the release", right=lambda e: e, printed=lambda e: 2 * e,
    ),
    "2.9": Number(
        what="real ε at a claimed 0.8, if one record moves what is published by s", symbol="s",
        moves="real sensitivity", grid=(0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0), start=1.0,
        right=lambda s: _moved_epsilon(0.8, s), printed=lambda s: 0.8,
    ),
    "2.10": Number(
        what="ε of weights that one record moves by 1, where the noise on them has deviation σ (the paper: 0)",
        symbol="σ", moves="noise", grid=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0), start=0.1,
        right=lambda s: calibration.gaussian_epsilon(s, 1.0, delta=DELTA), printed=lambda s: 0.8,
    ),
    "2.11": Number(
        what="ε between two pictures whose logits are s apart, output noise for a claimed 0.8", symbol="s",
        moves="distance of the logits", grid=(1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0), start=15.0,
        right=lambda s: _moved_epsilon(0.8, s), printed=lambda s: 0.8,
    ),
    "2.12": Number(
        what="mean squared error that is left for somebody who knows one picture", symbol="σ", moves="noise",
        grid=(0.5, 1.0, 2.0, 4.0, 8.0), right=_left, printed=lambda s: s**2,
    ),
    "2.13": Number(
        what="trainings for k values of ε", symbol="k", moves="values of ε", grid=(1.0, 2.0, 5.0, 10.0), start=5.0,
        right=lambda k: 1.0, printed=lambda k: 1.0,
    ),
    "2.14": Number(
        what="ε of k releases at a claimed 0.8, were the sensitivity 1", symbol="k", moves="releases",
        grid=(1.0, 2.0, 5.0, 10.0), start=10.0,
        right=lambda k: calibration.gaussian_epsilon(classical(0.8) / math.sqrt(k), 1.0, delta=DELTA),
        printed=lambda k: 0.8,
    ),
    "2.15": Number(
        what="BC + H² of two histograms", symbol="p", moves="share of the first bin", grid=(0.0, 0.1, 0.25, 0.5, 1.0),
        start=0.25, right=_sum_of_squares, printed=lambda p: 1.0,
    ),
    "2.16": Number(
        what="BC + H² of the authors' table (right: if 30 of 1568 pixels are missing)", **_ROW, start=0.8,
        right=lambda e: float(paper.missing_pixels()[0]), printed=_printed_sum,
    ),
    "2.17": Number(
        what="how much worse noise in the output layer is, in the authors' own tables (H)", **_ROW, start=0.8,
        right=_worse,
    ),
    "2.18": Number(
        what="change of BC from the row before, in the table of both layers", **_ROW, start=4.0, right=_step,
    ),
    "2.19": Number(
        what="similarity (BC) of a picture and the same picture with its pixels shuffled", symbol="nr",
        moves="picture", grid=(1.0, 2.0, 3.0, 4.0), right=_shuffled, printed=lambda nr: 1.0,
    ),
    "2.20": Number(
        what="δ of k mechanisms of δ = 10⁻⁵, together at kε", symbol="k", moves="mechanisms",
        grid=(1.0, 2.0, 3.0, 5.0, 10.0, 100.0), start=2.0, right=lambda k: -math.expm1(k * math.log1p(-DELTA)),
        printed=lambda k: k * DELTA,
    ),
    "2.21": Number(
        what="privacy loss of the true answer in randomised response",
        right=lambda e: math.log(randomized_response(e, 2).truth / (1 - randomized_response(e, 2).truth)),
        printed=lambda e: e,
    ),
}  # fmt: skip


_LOT_RATE, _LOT_STEPS = 0.01, 5000
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
    """Return the actual ε of 5000 sampled steps, whose σ the classical formula gives for ``epsilon``."""
    return float(epsilon_tables.epsilons([classical(epsilon)], DELTA, _LOT_RATE, 50)[0])


def _one_step(epsilon: float) -> float:
    return accounting.epsilon(
        noise_multiplier=classical(epsilon),
        sample_rate=_LOT_RATE,
        n_steps=1,
        delta=_LOT_RATE * DELTA,
    )


def _printed_norm(p: float) -> float:
    """Return (x₁^p + x₂^p)^(1/p) for the vector (1, −1), without absolute values, as in the lecture."""
    return float((1 + (-1) ** int(p)) ** (1 / p))


SARKAR = {
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
        what="real ε of one step that clips the gradient of a batch", symbol="σ", moves="noise, in multiples of C",
        grid=_NOISES, start=2.0, right=lambda s: _real(s, 2.0), printed=_real,
    ),
    "3.21": Number(what="real ε of one step", right=lambda e: _real(classical(e)), printed=lambda e: e),
    "3.22": Number(
        what="real ε of one step on a random hundredth of the records, with the printed noise, at δ = 10⁻⁷",
        moves="ε of a step on all records", start=0.9,
        grid=(0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0), right=_one_step,
        printed=lambda e: float(accounting.printed_sum(e, _LOT_RATE, n_steps=1)),
    ),
    "3.23": Number(
        what="ε of 5000 steps at q = 0.01", grid=tuple(e for e in EPSILONS if e >= 0.5), start=4.0,
        right=_steps, printed=lambda e: float(accounting.printed_root(e, _LOT_RATE, n_steps=_LOT_STEPS)),
    ),
    "3.24": Number(
        what="ε of one step on a random hundredth of the records",
        right=lambda e: float(accounting.amplified(e, _LOT_RATE)),
        printed=lambda e: math.log1p(_LOT_RATE * math.expm1(e)),
    ),
    "3.25": Number(
        what="ε of one step on a random hundredth of the records", start=2.0,
        right=lambda e: float(accounting.amplified(e, _LOT_RATE)), printed=lambda e: 2 * _LOT_RATE * e,
    ),
    "3.26": Number(
        what="real ε of the printed probabilities, claimed 1", symbol="m", moves="options to choose from",
        grid=(2.0, 5.0, 10.0, 30.0, 100.0, 300.0, 1000.0), start=30.0,
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


_FEATURES: dict[str, Any] = {"symbol": "d", "moves": "features", "grid": counts(13, 20)}

JIANG = {
    "4.1": Number(
        what="how far one replaced record moves a mean of values in [0, 1]", symbol="m", moves="records",
        grid=(10.0, 100.0, 1000.0), start=100.0,
        right=lambda m: sensitivity.mean(0.0, 1.0, n_samples=int(m), neighbouring="replace_one"),
    ),
    "4.2": Number(
        what="ε of 5000 steps at σ = 1, q = 0.01, when each of L records brings its own noise", symbol="L",
        moves="records in a lot", grid=(1.0, 25.0, 100.0, 400.0), start=100.0,
        right=lambda n: float(epsilon_tables.epsilons([math.sqrt(n)], DELTA, 0.01, 50)[0]),
        printed=lambda n: float(epsilon_tables.epsilons([1.0], DELTA, 0.01, 50)[0]),
    ),
    "4.3": Number(
        what="sensitivity of all that is released together (printed line: with the sum of y² too)", **_FEATURES,
        start=13.0, right=lambda d: moved.joint(int(d)), printed=lambda d: moved.joint(int(d)) + 1,
    ),
    "4.4": Number(
        what="sensitivity of the quadratic coefficients", **_FEATURES, start=3.0,
        right=lambda d: moved.quadratic(int(d)), printed=lambda d: moved.printed_quadratic(int(d)),
    ),
    "4.5": Number(
        what="sensitivity of the linear coefficients", **_FEATURES, start=3.0,
        right=lambda d: moved.linear(int(d)), printed=lambda d: 4 * (d + 1),
    ),
    "4.6": Number(
        what="share of ε for the quadratic part (printed: at least; right: for the regression's least error)",
        **_FEATURES, start=13.0, right=lambda d: splits.error_optimal(int(d)), printed=lambda d: 0.5,
    ),
    "4.7": Number(
        what="scale of the noise of a coefficient at ε = 1", **_FEATURES, start=13.0,
        right=lambda d: moved.joint(int(d)),
        printed=lambda d: moved.printed_quadratic(int(d)) + moved.linear(int(d)),
    ),
    "4.8": Number(
        what="density of the noise at a distance of t scales, against its peak", symbol="t", moves="distance",
        grid=counts(), start=1.0, right=lambda t: math.exp(-t), printed=math.exp,
    ),
    "4.9": Number(
        what="ε when noise is drawn anew until a minimum exists", right=lambda e: 2 * e, printed=lambda e: e,
    ),
    "4.10": Number(
        what="ε of the published weights", right=lambda e: e, printed=lambda e: e,
    ),
    "4.11": Number(
        what="largest ratio of two probabilities under randomised response", printed=math.exp,
        right=lambda e: randomized_response(e, 2).truth / (1 - randomized_response(e, 2).truth),
    ),
    "4.12": Number(
        what="δ of exact Gaussian noise for δ = 10⁻⁵", printed=lambda e: DELTA,
        right=lambda e: calibration.gaussian_delta(calibration.gaussian_sigma(1.0, e, delta=DELTA), 1.0, epsilon=e),
    ),
}  # fmt: skip
