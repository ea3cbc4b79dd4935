"""What a whole record gets, and what a trusted curator reaches with that same ε."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.kahm.data import StudyDataset
from dpcore.experiments.kahm.params import KahmParams
from dpcore.experiments.kahm.study import N_SPLITS, STUDY_EPSILONS
from dpcore.kahm import record_epsilon

__all__ = ["RECORD_EPSILONS", "RecordLevelBaseline", "run_baseline"]

Array = NDArray[np.float64]
RECORD_EPSILONS: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 200.0)
_LARGEST = 500.0  # above it the noise is negligible


@dataclass(frozen=True, kw_only=True)
class RecordLevelBaseline:
    """A record's ε under noise on values, and noisy class means of one keeper at that ε.

    ``pure``, ``tight`` (50,): ε of a record at every ε of a value, for certain and at δ.
    ``central`` (S, R): accuracy of the class means at a record's ε in `RECORD_EPSILONS`;
    ``beside`` (S, E): at the tight ε of the record that `STUDY_EPSILONS` of a value give.
    """

    pure: Array
    tight: Array
    central: Array
    beside: Array

    def tight_at(self, epsilon: float) -> float:
        """The tight ε of a record at an ε of the grid."""
        return float(self.tight[EPSILON_GRID.index(epsilon)])


def run_baseline(data: StudyDataset, params: KahmParams) -> RecordLevelBaseline:
    """Return the record's ε and its rival; takes about a second."""
    p = data.n_features
    found = [
        record_epsilon(e, p, delta=params.delta, atom=params.atom, kind=params.noise)
        for e in EPSILON_GRID
    ]
    tight = np.array([one.tight for one in found])
    same = tight[[EPSILON_GRID.index(e) for e in STUDY_EPSILONS]]
    splits = range(N_SPLITS)
    return RecordLevelBaseline(
        pure=np.array([one.pure for one in found]),
        tight=tight,
        central=np.array([_means(data, params, s, RECORD_EPSILONS) for s in splits]),
        beside=np.array([_means(data, params, s, tuple(same)) for s in splits]),
    )


def _means(
    data: StudyDataset, params: KahmParams, number: int, epsilons: tuple[float, ...]
) -> list[float]:
    from dpcore.kahm import CentralClassMean

    train, test = data.halves(number)
    found = []
    for e in epsilons:
        model = CentralClassMean(
            epsilon=min(e, _LARGEST) if math.isfinite(e) else _LARGEST, delta=params.delta,
            clip_norm=math.sqrt(data.n_features) / 2, random_state=1000 * params.seed + number,
        )  # fmt: skip
        with unwarned(SeededNoiseWarning):  # a picture that can be drawn again: nothing is released
            model.fit(data.X[train], data.y[train])
        found.append(float((model.predict(data.X[test]) == data.y[test]).mean()))
    return found
