"""Compare private regression with loops over `solve` and with diffprivlib.

Our code computes 1,000 draws × 30 ε in one call. diffprivlib needs one fit for each draw and ε, so the time of
one fit is measured and multiplied. The last line printed is one JSON object.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks import timed
from dpcore import datasets
from dpcore.regression import (
    Bounds,
    FunctionalMechanismRegression,
    Repair,
    SufficientStatistics,
    ada_ssp,
    functional_mechanism,
    gaussian_statistics,
    joint_release,
    sufficient_statistics,
)
from dpcore.regression.noise import UnitNoise, functional_noise
from dpcore.regression.splits import proportional

ROOT = Path(__file__).resolve().parent.parent
DRAWS = 1000
EPSILON = np.geomspace(0.1, 10, 30)
PEER = ROOT / ".venv-peer" / "bin" / "python"


def looped(train: SufficientStatistics, test: SufficientStatistics, noise: UnitNoise) -> np.ndarray:
    """Return test errors from one `numpy.linalg.solve` call for each draw and ε."""
    errors = np.empty((len(noise.vector), len(EPSILON)))
    for i, (N, M) in enumerate(zip(noise.matrix, noise.vector, strict=True)):
        for j, epsilon in enumerate(EPSILON):
            theta = np.linalg.solve(train.quadratic + N / epsilon, train.linear + M / epsilon)
            errors[i, j] = test.mse(theta)
    return errors


def batched(
    train: SufficientStatistics, test: SufficientStatistics, noise: UnitNoise
) -> np.ndarray:
    """Return test errors from one `numpy.linalg.solve` call for all 30,000 systems."""
    s = 1 / EPSILON
    A = train.quadratic + s[:, None, None] * noise.matrix[:, None]
    c = train.linear + s[:, None] * noise.vector[:, None]
    return test.mse(np.linalg.solve(A, c[..., None])[..., 0])


def methods(
    train: SufficientStatistics, test: SufficientStatistics, delta: float
) -> dict[str, Callable[[], object]]:
    """Return, for each method that adds noise to sums, a function that computes 1,000 draws × 30 ε."""
    rng = lambda: np.random.default_rng(1)  # noqa: E731
    return {
        "as printed": lambda: functional_mechanism(
            train, EPSILON, n_draws=DRAWS, rng=rng(), test=test
        ),
        "printed, trim": lambda: functional_mechanism(
            train, EPSILON, n_draws=DRAWS, rng=rng(), repair=Repair(kind="trim"), test=test
        ),
        "joint, floor": lambda: joint_release(
            train, EPSILON, n_draws=DRAWS, rng=rng(), repair=Repair(), test=test
        ),
        "Gaussian, floor": lambda: gaussian_statistics(
            train, EPSILON, delta=delta, n_draws=DRAWS, rng=rng(), repair=Repair(), test=test
        ),
        "AdaSSP": lambda: ada_ssp(train, EPSILON, delta=delta, n_draws=DRAWS, rng=rng(), test=test),
    }


def diffprivlib(parts: dict[str, np.ndarray]) -> dict[str, float] | None:
    """Return seconds and error of one diffprivlib fit, or None if diffprivlib is not installed."""
    if not PEER.exists():
        print("diffprivlib is left out: `make bench` makes its environment.")
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.npz"
        np.savez(file, **parts)
        program = ROOT / "benchmarks" / "peers" / "diffprivlib_fit.py"
        done = subprocess.run([PEER, program, file], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def measure(name: str, delta: float) -> dict[str, object]:
    """Measure all methods on one data set, print and return the results."""
    data = datasets.load_regression(name)
    bounds = Bounds(
        low=data.low, high=data.high, target_low=data.target_low, target_high=data.target_high
    )
    train = sufficient_statistics(data.X, data.y, bounds=bounds)
    test = sufficient_statistics(data.X_test, data.y_test, bounds=bounds)
    found: dict[str, object] = {"n": len(data.y), "d": data.n_features}
    sums = timed(lambda: sufficient_statistics(data.X, data.y, bounds=bounds), 5)
    found["sums_ms"] = round(1e3 * sums, 2)
    print(f"\n{name}: {len(data.y)} x {data.n_features}, sums once {1e3 * sums:.1f} ms")
    spans = {k: timed(work, 5) for k, work in methods(train, test, delta).items()}
    for key, span in spans.items():
        print(
            f"  {key:16} {1e3 * span:8.1f} ms for {DRAWS} draws x {len(EPSILON)} ε with test error"
        )
    found["ms"] = {key: round(1e3 * span, 1) for key, span in spans.items()}

    def noise(draws: int) -> UnitNoise:
        share = proportional(data.n_features)
        return functional_noise(data.n_features, draws, np.random.default_rng(1), share=share)

    ours = functional_mechanism(
        train, EPSILON, n_draws=DRAWS, rng=np.random.default_rng(1), test=test
    )
    apart = np.abs(ours.test_mse / batched(train, test, noise(DRAWS)) - 1)
    # Draws near a pole have no digits to agree on; the median says whether the algebra is the same.
    found["median_difference_from_solve"] = float(np.median(apart))
    loop = timed(lambda: looped(train, test, noise(DRAWS)), 1)
    block = timed(lambda: batched(train, test, noise(DRAWS)), 3)
    found["times_loop"] = round(loop / spans["as printed"], 1)
    found["times_batched_solve"] = round(block / spans["as printed"], 1)
    print(f"  loop over solve {1e3 * loop:.0f} ms: x {loop / spans['as printed']:.0f};"
          f" one batched solve {1e3 * block:.0f} ms: x {block / spans['as printed']:.1f}")  # fmt: skip
    found |= against_diffprivlib(data, bounds, spans["as printed"])
    return found


def against_diffprivlib(
    data: datasets.RegressionDataset, bounds: Bounds, span: float
) -> dict[str, float]:
    """Compare our times with those of diffprivlib, for one fit and for 30,000 fits; return the results."""
    ends = {"bounds": (data.low, data.high), "target_bounds": (data.target_low, data.target_high)}
    one = timed(
        lambda: FunctionalMechanismRegression(random_state=0, **ends).fit(data.X, data.y), 5
    )
    peer = diffprivlib({
        "X": bounds.scale(data.X), "y": bounds.scale_target(data.y),
        "X_test": bounds.scale(data.X_test), "y_test": bounds.scale_target(data.y_test),
    })  # fmt: skip
    if peer is None:
        return {"fit_ms": round(1e3 * one, 2)}
    many = DRAWS * len(EPSILON) * peer["seconds"]
    print(f"  one fit {1e3 * one:.1f} ms, diffprivlib {1e3 * peer['seconds']:.0f} ms:"
          f" x {peer['seconds'] / one:.0f}; all {DRAWS * len(EPSILON)} of theirs {many / 60:.0f} min:"
          f" x {many / span:.0f} (its median test error at ε = 1: {peer['mse']:.4g})")  # fmt: skip
    return {
        "fit_ms": round(1e3 * one, 2), "diffprivlib_fit_ms": round(1e3 * peer["seconds"], 1),
        "times_diffprivlib_fit": round(peer["seconds"] / one, 1),
        "times_diffprivlib_grid": round(many / span),
    }  # fmt: skip


def main() -> None:
    """Measure, print the table, and end with one JSON object."""
    figures = {name: measure(name, delta) for name, delta in
               (("diabetes", 1e-5), ("synth1d", 1e-5), ("census_synthetic", 1e-6))}  # fmt: skip
    start = time.perf_counter()
    datasets.load_regression("census_synthetic")
    print(f"\nmaking 370,000 persons: {time.perf_counter() - start:.2f} s")
    print(json.dumps({"draws": DRAWS, "epsilons": len(EPSILON), **figures}))


if __name__ == "__main__":
    main()
