"""Noise on the finished relevance matrix, as in Brinkrolf, Berger and Hammer (2018), in several interpretations.

The paper adds noise “with variance σ = 0.025 on each element of the relevance matrix”.
`noisy_errors` measures one interpretation, `make_readings` all of them.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._command import Command, Progress
from dpcore.datasets.principal import folds
from dpcore.experiments.matrix.params import MATRIX_NOISE_GRID, MatrixProblem
from dpcore.experiments.table1.training import records
from dpcore.lvq import GMLVQ

__all__ = [
    "COMMANDS",
    "DATA",
    "N_DRAWS",
    "PAPER_NOISE",
    "make_readings",
    "matrix_noise",
    "noisy_errors",
    "read_readings",
    "write_readings",
]

N_DRAWS = 20
DATA = ("mnist", "har")
_DEVIATIONS = (0.025, 0.158)  # the number read as a deviation, and as a variance
_FIELDS = ("data", "on", "scaled_to", "deviation", "error", "increase", "spread")
PAPER_NOISE = {"mnist": (0.1484, 0.0277, 0.001), "har": (0.0897, 0.0234, 0.0085)}
"""Published errors by data set (section 4 of the paper by Brinkrolf et al.).

Each entry has the error without noise, the increase by noise, and the standard deviation of the increase.
"""


def matrix_noise(
    problem: MatrixProblem,
    W: NDArray[np.floating],
    Omega: NDArray[np.floating],
    *,
    n_draws: int = N_DRAWS,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return the test errors with Gaussian noise on every element of Ω, and on every element of Λ = ΩᵀΩ.

    Parameters
    ----------
    problem : MatrixProblem
        The data; at most 4000 test records are used.
    W : ndarray (P, d)
        Prototypes.
    Omega : ndarray (l, d)
        The matrix without noise. It is first scaled to trace Λ = 1, as in the papers on GMLVQ.
        Standard deviations of the noise are then comparable between models.
    n_draws : int
        Number D of draws of the noise.
    seed : int
        Seed of the noise.

    Returns
    -------
    ndarray (2, V, D)
        Errors with noise on Ω, then on Λ, for the V standard deviations of ``MATRIX_NOISE_GRID``.
    """
    known = problem.X_test[:4000], problem.dataset.y_test[:4000]
    return noisy_errors(
        known, (W, Omega, problem.labels), MATRIX_NOISE_GRID, n_draws=n_draws, rng=np.random.default_rng(seed)
    )  # fmt: skip


def noisy_errors(
    records: tuple[NDArray[np.floating], NDArray[np.int64]],
    model: tuple[NDArray[np.floating], NDArray[np.floating], NDArray[np.int64]],
    deviations: Sequence[float],
    *,
    n_draws: int,
    rng: np.random.Generator,
    trace: float = 1.0,
) -> NDArray[np.float64]:
    """Return a model's errors with Gaussian noise on all elements of Ω, and on all elements of Λ = ΩᵀΩ.

    With noise N on Λ, the form (x - w)ᵀ(Λ + N)(x - w) may be negative. The prototype w with the
    smallest value still counts as the closest. The same draws of the noise are scaled for each
    standard deviation.

    Parameters
    ----------
    records : ndarray (n, d) and ndarray (n,)
        Records to classify, and their classes.
    model : ndarray (P, d), ndarray (l, d) and ndarray (P,)
        Prototypes, Ω and the classes of the prototypes.
    deviations : sequence of V floats
        Standard deviations of the noise on an element.
    n_draws : int
        Number D of draws of the noise.
    rng : numpy.random.Generator
        Source of the noise.
    trace : float
        Trace to which Λ is first scaled.

    Returns
    -------
    ndarray (2, V, D)
        Errors with noise on Ω, then on Λ.
    """
    (X, y), (W, Omega, labels) = records, model
    X, W, Omega = X.astype(float), W.astype(float), Omega.astype(float)
    omega = Omega * np.sqrt(trace / max(np.square(Omega).sum(), 1e-30))
    lam = omega.T @ omega
    errors = np.empty((2, len(deviations), n_draws))

    def error(seen: NDArray[np.float64]) -> float:  # seen: the prototypes times Λ, (P, d)
        scores = X @ seen.T - 0.5 * (seen * W).sum(1)
        return float((labels[scores.argmax(1)] != y).mean())

    for draw in range(n_draws):
        on_omega = rng.standard_normal(omega.shape)
        on_lambda = rng.standard_normal(lam.shape)
        on_lambda = (on_lambda + on_lambda.T) / 2  # a quadratic form sees no more of it
        for v, deviation in enumerate(deviations):
            turned = omega + deviation * on_omega
            errors[0, v, draw] = error((W @ turned.T) @ turned)
            errors[1, v, draw] = error(W @ (lam + deviation * on_lambda))
    return errors


def make_readings(
    data: Iterable[str] = DATA,
    data_dir: str | None = None,
    *,
    n_folds: int = 5,
    n_draws: int = 6,
    seed: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> list[dict[str, Any]]:
    """Return the increase of the test error by noise on the matrix, for each interpretation of the paper.

    GMLVQ is trained without privacy (L-BFGS) on the records and folds of Table 1 of the paper (PCA
    to 30 features, then min-max scaling). The interpretations differ in three choices:

    - noise on Ω or on Λ;
    - Λ scaled to trace 1 or to mean diagonal 1;
    - 0.025 as standard deviation or as variance.

    Parameters
    ----------
    data : iterable of str
        Data sets of Table 1.
    data_dir : str, optional
        Folder of the data files.
    n_folds : int
        How many of the five folds are trained.
    n_draws : int
        Draws of the noise per fold.
    seed : int
        Seed of folds and noise.
    tell : callable
        Called with a line after each fold.

    Returns
    -------
    list of dict
        One dict for each data set and interpretation. The keys "data", "on", "scaled_to" and
        "deviation" name these. "error" is the error without noise, "increase" its mean increase by
        the noise, and "spread" the standard deviation of the increase over all folds and draws.
    """
    rows = []
    for name in data:
        X, y = records(name, "pca", data_dir)
        pairs = []
        for fold in range(n_folds):
            pairs.append(_fold(X, y, folds(name, y, 0, fold, seed), (seed, fold), n_draws))
            tell(f"{name}, fold {fold + 1} of {n_folds}: error {pairs[-1][0]:.4f}")
        rows += _rows(name, pairs)
    return rows


def _fold(
    X: NDArray[np.float32],
    y: NDArray[np.int64],
    rows: tuple[NDArray[np.int64], NDArray[np.int64]],
    seed: tuple[int, int],
    n_draws: int,
) -> tuple[float, NDArray[np.float64]]:
    """Return a fold's test error without noise, and its test errors with noise.

    The errors with noise have four axes: scale of Λ (trace 1 or mean diagonal 1), matrix with noise
    (Ω or Λ), standard deviation, and noise draw.
    """
    train, test = rows
    fitted = GMLVQ(max_iter=2000).fit(X[train], y[train])
    model = fitted.prototypes_, fitted.omega_, fitted.classes_
    rng = np.random.default_rng(seed)
    known = X[test], y[test]
    before = noisy_errors(known, model, (0.0,), n_draws=1, rng=rng)[0, 0, 0]
    noisy = [
        noisy_errors(known, model, _DEVIATIONS, n_draws=n_draws, rng=rng, trace=trace)
        for trace in (1.0, float(X.shape[1]))
    ]
    return float(before), np.array(noisy)


def _rows(name: str, pairs: list[tuple[float, NDArray[np.float64]]]) -> list[dict[str, Any]]:
    before = np.array([error for error, _ in pairs])
    more = np.array([noisy - error for error, noisy in pairs])  # (fold, scale, on, deviation, draw)
    return [
        {
            "data": name, "on": on, "scaled_to": scale, "deviation": deviation,
            "error": round(float(before.mean()), 5),
            "increase": round(float(more[:, s, o, v].mean()), 5),
            "spread": round(float(more[:, s, o, v].std()), 5),
        }
        for s, scale in enumerate(("trace", "diagonal"))
        for o, on in enumerate(("omega", "lambda"))
        for v, deviation in enumerate(_DEVIATIONS)
    ]  # fmt: skip


def write_readings(rows: list[dict[str, Any]], out: Path) -> None:
    """Write the rows that `make_readings` returns to a CSV file."""
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_readings(path: Path) -> list[dict[str, Any]]:
    """Return the rows in a CSV file written by `write_readings`."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {k: v if k in _FIELDS[:3] else float(v) for k, v in row.items()}
            for row in csv.DictReader(file)
        ]


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data-dir", help="folder with har.npz, mnist.npz")
    parser.add_argument("--out", type=Path, required=True, help="a .csv file")
    parser.add_argument("--data", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--folds", type=int, choices=range(1, 6), default=5)


def _run(args: argparse.Namespace) -> int:
    progress = Progress(len(args.data) * args.folds, print)
    rows = make_readings(args.data, args.data_dir, n_folds=args.folds, tell=progress.step)
    write_readings(rows, args.out)
    return 0


COMMANDS = MappingProxyType({"matrix-noise": Command(_add_arguments, _run)})
"""The command of this module, by name."""
