"""Audits of private prototype training, each on its worst pair of neighbouring data sets.

The audits attack the noisy initialisation, the training steps, both together, and single steps of the training loops.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from dpcore import sgd
from dpcore._types import AnyArray
from dpcore.audit.likelihood_ratios import IMPOSSIBLE
from dpcore.audit.prototype_attack import PrototypeAttack, Record
from dpcore.audit.worlds import Worlds
from dpcore.lvq import matrix_train, train
from dpcore.lvq.private import DPGLVQ
from dpcore.lvq.private_gmlvq import DPGMLVQ

__all__ = ["WORLDS", "at_epsilon"]

_N = 200
_SIDE = float(np.float32(-0.9))
# Far from the prototypes near 0, so that the canary's gradient is always clipped: norm C.
_CANARY: Record = ((1.0,), 0)
# The same place with the other label has exactly the opposite gradient: 2C apart.
_OPPOSITE: Record = ((1.0,), 1)
_PAIR: tuple[Record, ...] = (((-1.0,), 0), ((-1.0,), 1))
_MANY: tuple[Record, ...] = (((_SIDE,), 0),) * _N + (((_SIDE,), 1),) * _N
_WIDE = 16
# Sums 0 in every feature: the mean of the class then shows no noise of its size.
_BALANCED: tuple[Record, ...] = tuple(
    ((side,) * _WIDE, label) for label in (0, 1) for side in (-1.0, 1.0) for _ in range(_N)
)


def _model(kind: type[DPGLVQ], rest: tuple[Record, ...], **settings: Any) -> DPGLVQ:
    """Return an unfitted model of class ``kind``, with number of records, classes and bounds declared as public.

    The declared number of records is the number in ``rest``, the records other than the canary. ``settings`` replace
    defaults.
    """
    common = {
        "epsilon": 4.0, "clip_norm": 0.25, "sample_rate": 1.0, "epochs": 20, "init_share": 0.5,
        "learning_rate": 0.05, "average": False, "project": False, "bounds": (-1.0, 1.0),
        "expected_n": len(rest), "classes": (0, 1),
    }  # fmt: skip
    return kind(**{**common, **settings})


def _world(name: str, attack: PrototypeAttack, canary: str) -> Worlds:
    m = attack.model
    known = m.init != "laplace" and m.sample_rate == 1.0
    last = "another record" if attack.replaced is not None else "nobody"
    return Worlds(
        name=f"{type(m).__name__}, {name}",
        neighbours=f"{len(attack.rest)} records, and one more or {last}; {m.neighbouring}; "
        "size and classes declared",
        canary=canary,
        score="log-likelihood ratio of the start, of every step, or of both, from the whole path",
        claim=attack.claim,
        release=attack.release,
        threshold=0.0 if known else None,
        gaussian=known,
    )


def at_epsilon(kind: type[DPGLVQ], epsilon: float, sample_rate: float = 1.0) -> Worlds:
    """Return the audit of all steps of a training at a given ε.

    Neighbours differ in one added or removed record. Lots are Poisson-sampled.
    """
    return _steps(kind, sample_rate, "add_remove", epsilon=epsilon)


def _steps(
    kind: type[DPGLVQ], q: float, relation: str, lots: str = "poisson", epsilon: float = 4.0
) -> Worlds:
    model = _model(
        kind, _PAIR, epsilon=epsilon, init="public", sample_rate=q, epochs=20 if q == 1 else 40 * q,
        neighbouring=relation, lots=lots,
    )  # fmt: skip
    attack = PrototypeAttack(
        model=model, rest=_PAIR, canary=_CANARY, look="steps",
        replaced=_OPPOSITE if relation == "replace_one" else None,
    )  # fmt: skip
    why = "so far from both prototypes' noise that its gradient always has norm C"
    opposed = "; the one it replaces has the opposite gradient" if attack.replaced else ""
    note = ", fixed lots" if lots == "fixed" else ""
    return _world(f"steps, q = {q:g}, {relation}{note}", attack, why + opposed)


def _start(kind: type[DPGLVQ], init: str, relation: str) -> Worlds:
    settings: dict[str, Any] = {"init": init, "neighbouring": relation, "epochs": 1}
    if relation == "replace_one" and init == "gaussian":
        # From one corner of the box to the opposite one: all features move by 2.
        corner: Record = (-1.0,) * _WIDE, 0
        attack = PrototypeAttack(
            model=_model(kind, _BALANCED, **settings), rest=_BALANCED, look="start",
            canary=((1.0,) * _WIDE, 0), replaced=corner,
        )  # fmt: skip
        return _world(
            f"{init} start, {relation}", attack, "the corner opposite to the replaced one"
        )
    attack = PrototypeAttack(
        model=_model(kind, _MANY, **settings), rest=_MANY, look="start", canary=_CANARY,
        replaced=((-1.0,), 0) if relation == "replace_one" else None,
    )  # fmt: skip
    return _world(f"{init} start, {relation}", attack, "at one bound, its class at the other")


def _whole(kind: type[DPGLVQ], init: str, relation: str) -> Worlds:
    attack = PrototypeAttack(
        model=_model(kind, _MANY, init=init, neighbouring=relation), rest=_MANY, canary=_CANARY,
        replaced=_OPPOSITE if relation == "replace_one" else None,
    )  # fmt: skip
    return _world(
        f"{init} start and steps, {relation}", attack,
        "far from its class, which moves the start, and its gradient always has norm C",
    )  # fmt: skip


def _size(kind: type[DPGLVQ]) -> Worlds:
    """Return the audit of a training that should not reveal whether it used nine or ten records.

    The attack measures by how much the prototypes move per step. If steps were divided by the true instead of the
    declared number of records, they would be shorter for ten records.
    """
    d = 100 if kind is DPGLVQ else 12
    rest: tuple[Record, ...] = tuple(((-1.0,) * d, i % 2) for i in range(9))
    model = _model(kind, rest, init="public", epsilon=0.5, neighbouring="add_remove", epochs=10)
    attack = PrototypeAttack(model=model, rest=rest, canary=((1.0,) * d, 0))

    def _release(canary: bool, rng: np.random.Generator) -> float:
        path = attack.fitted(canary, rng).path_
        return -float(np.sqrt(np.square(np.diff(path, axis=0)).mean()))

    return Worlds(
        name=f"{kind.__name__}, size of the data",
        neighbours=f"nine records in {d} features, or ten; add_remove, size and classes declared",
        canary="any tenth record: were steps divided by the true size, they would be shorter",
        score="how short the steps are",
        claim=attack.claim,
        release=_release,
    )


def _coincident(kind: type[DPGLVQ], backend: str) -> Worlds:
    """Return the audit of one training step on a record very close to both prototypes."""
    model = _model(kind, _PAIR, init="public", epsilon=2.0, epochs=1)
    attack = PrototypeAttack(model=model, rest=_PAIR, canary=_CANARY)
    run = _one_matrix_step if kind is DPGMLVQ else _one_step

    def _release(canary: bool, rng: np.random.Generator) -> float:
        sigma = attack.claiming.noise_multiplier_
        moved = run(canary, rng, backend, sigma)
        length = float(np.linalg.norm(moved)) / (sigma * 0.5)
        return length if np.isfinite(length) and length < 100 else IMPOSSIBLE

    return Worlds(
        name=f"{kind.__name__}, coincident prototypes, {backend}",
        neighbours="nobody, or one record a hair away from both prototypes; add_remove",
        canary="gaps so small that a formula for the gradient's norm loses all its digits",
        score="length of the step in deviations of its noise",
        claim=attack.claim,
        release=_release,
    )


def _settings(canary: bool, rng: np.random.Generator, backend: str, sigma: float) -> dict[str, Any]:
    lot = np.array([0] if canary else [], np.int32)
    return {
        "lots": sgd.Lots(lot, np.array([0, len(lot)])), "noise_multiplier": sigma,
        "clip_norm": 0.5, "learning_rate": 1.0, "expected_lot": 1.0, "snapshots": [0, 1],
        "key": int(rng.integers(2**63)), "average": False, "bounds": None, "backend": backend,
    }  # fmt: skip


def _one_step(canary: bool, rng: np.random.Generator, backend: str, sigma: float) -> np.ndarray:
    start = np.array([[[0.7002], [0.6997]]], "f4")
    path = train.sweep([[0.7]], [0], start, [0, 1], **_settings(canary, rng, backend, sigma))
    return cast(AnyArray, path[0, 1] - path[0, 0])


def _one_matrix_step(
    canary: bool, rng: np.random.Generator, backend: str, sigma: float
) -> np.ndarray:
    x = np.full(3, 0.7)
    start = np.array([[x, x]]) + 1e-7 * np.array([[[1, 0, 0], [-1, 0, 0]]])
    path = matrix_train.sweep(
        [x], [0], start, np.ones((1, 3)), [0, 1], **_settings(canary, rng, backend, sigma)
    )
    return np.concatenate([(part[0, 1] - part[0, 0]).ravel() for part in path])


def _of(kind: type[DPGLVQ]) -> tuple[Worlds, ...]:
    relations = ("add_remove", "replace_one")
    return (
        *(_steps(kind, q, one) for q in (1.0, 0.2) for one in relations),
        _steps(kind, 0.2, "replace_one", "fixed"),
        *(_start(kind, init, one) for init in ("gaussian", "laplace") for one in relations),
        *(_whole(kind, init, one) for init in ("gaussian", "laplace") for one in relations),
        _size(kind),
        *(_coincident(kind, backend) for backend in ("numpy", "numba")),
    )


WORLDS: tuple[Worlds, ...] = (*_of(DPGLVQ), *_of(DPGMLVQ))
