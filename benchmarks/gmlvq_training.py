"""Compare DP-GMLVQ training with Opacus on the same data, in CPU time.

Both train for T = 5000 steps on one thread in one run. Opacus is measured for fewer steps, as stated in the
table, and its time is scaled to T. Larger data sets are measured without Opacus. The recorded CPU times of the
paper's whole table are added up. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import benchmarks
from benchmarks.lvq_training import PrivacyEngine, _near, cost, load, torch
from dpcore import datasets, sgd
from dpcore.datasets import external
from dpcore.experiments.table1 import read
from dpcore.experiments.table1.training import records
from dpcore.lvq import init, matrix, matrix_train

T, Q, C, RATE = 5000, 0.01, 0.5, 0.1
# CPU time of one thread, so that a busy machine does not flatter whoever is quicker.
timed = partial(benchmarks.timed, clock=time.process_time)
PEER_STEPS = 100


def ours(
    X: np.ndarray, y: np.ndarray, k: int, *, rank: int | None = None, levels: int = 1,
    backend: str = "numba",
) -> Callable[[], object]:  # fmt: skip
    """Return a function that runs one training by our code: it draws lots, initializes, and does T steps.

    ``levels`` is the number of noise levels that are trained together.
    """
    sums, counts = init.class_statistics(X, y, k)
    sigma = np.geomspace(0.6, 60, levels) if levels > 1 else np.array([2.0])

    def work() -> object:
        chance = sgd.Streams.of(1)
        lots = sgd.poisson_lots(len(X), Q, n_steps=T, rng=chance.lots)
        start = init.start(sums, counts, count_scale=sigma, sum_scale=sigma, kind="gaussian",
                           rng=chance.start)  # fmt: skip
        return matrix_train.sweep(
            X, y, start, matrix.start(X.shape[1], rank), np.arange(k), lots,
            noise_multiplier=sigma, clip_norm=C, learning_rate=RATE, expected_lot=Q * len(X),
            key=chance.key, snapshots=[T], backend=backend,
        )  # fmt: skip

    return work


class Matrix(torch.nn.Module):
    """GMLVQ as a torch module, for per-sample gradients by Opacus."""

    def __init__(self, W: np.ndarray) -> None:
        super().__init__()
        self.prototypes = torch.nn.Parameter(torch.tensor(W))
        self.omega = torch.nn.Parameter(torch.eye(W.shape[1]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the squared distances of n records to P prototypes, (n, P)."""
        return ((x[:, None] - self.prototypes) @ self.omega.T).square().sum(-1)


def opacus(X: np.ndarray, y: np.ndarray, k: int, steps: int) -> Callable[[], object]:
    """Return a function that trains a torch module of GMLVQ by Opacus, with Poisson lots, clipping and noise."""

    def work() -> object:
        model: torch.nn.Module = Matrix(np.stack([X[y == c].mean(0) for c in range(k)]))
        optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
        pairs = torch.utils.data.TensorDataset(torch.tensor(X), torch.tensor(y))
        loader = torch.utils.data.DataLoader(pairs, batch_size=max(1, round(Q * len(X))))
        model, optimizer, loader = PrivacyEngine(accountant="rdp").make_private(
            module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=2.0,
            max_grad_norm=C, poisson_sampling=True,
        )  # fmt: skip
        done = 0
        while done < steps:
            for x, label in loader:
                optimizer.zero_grad()
                if len(x):
                    own = label[:, None] == torch.arange(k)
                    cost(model(x), own).mean().backward()
                    optimizer.step()
                done += 1
                if done == steps:
                    break
        return model

    return work


def against_opacus() -> dict[str, dict[str, float]]:
    """Measure, print and return the training times on the data sets that are small enough for Opacus."""
    figures = {}
    print(f"{'':10}{'numba':>9}{'numpy':>9}{'8 levels':>10}{'Opacus':>10}{'x numpy':>9}"
          f"{'x Opacus':>9}   (ms for T = {T})")  # fmt: skip
    for name, (X, y, k) in load().items():
        fast = timed(ours(X, y, k), 7)
        peer = timed(opacus(X, y, k, PEER_STEPS), 3) * T / PEER_STEPS
        many = timed(ours(X, y, k, levels=8), 1)
        plain = timed(ours(X, y, k, backend="numpy"), 1)
        row = {
            "numba_ms": 1e3 * fast, "numpy_ms": 1e3 * plain, "levels8_ms": 1e3 * many,
            "opacus_ms": 1e3 * peer, "times_numpy": plain / fast, "times_opacus": peer / fast,
        }  # fmt: skip
        figures[name] = {key: round(value, 2) for key, value in row.items()}
        print(f"{name:10}{1e3 * fast:9.1f}{1e3 * plain:9.0f}{1e3 * many:10.0f}{1e3 * peer:10.0f}"
              f"{plain / fast:9.0f}{peer / fast:9.0f}")  # fmt: skip
    return figures


def large() -> dict[str, float]:
    """Return the seconds of a training on one fold of MNIST and on four folds of Motion, if these data are there."""
    home = os.environ.get("DPCORE_DATA") or _near()
    found = {}
    for title, name, n in (
        ("motion PCA 30", "har", 8239), ("mnist PCA 30", "mnist", 14000),
        ("mnist raw, 16 x 784", "mnist", 14000),
    ):  # fmt: skip
        if not datasets.available(name, home):
            print(f"{title} is left out: no local folder holds it.")
            continue
        raw = title.endswith("784")
        X, y = external.all_records(name, home) if raw else records(name, "pca", home)
        X = X[:n] / np.float32(127.5) - 1 if raw else X[:n]
        found[title] = timed(ours(X, y[:n], int(y.max()) + 1, rank=16 if raw else None), 3)
        print(f"{title:22}{found[title]:8.3f} s a run")
    return found


def table_minutes() -> float:
    """Return the CPU minutes of the runs recorded in docs/table1.csv, on one core."""
    rows = read(Path(__file__).resolve().parent.parent / "docs" / "table1.csv")
    return sum(row["seconds"] for row in rows) / 60


def main() -> None:
    """Measure, print the table, and end with one JSON object."""
    figures: dict[str, object] = {"n_steps": T, **against_opacus()}
    figures["large_s"] = {name: round(span, 3) for name, span in large().items()}
    figures["table1_cpu_minutes"] = round(table_minutes(), 2)
    print(f"The whole of Table 1, as recorded: {figures['table1_cpu_minutes']} CPU minutes.")
    print(f"Opacus ran {PEER_STEPS} steps, scaled to T.")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
