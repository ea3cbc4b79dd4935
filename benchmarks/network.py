"""Private training of the convolutional network against Opacus: same data, lots, start and steps. Last line: JSON.

Needs opacus (benchmarks/requirements.txt), torch and MNIST (DPCORE_DATA). Each program runs in a process of its own,
so that its peak memory is its own; all of them on one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from dpcore import sgd
from dpcore.experiments.network.measured import pictures
from dpcore.experiments.network.tutorial import N_TRAIN, published
from dpcore.network import MNIST, Recipe, accuracy, descend

RECIPE = published("1.19").recipe()
SEED, N = 1, N_TRAIN
Run = Callable[[Recipe, np.ndarray, np.ndarray, int], tuple[list[float], np.ndarray]]


def ours(recipe: Recipe, X: np.ndarray, y: np.ndarray, seed: int) -> tuple[list[float], np.ndarray]:
    """Return the time of every step and the last weights."""
    spans, weights, before = [], np.zeros(0), time.perf_counter()
    steps = range(1, recipe.n_steps + 1)
    for _, reached in descend(
        MNIST, X, y, recipe, sgd.Streams.of(seed), expected_n=N, snapshots=steps
    ):
        spans.append(time.perf_counter() - before)
        weights, before = reached, time.perf_counter()
    return spans[1:], weights  # the first one reads the data and draws the lots


def opacus(
    recipe: Recipe, X: np.ndarray, y: np.ndarray, seed: int
) -> tuple[list[float], np.ndarray]:
    """Return the same of Opacus' hooks and optimizer, from the same start on the very same lots."""
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    torch.set_num_threads(1)
    net, streams = as_torch(), sgd.Streams.of(seed)
    start = torch.from_numpy(MNIST.start(streams.start))
    torch.nn.utils.vector_to_parameters(start, net.parameters())
    model = GradSampleModule(net)
    optimizer = DPOptimizer(
        torch.optim.SGD(model.parameters(), lr=recipe.learning_rate), max_grad_norm=recipe.clip_norm,
        noise_multiplier=recipe.noise_multiplier, expected_batch_size=recipe.sample_rate * N,
        generator=torch.Generator().manual_seed(seed),
    )  # fmt: skip
    lots = sgd.poisson_lots(N, recipe.sample_rate, recipe.n_steps, streams.lots)
    images, classes = torch.from_numpy(X).view(-1, 1, 28, 28), torch.from_numpy(y)
    loss, spans = torch.nn.CrossEntropyLoss(reduction="sum"), []
    for t in range(recipe.n_steps):
        before = time.perf_counter()
        lot = torch.from_numpy(lots.at(t).astype(np.int64))
        optimizer.zero_grad()
        loss(model(images[lot]), classes[lot]).backward()
        optimizer.step()
        spans.append(time.perf_counter() - before)
    flat = torch.nn.utils.parameters_to_vector(net.parameters())
    return spans[1:], flat.detach().numpy()


def as_torch() -> torch.nn.Module:
    """Return the network of torch's own layers."""
    a, b = MNIST.first, MNIST.second
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, a.filters, a.size, a.stride, a.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1),
        torch.nn.Conv2d(a.filters, b.filters, b.size, b.stride, b.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1), torch.nn.Flatten(),
        torch.nn.Linear(MNIST.shapes[4][1], MNIST.hidden), torch.nn.ReLU(),
        torch.nn.Linear(MNIST.hidden, MNIST.n_classes),
    )  # fmt: skip


PROGRAMS: dict[str, Run] = {"ours": ours, "opacus": opacus}


def measure(program: str, n_steps: int, seed: int) -> dict[str, Any]:
    """Return milliseconds a step (median), megabytes that training needs at its peak, and the accuracy."""
    warnings.simplefilter("ignore")
    X, y, X_test, y_test = pictures(None)
    PROGRAMS[program](replace(RECIPE, n_steps=3), X, y, seed)  # loads what is loaded late
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spans, weights = PROGRAMS[program](replace(RECIPE, n_steps=n_steps), X, y, seed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "ms": 1e3 * statistics.median(spans), "best_ms": 1e3 * min(spans), "peak_mb": peak / 1024,
        "more_mb": (peak - base) / 1024, "accuracy": accuracy(MNIST, weights, X_test, y_test),
    }  # fmt: skip


def asked(program: str, n_steps: int, seed: int) -> dict[str, Any]:
    """Return what `measure` says in a process of its own."""
    words = [
        sys.executable, __file__, "--program", program, "--steps", str(n_steps), "--seed", str(seed),
    ]  # fmt: skip
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return json.loads(said.splitlines()[-1])


def main() -> None:
    """Measure in turns and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", choices=tuple(PROGRAMS))
    parser.add_argument("--steps", type=int, default=234, help="234 are one epoch")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.program:
        print(json.dumps(measure(given.program, given.steps, given.seed)))
        return
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in PROGRAMS}
    for turn in range(given.turns):  # in turns: what else the machine does hits both
        for name in PROGRAMS:
            found[name].append(asked(name, given.steps, given.seed + turn))
    middle = {
        name: {key: statistics.median(row[key] for row in rows) for key in rows[0]}
        for name, rows in found.items()
    }
    for name, row in middle.items():
        print(
            f"{name:7} {row['ms']:7.1f} ms a step (best {row['best_ms']:.1f}), peak {row['peak_mb']:6.0f} MB, "
            f"accuracy after {given.steps} steps {row['accuracy']:.3f}"
        )
    ratio = middle["opacus"]["ms"] / middle["ours"]["ms"]
    apart = 100 * (middle["ours"]["accuracy"] - middle["opacus"]["accuracy"])
    print(
        f"Opacus takes {ratio:.2f} times as long a step; accuracies are {apart:+.1f} points apart"
    )
    print(
        json.dumps({**middle, "opacus_over_ours": round(ratio, 2), "points_apart": round(apart, 2)})
    )


if __name__ == "__main__":
    main()
