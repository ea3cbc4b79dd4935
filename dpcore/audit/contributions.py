"""Sensitivity checks, which measure the largest contribution of one record to each noisy sum.

A check runs a training step of the library, or computes statistics, with and without one record, or with two
different records in one place. The records contain numerically difficult values. The largest change is compared with
the declared sensitivity.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.audit.check_result import Check, at_most, lengths, worst
from dpcore.audit.loop_contributions import loops

__all__ = ["contributions"]

Floats = NDArray[np.float64]
_C = 0.5
_HARD = (0.0, 5e-324, 1e-300, -1e-40, 1e-8, 1.0, -1.0, 3.0, 1e30, -1e160, 1.7e308, -1.7e308)


def contributions() -> Iterator[Callable[[], Check]]:
    """Yield the sensitivity checks, as functions without arguments that return a `Check`."""
    yield from loops()
    yield from (_squares, _joint_sums, _linear_sums, _all_sums, _regression_steps)
    yield from (_small_models, _small_models_in_lots, _class_sums, _pictures, _elements)


def _pairs() -> Iterator[tuple[Any, Any]]:
    """Yield pairs of records with numerically difficult values; a record has features (1, 2) and a target (1,)."""
    rng = np.random.default_rng(5)
    corners = [np.array(c) for c in itertools.product((-1.0, 1.0, 0.0), repeat=3)]
    hard = [rng.choice(_HARD, 3) for _ in range(40)]
    for first in corners + hard:
        for second in corners + hard[:10]:
            yield (first[None, :2], first[2:]), (second[None, :2], second[2:])


def _moved(measure: Callable[[Floats, Floats], float]) -> float:
    """Return the largest change of the regression sums Σzzᵀ and Σyz if one record is replaced by another.

    z is the feature vector of a record with a constant 1 for the intercept, and y is its target. ``measure`` is a
    function that computes the size of a change from the changes of the two sums.
    """
    from dpcore.regression import statistics

    changes = []

    def box(low: float, high: float) -> statistics.Bounds:
        return statistics.Bounds(
            low=np.array([low, low]), high=np.array([high, low]), target_low=low, target_high=high
        )

    boxes = []
    for low, high in ((-1.0, 1.0), (0.0, 5e-324), (-1.7e308, 1.7e308), (-1e150, 1e150), (0.0, 0.0)):
        with contextlib.suppress(ValueError):  # a refusal releases nothing
            boxes.append(box(low, high))
    unit = replace(boxes[0], high=np.ones(2))
    with np.errstate(all="ignore"):
        for bounds, (one, other) in itertools.product((unit, *boxes[1:]), _pairs()):
            a, b = (statistics.sufficient_statistics(x, y, bounds=bounds) for x, y in (one, other))
            changes.append(measure(a.quadratic - b.quadratic, a.linear - b.linear))
    return worst(changes)


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

    norms = [0.0]
    places = [np.full(3, v) for v in (0.0, 1e-300, 0.3, 1e8, 1e160, 1e300)]
    with np.errstate(all="ignore"):
        for theta, (x, y) in itertools.product(places, [one for one, _ in _pairs()][::37]):
            row = np.column_stack([np.ones(1), np.clip(x, -1, 1)])
            step = descent.clipped_gradients(row, np.clip(y, -1, 1), theta[None], _C)
            norms.append(float(lengths(step)[0]))
    return at_most("regression by descent, clipped gradient", 1.0, worst(norms) / _C)


def _small_models() -> Check:
    from dpcore.descent import Logistic, Network, Recipe, Softmax, SoftmaxNetwork
    from dpcore.descent.train import step

    norms, recipe = [0.0], Recipe(clip_norm=_C, sample_rate=1.0)
    with np.errstate(all="ignore"):
        for model in (Logistic(1), Network(1, 2), Softmax(1, 3), SoftmaxNetwork(1, 3, 2)):
            for size, value, label in itertools.product(
                (0.0, 1e-200, 1.0, 1e100), _HARD, (0.0, 1.0)
            ):
                W = np.full((1, model.n_weights), size)
                X, nothing = np.array([[value, 1.0]]), np.zeros_like(W)
                moved = step(model, W, X, np.array([label]), recipe, nothing, 1)
                norms.append(float(lengths(moved)[0]))
    return at_most("descend, clipped gradient", 1.0, worst(norms) / _C)


def _small_models_in_lots() -> Check:
    """Return a check that a record adds at most the clipping norm to the sum of gradients of a lot (batch).

    The models are linear models and small networks. Their random weights have magnitudes up to 1e50, so that large
    products may cancel. The lot contains up to 40 further copies of the record.
    """
    from dpcore.descent import Logistic, Network, Recipe, Softmax, SoftmaxNetwork
    from dpcore.descent.train import step

    norms, rng = [0.0], np.random.default_rng(9)
    recipe = Recipe(clip_norm=_C, sample_rate=1.0)
    with np.errstate(all="ignore"):
        for d, size in itertools.product((1, 2, 9, 33), (1e-3, 1.0, 1e8, 1e50)):
            for model in (Logistic(d), Network(d, 7), Softmax(d, 3), SoftmaxNetwork(d, 3, 7)):
                W = size * rng.choice([-1.0, 1.0], (2, model.n_weights))
                for n in (1, 2, 3, 4, 7, 8, 40):
                    X = np.repeat(np.append(rng.uniform(-1, 1, d), 1.0)[None], n + 1, 0)
                    y, nothing = np.ones(n + 1), np.zeros_like(W)
                    lots = (slice(n + 1), slice(n), slice(n, n + 1))
                    whole, rest, alone = (
                        step(model, W, X[lot], y[lot], recipe, nothing, 1) for lot in lots
                    )
                    norms.append(float(lengths(whole - rest).max()))
                    # Beyond the rounding of a sum of n vectors nothing may be left.
                    norms.append(1e3 * float(lengths(whole - rest - alone).max()) - 1e-9)
    return at_most("descend, sums of a lot, weights up to 1e50", 1.0, worst(norms) / _C)


def _class_sums() -> Check:
    from dpcore.kahm import CentralClassMean

    norms = [0.0]
    for clip in (None, 0.5, 1e-30, 1e30):
        reach = math.sqrt(3) if clip is None else min(math.sqrt(2) * clip, math.sqrt(3))
        hard = ([0.0] * 3, [1.0] * 3, [1e300, 0, 0], [0, 1e-320, 9.0])
        for one, other in itertools.combinations(hard, 2):
            means = [
                CentralClassMean(epsilon=math.inf, clip_norm=clip)
                .fit([x, [0.5] * 3, [0.1] * 3], [0, 1, 1])
                .means_
                for x in (one, other)
            ]
            norms.append(float(lengths((means[0] - means[1]).ravel())) / max(reach, 5e-324))
    return at_most("CentralClassMean, class sums, replace_one", 1.0, worst(norms))


def _pictures() -> Check:
    """Return a check of the joint sensitivity of the three statistics that `ClassGaussians` releases.

    The statistics are class sizes, sums and second moments. The contribution of one picture to each statistic is
    divided by the noise scale of this statistic. The joint norm of the three quotients is compared with the norm that
    the stated guarantee allows.
    """
    from dpcore.autoencoder import statistics
    from dpcore.mechanisms import gaussian_sigma

    norms, rng = [0.0], np.random.default_rng(6)
    for R in (1e-3, 0.5, 8.0, 1e6):
        scales = statistics.noise_scales(1.0, 1e-5, R)
        for size in (0.0, 1e-40, 1e-3, 1.0, 1e15):
            codes = np.float32(size) * rng.standard_normal((20, 4), np.float32)
            for z in statistics.clip_codes(codes, R):
                summary = statistics.summarise(z[None], np.zeros(1, np.int64), 1)
                parts = [
                    np.square(v / s).sum()
                    for v, s in zip(
                        (summary.sizes, summary.sums, summary.moments), scales, strict=True
                    )
                ]
                norms.append(math.sqrt(float(sum(parts))) * gaussian_sigma(1.0, 1.0, delta=1e-5))
    return at_most("ClassGaussians, statistics, add_remove", 1.0, worst(norms))


def _elements() -> Check:
    from dpcore.kahm import fabricate

    norms = [0.0]
    for one, other in itertools.product((0.0, 1.0, -1e300, 1.7e308, 1e-320), repeat=2):
        releases = [
            fabricate(
                [[v], [0.5]], [0, 0], epsilon=math.inf, rng=np.random.default_rng(0), rounds=0
            ).noisy
            for v in (one, other)
        ]
        norms.append(float(np.abs(releases[0] - releases[1]).max()))
    return at_most("fabricate, one element", 1.0, worst(norms))
