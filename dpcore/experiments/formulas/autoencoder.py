"""The numbers behind the formulas of Jain et al. (bias weight perturbation)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore import accounting, sensitivity
from dpcore.autoencoder import paper, similarity
from dpcore.experiments.formulas.number import DELTA, Number, classical
from dpcore.mechanisms import calibration, randomized_response

__all__ = ["NUMBERS"]

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


def _real(epsilon: float, moved: float = 1.0) -> float:
    return calibration.gaussian_epsilon(classical(epsilon), moved, delta=DELTA)


def _left(size: float) -> float:
    """Mean squared error of two pictures whose shared noise somebody takes away with a third."""
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(3, 64))
    released = clean + size * rng.normal(size=64)
    found = released - released[0] + clean[0]
    return float(np.mean((found - clean)[1:] ** 2))


def _sum_of_squares(share: float) -> float:
    p, q = np.array([share, 1 - share]), np.array([0.5, 0.5])
    return float(similarity.bhattacharyya(p, q) + similarity.hellinger(p, q) ** 2)


def _printed_sum(epsilon: float) -> float:
    row = paper.TABLES["hidden"]
    place = row.epsilon.index(epsilon)
    return row.bhattacharyya[place] + row.hellinger[place] ** 2


def _worse(epsilon: float) -> float:
    """H of the output layer minus H of the hidden layer, in the authors' own tables."""
    hidden, output = paper.TABLES["hidden"], paper.TABLES["output"]
    place = hidden.epsilon.index(epsilon)
    return output.hellinger[place] - hidden.hellinger[place]


def _step(epsilon: float) -> float:
    """How BC changes from the row before to this one, in the table of both layers."""
    row = paper.TABLES["both"]
    place = max(1, row.epsilon.index(epsilon))
    return row.bhattacharyya[place] - row.bhattacharyya[place - 1]


def _shuffled(seed: float) -> float:
    rng = np.random.default_rng(int(seed))
    picture = rng.random((1, 64))
    mixed = rng.permuted(picture, axis=1)
    found = similarity.bhattacharyya(similarity.histogram(picture), similarity.histogram(mixed))
    return float(np.ravel(found)[0])


NUMBERS = {
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
    "2.5": Number(what="real ε of the printed noise", **_CLAIMS, right=_real, printed=lambda e: e),
    "2.6": Number(
        what="real ε of the printed noise, were the sensitivity 1", **_CLAIMS, start=1.6,
        right=_real, printed=lambda e: e,
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
        right=lambda s: _real(0.8, s), printed=lambda s: 0.8,
    ),
    "2.10": Number(
        what="ε of weights that one record moves by 1, where the noise on them has deviation σ (the paper: 0)",
        symbol="σ", moves="noise", grid=(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0), start=0.1,
        right=lambda s: calibration.gaussian_epsilon(s, 1.0, delta=DELTA), printed=lambda s: 0.8,
    ),
    "2.11": Number(
        what="ε between two pictures whose logits are s apart, output noise for a claimed 0.8", symbol="s",
        moves="distance of the logits", grid=(1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0), start=15.0,
        right=lambda s: _real(0.8, s), printed=lambda s: 0.8,
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
