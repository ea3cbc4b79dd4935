"""Compare our affine hull machines with a program that follows their definition, with explicit inverses.

Both run on the same data and one thread, in the same run. The program measures the fit of one block, the growth
with the number of records, and batched prediction. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import joblib
import numpy as np
from sklearn.datasets import load_digits

from benchmarks import timed
from dpcore.kahm import KAHM, WideDeepKAHM

SIZES = (1000, 2000, 5000, 10_000, 20_000, 60_000)
N_COMPONENTS = 20


def records(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n records (n, 64) in [0, 1], mixtures of two digits with a little noise."""
    X = load_digits().data / 16
    a, b = X[rng.integers(len(X), size=(2, n))]
    mixed = 0.8 * a + 0.2 * b + 0.05 * rng.standard_normal((n, 64))
    return np.clip(mixed, 0, 1)


class Inverses:
    """Affine hull machine exactly as defined: it inverts the covariance and K + λI, and stores both inverses."""

    def fit(self, Y: np.ndarray) -> Inverses:
        """Fit the machine to N records with p features, (N, p)."""
        vectors = np.linalg.eigh(np.cov(Y.T))[1]
        self.P = vectors[:, ::-1][:, :N_COMPONENTS].T
        self.X, self.Y = Y @ self.P.T, Y
        self.theta = np.linalg.inv(np.cov(self.X.T))
        K, square = self.kernel(self.X), float(np.square(Y).mean())
        error = square / 2
        for _ in range(100):
            lam = error + 2 * square
            self.inverse = np.linalg.inv(K + lam * np.eye(len(Y)))
            found = float(np.square(Y - K @ (self.inverse @ Y)).mean())
            if abs(found - error) <= 1e-6 * lam:
                break
            error = found
        self.lam = lam
        return self

    def kernel(self, x: np.ndarray) -> np.ndarray:
        """Return kernel values (M, N) between M encoded queries (M, n) and N records."""
        a, b = x @ self.theta, self.X @ self.theta
        gap = (a * x).sum(1)[:, None] + (b * self.X).sum(1) - 2 * a @ self.X.T
        return np.exp(-np.maximum(gap, 0) / (2 * N_COMPONENTS))

    def transform(self, Y: np.ndarray) -> np.ndarray:
        """Return the images (M, p) of M queries (M, p)."""
        h = self.kernel(Y @ self.P.T) @ self.inverse
        return (h / h.sum(1, keepdims=True)) @ self.Y


def block(rng: np.random.Generator) -> dict[str, float]:
    """Return the times of fit and prediction for one block of 1,000 × 64 values."""
    Y, queries = records(1000, rng), records(2000, rng)
    ours, plain = KAHM(N_COMPONENTS).fit(Y), Inverses().fit(Y)
    gap = float(np.abs(ours.transform(queries) - plain.transform(queries)).max())
    # In turns, so that a busy machine slows both.
    fits = [(timed(lambda: KAHM(N_COMPONENTS).fit(Y), 1), timed(lambda: Inverses().fit(Y), 1))
            for _ in range(5)]  # fmt: skip
    fit, slow = (statistics.median(spans) for spans in zip(*fits, strict=True))
    batch = timed(lambda: ours.transform(queries), 5)
    single = timed(lambda: [ours.transform(query[None]) for query in queries[:200]], 3) * 10
    inverse = timed(lambda: plain.transform(queries), 3)
    return {
        "fit_ms": 1e3 * fit, "explicit_fit_ms": 1e3 * slow, "times_explicit_fit": slow / fit,
        "largest_difference": gap, "predict_2000_ms": 1e3 * batch,
        "times_one_by_one": single / batch, "times_explicit_predict": inverse / batch,
    }  # fmt: skip


def growth(rng: np.random.Generator) -> dict[str, list[float]]:
    """Return the times of complete fits, in blocks of 1,000 records, for growing numbers of records.

    Blocks are formed at random and by k-means.
    """
    Y = records(max(SIZES), rng)
    found: dict[str, list[float]] = {"random": [], "kmeans": []}
    for split, spans in found.items():
        for n in SIZES:
            start = time.perf_counter()
            WideDeepKAHM(n_components=N_COMPONENTS, split=split, random_state=0).fit(Y[:n])
            spans.append(time.perf_counter() - start)
    return found


def workers(rng: np.random.Generator) -> dict[str, float]:
    """Return how many times faster 20 blocks are fitted by two threads, and by two processes, than by one."""
    Y = records(20_000, rng)
    model = WideDeepKAHM(split="random", random_state=0)

    def spent(backend: str, n_jobs: int) -> float:
        with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
            return timed(lambda: model.fit(Y), 3)

    one = spent("threading", 1)
    return {name: one / spent(name, 2) for name in ("threading", "loky")}


def main() -> None:
    """Measure, print, and end with one JSON object."""
    rng = np.random.default_rng(0)
    one = block(rng)
    print(f"block of 1,000 x 64: fit {one['fit_ms']:.0f} ms, with explicit inverses "
          f"{one['explicit_fit_ms']:.0f} ms: {one['times_explicit_fit']:.1f} times "
          f"(images differ by {one['largest_difference']:.1e})")  # fmt: skip
    print(f"2,000 queries: {one['predict_2000_ms']:.0f} ms, one by one "
          f"{one['times_one_by_one']:.1f} times as long, with explicit inverses "
          f"{one['times_explicit_predict']:.1f} times")  # fmt: skip
    grown = growth(rng)
    print(f"{'N x 64':>8}{'random split':>16}{'k-means split':>16}   (seconds; ms per 1,000)")
    for n, a, b in zip(SIZES, grown["random"], grown["kmeans"], strict=True):
        print(f"{n:8}{a:9.2f}{1e6 * a / n:7.0f}{b:9.2f}{1e6 * b / n:7.0f}")
    order = np.polyfit(np.log(SIZES), np.log(grown["random"]), 1)[0]
    print(f"random split: time grows like N^{order:.2f}")
    gain = workers(rng)
    print(f"two threads fit 20 blocks {gain['threading']:.2f} times as fast as one, two processes "
          f"{gain['loky']:.2f} times")  # fmt: skip
    figures = {key: round(value, 3) for key, value in one.items() if key != "largest_difference"}
    spans = {key: [round(span, 3) for span in value] for key, value in grown.items()}
    print(json.dumps({**figures, "largest_difference": one["largest_difference"], "sizes": SIZES,
                      "seconds": spans, "growth_exponent": round(float(order), 3),
                      "two_threads": round(gain["threading"], 3),
                      "two_processes": round(gain["loky"], 3)}))  # fmt: skip


if __name__ == "__main__":
    main()
