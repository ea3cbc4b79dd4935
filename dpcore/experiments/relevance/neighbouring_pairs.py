"""Worst-case neighbouring data sets for the trainings of prototypes and matrices on batches of a fixed size.

The audit attacks the trainings as the pages run them: with the pages' split of ε, precomputed noise
multipliers, batches and expected batch sizes. The estimators of `dpcore.lvq` are audited
separately.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.audit.likelihood_ratios import step_evidence
from dpcore.audit.prototype_attack import clipped_gradients
from dpcore.audit.worlds import Worlds
from dpcore.datasets import Dataset
from dpcore.experiments.matrix.params import MatrixParams, MatrixProblem
from dpcore.experiments.matrix.training import run_sweep as matrix_sweep
from dpcore.experiments.relevance import budget
from dpcore.experiments.relevance.params import Problem, RelevanceParams
from dpcore.experiments.relevance.training import run_sweep
from dpcore.guarantee import Guarantee

__all__ = [
    "WORLDS",
]

Floats = NDArray[np.float64]
Released = tuple[Floats, Floats | None]
_REST = np.array([-0.9, -0.9, 0.3]), np.array([0, 1, 0])
_PLACE, _LABEL = 0.9, 0
# As much as can be for the steps, whose gradients are clipped wherever the prototypes start; and lots of
# everybody, so that the trade-off is Gaussian: what smaller lots hide, the estimators' audits measure.
_SETTINGS: dict[str, Any] = {
    "epsilon": 4.0, "clip_norm": 0.02, "sample_rate": 1.0, "epochs": 2, "prototypes_per_class": 1,
    "init_share": 0.05, "learning_rate": 0.05, "project": False, "lots": "fixed",
}  # fmt: skip


def _data(X: Floats, y: NDArray[np.int64]) -> Dataset:
    return Dataset(
        name="own", title="audit", description="Two worlds.", X=X[:, None], y=y, X_test=X[:, None],
        y_test=y, classes=("0", "1"), feature_names=("x",), low=np.array([-1.0]), high=np.array([1.0]),
        bounds_status="declared",
    )  # fmt: skip


class _Attack:
    """Attack that distinguishes two neighbouring data sets by a training as a page runs it.

    The attacker sees every step.
    """

    def __init__(
        self,
        params: RelevanceParams,
        problem: Callable[[Dataset], Problem],
        train: Callable[[Problem, RelevanceParams], Released],
    ) -> None:
        self.params, self.make, self.train = params, problem, train

    def problem(self, canary: bool) -> Problem:
        """Return the data with the canary, or with a record of the opposite label at the same position."""
        X, y = _REST
        return self.make(
            _data(np.append(X, _PLACE), np.append(y, _LABEL if canary else 1 - _LABEL))
        )

    @cached_property
    def sigma(self) -> float:
        """Noise multiplier of the steps for the claimed ε."""
        return float(budget.chosen_multiplier(self.params)[0])

    def claim(self) -> Guarantee:
        """Return the guarantee that the page displays for the training."""
        return budget.guarantee(self.params, self.problem(True))

    def world(self, name: str) -> Worlds:
        """Return the attack as an entry (`Worlds`) of the audit's registry, called ``name``."""
        return Worlds(
            name=f"{name}, fixed lots",
            neighbours="four records, one of them replaced; replace_one, size and classes declared",
            canary="the same place with either label: opposite gradients, both of norm C",
            score="log-likelihood ratio of every step, from the whole path",
            claim=self.claim,
            release=self.release,
            threshold=0.0,
            gaussian=True,
        )

    def release(self, canary: bool, rng: np.random.Generator) -> float:
        """Return the attacker's score: the log-likelihood ratio of all steps of one training."""
        params = self.params.but(seed=int(rng.integers(10**6)))
        problem = self.problem(canary)
        W, Omega = self.train(problem, params)
        parts = [W, *([] if Omega is None else [Omega])]
        flat = np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
        lot = budget.expected_lot(params, problem.n_declared)
        seen = -np.diff(flat, axis=0) * (lot / params.learning_rate)

        def gradients(x: float, label: int) -> Floats:
            matrices = None if Omega is None else Omega[:-1]
            return clipped_gradients([x], label, W[:-1], matrices, params.clip_norm)

        return step_evidence(
            seen, gradients(_PLACE, _LABEL), [gradients(*one) for one in zip(*_REST, strict=True)],
            scale=self.sigma * params.clip_norm, replaced=gradients(_PLACE, 1 - _LABEL),
            lot_size=int(lot),
        )  # fmt: skip


def _iterates(average: NDArray[np.float32]) -> Floats:
    """Return the prototypes or matrices after every step, recovered from the stored running averages."""
    iterates = average.astype(float)
    shares = sgd.average_weights(len(average) - 1, True).astype(float)
    iterates[1:] = average[:-1] + np.diff(iterates, axis=0) / shares[:, None, None]
    return iterates


def _prototypes(problem: Problem, params: RelevanceParams) -> Released:
    at = budget.chosen_multiplier(params)
    sweep = run_sweep(
        problem, params, nodes=at, last_epoch=params.epochs, references=False, threads=1
    )
    return _iterates(sweep.prototypes[0]), None


def _matrices(problem: Problem, params: RelevanceParams) -> Released:
    at = budget.chosen_multiplier(params)
    sweep = matrix_sweep(
        cast(MatrixProblem, problem), cast(MatrixParams, params), nodes=at, references=False,
        threads=1,
    )  # fmt: skip
    return _iterates(sweep.prototypes[0]), _iterates(sweep.omegas[0])


WORLDS: tuple[Worlds, ...] = (
    _Attack(RelevanceParams(**_SETTINGS), lambda data: Problem(data, 1), _prototypes).world(
        "Relevance learning"
    ),
    _Attack(MatrixParams(**_SETTINGS), lambda data: MatrixProblem(data, 1), _matrices).world(
        "Relevance matrix"
    ),
)
