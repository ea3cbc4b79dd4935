"""Compare private training of two convolutional networks with Opacus.

Data, lots, initialization and steps are the same. The program measures time, peak memory and accuracy of both
in one run: on MNIST by the published recipe for ε = 1.19 (two epochs), and on the digits (twenty epochs). It
needs opacus (benchmarks/requirements.txt) and torch. Without MNIST (DPCORE_DATA) only the digits are measured.
Each training runs in a process of its own, for its peak memory, on one thread. The last line printed is one
JSON object.
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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch

from dpcore import datasets, sgd
from dpcore.experiments import network as page
from dpcore.experiments.network import NetworkParams
from dpcore.experiments.network.mnist import Pictures, pictures, published
from dpcore.network import DIGITS, MNIST, ConvNet, Recipe, accuracy, descend

SEED = 1
os.environ.setdefault("DPCORE_DATA", str(Path(__file__).resolve().parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class Task:
    """One training to measure: network, images, recipe, number of epochs."""

    network: ConvNet
    data: Callable[[], Pictures]
    recipe: Recipe
    epochs: int

    @property
    def n_steps(self) -> int:
        """Number of steps for ``epochs`` uses of every image, on average."""
        return round(self.epochs / self.recipe.sample_rate)


def _digits() -> Pictures:
    found = page.problem()
    return found.X, found.y, found.X_test, found.y_test


def tasks() -> dict[str, Task]:
    """Return the two trainings by name: MNIST by the published recipe, and the digits as on the page."""
    small = NetworkParams()
    return {
        "digits": Task(DIGITS, _digits, page.recipe(small), small.epochs),
        "mnist": Task(MNIST, lambda: pictures(None), published("1.19").recipe(), 2),
    }


Run = Callable[[ConvNet, Recipe, np.ndarray, np.ndarray, int], tuple[list[float], np.ndarray]]


def ours(
    network: ConvNet, recipe: Recipe, X: np.ndarray, y: np.ndarray, seed: int
) -> tuple[list[float], np.ndarray]:
    """Return our training's seconds of every step, and its final weights."""
    spans, weights, before = [], np.zeros(0), time.perf_counter()
    steps = range(1, recipe.n_steps + 1)
    for _, reached in descend(
        network,
        X,
        y=y,
        recipe=recipe,
        streams=sgd.Streams.of(seed),
        expected_n=len(y),
        snapshots=steps,
    ):
        spans.append(time.perf_counter() - before)
        weights, before = reached, time.perf_counter()
    return spans[1:], weights  # the first one reads the data and draws the lots


def opacus(
    network: ConvNet, recipe: Recipe, X: np.ndarray, y: np.ndarray, seed: int
) -> tuple[list[float], np.ndarray]:
    """Return the seconds of every step, and the final weights, of a training by Opacus' hooks and optimizer.

    Initialization and lots are ours. The noise has the same scale, but comes from torch's generator.
    """
    from opacus import GradSampleModule
    from opacus.optimizers import DPOptimizer

    torch.set_num_threads(1)
    net, streams = as_torch(network), sgd.Streams.of(seed)
    start = torch.from_numpy(network.start(streams.start))
    torch.nn.utils.vector_to_parameters(start, net.parameters())
    model = GradSampleModule(net)
    optimizer = DPOptimizer(
        torch.optim.SGD(model.parameters(), lr=recipe.learning_rate), max_grad_norm=recipe.clip_norm,
        noise_multiplier=recipe.noise_multiplier, expected_batch_size=recipe.sample_rate * len(y),
        generator=torch.Generator().manual_seed(seed),
    )  # fmt: skip
    lots = sgd.poisson_lots(len(y), recipe.sample_rate, n_steps=recipe.n_steps, rng=streams.lots)
    images, classes = torch.from_numpy(X).view(-1, 1, *[network.side] * 2), torch.from_numpy(y)
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


def as_torch(network: ConvNet) -> torch.nn.Module:
    """Return the network built of torch's own layers."""
    a, b = network.first, network.second
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, a.filters, a.size, a.stride, a.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1),
        torch.nn.Conv2d(a.filters, b.filters, b.size, b.stride, b.padding), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2, 1), torch.nn.Flatten(),
        torch.nn.Linear(network.shapes[4][1], network.hidden), torch.nn.ReLU(),
        torch.nn.Linear(network.hidden, network.n_classes),
    )  # fmt: skip


PROGRAMS: dict[str, Run] = {"ours": ours, "opacus": opacus}


def measure(program: str, name: str, n_steps: int, seed: int) -> dict[str, float]:
    """Return time, memory and accuracy of one training by one program.

    The result has milliseconds per step, total seconds, peak memory of the training in MB, and accuracy.
    """
    warnings.simplefilter("ignore")
    task = tasks()[name]
    X, y, X_test, y_test = task.data()

    def trained(steps: int) -> tuple[list[float], np.ndarray]:
        return PROGRAMS[program](task.network, replace(task.recipe, n_steps=steps), X, y, seed)

    trained(3)  # loads what is loaded late
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spans, weights = trained(n_steps)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "ms": 1e3 * statistics.median(spans), "best_ms": 1e3 * min(spans), "seconds": sum(spans),
        "peak_mb": peak / 1024, "more_mb": (peak - base) / 1024,
        "accuracy": accuracy(task.network, weights, X=X_test, y=y_test),
    }  # fmt: skip


def asked(program: str, name: str, n_steps: int, seed: int) -> dict[str, float]:
    """Return the result of `measure`, called in a process of its own."""
    words = [sys.executable, __file__, "--program", program, "--data", name, "--steps", str(n_steps),
             "--seed", str(seed)]  # fmt: skip
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    found: dict[str, float] = json.loads(said.splitlines()[-1])
    return found


def compared(name: str, n_steps: int, turns: int, seed: int) -> dict[str, Any]:
    """Measure both programs alternately for ``turns`` seeds; print and return the medians."""
    found: dict[str, list[dict[str, float]]] = {program: [] for program in PROGRAMS}
    for turn in range(turns):  # in turns: what else the machine does hits both
        for program in PROGRAMS:
            found[program].append(asked(program, name, n_steps, seed + turn))
    middle = {
        program: {key: statistics.median(row[key] for row in rows) for key in rows[0]}
        for program, rows in found.items()
    }
    print(f"{name}: {n_steps} steps, medians of {turns} seeds")
    for program, row in middle.items():
        each = ", ".join(f"{row['accuracy']:.4f}" for row in found[program])
        print(
            f"  {program:7} {row['ms']:7.1f} ms a step (best {row['best_ms']:.1f}), {row['seconds']:6.1f} s in all, "
            f"peak {row['peak_mb']:6.0f} MB, of which training {row['more_mb']:5.0f} MB, accuracy {each}"
        )
    ratio = middle["opacus"]["ms"] / middle["ours"]["ms"]
    apart = 100 * statistics.fmean(
        one["accuracy"] - other["accuracy"]
        for one, other in zip(found["ours"], found["opacus"], strict=True)
    )
    print(
        f"  Opacus takes {ratio:.2f} times as long a step; accuracies are {apart:+.2f} points apart"
    )
    return {**middle, "opacus_over_ours": round(ratio, 2), "points_apart": round(apart, 2)}


def main() -> None:
    """Measure both programs alternately, print the results, and end with one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--program", choices=tuple(PROGRAMS), help="measure one program in this process")
    add("--data", choices=("digits", "mnist"), help="one of the two (both)")
    add("--steps", type=int, help="steps (whole epochs: 2 of MNIST, 20 of the digits)")
    add("--turns", type=int, default=3, help="seeds (3)")
    add("--seed", type=int, default=SEED)
    given = parser.parse_args()
    if given.program:
        print(json.dumps(measure(given.program, given.data, given.steps, given.seed)))
        return
    there = [name for name in ("digits", "mnist") if datasets.available(name)]
    print(json.dumps({
        name: compared(name, given.steps or tasks()[name].n_steps, given.turns, given.seed)
        for name in there
        if given.data in (None, name)
    }))  # fmt: skip


if __name__ == "__main__":
    main()
