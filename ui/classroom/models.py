"""Data classes of rooms, and the error for refused requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Away", "Full", "Refused", "Room", "Seat", "Version"]


class Refused(Exception):
    """Raised to refuse a request, with a message for the user and an HTTP status.

    ``box``: name of the process that keeps the phone's answer, if there is one.
    """

    def __init__(self, sentence: str, status: int = 409, *, box: str = "") -> None:
        super().__init__(sentence)
        self.status, self.box = status, box


class Away(Refused):
    """Raised while the database of rooms cannot be reached."""


class Full(Refused):
    """Raised for a phone that finds no place in a room."""


@dataclass(frozen=True)
class Room:
    """State of a room: its activity, the number of phones, and the counts of their answers."""

    code: str
    turn: int
    phase: str
    activity: Mapping[str, Any]
    spent: float
    expires: float
    joined: int
    answered: int
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Seat:
    """Data to interpret a phone's answer: the room's activity, and random bytes ``seed``."""

    code: str
    turn: int
    phase: str
    activity: Mapping[str, Any]
    seed: bytes


class Version(NamedTuple):
    """Version of a room's state, to detect changes.

    ``boxes``: names of the processes that keep valid answers in memory.
    """

    number: int
    turn: int
    phase: str
    boxes: tuple[str, ...] = ()
