"""Random generators for the noise of each fit of an estimator, made from a scikit-learn ``random_state``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dpcore import _checks
from dpcore._copies import CountsCopies
from dpcore._types import RandomState
from dpcore._warnings import warn

if TYPE_CHECKING:
    from dpcore.guarantee import Guarantee

__all__ = [
    "ForgetsNoise",
    "SeededNoiseWarning",
    "generator",
    "is_secret",
    "seed_sequence",
    "warn_if_seeded",
]


class SeededNoiseWarning(UserWarning):
    """Warning: the noise is computed from a seed, and anybody who knows the seed can subtract the noise."""


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """Return a SeedSequence made from a random state.

    - None takes fresh entropy from the operating system. Unlike in scikit-learn, numpy's global state is never used.
    - An integer is the seed; all its digits are used.
    - 256 bits are drawn from a Generator or RandomState. No reference to it is stored, because a fitted model would
      then reveal its noise.
    """
    if random_state is None:
        return np.random.SeedSequence()
    if isinstance(random_state, np.random.Generator):
        words = random_state.integers(2**32, size=8, dtype=np.uint32)
    elif _moves_on(random_state):
        words = cast(np.random.RandomState, random_state).randint(2**32, size=8, dtype=np.uint32)
    else:
        return np.random.SeedSequence(_checks.integer("random_state", random_state, low=0))
    return np.random.SeedSequence(words.tolist())


def generator(random_state: RandomState) -> np.random.Generator:
    """Return a new random generator, seeded by `seed_sequence`; the caller's generator is not shared."""
    return np.random.default_rng(seed_sequence(random_state))


def is_secret(random_state: RandomState) -> bool:
    """Return whether the random state is None, so that the noise is drawn from fresh system entropy."""
    return random_state is None


def warn_if_seeded(random_state: RandomState, *, stacklevel: int = 3) -> None:
    """Warn that a seed must stay secret and must be used for only one release; None causes no warning."""
    if not is_secret(random_state):
        warn(
            "random_state is a seed or a generator: the guarantee then holds only while it stays secret "
            "and serves this one release. Leave random_state=None for a real release.",
            SeededNoiseWarning,
            stacklevel=stacklevel,
        )


class ForgetsNoise(CountsCopies):
    """Mixin that keeps the random generator of an estimator out of pickles and copies.

    The mixin must precede BaseEstimator in the list of base classes.

    A generator can be run backwards to recover the noise. In pickles and copies (`copy.copy`), a ``random_state``
    that is a Generator or RandomState is therefore replaced by None, and ``_left_out`` states the reason. An integer
    is kept, because it is a constructor parameter; the guarantee then assumes that the integer is secret.

    `sklearn.base.clone` is not affected. A clone has a generator in the same state and draws the same noise.
    """

    random_state: RandomState
    privacy_: Guarantee

    def __getstate__(self) -> Any:
        state: Any = super().__getstate__()
        if not _moves_on(state.get("random_state")):
            return state
        note = "random_state was a generator, which gives the noise away: it was left out."
        return {**state, "random_state": None, "_left_out": note}

    def _seal(self, guarantee: Guarantee) -> None:
        """Set ``privacy_`` to the guarantee adjusted for ``random_state``; warn unless ``random_state`` is None.

        The method is called in `fit`. Without noise (ε = inf) a seed reveals nothing, and there is no warning.
        """
        self.privacy_ = guarantee.with_seed(self.random_state)
        if np.isfinite(guarantee.epsilon):
            warn_if_seeded(self.random_state, stacklevel=4)


def _moves_on(random_state: object) -> bool:
    return isinstance(random_state, np.random.Generator) or hasattr(random_state, "randint")
