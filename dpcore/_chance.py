"""Noise of its own for every fit, made from what scikit-learn calls a random state."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from dpcore import _checks

__all__ = ["SeededNoiseWarning", "generator", "is_secret", "seed_sequence", "warn_if_seeded"]


class SeededNoiseWarning(UserWarning):
    """The noise comes from a seed that somebody may know: who has it can take the noise away."""


def seed_sequence(random_state: Any) -> np.random.SeedSequence:
    """Return 128 bits or more of entropy that a random state names; None asks the system for fresh ones.

    A Generator or RandomState is asked for 256 bits and moves on; it is not kept, so that nothing a
    fitted model holds leads back to its noise. A whole number is used in full, however large.
    Unlike scikit-learn's own reading, None never touches the global state of numpy.
    """
    if random_state is None:
        return np.random.SeedSequence()
    if isinstance(random_state, np.random.Generator):
        words = random_state.integers(2**32, size=8, dtype=np.uint32)
    elif hasattr(random_state, "randint"):
        words = random_state.randint(2**32, size=8, dtype=np.uint32)
    else:
        return np.random.SeedSequence(_checks.integer("random_state", random_state, low=0))
    return np.random.SeedSequence(words.tolist())


def generator(random_state: Any) -> np.random.Generator:
    """Return a new generator that nobody else holds, from `seed_sequence`."""
    return np.random.default_rng(seed_sequence(random_state))


def is_secret(random_state: Any) -> bool:
    """Whether the noise comes from fresh entropy of the system, which nobody has seen or will see again."""
    return random_state is None


def warn_if_seeded(random_state: Any) -> None:
    """Warn that a seed voids the guarantee unless it stays secret and serves one release."""
    if not is_secret(random_state):
        warnings.warn(
            "random_state is a seed or a generator: the guarantee then holds only while it stays secret "
            "and serves this one release. Leave random_state=None for a real release.",
            SeededNoiseWarning,
            stacklevel=3,
        )
