"""Data classes of rooms, and the error for refused requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Refused", "Room", "Seat", "Version"]


class Refused(Exception):
    """Error of a request that is refused, with a message for the user and an HTTP status."""

    def __init__(self, sentence: str, status: int = 409) -> None:
        super().__init__(sentence)
        self.status = status


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
    """Data needed to interpret a phone's answer: the room's activity, and the phone's random bytes ``seed``."""

    code: str
    turn: int
    phase: str
    activity: Mapping[str, Any]
    seed: bytes


class Version(NamedTuple):
    """Version of a room's state, by which changes are detected.

    ``boxes`` names the processes whose answers in memory are counted.
    """

    number: int
    turn: int
    phase: str
    boxes: tuple[str, ...] = ()
