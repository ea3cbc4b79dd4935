"""A generator from what scikit-learn calls a random state."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import _checks


def generator(random_state: Any) -> np.random.Generator:
    """Return a generator of one's own: None, an int, a Generator or a RandomState says which."""
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return np.random.default_rng(int(random_state.integers(2**63)))
    if hasattr(random_state, "randint"):
        return np.random.default_rng(int(random_state.randint(2**31)))
    return np.random.default_rng(_checks.integer("random_state", random_state, low=0))
