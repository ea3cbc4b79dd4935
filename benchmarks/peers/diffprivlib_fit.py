"""Measure one diffprivlib fit on records from the file given as argument; print its seconds and its error.

The program runs in an environment of its own, since diffprivlib 0.6.6 cannot be imported with scikit-learn 1.9.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import warnings

import numpy as np
from diffprivlib.models import LinearRegression

warnings.filterwarnings("ignore")


def main(file: str, repeats: int = 3) -> None:
    """Print the median seconds of a fit and the median test error, as one JSON object."""
    with np.load(file) as found:
        X, y, X_test, y_test = (found[name] for name in ("X", "y", "X_test", "y_test"))
    spans, errors = [], []
    for seed in range(repeats + 1):
        start = time.perf_counter()
        model = LinearRegression(
            epsilon=1.0, bounds_X=(-1.0, 1.0), bounds_y=(-1.0, 1.0), random_state=seed
        ).fit(X, y)
        spans.append(time.perf_counter() - start)
        errors.append(float(np.mean((model.predict(X_test) - y_test) ** 2)))
    answer = {"seconds": statistics.median(spans[1:]), "mse": statistics.median(errors)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
