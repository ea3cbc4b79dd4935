"""All 2,000 settings of the paper's sweep, in a small file, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting
from dpcore.experiments.table1.means import Row
from dpcore.experiments.table1.recipes import DELTA, INIT_SHARE
from dpcore.experiments.table1.settings_sweep import AXES, SWEEP_EPSILONS, Setting

__all__ = ["WholeCurve", "break_counts", "read_whole", "save_whole"]

Curve = tuple[str, str, str]
"""Data, model and recipe."""
_UNIT = 1e-4  # of a stored error: a tenth of the deviation between folds, or less
_NONE = 65_535


@dataclass(frozen=True, kw_only=True, eq=False)
class WholeCurve:
    """Mean test errors of a model on a data set with one kind of noise.

    ``errors`` (3, 10, 10, 20): by ε, C, E and q, in steps of 0.0001, NaN where nothing was run; ``runs``: how
    many folds each is the mean of.
    """

    errors: NDArray[np.float64]
    runs: int

    def spread(self, name: str) -> list[float]:
        """Return the deviation of the error over the values of C, E or q, at each ε.

        Averaged over those settings of the two others at which all its values were run, NaN without any;
        ``name`` is a key of `AXES`.
        """
        found = self.errors.std(axis=1 + list(AXES).index(name))
        there = np.isfinite(found)
        sums = np.where(there, found, 0).sum(axis=(1, 2))
        return [
            float(total / n) if n else float("nan")
            for total, n in zip(sums, there.sum(axis=(1, 2)), strict=True)
        ]

    @property
    def n_settings(self) -> int:
        """How many of the 2,000 settings were run."""
        return int(np.isfinite(self.errors[0]).sum())

    def best(self, epsilon: float) -> tuple[Setting, float]:
        """Return the setting of the least mean error at an ε of `SWEEP_EPSILONS`, and that error."""
        errors = self.errors[SWEEP_EPSILONS.index(epsilon)]
        place = np.unravel_index(np.nanargmin(errors), errors.shape)
        values = (float(axis[k]) for axis, k in zip(AXES.values(), place, strict=True))
        return Setting(*values), float(errors[place])


def save_whole(rows: Iterable[Row], path: Path) -> None:
    """Write the mean errors of rows with C, E and q to a file (.npz); other curves in it stay.

    Of a curve in both, settings without rows stay too where the file has as many runs of them.

    Parameters
    ----------
    rows : iterable of dict
        As `rows_of` returns them. A setting that misses runs of others counts as not run.
    path : Path
        A .npz file.
    """
    kept: dict[str, NDArray[np.generic]] = {}
    if path.exists():
        with np.load(path) as old:
            kept = {name: old[name] for name in old.files}
    sums: dict[Curve, NDArray[np.float64]] = {}
    shape = (2, len(SWEEP_EPSILONS), *map(len, AXES.values()))
    for row in rows:
        curve = row["data"], row["model"], row["recipe"]
        at = (
            SWEEP_EPSILONS.index(row["epsilon"]),
            *(axis.index(row[name]) for name, axis in AXES.items()),
        )
        found = sums.setdefault(curve, np.zeros(shape))
        found[(0, *at)] += row["error"]
        found[(1, *at)] += 1
    for curve, (total, number) in sums.items():
        runs = int(number.max())
        whole = np.where(number == runs, np.rint(total / np.maximum(number, 1) / _UNIT), _NONE)
        name, size = " ".join(curve), " ".join((*curve, "runs"))
        if name in kept and int(kept[size]) == runs:
            whole = np.where(number == 0, kept[name], whole)
        kept[name], kept[size] = whole.astype(np.uint16), np.array(runs)
    kept.setdefault("cost", _costs())
    np.savez_compressed(path, **kept)  # type: ignore[arg-type]


def _costs() -> NDArray[np.float32]:
    """What the steps with the printed σ cost at least, over the 0.8 ε that is claimed, (3, 10, 20)."""
    share = 1 - INIT_SHARE
    return np.array([
        [[_cost(share * epsilon, e, q) / (share * epsilon) for q in AXES["sample_rate"]]
         for e in AXES["epochs"]]
        for epsilon in SWEEP_EPSILONS
    ], np.float32)  # fmt: skip


def _cost(claimed: float, epochs: float, sample_rate: float) -> float:
    steps = max(1, round(epochs / sample_rate))
    sigma = accounting.paper_noise_multiplier(
        claimed, DELTA, sample_rate=sample_rate, n_steps=steps
    )
    found, more = (
        accounting.epsilon(
            noise_multiplier=times * sigma, sample_rate=sample_rate, n_steps=steps, delta=DELTA
        )
        for times in (1, 1.01)
    )
    # The smallest σ is out of reach of the tight account, and its bound is far away: a little more noise
    # costs less, so that this is what the steps cost at least.
    return more if found > 10 * more else found


@lru_cache(maxsize=2)
def read_whole(path: Path) -> tuple[Mapping[Curve, WholeCurve], NDArray[np.float64]]:
    """Return what `save_whole` wrote: the curves, and what the printed σ costs over its claim, (3, 10, 20).

    Of the one setting whose σ is too small for the tight account, at least that.
    """
    with np.load(path) as file:
        found: dict[Curve, WholeCurve] = {}
        for name in file.files:
            words = name.split()
            if len(words) == 3:
                stored = file[name].astype(float)
                errors = np.where(stored == _NONE, np.nan, stored * _UNIT)
                key = words[0], words[1], words[2]
                found[key] = WholeCurve(errors=errors, runs=int(file[f"{name} runs"]))
        return found, file["cost"].astype(float)


def break_counts(costs: NDArray[np.float64]) -> list[int]:
    """Return in how many of the 2,000 settings the printed σ costs more than it claims, at each ε.

    ``costs`` (3, 10, 20) over the claim; C has no part in them.
    """
    return [int((some > 1.005).sum()) * len(AXES["clip_norm"]) for some in costs]
