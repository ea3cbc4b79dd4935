"""Compiled dynamic program for the reconstruction attack, which chooses one part for each group at the least cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore._jit import jit

__all__ = ["cheapest"]

_OPTIONS: Any = {"error_model": "numpy", "nogil": True}


@jit(**_OPTIONS)
def cheapest(costs, last, starts, parts, rests):
    """Return the least total cost of choosing one part for each of A groups, and the chosen parts (A,).

    The total cost is the sum of the costs of the chosen parts, plus a cost of the sum of these parts. ``costs`` (A,
    S) holds the costs of the S possible parts in each group, and ``last`` (S,) the costs of the S possible sums. The
    pairs of parts with the sum w are ``parts[i]``, ``rests[i]`` for ``starts[w]`` ≤ i < ``starts[w + 1]``. Among
    equally cheap choices, the one that comes first in these lists is returned.
    """
    n_groups, n_parts = costs.shape
    best, other = costs[0].copy(), np.empty(n_parts)
    chosen = np.zeros((n_groups, n_parts), np.int32)
    for a in range(1, n_groups):
        for w in range(n_parts):
            least, at = np.inf, starts[w]
            for i in range(starts[w], starts[w + 1]):
                cost = best[parts[i]] + costs[a, rests[i]]
                if cost < least:
                    least, at = cost, i
            other[w], chosen[a, w] = least, at
        best, other = other, best
    whole = np.argmin(best + last)
    total = best[whole] + last[whole]
    found = np.zeros(n_groups, np.int32)
    for a in range(n_groups - 1, 0, -1):
        found[a] = rests[chosen[a, whole]]
        whole = parts[chosen[a, whole]]
    found[0] = whole
    return total, found
