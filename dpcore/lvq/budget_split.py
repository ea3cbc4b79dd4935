"""Mixin of the private prototype classifiers: parameter checks, noise, and the split of the privacy budget.

The budget is divided between the noisy initialisation and the training steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import _checks, _noise, accounting, sgd
from dpcore._declared_bounds import class_index, warn_of_estimated_bounds
from dpcore._random_state import ForgetsNoise
from dpcore.accounting.accountant import steps_event
from dpcore.guarantee import Guarantee, Neighbouring, Part
from dpcore.lvq import init
from dpcore.lvq.domain import Box
from dpcore.lvq.guarantee import (
    STEPS_OF,
    start_event,
    start_parts,
    start_scales,
    training_guarantee,
)

__all__ = ["DECLARED", "Spending"]

DECLARED = {"expected_n": "n", "classes": "classes"}
_INITS = ("gaussian", "laplace", "public")
_NOISES = ("accountant", "paper")
_MANY_CLASSES = 1000  # for a plan, where the classes are not declared


class Spending(ForgetsNoise):
    """Mixin of `DPGLVQ` and its subclasses: parameter checks, budget, noisy initial prototypes and guarantee."""

    epsilon: float
    delta: float
    clip_norm: float
    sample_rate: float
    epochs: float
    init_share: float
    prototypes_per_class: int
    noise: str
    init: str
    bounds: Any
    neighbouring: Neighbouring
    expected_n: int | None
    classes: Any
    lots: str
    classes_: NDArray[Any]
    noise_multiplier_: float
    prototypes_: NDArray[np.float64]
    prototype_labels_: NDArray[Any]
    _box: Box
    _fitted_too = ("_box",)

    def _check(self) -> None:
        _checks.epsilon(self.epsilon)
        _checks.delta(self.delta)
        _checks.number("clip_norm", self.clip_norm, low=0, open_low=True)
        _checks.number("sample_rate", self.sample_rate, low=0, high=1, open_low=True)
        _checks.number("epochs", self.epochs, low=0, open_low=True)
        _checks.number("init_share", self.init_share, low=0, high=1, open_low=True, open_high=True)
        _checks.integer("prototypes_per_class", self.prototypes_per_class, low=1)
        if self.expected_n is not None:
            _checks.integer("expected_n", self.expected_n, low=1)
        _checks.one_of("noise", self.noise, _NOISES)
        _checks.one_of("init", self.init, _INITS)
        _checks.one_of("neighbouring", self.neighbouring, ("add_remove", "replace_one"))
        _checks.one_of("lots", self.lots, ("poisson", "fixed"))
        if self.lots == "fixed" and self.neighbouring != "replace_one":
            raise ValueError(
                "lots='fixed' is not allowed with neighbouring='add_remove': lots of a fixed size make "
                "the number of records public. Use neighbouring='replace_one', or lots='poisson'."
            )

    def _domain(self, X: NDArray[np.float64]) -> Box:
        if self.bounds is not None:
            return Box.declared(self.bounds, X.shape[1])
        warn_of_estimated_bounds(stacklevel=4)
        return Box.of(X)

    def _scale(self) -> NDArray[np.float64]:
        return 1 / self._box.half

    def _prototypes(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the P fitted prototypes (P, d), scaled to [-1, 1]^d, and their class indices (P,)."""
        W = (self.prototypes_ - self._box.middle) / self._box.half
        return W.astype(np.float32), class_index(self.prototype_labels_, self.classes_)[1]

    def _rate(self, n: int) -> float:
        """Return the probability that a given one of n records is in a lot (batch).

        It is q for Poisson-sampled lots, and L/n for lots of L records.
        """
        return self._lot_size(n) / n if self.lots == "fixed" else self.sample_rate

    def _lot_size(self, n: int) -> int:
        return max(1, round(self.sample_rate * n))

    def _draw_lots(self, n: int, n_steps: int, rng: np.random.Generator) -> sgd.Lots:
        if self.lots == "fixed":
            return sgd.fixed_lots(n, self._lot_size(n), n_steps=n_steps, rng=rng)
        return sgd.poisson_lots(n, self.sample_rate, n_steps=n_steps, rng=rng)

    def _shares(self) -> tuple[float, float]:
        if self.init == "public":
            return 0.0, self.epsilon
        return self.init_share * self.epsilon, (1 - self.init_share) * self.epsilon

    def _step_delta(self) -> float:
        return self.delta / 2 if self.init == "gaussian" else self.delta

    def _noise_multiplier(self, n_steps: int, rate: float) -> float:
        epsilon = self._shares()[1]
        if np.isinf(epsilon):
            return 0.0
        delta = self._step_delta()
        if self.noise == "paper":
            return accounting.paper_noise_multiplier(
                epsilon, delta, sample_rate=rate, n_steps=n_steps
            )
        return accounting.noise_multiplier(
            epsilon, delta, sample_rate=rate, n_steps=n_steps,
            neighbouring=self.neighbouring, lots=self.lots,
        )  # fmt: skip

    def _start(
        self, X: NDArray[np.float32], y: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float32]:
        n_classes, n_features = len(self.classes_), X.shape[1]
        if self.init == "public":
            return init.public_start(n_classes, n_features, self.prototypes_per_class, rng)[None]
        sums, counts = init.class_statistics(X, y, n_classes)
        scales = start_scales(
            self.init, self._shares()[0], self.delta / 2, n_features, self.neighbouring
        )
        return init.start(
            sums, counts, count_scale=scales[0], sum_scale=scales[1], kind=self.init,
            prototypes_per_class=self.prototypes_per_class, rng=rng,
        )  # fmt: skip

    def _n_steps(self) -> int:
        return max(1, round(self.epochs / self.sample_rate))

    def _expected_lot(self, n: int) -> float:
        """Return the number by which the sum of a step is divided if there are n records."""
        if self.expected_n is None:
            return self._rate(n) * n
        return self.sample_rate * self.expected_n

    def _n_released(self, n_classes: int, n_features: int) -> int:
        """Return the number of coordinates that a training step releases with noise."""
        return n_classes * self.prototypes_per_class * n_features

    def _planned(self, n_records: int, n_features: int) -> Guarantee:
        """Return the guarantee that a fit to records of this shape would have; no record is read."""
        self._check()
        n_steps, rate = self._n_steps(), self._rate(n_records)
        n_classes = _MANY_CLASSES if self.classes is None else len(np.unique(self.classes))
        return self._guarantee(
            n_steps, self._expected_lot(n_records), rate,
            noise_multiplier=self._noise_multiplier(n_steps, rate),
            n_released=self._n_released(n_classes, n_features),
        )  # fmt: skip

    def _guarantee(
        self,
        n_steps: int,
        expected_lot: float,
        rate: float,
        *,
        noise_multiplier: float,
        n_released: int,
    ) -> Guarantee:
        first, rest = self._shares()
        normals = n_steps * n_released
        twice = self.neighbouring == "replace_one"
        reach = (2 if twice else 1) / (noise_multiplier or 1.0)
        spent = rest
        if self.noise == "paper" and np.isfinite(rest):
            spent = accounting.epsilon(
                noise_multiplier=noise_multiplier, sample_rate=rate, n_steps=n_steps, delta=self._step_delta(),
                neighbouring=self.neighbouring, lots=self.lots,
            )  # fmt: skip
        steps = Part(
            name=f"{n_steps} steps", epsilon=spent, delta=self._step_delta(),
            mechanism=f"{STEPS_OF[self.lots]}, σ = {noise_multiplier:.3g}",
        )  # fmt: skip
        return training_guarantee(
            (*start_parts(self.init, first, self.delta / 2), steps),
            epsilon=self.epsilon if spent == rest else first + spent,
            delta=self.delta,
            neighbouring=self.neighbouring,
            claimed_epsilon=self.epsilon if self.noise == "paper" else None,
            estimated=self.bounds is None,
            expected_lot=expected_lot,
            lots=self.lots,
            missing=_noise.missing_mass(normals),
            beyond=_noise.beyond_reach(normals, reach),
            event=self._event(first, n_steps, rate, noise_multiplier),
            undeclared=tuple(k for n, k in DECLARED.items() if getattr(self, n) is None),
        )

    def _event(
        self, first: float, n_steps: int, rate: float, noise_multiplier: float
    ) -> accounting.Event:
        """Return the privacy event of the noisy initialisation and all steps."""
        if np.isinf(self.epsilon):
            return accounting.GaussianEvent(0.0)
        steps = steps_event(noise_multiplier, rate, n_steps=n_steps, lots=self.lots)
        if self.init == "public":
            return steps
        start = start_event(self.init, first, self.delta / 2, self.neighbouring)
        return accounting.Sequence((start, steps))
