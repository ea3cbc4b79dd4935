"""Compare DP-GLVQ training with Opacus and torch.func on the same data.

All programs train for T = 5000 steps on one thread in one run. Slow programs are measured for fewer steps, as
stated in the table, and their times are scaled to T. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

try:
    import torch
    from opacus import PrivacyEngine
except ImportError:
    sys.exit("Opacus is missing: pip install -r benchmarks/requirements.txt (make bench does it).")

from benchmarks import timed
from dpcore import datasets, sgd
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.lvq import init, train

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
T, Q, C, RATE = 5000, 0.01, 0.5, 0.1
LEVELS = 24


def ours(X: np.ndarray, y: np.ndarray, k: int, levels: int, backend: str) -> Callable[[], object]:
    """Return a function that runs one training by our code: it draws lots, initializes, and does T steps.

    ``levels`` is the number of noise levels that are trained together.
    """
    sums, counts = init.class_statistics(X, y, k)
    sigma = np.geomspace(0.6, 60, levels)

    def work() -> object:
        chance = sgd.Streams.of(1)
        lots = sgd.poisson_lots(len(X), Q, n_steps=T, rng=chance.lots)
        start = init.start(sums, counts, count_scale=sigma, sum_scale=sigma, kind="gaussian",
                           rng=chance.start)  # fmt: skip
        return train.sweep(
            X, y, start, np.arange(k), lots, noise_multiplier=sigma, clip_norm=C,
            learning_rate=RATE, expected_lot=Q * len(X), key=chance.key, snapshots=[T],
            backend=backend,
        )  # fmt: skip

    return work


class Prototypes(torch.nn.Module):
    """GLVQ as a torch module, which returns the squared distances of a batch to all prototypes."""

    def __init__(self, W: np.ndarray) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(W.shape[1], W.shape[0])
        with torch.no_grad():  # |x - w|² = |x|² - 2 (w x - |w|²/2): a linear layer Opacus knows
            self.linear.weight.copy_(torch.tensor(W))
            self.linear.bias.copy_(-0.5 * torch.tensor(W).square().sum(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the squared distances of n records to P prototypes, (n, P)."""
        return x.square().sum(1, keepdim=True) - 2 * self.linear(x)


def cost(distance: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Return the GLVQ cost (d⁺ - d⁻)/(d⁺ + d⁻) of each record.

    - d⁺: distance to the nearest prototype of the record's class.
    - d⁻: distance to the nearest prototype of another class.
    """
    far = torch.full_like(distance, 1e9)
    near = torch.where(own, distance, far).min(-1).values
    other = torch.where(own, far, distance).min(-1).values
    return (near - other) / (near + other).clamp_min(1e-6)


def opacus(X: np.ndarray, y: np.ndarray, k: int, steps: int) -> Callable[[], object]:
    """Return a function that trains a torch module of GLVQ by Opacus, with Poisson lots, clipping and noise.

    Hooks of Opacus compute the per-sample gradients, in a usual training loop.
    """

    def work() -> object:
        means = np.stack([X[y == c].mean(0) for c in range(k)])
        model = Prototypes(means)
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


def torch_func(X: np.ndarray, y: np.ndarray, k: int, steps: int) -> Callable[[], object]:
    """Return a function that trains with per-sample gradients by ``torch.func.vmap(grad)``, clipped explicitly."""
    data, labels = torch.tensor(X), torch.tensor(y)

    def loss(W: torch.Tensor, x: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        return cost((x - W).square().sum(-1), own)

    single = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))

    def work() -> object:
        chance = sgd.Streams.of(1)
        lots = sgd.poisson_lots(len(X), Q, n_steps=steps, rng=chance.lots)
        generator = torch.Generator().manual_seed(0)
        W = torch.stack([data[labels == c].mean(0) for c in range(k)])
        for t in range(steps):
            lot = torch.from_numpy(lots.at(t)).long()
            total = 2.0 * C * torch.randn(W.shape, generator=generator)
            if len(lot):
                grads = single(W, data[lot], labels[lot, None] == torch.arange(k))
                norms = grads.flatten(1).norm(dim=1)
                total += (grads * (C / norms.clamp_min(C))[:, None, None]).sum(0)
            W = (W - RATE * total / (Q * len(X))).clamp(-1, 1)
        return W

    return work


def load() -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    """Return the scaled records, the labels and the number of classes of each available data set."""
    found = {}
    toy = datasets.load("spirals", n_samples=900)
    found["toy 2-D"] = (toy.scaled(), toy.y, 3)
    for name in ("segment", "digits"):
        try:
            data = datasets.load(name, data_home=os.environ.get("DPCORE_DATA") or _near())
        except datasets.DataError as error:
            print(f"{name} is left out: {error}")
            continue
        X = np.concatenate([data.scaled(), data.scaled(data.X_test)])
        found[name] = (X, np.concatenate([data.y, data.y_test]), len(data.classes))
    return found


def _near() -> str | None:
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    return str(folder) if folder.exists() else None


def pages() -> dict[str, float]:
    """Return, by data set, the milliseconds in which the Relevance learning page trains at 24 noise levels."""
    found = {}
    for name in ("blobs", "moons", "spirals", "digits"):
        problem, params = Problem(datasets.load(name), 1), RelevanceParams(dataset=name)
        nodes = relevance.noise_nodes(params, LEVELS)
        span = timed(lambda p=problem, q=params, n=nodes: relevance.run_sweep(
            p, q, nodes=n, last_epoch=50), 7)  # fmt: skip
        found[name] = 1e3 * span
    return found


def main() -> None:
    """Measure, print the table, and end with one JSON object."""
    figures: dict[str, object] = {"n_steps": T}
    print(f"{'':10}{'numba':>9}{'numpy':>9}{'24 levels':>11}{'torch.func':>12}{'Opacus':>10}"
          f"{'x func':>8}{'x Opacus':>9}{'sweep/24':>9}   (ms for T = {T})")  # fmt: skip
    for name, (X, y, k) in load().items():
        fast = timed(ours(X, y, k, 1, "numba"), 9)
        many = timed(ours(X, y, k, LEVELS, "numba"), 3)
        plain = timed(ours(X, y, k, 1, "numpy"), 1)
        func = timed(torch_func(X, y, k, 250), 3) * T / 250
        peer = timed(opacus(X, y, k, 250), 3) * T / 250
        row = {
            "numba_ms": 1e3 * fast, "numpy_ms": 1e3 * plain, "levels24_ms": 1e3 * many,
            "torch_func_ms": 1e3 * func, "opacus_ms": 1e3 * peer, "times_torch_func": func / fast,
            "times_opacus": peer / fast, "sweep_over_24_single": many / (LEVELS * fast),
        }  # fmt: skip
        figures[name] = {key: round(value, 3) for key, value in row.items()}
        print(f"{name:10}{1e3 * fast:9.1f}{1e3 * plain:9.0f}{1e3 * many:11.0f}{1e3 * func:12.0f}"
              f"{1e3 * peer:10.0f}{func / fast:8.0f}{peer / fast:9.0f}"
              f"{many / (LEVELS * fast):9.2f}")  # fmt: skip
    sweeps = pages()
    print("24-level sweep of the page, E = 50, 2 threads, wall ms:",
          ", ".join(f"{name} {span:.0f}" for name, span in sweeps.items()))  # fmt: skip
    figures["page_sweep_wall_ms"] = {name: round(span, 1) for name, span in sweeps.items()}
    print("torch.func and Opacus ran 250 steps, scaled to T.")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
