"""Audits of hull machines and of noisy class means, each on its worst pair of neighbouring data sets.

The data sets differ in one record. The features of this record change by the largest amount for which the guarantee
holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore._random_state import SeededNoiseWarning
from dpcore._types import RandomState
from dpcore._warnings import unwarned
from dpcore.audit.likelihood_ratios import IMPOSSIBLE, laplace_cut, laplace_evidence
from dpcore.audit.worlds import Worlds
from dpcore.guarantee import Guarantee
from dpcore.kahm.central import CentralClassMean
from dpcore.kahm.classify import KAHMClassifier
from dpcore.kahm.fabricate import AtomWarning, fabricate
from dpcore.kahm.federated import FederatedKAHMClassifier, FewRecordsWarning

__all__ = ["WORLDS"]

Floats = NDArray[np.float64]
_P, _ELEMENT = 3, 0.5
_CORNERS = "the last record in one corner of the box, or in the opposite one; replace_one"
_CANARY = "every feature moves by the whole width of the box"
_LABELS = np.array([0, 0, 1, 1])


def _records(canary: bool) -> Floats:
    """Return an array (4, p) with two records of each of two classes.

    The last record is all ones with the ``canary``, and all zeros without it.
    """
    X = np.full((4, _P), 0.5)
    X[-1] = 1.0 if canary else 0.0
    return X


def _evidence(row: Floats) -> float:
    return laplace_evidence(row, 0.0, 1.0, 1 / _ELEMENT)


def _quietly(make: Callable[[], Any]) -> Any:
    with unwarned(SeededNoiseWarning, FewRecordsWarning):
        return make()


def _world(
    name: str, claim: Callable[[], Guarantee], read: Callable[[bool, np.random.Generator], float],
    score: str = "log-likelihood ratio of the canary's noisy features",
) -> Worlds:  # fmt: skip
    return Worlds(
        name=name, neighbours=_CORNERS, canary=_CANARY, score=score, claim=claim, release=read,
        threshold=laplace_cut([_ELEMENT] * _P),
    )  # fmt: skip


def _fabricated(noise: str) -> Worlds:
    def _fabrication(canary: bool, rng: np.random.Generator) -> Any:
        return fabricate(
            _records(canary), _LABELS, epsilon=_ELEMENT, rng=rng, rounds=1, noise=noise
        )

    return _world(
        f"fabricate, {noise}",
        lambda: _fabrication(False, np.random.default_rng()).guarantee,
        lambda canary, rng: _evidence(_fabrication(canary, rng).noisy[-1]),
    )


def _atoms() -> Worlds:
    """Return the audit of noise that is exactly zero with probability δ.

    A value without noise is published unchanged. An unchanged value of the canary shows which data set was used.
    """
    atom = 0.02

    def _fabrication(canary: bool, rng: np.random.Generator) -> Any:
        with unwarned(AtomWarning):
            return fabricate(
                _records(canary), _LABELS, epsilon=_ELEMENT, delta=atom, rng=rng, rounds=0
            )

    def _read(canary: bool, rng: np.random.Generator) -> float:
        row = _fabrication(canary, rng).noisy[-1]
        certain = 1e3 * float((row == 1.0).any()) - 1e3 * float((row == 0.0).any())
        return certain + _evidence(row)

    return _world(
        f"fabricate, laplace, delta = {atom:g}",
        lambda: _fabrication(False, np.random.default_rng()).guarantee,
        _read,
        "log-likelihood ratio; an untouched 0 or 1 decides",
    )


def _row(model: Any) -> Floats:
    """Return the noisy record (p,) of the canary, computed from the fitted machine of its class."""
    machine = model.machines_[1][0].layers[0]
    encoding = machine.encoding_
    return cast(Floats, (encoding.mean + machine.scores_ @ np.linalg.pinv(encoding.axes))[-1])


def _classifier() -> Worlds:
    def _fitted(canary: bool, random_state: RandomState) -> Any:
        model = KAHMClassifier(
            n_components=2, epsilon=_ELEMENT, rounds=0, split="none", random_state=random_state
        )
        return _quietly(lambda: model.fit(_records(canary), _LABELS))

    return _world(
        "KAHMClassifier",
        lambda: _fitted(False, None).privacy_,
        lambda canary, rng: _evidence(_row(_fitted(canary, rng))),
    )


def _federated() -> Worlds:
    """Return the audit of one party of a federated classifier.

    The party's machine contains noisy records, from which the attack takes the noisy record of the canary. If the
    machine also stored the seed of its noise, the attack would draw this noise again and see which record it was
    added to.
    """

    def _fitted(canary: bool, random_state: RandomState) -> Any:
        one = KAHMClassifier(n_components=2, epsilon=_ELEMENT, rounds=0, split="none")
        model = FederatedKAHMClassifier(estimator=one, random_state=random_state)
        return _quietly(lambda: model.fit(_records(canary), _LABELS, parties=np.zeros(4, int)))

    def _read(canary: bool, rng: np.random.Generator) -> float:
        party = _fitted(canary, rng).parties_[0]._model
        seed = party.random_state
        if seed is None or isinstance(seed, np.random.Generator):
            return _evidence(_row(party))
        # The attacker regenerates the party's noise from its stored state, with either record.
        again = type(party)(**party.get_params())
        guess = _quietly(lambda: again.fit(_records(True), _LABELS))
        return IMPOSSIBLE if np.array_equal(_row(guess), _row(party)) else -IMPOSSIBLE

    return _world("FederatedKAHMClassifier", lambda: _fitted(False, None).privacy_, _read)


def _means(clip_norm: float | None) -> Worlds:
    """Return the audit of `CentralClassMean` for one replaced record.

    Without clipping the record has all features 1 in one data set, and all features 0 in the other. With a
    ``clip_norm`` only one feature is 1: the first feature in one data set, the second feature in the other.
    """
    epsilon, p = 2.0, 4
    there, without = np.ones(p), np.zeros(p)
    if clip_norm is not None:
        there, without = np.eye(p)[0], np.eye(p)[1]

    def _fitted(canary: bool, random_state: RandomState) -> Any:
        X = np.vstack([np.full((2, p), 0.5), there if canary else without])
        model = CentralClassMean(epsilon=epsilon, clip_norm=clip_norm, random_state=random_state)
        return _quietly(lambda: model.fit(X, [0, 1, 1]))

    def _read(canary: bool, rng: np.random.Generator) -> float:
        length = 1.0 if clip_norm is None else min(1.0, clip_norm)
        other = np.full(p, 0.5)
        other *= 1.0 if clip_norm is None else min(1.0, clip_norm / float(np.linalg.norm(other)))
        seen = 2 * _fitted(canary, rng).means_[1] - other
        ends = length * there, length * without
        return float((ends[0] - ends[1]) @ (seen - (ends[0] + ends[1]) / 2))

    return Worlds(
        name="CentralClassMean" + ("" if clip_norm is None else f", clip_norm = {clip_norm:g}"),
        neighbours="one record of three replaced, in its class; replace_one",
        canary="the far corner against the origin" if clip_norm is None
        else "orthogonal to the record it replaces, both at the clipping norm",
        score="the class sum, along the canary's move",
        claim=lambda: _fitted(False, None).privacy_,
        release=_read,
        threshold=0.0,
        gaussian=True,
    )  # fmt: skip


WORLDS: tuple[Worlds, ...] = (
    _fabricated("laplace"),
    _fabricated("staircase"),
    _atoms(),
    _classifier(),
    _federated(),
    _means(None),
    _means(0.5),
)
