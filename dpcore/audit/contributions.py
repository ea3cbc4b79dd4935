"""What one record adds to every sum that gets noise, measured in the code that runs.

Each check runs the loop or the statistics with and without a record, over records made to hurt, and
compares the largest move with the declared sensitivity.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd

__all__ = ["Check", "contributions"]

Floats = NDArray[np.float64]
_ROUNDING = 1e-6
"""A sensitivity exceeded by less moves ε by a millionth of itself, below every digit that is shown."""
_C = 0.5
_GAPS = (0.0, 1e-45, 1e-38, 1e-20, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.1, 1.0)
_HARD = (0.0, 5e-324, 1e-300, -1e-40, 1e-8, 1.0, -1.0, 3.0, 1e30, -1e160, 1.7e308, -1.7e308)


@dataclass(frozen=True, kw_only=True)
class Check:
    """What was declared, what was measured, and whether the declaration holds."""

    name: str
    declared: float
    measured: float
    holds: bool


def at_most(name: str, declared: float, measured: float) -> Check:
    """Return a check of an upper bound; what is not finite does not hold."""
    holds = math.isfinite(measured) and measured <= declared * (1 + _ROUNDING)
    return Check(name=name, declared=declared, measured=measured, holds=holds)


def contributions() -> Iterator[Callable[[], Check]]:
    """Yield the checks, unrun."""
    backends = ("numpy", *(("numba",) if importlib.util.find_spec("numba") else ()))
    for backend in backends:
        for levels in (1, 24):  # many small models go side by side, through a loop of their own
            for size in (1, 200):
                yield partial(_prototypes, backend, levels, size)
        yield partial(_matrix, backend)
    yield from (_squares, _joint_sums, _linear_sums, _all_sums, _regression_steps)
    yield from (_small_models, _class_sums, _pictures, _elements)


def _lengths(moves: Any) -> Floats:
    return np.sqrt(np.square(np.asarray(moves, float)).sum(-1))


def _worst(found: list[float]) -> float:
    return math.inf if not np.isfinite(found).all() else max(found)


def _hard_prototypes(d: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Records (d,) and two prototypes (2, d): near each other, equal, on corners, hardly a number."""
    places = [np.zeros(d), np.full(d, 0.7), np.ones(d), -np.ones(d), rng.uniform(-1, 1, d)]
    for place, near, far in itertools.product(places, _GAPS, _GAPS):
        ways = rng.choice([-1.0, 0.0, 1.0], (2, d))
        yield place, np.clip(place + np.array([[near], [far]]) * ways, -1, 1)


def _lots(size: int, canary: bool) -> sgd.Lots:
    rows = np.arange(size if canary else size - 1, dtype=np.int32)
    return sgd.Lots(rows, np.array([0, len(rows)]))


def _loop(size: int, canary: bool, backend: str) -> dict[str, Any]:
    return {
        "lots": _lots(size, canary), "noise_multiplier": 0.0, "clip_norm": _C, "learning_rate": 1.0,
        "expected_lot": 1.0, "key": 1, "snapshots": [0, 1], "average": False, "bounds": None,
        "backend": backend,
    }  # fmt: skip


def _prototypes(backend: str, levels: int, size: int) -> Check:
    """One step at η = 1 without noise; with others in the lot, with and without the record."""
    from dpcore.lvq import train

    found, rng = [0.0], np.random.default_rng(3)
    cases = list(_hard_prototypes(1, rng)) + list(_hard_prototypes(3, rng))
    for x, W in cases[:: 2 if levels == 1 else 5]:
        others = np.broadcast_to(x, (size - 1, len(x)))
        X, y = np.vstack([others, x]), np.append(np.arange(size - 1) % 2, 0)
        start = np.broadcast_to(W.astype("f4"), (levels, *W.shape))
        ends = [
            train.sweep(X, y, start, [0, 1], **_loop(size, canary, backend))[:, 1].astype(float)
            for canary in (True, False)
        ]
        found.append(float(_lengths((ends[0] - ends[1]).reshape(levels, -1)).max()))
    name = f"GLVQ loop, {backend}, {levels} at once, lot of {size}"
    # The prototypes themselves round to float32: to that much the difference is known.
    blur = 1e-6 if size == 1 else 1e-4
    return at_most(name, 1.0, _worst(found) / _C - blur)


def _matrix(backend: str) -> Check:
    from dpcore.lvq import matrix_train

    found, rng = [0.0], np.random.default_rng(4)
    shapes = (
        np.eye(3),
        np.ones((1, 3)),
        1e-4 * np.eye(3),
        1e-19 * np.ones((1, 3)),
        1e3 * np.eye(3),
    )
    for Omega, (x, W) in itertools.product(shapes, list(_hard_prototypes(3, rng))[::3]):
        path = matrix_train.sweep(
            x[None], [0], W[None].astype("f4"), Omega, [0, 1], **_loop(1, True, backend)
        )
        moves = [(part[0, 1].astype(float) - part[0, 0]).ravel() for part in path]
        # float32 carries the matrix itself to 2⁻²⁴ of its entries.
        found.append(float(_lengths(np.concatenate(moves))) - 2e-7 * float(np.abs(Omega).max()))
    return at_most(f"GMLVQ loop, {backend}", 1.0, _worst(found) / _C - 1e-6)


def _pairs() -> Iterator[tuple[Any, Any]]:
    """All pairs of records of two features and a target, made of hard numbers."""
    rng = np.random.default_rng(5)
    corners = [np.array(c) for c in itertools.product((-1.0, 1.0, 0.0), repeat=3)]
    hard = [rng.choice(_HARD, 3) for _ in range(40)]
    for first in corners + hard:
        for second in corners + hard[:10]:
            yield (first[None, :2], first[2:]), (second[None, :2], second[2:])


def _moved(measure: Callable[[Floats, Floats], float]) -> float:
    """The largest move of the sums Σzzᵀ, Σyx of one record (n = 1) when it is replaced."""
    from dpcore.regression import statistics

    found = []

    def box(low: float, high: float) -> statistics.Bounds:
        return statistics.Bounds(
            low=np.array([low, low]), high=np.array([high, low]), target_low=low, target_high=high
        )

    boxes = []
    for low, high in ((-1.0, 1.0), (0.0, 5e-324), (-1.7e308, 1.7e308), (-1e150, 1e150), (0.0, 0.0)):
        with contextlib.suppress(ValueError):  # what is refused releases nothing
            boxes.append(box(low, high))
    unit = replace(boxes[0], high=np.ones(2))
    with np.errstate(all="ignore"):
        for bounds, (one, other) in itertools.product((unit, *boxes[1:]), _pairs()):
            a, b = (statistics.sufficient_statistics(x, y, bounds) for x, y in (one, other))
            found.append(measure(a.quadratic - b.quadratic, a.linear - b.linear))
    return _worst(found)


def _squares() -> Check:
    from dpcore.regression import sensitivity

    moved = _moved(lambda A, c: float(np.abs(A).sum()))
    return at_most("regression, Σxxᵀ in L1, replace_one", sensitivity.quadratic(2), moved)


def _linear_sums() -> Check:
    from dpcore.regression import sensitivity

    moved = _moved(lambda A, c: float(2 * np.abs(c).sum()))
    return at_most("regression, 2Σyx in L1, replace_one", sensitivity.linear(2), moved)


def _joint_sums() -> Check:
    from dpcore.regression import sensitivity

    upper = np.triu_indices(3)
    moved = _moved(lambda A, c: float(np.abs(A[upper]).sum() + np.abs(c).sum()))
    return at_most("regression, distinct sums in L1, replace_one", sensitivity.joint(2), moved)


def _all_sums() -> Check:
    from dpcore.regression import sensitivity

    moved = _moved(lambda A, c: math.sqrt(float(np.square(A).sum() + 2 * np.square(c).sum())))
    return at_most("regression, all sums in L2, replace_one", sensitivity.svec(2), moved)


def _regression_steps() -> Check:
    from dpcore.regression import descent

    found = [0.0]
    places = [np.full(3, v) for v in (0.0, 1e-300, 0.3, 1e8, 1e160, 1e300)]
    with np.errstate(all="ignore"):
        for theta, (x, y) in itertools.product(places, [one for one, _ in _pairs()][::37]):
            row = np.column_stack([np.ones(1), np.clip(x, -1, 1)])
            step = descent.clipped_gradients(row, np.clip(y, -1, 1), theta[None], _C)
            found.append(float(_lengths(step)[0]))
    return at_most("regression by descent, clipped gradient", 1.0, _worst(found) / _C)


def _small_models() -> Check:
    from dpcore.descent import Logistic, Network, Recipe
    from dpcore.descent.train import step

    found, recipe = [0.0], Recipe(clip_norm=_C, sample_rate=1.0)
    with np.errstate(all="ignore"):
        for model in (Logistic(1), Network(1, 2)):
            for size, value, label in itertools.product(
                (0.0, 1e-200, 1.0, 1e100), _HARD, (0.0, 1.0)
            ):
                W = np.full((1, model.n_weights), size)
                X, nothing = np.array([[value, 1.0]]), np.zeros_like(W)
                moved = step(model, W, X, np.array([label]), recipe, nothing, 1)
                found.append(float(_lengths(moved)[0]))
    return at_most("descend, clipped gradient", 1.0, _worst(found) / _C)


def _class_sums() -> Check:
    from dpcore.kahm import CentralClassMean

    found = [0.0]
    for clip in (None, 0.5, 1e-30, 1e30):
        reach = math.sqrt(3) if clip is None else min(math.sqrt(2) * clip, math.sqrt(3))
        hard = ([0.0] * 3, [1.0] * 3, [1e300, 0, 0], [0, 1e-320, 9.0])
        for one, other in itertools.combinations(hard, 2):
            means = [
                CentralClassMean(math.inf, clip_norm=clip)
                .fit([x, [0.5] * 3, [0.1] * 3], [0, 1, 1])
                .means_
                for x in (one, other)
            ]
            found.append(float(_lengths((means[0] - means[1]).ravel())) / max(reach, 5e-324))
    return at_most("CentralClassMean, class sums, replace_one", 1.0, _worst(found))


def _pictures() -> Check:
    """Size, sum and moments of one picture, each in units of its noise: together at most 1/σ."""
    from dpcore.autoencoder import statistics
    from dpcore.mechanisms import gaussian_sigma

    found, rng = [0.0], np.random.default_rng(6)
    for R in (1e-3, 0.5, 8.0, 1e6):
        scales = statistics.noise_scales(1.0, 1e-5, R)
        for size in (0.0, 1e-40, 1e-3, 1.0, 1e15):
            codes = np.float32(size) * rng.standard_normal((20, 4), np.float32)
            for z in statistics.clip_codes(codes, R):
                made = statistics.summarise(z[None], np.zeros(1, np.int64), 1)
                parts = [
                    np.square(v / s).sum()
                    for v, s in zip((made.sizes, made.sums, made.moments), scales, strict=True)
                ]
                found.append(math.sqrt(float(sum(parts))) * gaussian_sigma(1.0, 1.0, 1e-5))
    return at_most("ClassGaussians, statistics, add_remove", 1.0, _worst(found))


def _elements() -> Check:
    from dpcore.kahm import fabricate

    found = [0.0]
    for one, other in itertools.product((0.0, 1.0, -1e300, 1.7e308, 1e-320), repeat=2):
        made = [
            fabricate([[v], [0.5]], [0, 0], math.inf, rng=np.random.default_rng(0), rounds=0).noisy
            for v in (one, other)
        ]
        found.append(float(np.abs(made[0] - made[1]).max()))
    return at_most("fabricate, one element", 1.0, _worst(found))
