"""What the paper's “variance σ = 0.025 on each element of the relevance matrix” may mean, measured."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets.principal import folds
from dpcore.experiments.matrix.noise import noisy_errors
from dpcore.experiments.table1.records import records
from dpcore.lvq import GMLVQ

__all__ = ["DATA", "make_readings", "read_readings", "write_readings"]

DATA = ("mnist", "har")
_DEVIATIONS = (0.025, 0.158)  # the number read as a deviation, and as a variance
_FIELDS = ("data", "on", "scaled_to", "deviation", "error", "increase", "spread")


def make_readings(
    data: Iterable[str] = DATA,
    data_dir: str | None = None,
    *,
    n_folds: int = 5,
    n_draws: int = 6,
    seed: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> list[dict[str, Any]]:
    """Return how much each reading of the experiment adds to the test error.

    GMLVQ without privacy (L-BFGS) on the records and folds of Table 1 (PCA to 30, min-max); noise on Ω
    or on Λ, Λ scaled to trace 1 or to mean diagonal 1, 0.025 as deviation or as variance.

    Parameters
    ----------
    data : iterable of str
        Data sets of Table 1.
    data_dir : str, optional
        The folder that holds them.
    n_folds : int
        Of the five, how many are trained.
    n_draws : int
        Draws of the noise for each.
    seed : int
        Of folds and noise.
    tell : callable
        Told a line when a fold is done.

    Returns
    -------
    list of dict
        data, on, scaled_to, deviation, error without noise, its increase and the deviation of the
        increase over all folds and draws.
    """
    rows = []
    for name in data:
        X, y = records(name, "pca", data_dir)
        found = []
        for fold in range(n_folds):
            found.append(_fold(X, y, folds(name, y, 0, fold, seed), (seed, fold), n_draws))
            tell(f"{name}, fold {fold + 1} of {n_folds}: error {found[-1][0]:.4f}")
        rows += _rows(name, found)
    return rows


def _fold(
    X: NDArray[np.float32],
    y: NDArray[np.int64],
    rows: tuple[NDArray[np.int64], NDArray[np.int64]],
    seed: tuple[int, int],
    n_draws: int,
) -> tuple[float, NDArray[np.float64]]:
    """The error without noise, and with it (scale, Ω or Λ, deviation, draw)."""
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


def _rows(name: str, found: list[tuple[float, NDArray[np.float64]]]) -> list[dict[str, Any]]:
    before = np.array([error for error, _ in found])
    more = np.array([noisy - error for error, noisy in found])  # (fold, scale, on, deviation, draw)
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
    """Write the rows of `make_readings` as CSV."""
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, _FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_readings(path: Path) -> list[dict[str, Any]]:
    """Return the rows that `write_readings` wrote."""
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {k: v if k in _FIELDS[:3] else float(v) for k, v in row.items()}
            for row in csv.DictReader(file)
        ]
