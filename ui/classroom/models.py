"""What is known of a room, and how somebody is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["Refused", "Room", "Seat", "Version"]


class Refused(Exception):
    """A sentence for whoever asked, and the status of an answer over HTTP."""

    def __init__(self, sentence: str, status: int = 409) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Room:
    """What is known of a room: what runs in it, how many are there, and the counts of what they answered."""

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
    """What the server needs to read an answer: what runs, and the bytes that one phone's chance comes from."""

    code: str
    turn: int
    phase: str
    activity: Mapping[str, Any]
    seed: bytes


class Version(NamedTuple):
    """What tells whether a room has changed; ``boxes`` names the processes whose answers count."""

    number: int
    turn: int
    phase: str
    boxes: tuple[str, ...] = ()
