"""Sensitivity checks of training loops, which measure the contribution of one record to a step without noise."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.audit.check_result import Check, at_most, lengths, worst

__all__ = ["loops"]

Floats = NDArray[np.float64]
_C = 0.5
_GAPS = (0.0, 1e-45, 1e-38, 1e-20, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.1, 1.0)


def loops() -> Iterator[Callable[[], Check]]:
    """Yield the sensitivity checks of all training loops, as functions without arguments.

    Prototype training has a compiled loop and a numpy loop, and both are checked.
    """
    for backend in ("numpy", "numba"):
        for levels in (1, 24):  # many small models go side by side, through a loop of their own
            for size in (1, 200):
                yield partial(_prototypes, backend, levels, size)
        yield partial(_matrix, backend)
        yield partial(_matrix_lots, backend)
    yield _network_lots
    if importlib.util.find_spec("torch"):
        yield _single_gradients


def _hard_prototypes(d: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats]]:
    """Yield triples of a record (d,) and two prototypes, as (d,) and (2, d), in numerically difficult positions.

    The three points are close together, equal or in corners of the domain.
    """
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
    """Return a check of the contribution of one record to a GLVQ training step without noise.

    The step is run with ``size`` records and again without one of them. Since the learning rate is 1, the difference
    of the resulting prototypes is the contribution. ``levels`` models are trained together.
    """
    from dpcore.lvq import train

    norms, rng = [0.0], np.random.default_rng(3)
    cases = list(_hard_prototypes(1, rng)) + list(_hard_prototypes(3, rng))
    for x, W in cases[:: 2 if levels == 1 else 5]:
        others = np.broadcast_to(x, (size - 1, len(x)))
        X, y = np.vstack([others, x]), np.append(np.arange(size - 1) % 2, 0)
        start = np.broadcast_to(W.astype("f4"), (levels, *W.shape))
        ends = [
            train.sweep(X, y, start, [0, 1], **_loop(size, canary, backend))[:, 1].astype(float)
            for canary in (True, False)
        ]
        norms.append(float(lengths((ends[0] - ends[1]).reshape(levels, -1)).max()))
    name = f"GLVQ loop, {backend}, {levels} at once, lot of {size}"
    # The prototypes themselves round to float32: to that much the difference is known.
    blur = 1e-6 if size == 1 else 1e-4
    return at_most(name, 1.0, worst(norms) / _C - blur)


def _matrix(backend: str) -> Check:
    from dpcore.lvq import matrix_train

    norms, rng = [0.0], np.random.default_rng(4)
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
        norms.append(float(lengths(np.concatenate(moves))) - 2e-7 * float(np.abs(Omega).max()))
    return at_most(f"GMLVQ loop, {backend}", 1.0, worst(norms) / _C - 1e-6)


def _tied_models(d: int, rng: np.random.Generator) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield a random record (1, d), ten prototypes (10, d) and a matrix Ω (d, d).

    The prototypes coincide, nearly coincide or are far apart. Λ = ΩᵀΩ is not the identity matrix.
    """
    for gap, where in itertools.product((0.0, 1e-7, 1e-3, 1.0), ("corner", "inside")):
        place = rng.uniform(-1, 1, (1, d))
        place = np.sign(place) if where == "corner" else place
        W = np.clip(place + gap * rng.standard_normal((10, d)), -1, 1)
        Omega = np.eye(d) + 0.3 * rng.standard_normal((d, d))
        yield rng.uniform(-1, 1, (1, d)), W, Omega


def _flat_sums(sums: Callable[..., Any], X: Floats, model: Any, backend: str) -> Floats:
    y = np.zeros(len(X), np.int32)
    return np.concatenate(
        [part.ravel() for part in sums(X.astype("f4"), y, *model, backend=backend)]
    )


def _matrix_lots(backend: str) -> Check:
    """Return a check of the contribution of one more copy of a record to a sum of clipped gradients.

    A copy must contribute at most the clipping norm, and n copies exactly n times as much as one copy.
    """
    from dpcore.lvq.matrix_train import lot_sums

    norms, rng, labels = [0.0], np.random.default_rng(5), np.arange(10, dtype=np.int32)
    sizes = (2, 3, 16, 17, 58, 59, 550, 551)
    for d in (1, 2, 8, 30, 64):
        for x, W, Omega in _tied_models(d, rng):
            model = W.astype("f4"), Omega.astype("f4"), labels, _C
            alone, *sums = (
                _flat_sums(lot_sums, np.repeat(x, n, 0), model, backend) for n in (1, *sizes)
            )
            norms += [float(lengths(b - a)) for a, b in zip(sums[::2], sums[1::2], strict=True)]
            # C is a power of two: sums of its units are exact, and nothing may be left.
            norms += [
                1e3 * float(np.abs(total - n * alone).max())
                for n, total in zip(sizes, sums, strict=True)
            ]
    return at_most(
        f"GMLVQ sums of a lot, {backend}, tied prototypes, Λ ≠ 1", 1.0, worst(norms) / _C
    )


def _network_lots() -> Check:
    """Return a check of the change of a sum of clipped gradients by one image, for networks with extreme weights."""
    from dpcore.network import DIGITS, ConvNet, Convolution, clipped_sum
    from dpcore.network.train import WEIGHT_LIMIT

    norms, rng = [0.0], np.random.default_rng(6)
    small = ConvNet(6, Convolution(3, 3, 1, padding=1), Convolution(5, 2, 1), 8, 3)
    for network, kind in itertools.product((small, small, small, DIGITS), range(4)):
        size = WEIGHT_LIMIT if kind < 2 else 0.3
        weights = size * rng.choice([-1.0, 1.0], network.n_weights)
        X = rng.uniform(0, 1, (34, network.side**2)) * (kind % 2)
        if kind == 2:
            X[:] = X[0] + 0.5
        y = rng.integers(0, network.n_classes, 34)
        for n in (0, 1, 3, 15, 16, 33):
            lots = (slice(n + 1), slice(n), slice(n, n + 1))
            whole, rest, alone = (
                clipped_sum(
                    network,
                    weights.astype("f4"),
                    X=X[lot].astype("f4"),
                    y=y[lot],
                    clip_norm=_C,
                )
                for lot in lots
            )
            norms.append(float(lengths(whole - rest)))
            norms.append(1e3 * float(np.abs(whole - rest - alone).max()))
    return at_most("network, clipped sum of a lot, weights at their limit", 1.0, worst(norms) / _C)


def _single_gradients() -> Check:
    """Return a check of the change of a sum of clipped gradients by one record, for a torch module.

    Weights and records contain huge, tiny and non-finite numbers.
    """
    import torch

    from dpcore.per_sample import ROOM, clipped_sum

    def loss(output: Any, target: Any) -> Any:
        return (output - target).square().sum()

    norms, module = [0.0], torch.nn.Linear(2, 2)
    nothing = torch.zeros((0, 2))
    numbers = (0.0, 1e-45, 1e-20, 1.0, -3.0, 1e20, 3e38, float("inf"), float("nan"))
    for size, x, target in itertools.product((0.0, 1e-30, 1.0, 1e38), numbers, numbers):
        params = {name: torch.full_like(p, size) for name, p in module.named_parameters()}
        batch = torch.tensor([[x, 1.0]]), torch.tensor([[target, -x]])
        others = torch.tensor([[0.3, 1.0]] * 5), torch.tensor([[0.1, -0.2]] * 5)
        for rest in ((nothing, nothing), others):
            both = tuple(torch.cat(pair) for pair in zip(rest, batch, strict=True))
            sums = [
                clipped_sum(module, params, loss=loss, batch=lot, clip_norm=_C)
                for lot in (both, rest)
            ]
            norms.append(float(lengths((sums[0] - sums[1]).numpy())))
    return at_most(f"single gradients in torch, {ROOM:.0%} of C to spare", 1.0, worst(norms) / _C)
