"""The numbers behind the formulas of Jiang's slides."""

from __future__ import annotations

import math
from typing import Any

from dpcore import sensitivity
from dpcore.experiments import epsilon_tables
from dpcore.experiments.formulas.number import DELTA, Number, counts
from dpcore.mechanisms import calibration, randomized_response
from dpcore.regression import sensitivity as moved
from dpcore.regression import splits

__all__ = ["NUMBERS"]

_FEATURES: dict[str, Any] = {"symbol": "d", "moves": "features", "grid": counts(13, 20)}

NUMBERS = {
    "4.1": Number(
        what="how far one replaced record moves a mean of values in [0, 1]", symbol="m", moves="records",
        grid=(10.0, 100.0, 1000.0), start=100.0,
        right=lambda m: sensitivity.mean(0.0, 1.0, n_samples=int(m), neighbouring="replace_one"),
    ),
    "4.2": Number(
        what="ε of 5000 steps at σ = 1, q = 0.01, when each of L records brings its own noise", symbol="L",
        moves="records in a lot", grid=(1.0, 25.0, 100.0, 400.0), start=100.0,
        right=lambda n: float(epsilon_tables.epsilons([math.sqrt(n)], DELTA, 0.01, 50)[0]),
        printed=lambda n: float(epsilon_tables.epsilons([1.0], DELTA, 0.01, 50)[0]),
    ),
    "4.3": Number(
        what="sensitivity of all that is released together (printed line: with the sum of y² too)", **_FEATURES,
        start=13.0, right=lambda d: moved.joint(int(d)), printed=lambda d: moved.joint(int(d)) + 1,
    ),
    "4.4": Number(
        what="sensitivity of the quadratic coefficients", **_FEATURES, start=3.0,
        right=lambda d: moved.quadratic(int(d)), printed=lambda d: moved.printed_quadratic(int(d)),
    ),
    "4.5": Number(
        what="sensitivity of the linear coefficients", **_FEATURES, start=3.0,
        right=lambda d: moved.linear(int(d)), printed=lambda d: 4 * (d + 1),
    ),
    "4.6": Number(
        what="share of ε for the quadratic part (printed: at least; right: for the regression's least error)",
        **_FEATURES, start=13.0, right=lambda d: splits.error_optimal(int(d)), printed=lambda d: 0.5,
    ),
    "4.7": Number(
        what="scale of the noise of a coefficient at ε = 1", **_FEATURES, start=13.0,
        right=lambda d: moved.joint(int(d)),
        printed=lambda d: moved.printed_quadratic(int(d)) + moved.linear(int(d)),
    ),
    "4.8": Number(
        what="density of the noise at a distance of t scales, against its peak", symbol="t", moves="distance",
        grid=counts(), start=1.0, right=lambda t: math.exp(-t), printed=math.exp,
    ),
    "4.9": Number(
        what="ε when noise is drawn anew until a minimum exists", right=lambda e: 2 * e, printed=lambda e: e,
    ),
    "4.10": Number(
        what="ε of the published weights", right=lambda e: e, printed=lambda e: e,
    ),
    "4.11": Number(
        what="largest ratio of two probabilities under randomised response", printed=math.exp,
        right=lambda e: randomized_response(e, 2).truth / (1 - randomized_response(e, 2).truth),
    ),
    "4.12": Number(
        what="δ of exact Gaussian noise for δ = 10⁻⁵", printed=lambda e: DELTA,
        right=lambda e: calibration.gaussian_delta(calibration.gaussian_sigma(1.0, e, delta=DELTA), 1.0, epsilon=e),
    ),
}  # fmt: skip
