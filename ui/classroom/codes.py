"""Room codes of five unambiguous characters, and a rate limit on guessing them."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable

from ui.classroom.limits import Buckets

__all__ = ["ALPHABET", "LENGTH", "LESSON_LENGTH", "Attempts", "draw", "hashed", "read"]

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Characters of room codes.

0 and O, 1, I and L look alike and are left out. U is left out, so that fewer words occur.
"""
LENGTH = 5
LESSON_LENGTH = 10  # of the key of a kept lesson; no lesson in a link is as short


def draw() -> str:
    """Return a new random room code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read(value: object) -> str:
    """Return a user's input as a normalised room code.

    Return "" if it cannot be a room code.
    """
    text = "".join(value.split()).upper() if isinstance(value, str) and len(value) <= 20 else ""
    return text if len(text) == LENGTH and set(text) <= set(ALPHABET) else ""


def hashed(secret: str) -> str:
    """Return the hash under which a secret is stored.

    A plain hash is safe here, since secrets are drawn at random from more than 2^128 values.
    """
    return hashlib.sha256(secret.encode()).hexdigest()


class Attempts:
    """Rate limit on wrong room codes, per network and for all networks together.

    A network that has used up its tries is refused even if its code is right, so that a guesser
    learns nothing. When the tries of all networks together are used up, a network with few wrong
    codes may still try, so that guessers elsewhere do not lock it out. Phones that have already
    joined are exempt. Addresses are stored in memory only, for a short time.

    Parameters
    ----------
    clock : callable
        Function that returns the current time in seconds.
    one, every, few : tuple of float
        Each is a pair: the allowed burst of wrong codes, and the rate per second of further ones. ``one``
        holds for one network, ``every`` for all networks together. ``few`` holds for one network while the
        tries of all networks are used up.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        one: tuple[float, float] = (40, 0.5),
        every: tuple[float, float] = (200, 2.0),
        few: tuple[float, float] = (10, 1 / 60),
    ) -> None:
        self._one, self._few = Buckets(*one, clock), Buckets(*few, clock)
        self._every = Buckets(*every, clock)
        self._lock = threading.Lock()

    def may_try(self, address: str) -> bool:
        """Return whether a code sent from this address may be checked now."""
        with self._lock:
            shared = max(self._every.left(""), self._few.left_at(address))
            return min(self._one.left_at(address), shared) >= 1

    def was_wrong(self, address: str) -> None:
        """Record that a wrong code was sent from this address."""
        with self._lock:
            for buckets in (self._one, self._few):
                buckets.take_at(address)
            self._every.take("")
