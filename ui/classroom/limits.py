"""Limits on the numbers of rooms, phones and event streams, against floods of requests.

The limits are in memory, per session and per network. A limit for all networks is many times the
limit for one network, so that a flood from one network leaves enough for the others.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ui.classroom.models import Full, Refused
from ui.words.text import load_text

__all__ = ["MOST_OF_NETWORK", "SITE", "Buckets", "Openings", "Seats", "networks"]

T = load_text(__file__)

MOST_OF_NETWORK = 400
"""Largest number of phones of one network in a room.

All phones of a school may share one address."""
SITE = 2
"""Factor by which the limits of a site (the first 48 bits of an IPv6 address) exceed those of one of its networks."""
_MOST_KEYS = 10_000
_JOINING, _AWAY = 15.0, 600.0  # seconds until a phone listens, and for which it may stay away


def networks(address: str) -> dict[str, int]:
    """Return the networks that contain an address, each with the factor by which its limits are multiplied.

    One visitor can have all IPv6 addresses with the same first 64 bits, so these are one network, with
    the factor 1. A visitor with a site's first 48 bits can have 65,536 such networks, so the site has
    limits too, `SITE` times as high. An IPv4 address is a network by itself, also if it is written as
    an IPv6 address (``::ffff:192.0.2.1``).

    Examples
    --------
    >>> networks("2001:db8::1")
    {'2001:db8::/64': 1, '2001:db8::/48': 2}
    >>> networks("::ffff:192.0.2.1")
    {'192.0.2.1': 1}
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return {address[:64]: 1}
    ipv4 = found if found.version == 4 else found.ipv4_mapped
    if ipv4 is not None:
        return {str(ipv4): 1}
    bits = {64: 1, 48: SITE}
    return {str(ipaddress.IPv6Network((int(found), n), strict=False)): k for n, k in bits.items()}


class Buckets:
    """Token buckets by key: a burst of ``burst`` tries, then ``rate`` tries a second.

    The burst and the rate of a bucket are multiplied by its ``factor``.
    """

    def __init__(self, burst: float, rate: float, clock: Callable[[], float]) -> None:
        self.burst, self.rate, self._clock = burst, rate, clock
        self._of: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def left(self, key: str, factor: int = 1) -> float:
        """Return the number of tries that ``key`` has left."""
        burst = factor * self.burst
        left, at = self._of.get(key, (burst, 0.0))
        return min(burst, left + (self._clock() - at) * factor * self.rate)

    def take(self, key: str, factor: int = 1) -> None:
        """Use up one try of ``key``."""
        self._of[key] = (max(self.left(key, factor) - 1, 0.0), self._clock())
        self._of.move_to_end(key)
        while len(self._of) > _MOST_KEYS:
            self._of.popitem(last=False)

    def minutes(self, key: str, factor: int = 1) -> int:
        """Return the minutes until ``key`` has a try again, rounded up."""
        return max(1, -int((self.left(key, factor) - 1) / (factor * self.rate) // 60))

    def left_at(self, address: str) -> float:
        """Return the number of tries that all networks of an address have left."""
        return min(self.left(place, factor) for place, factor in networks(address).items())

    def take_at(self, address: str) -> None:
        """Use up one try of every network of an address."""
        for place, factor in networks(address).items():
            self.take(place, factor)


class Openings:
    """Rate limit on opening rooms, per session and per network.

    Parameters
    ----------
    clock : callable
        Function that returns the current time in seconds.
    session, of_network : tuple of float
        Number of rooms that can be opened at once, and rooms per second after that.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        session: tuple[float, float] = (5, 5 / 3600),
        of_network: tuple[float, float] = (20, 5 / 3600),
    ) -> None:
        self._session, self._network = Buckets(*session, clock), Buckets(*of_network, clock)
        self._lock = threading.Lock()

    def take(self, session: str, address: str) -> None:
        """Record that a session opens a room.

        Raise `Refused` if the session, or its network, has opened too many rooms.
        """
        with self._lock:
            places = networks(address).items()
            limits = [("session_rooms", self._session, session, 1)]
            limits += [("network_rooms", self._network, place, factor) for place, factor in places]
            for name, buckets, key, factor in limits:
                if buckets.left(key, factor) < 1:
                    n, minutes = int(factor * buckets.burst), buckets.minutes(key, factor)
                    raise Refused(T(f"refused.{name}", n=n, minutes=minutes), 429)
            for _, buckets, key, factor in limits:
                buckets.take(key, factor)


@dataclass
class _Seat:
    name: str  # under which its phone listens
    networks: tuple[str, ...]
    streams: int = 0
    heard: bool = False
    since: float = 0.0  # when it was given, or its last stream ended


class Seats:
    """Phones to which this process has given places in rooms.

    For each phone its networks are recorded, and whether it listens to the events of its room. A phone is silent if
    it did not listen soon after it joined, or stopped listening more than ten minutes ago.

    In a full room a silent phone's place is given to the next phone. Phones that have answered a
    question keep their places.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, dict[str, _Seat]] = {}  # by the hash of the phone's token
        self._lock = threading.Lock()

    def take(self, code: str, address: str, token: str) -> tuple[str, bool]:
        """Take a place in the room for a phone, whose token has the hash ``token``.

        Return the name under which the phone listens, and whether the place is new. The place is not
        new if the phone asks again. Raise `Full` if a network of the phone already has the largest
        allowed number of places.
        """
        places = networks(address)
        with self._lock:
            seats = self._rooms.get(code, {})
            if token in seats:
                return seats[token].name, False
            taken = Counter(place for seat in seats.values() for place in seat.networks)
            if any(taken[place] >= k * MOST_OF_NETWORK for place, k in places.items()):
                raise Full(T("refused.full"), 503)
            seat = _Seat(secrets.token_urlsafe(9), tuple(places), since=self._clock())
            self._rooms.setdefault(code, {})[token] = seat
            return seat.name, True

    @contextmanager
    def listening(self, code: str, name: str) -> Iterator[None]:
        """Context manager: record that the phone ``name`` listens to the events of its room during the block.

        Unknown names are ignored.
        """
        with self._lock:
            here = self._rooms.get(code, {}).values()
            seat = next((seat for seat in here if seat.name == name), None)
        if seat is None:
            yield
            return
        with self._lock:
            seat.streams, seat.heard = seat.streams + 1, True
        try:
            yield
        finally:
            with self._lock:
                seat.streams, seat.since = seat.streams - 1, self._clock()

    def silent(self, code: str) -> list[str]:
        """Return the hashes of the tokens of all silent phones in a room."""
        now = self._clock()
        with self._lock:
            return [
                token
                for token, seat in self._rooms.get(code, {}).items()
                if not seat.streams and now - seat.since > (_AWAY if seat.heard else _JOINING)
            ]

    def remove(self, code: str, tokens: Collection[str]) -> None:
        """Forget the phones in a room whose tokens have the hashes ``tokens``."""
        with self._lock:
            seats = self._rooms.get(code, {})
            for token in tokens:
                seats.pop(token, None)

    def forget(self, closed: Collection[str]) -> None:
        """Forget the phones in the closed rooms with the codes ``closed``."""
        with self._lock:
            for code in closed:
                self._rooms.pop(code, None)

    def rooms(self) -> list[str]:
        """Return the codes of the rooms in which phones have places."""
        with self._lock:
            return list(self._rooms)
