"""A generator from what scikit-learn calls a random state."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import _checks

__all__ = ["generator"]


def generator(random_state: Any) -> np.random.Generator:
    """Return the generator that a random state names; None draws a fresh one from the system.

    A Generator is used as it is, a RandomState is asked for one number, a whole number is the seed.
    Unlike scikit-learn's own reading, None never touches the global state of numpy.
    """
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return random_state
    if hasattr(random_state, "randint"):
        return np.random.default_rng(int(random_state.randint(2**31)))
    return np.random.default_rng(_checks.integer("random_state", random_state, low=0))
