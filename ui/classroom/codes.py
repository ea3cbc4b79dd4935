"""Room codes of five unambiguous characters, and a rate limit on guessing them."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["ALPHABET", "LENGTH", "Attempts", "draw", "hashed", "read"]

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0 and O, 1, I and L; without U, so that fewer words come about."""
LENGTH = 5
_MOST_ADDRESSES = 10_000


def draw() -> str:
    """Return a new random room code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read(value: object) -> str:
    """Return a user's input as a normalised room code; "" if it cannot be one."""
    text = "".join(value.split()).upper() if isinstance(value, str) and len(value) <= 20 else ""
    return text if len(text) == LENGTH and set(text) <= set(ALPHABET) else ""


def hashed(secret: str) -> str:
    """Return the hash under which a secret is stored; secrets are drawn from more than 2^128 values."""
    return hashlib.sha256(secret.encode()).hexdigest()


class _Bucket:
    """Token bucket for a rate limit: it allows a burst of tries, and then a steady rate."""

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self.burst, self.rate, self.left, self.at = burst, rate, burst, now

    def refill(self, now: float) -> float:
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        return self.left


class Attempts:
    """Rate limit on wrong room codes, per network address and for all addresses together.

    An address that has used up its tries is refused without checking its code, right or wrong, since otherwise
    a guesser could go on trying. Phones that have already joined are exempt. Addresses are stored in memory
    only, for a short time.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        one: tuple[float, float] = (40, 0.5),
        every: tuple[float, float] = (200, 2.0),
    ) -> None:
        self._clock, self._one = clock, one
        self._every = _Bucket(*every, clock())
        self._of: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def may_try(self, address: str) -> bool:
        """Return whether a code sent from this address may be checked now."""
        with self._lock:
            return min(bucket.refill(self._clock()) for bucket in self._buckets(address)) >= 1

    def was_wrong(self, address: str) -> None:
        """Record that a wrong code was sent from this address."""
        with self._lock:
            for bucket in self._buckets(address):
                bucket.refill(self._clock())
                bucket.left -= 1

    def _buckets(self, address: str) -> tuple[_Bucket, _Bucket]:
        bucket = self._of.pop(address, None) or _Bucket(*self._one, self._clock())
        self._of[address] = bucket
        while len(self._of) > _MOST_ADDRESSES:
            self._of.popitem(last=False)
        return bucket, self._every
