"""Compare our autoencoder with torch, on one thread in the same run.

The first comparison is a grid of perturbed models (7 ε x 3 kinds of noise x 10 draws x 10 images): all at once
with our code, one after the other with torch. The second comparison is training. MNIST is left out if the data
folder (DPCORE_DATA) does not contain it. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
import torch

from benchmarks import timed
from dpcore import autoencoder, datasets
from dpcore.autoencoder import EPSILONS, KINDS, similarity

torch.set_num_threads(1)
os.environ.setdefault("DPCORE_DATA", str(Path(__file__).resolve().parents[2] / "shared" / "data"))


def looped(weights: autoencoder.Weights, X: np.ndarray, noise: Any) -> np.ndarray:
    """Return the outputs of perturbed torch models, one model after the other."""
    W1, b1, W2, b2 = (
        torch.from_numpy(np.array(a)) for a in (weights.W1, weights.b1, weights.W2, weights.b2)
    )
    x, out = torch.from_numpy(X), []
    first, second = (torch.from_numpy(z[:, 0]) for z in (noise.hidden, noise.output))
    with torch.no_grad():
        for epsilon in EPSILONS:
            for kind in KINDS:
                s1, s2 = autoencoder.sigmas(epsilon, kind=kind)[0]
                for z1, z2 in zip(first, second, strict=True):
                    code = torch.relu(x @ W1 + (b1 + float(s1) * z1))
                    out.append(torch.sigmoid(code @ W2 + (b2 + float(s2) * z2)).numpy())
    return np.array(out).reshape(len(EPSILONS), len(KINDS), len(first), *X.shape)


def plain_torch(X: np.ndarray, n_hidden: int, epochs: int, batch: int, rate: float) -> None:
    """Train an autoencoder by a usual torch loop.

    The loop has modules, autograd, batches from a data loader, and Adam.
    """
    d, chance = X.shape[1], torch.Generator().manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(d, n_hidden), torch.nn.ReLU(), torch.nn.Linear(n_hidden, d),
        torch.nn.Sigmoid(),
    )  # fmt: skip
    adam, loss = torch.optim.Adam(model.parameters(), lr=rate), torch.nn.MSELoss()
    data = torch.utils.data.TensorDataset(torch.from_numpy(X))
    loader = torch.utils.data.DataLoader(data, batch, shuffle=True, generator=chance)
    for _ in range(epochs):
        for (x,) in loader:
            adam.zero_grad()
            loss(model(x), x).backward()
            adam.step()


def measure(name: str) -> dict[str, float]:
    """Return the times of the grid and of training on one data set, by our code and by torch."""
    data = datasets.load(name)
    X, X_test = (autoencoder.pixels(a, data.low, high=data.high) for a in (data.X, data.X_test))
    autoencoder.preset(name, epochs=1, random_state=0).fit(X[:500])  # torch wakes up
    start = time.perf_counter()
    model = autoencoder.preset(name, random_state=0).fit(X)
    ours = time.perf_counter() - start
    recipe = {key: getattr(model, key) for key in ("n_hidden", "batch_size", "learning_rate")}
    start = time.perf_counter()
    plain_torch(X, recipe["n_hidden"], 1, recipe["batch_size"], recipe["learning_rate"])
    plain = (time.perf_counter() - start) * model.epochs
    ten = X_test[[int(np.flatnonzero(data.y_test == label)[0]) for label in range(10)]]
    noise = autoencoder.draw_noise(model, 10, rng=np.random.default_rng(0))

    def whole() -> np.ndarray:
        return autoencoder.perturb_biases(model, ten, noise=noise)

    found, wanted = whole(), looped(model.weights_, ten, noise)
    assert np.allclose(found, wanted, atol=1e-4), "the two grids differ"
    fast, slow = timed(whole, 30), timed(lambda: looped(model.weights_, ten, noise), 10)
    move = autoencoder.ClassGaussians(
        epsilon=0.8, random_state=0, **autoencoder.GENERATOR_PRESETS[name]
    ).fit(X, data.y)  # fmt: skip
    own = similarity.histogram(ten)
    return {
        "grid_ms": 1e3 * fast, "torch_loop_ms": 1e3 * slow, "times_torch_loop": slow / fast,
        "train_s": ours, "plain_torch_s": plain, "times_plain_torch": plain / ours,
        "test_mse": -model.score(X_test),
        "hellinger_grid_ms":
            1e3 * timed(lambda: similarity.hellinger(own, similarity.histogram(found)), 10),
        "ssim_30_ms": 1e3 * timed(lambda: similarity.ssim(ten, found[0, :, 0]), 10),
        "generator_move_ms":
            1e3 * timed(lambda: move.at(0.8).sample(10, np.random.default_rng(0)), 10),
    }  # fmt: skip


def main() -> None:
    """Measure, print the table, and end with one JSON object."""
    names = [name for name in ("digits", "mnist") if datasets.available(name)]
    figures = {name: measure(name) for name in names}
    for key in figures[names[0]]:
        print(f"{key:20}" + "".join(f"{figures[name][key]:12.4g}" for name in names))
    print("Plain torch trained one epoch, scaled to all; MNIST needs mnist.npz in DPCORE_DATA.")
    print(json.dumps({k: {a: round(b, 4) for a, b in v.items()} for k, v in figures.items()}))


if __name__ == "__main__":
    main()
