"""Likelihood-ratio attack on privately trained prototypes.

The attack uses the noisy initial prototypes, the training steps, or both. The attacker knows every record except the
canary, all settings, and the prototypes (and relevance matrices) after every step. Gradients are recomputed here
independently of the training code, record by record, in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._random_state import SeededNoiseWarning
from dpcore._types import RandomState
from dpcore._warnings import unwarned
from dpcore.audit.likelihood_ratios import IMPOSSIBLE, clipped, step_evidence
from dpcore.guarantee import Guarantee
from dpcore.lvq.guarantee import start_scales
from dpcore.lvq.private import DPGLVQ

__all__ = ["PrototypeAttack", "clipped_gradients"]

Floats = NDArray[np.float64]
Record = tuple[tuple[float, ...], int]


def clipped_gradients(
    x: ArrayLike, label: int, W: Floats, Omega: Floats | None, clip_norm: float
) -> Floats:
    """Return the clipped gradients of one record at T steps.

    Shapes, for d features:

    - ``W`` (T, 2, d) holds one prototype per class at every step.
    - ``Omega`` (T, l, d) holds the relevance matrix at every step, if one is trained.
    - The result is (T, 2d), or (T, 2d + ld) with a relevance matrix.

    The gradients are derived from the formulas of Sato and Yamada (1995), independently of the library's code.
    """
    gaps = np.asarray(x, float) - W
    images = gaps if Omega is None else np.einsum("tld,tpd->tpl", Omega, gaps)
    distances = np.square(images).sum(-1)
    own, other = distances[:, label], distances[:, 1 - label]
    total = np.where(own + other > 0, own + other, 1.0)
    weight = np.empty((len(W), 2, 1))
    weight[:, label, 0], weight[:, 1 - label, 0] = 2 * other / total**2, -2 * own / total**2
    back = gaps if Omega is None else np.einsum("tld,tpl->tpd", Omega, images)
    parts = [(-2 * weight * back).reshape(len(W), -1)]
    if Omega is not None:
        parts.append(2 * np.einsum("tpl,tpd->tld", weight * images, gaps).reshape(len(W), -1))
    flat = np.concatenate(parts, axis=1)
    return clipped(flat, clip_norm)


@dataclass(frozen=True, kw_only=True)
class PrototypeAttack:
    """Attack on the private training of a prototype model, on two neighbouring data sets.

    Parameters
    ----------
    model : DPGLVQ or DPGMLVQ
        Unfitted model with one prototype per class, bounds ±1, no projection and no averaging. Its training has
        at most 40 steps, so that the recorded path contains every step.
    rest : tuple of (record, class)
        Records that are in both data sets.
    canary : (record, class)
        Record that is in only one of the data sets.
    replaced : (record, class) or None
        Record that replaces the canary in the other data set; None if the other data set has one record less.
    look : "start", "steps" or "both"
        Releases that the attacker uses, the noisy initial prototypes or the training steps. The claimed ε covers only
        these releases.
    """

    model: DPGLVQ
    rest: tuple[Record, ...]
    canary: Record
    replaced: Record | None = None
    look: str = "both"

    def records(self, canary: bool) -> tuple[Floats, NDArray[np.int64]]:
        """Return the records X (n, d) and class labels y (n,) of the data set with or without the canary."""
        last = self.canary if canary else self.replaced
        pairs = (*self.rest, last) if last is not None else self.rest
        return np.array([x for x, _ in pairs]), np.array([label for _, label in pairs])

    def fitted(self, canary: bool, random_state: RandomState) -> DPGLVQ:
        """Return a new model, trained on the data set with or without the canary."""
        model = type(self.model)(**self.model.get_params())
        with unwarned(SeededNoiseWarning):
            return model.set_params(random_state=random_state).fit(*self.records(canary))

    @cached_property
    def claiming(self) -> DPGLVQ:
        """Model fitted with secret noise, from which the claimed guarantee and the noise scale are read."""
        return self.fitted(False, None)

    def claim(self) -> Guarantee:
        """Return the guarantee of the model, restricted to the attacked releases (``look``)."""
        whole = self.claiming.privacy_
        starts = [part for part in whole.parts if part.name.startswith("start")]
        if self.look == "both" or not starts:
            return whole
        seen = starts if self.look == "start" else [p for p in whole.parts if p not in starts]
        epsilon, delta = sum(p.epsilon for p in seen), sum(p.delta for p in seen)
        return replace(whole, epsilon=epsilon, delta=delta, parts=tuple(seen), claimed_epsilon=None)

    def release(self, canary: bool, rng: np.random.Generator) -> float:
        """Train a model with or without the canary; return the log-likelihood ratio of the attacked releases.

        The result is ``IMPOSSIBLE`` if a prototype is not finite.
        """
        model = self.fitted(canary, rng)
        if not np.isfinite(model.path_).all():
            return IMPOSSIBLE
        evidence = 0.0 if self.look == "steps" else self._start_evidence(model)
        return evidence + (0.0 if self.look == "start" else self._step_evidence(model))

    def _step_evidence(self, model: DPGLVQ) -> float:
        W, Omega = model.path_, getattr(model, "omega_path_", None)
        flat = W.reshape(len(W), -1)
        if Omega is not None:
            flat = np.concatenate([flat, Omega.reshape(len(W), -1)], axis=1)
        q = model.sample_rate
        n = getattr(model, "expected_n", None) or len(self.records(False)[0])
        seen = -np.diff(flat, axis=0) * (q * n / model.learning_rate)

        def gradients(record: Record) -> Floats:
            matrices = None if Omega is None else Omega[:-1]
            return clipped_gradients(*record, W[:-1], matrices, model.clip_norm)

        # With full lots equal records count together; with secret coins each has its own.
        full = q == 1.0 and model.lots == "poisson"
        distinct = sorted(set(self.rest)) if full else self.rest
        others = [gradients(r) * (self.rest.count(r) if full else 1) for r in distinct]
        return step_evidence(
            seen, gradients(self.canary), others, sample_rate=q,
            scale=self.claiming.noise_multiplier_ * model.clip_norm,
            replaced=None if self.replaced is None else gradients(self.replaced),
            lot_size=model._lot_size(len(self.rest) + 1) if model.lots == "fixed" else None,
        )  # fmt: skip

    def _start_way(self) -> tuple[Floats, Floats, Floats]:
        """Return the direction (d,) of the most powerful linear test on the initial prototypes, and two shifts (d,).

        Let m be the mean of the records in the class of the canary that both data sets contain. The first shift is
        x - m for the canary x. The second shift is x - m for the record x that replaces the canary, or 0 if there is
        no such record of the same class.
        """
        middle, _ = self._class_of_canary
        shift, base = np.asarray(self.canary[0]) - middle, np.zeros(len(middle))
        if self.replaced is not None and self.replaced[1] == self.canary[1]:
            base = np.asarray(self.replaced[0]) - middle
        sizes, sums = self._start_scales
        spread = np.eye(len(middle)) * sums**2 + np.outer(middle, middle) * sizes**2
        return np.asarray(np.linalg.solve(spread, shift - base), float), shift, base

    def _start_evidence(self, model: DPGLVQ) -> float:
        middle, n = self._class_of_canary
        way, shift, base = self._start_way()
        lean = (model.path_[0, self.canary[1]] - middle) * n
        if model.init == "gaussian":
            return float(way @ (lean - (shift + base) / 2))
        sizes, sums = self._start_scales
        scales = sums, sizes * abs(float(middle[0]))  # one feature
        return _two_laplaces(float((lean - shift)[0]), *scales) - _two_laplaces(
            float((lean - base)[0]), *scales
        )

    @cached_property
    def _class_of_canary(self) -> tuple[Floats, int]:
        mine = [x for x, label in self.rest if label == self.canary[1]]
        return np.mean(mine, axis=0), len(mine)

    @cached_property
    def _start_scales(self) -> tuple[float, float]:
        m = self.model
        share, d = m.init_share * m.epsilon, len(self.canary[0])
        return start_scales(m.init, share, m.delta / 2, d, m.neighbouring)


def _two_laplaces(x: float, first: float, second: float) -> float:
    """Return the log density at x of the sum of two independent Laplace variables, up to a constant.

    ``first`` and ``second`` are the scales of the variables and must differ.
    """
    a = abs(x)
    return float(np.log(abs(first * np.exp(-a / first) - second * np.exp(-a / second))))
