"""All methods beside each other at every ε, in blocks that get better as they come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.regression.fits import N_DRAWS, Fits, draw, gathered, is_heavy
from dpcore.experiments.regression.params import METHODS, RegressionParams
from dpcore.experiments.regression.problem import Setting

__all__ = ["Comparison", "compare", "compared"]

Floats = NDArray[np.float64]
BLOCKS = 4
_HEAVY_DRAWS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Quantiles of the errors by method: ``test`` and ``train`` (3, E) each at 10, 50 and 90 %.

    ``indefinite`` (E,): share of the draws whose noisy objective has no minimum, for the methods that
    release one; ``draws``: how many each has. Errors without noise: ``ideal_test``, ``ideal_train``.
    """

    test: dict[str, Floats]
    train: dict[str, Floats]
    indefinite: dict[str, Floats]
    draws: dict[str, int]
    ideal_test: dict[str, float]
    ideal_train: dict[str, float]


def compare(setting: Setting, params: RegressionParams) -> Iterator[tuple[Comparison, float]]:
    """Yield better and better comparisons with the fraction done; repairs as in ``params``.

    The noise is that of single runs of each method with the same seed.
    """
    plan = [(name, block) for block in range(BLOCKS) for name in METHODS]
    slow = is_heavy(setting, params.but(method="descent"))
    if slow:  # the records are passed again and again: it comes last and has fewer draws
        plan = [step for step in plan if step[0] != "descent"] + [("descent", 0)]
    kept: dict[str, list[Fits]] = {}
    for done, (name, block) in enumerate(plan, start=1):
        n_draws = _HEAVY_DRAWS if slow and name == "descent" else N_DRAWS
        found = draw(setting.train, params.but(method=name), setting, block=block, n_draws=n_draws)
        kept.setdefault(name, []).append(gathered(setting, *found))
        if done % len(METHODS) == 0 or done >= len(plan) - 1:
            yield compared(kept), done / len(plan)


def compared(kept: dict[str, list[Fits]]) -> Comparison:
    """Return the comparison of blocks of fits by method."""

    def quantiles(which: str) -> dict[str, Floats]:
        return {
            name: np.quantile(
                np.concatenate([getattr(f, which) for f in found]), (0.1, 0.5, 0.9), 0
            )
            for name, found in kept.items()
        }

    return Comparison(
        test=quantiles("test"),
        train=quantiles("train"),
        indefinite={
            name: np.concatenate([f.indefinite for f in found]).mean(0)
            for name, found in kept.items()
        },
        draws={name: sum(len(f.test) for f in found) for name, found in kept.items()},
        ideal_test={name: found[0].ideal_test for name, found in kept.items()},
        ideal_train={name: found[0].ideal_train for name, found in kept.items()},
    )
