"""Compare the run time of our private gradient descent with Opacus: same network, data, lots and steps.

The last line is JSON.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from dpcore import sgd
from dpcore.descent import Network, Recipe, descend
from dpcore.experiments.composition_tables import NOISE_GRID

N, STEPS, RATE, WIDTH = 400, 300, 0.1, 12


def data() -> tuple[np.ndarray, np.ndarray]:
    """Return the records and labels of the benchmark."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.uniform(-1, 1, (N, 2)), np.ones(N)])
    return X, (X[:, 0] * X[:, 1] > 0).astype(float)


def ours(levels: np.ndarray) -> float:
    """Return the seconds in which our code trains networks at all noise levels together, the least of five runs."""
    X, y = data()
    recipe = Recipe(clip_norm=0.5, sample_rate=RATE, n_steps=STEPS)
    best = np.inf
    for _ in range(5):
        start = time.perf_counter()
        descend(
            Network(2, WIDTH),
            X,
            y=y,
            recipe=recipe,
            noise_multiplier=levels,
            streams=sgd.Streams.of(0),
            snapshots=np.array([STEPS]),
        )
        best = min(best, time.perf_counter() - start)
    return best


def opacus() -> float:
    """Return the seconds in which Opacus trains one such network, on the same lots.

    Hooks of Opacus compute the per-sample gradients.
    """
    import torch
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    torch.set_num_threads(1)
    X, y = (torch.tensor(a, dtype=torch.float32) for a in data())
    net = torch.nn.Sequential(torch.nn.Linear(2, WIDTH), torch.nn.Tanh(), torch.nn.Linear(WIDTH, 1))
    model = GradSampleModule(net)
    plain = torch.optim.SGD(model.parameters(), lr=1.0)
    optimizer = DPOptimizer(
        plain, noise_multiplier=2.0, max_grad_norm=0.5, expected_batch_size=int(RATE * N)
    )
    lots = sgd.poisson_lots(N, RATE, n_steps=STEPS, rng=np.random.default_rng(1))
    loss = torch.nn.BCEWithLogitsLoss(reduction="sum")
    start = time.perf_counter()
    for t in range(STEPS):
        lot = torch.tensor(lots.at(t).astype(np.int64))
        optimizer.zero_grad()
        loss(model(X[lot][:, :2])[:, 0], y[lot]).backward()
        optimizer.step()
    return time.perf_counter() - start


def main() -> None:
    """Measure both programs and print the results."""
    warnings.simplefilter("ignore")
    one, many = ours(np.array([2.0])), ours(np.array(NOISE_GRID))
    figures = {"ours_ms": round(1e3 * one, 1), "ours_18_levels_ms": round(1e3 * many, 1)}
    print(f"ours, one noise level        {1e3 * one:9.1f} ms")
    print(
        f"ours, {len(NOISE_GRID)} noise levels        {1e3 * many:9.1f} ms, "
        f"{many / len(NOISE_GRID) / one:.2f} of single runs"
    )
    try:
        peer = min(opacus() for _ in range(3))
        figures |= {"opacus_ms": round(1e3 * peer, 1), "opacus_over_ours": round(peer / one, 1)}
        print(f"Opacus, one noise level      {1e3 * peer:9.1f} ms, {peer / one:.1f} x ours")
    except ImportError:
        print("Opacus is not installed: left out")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
