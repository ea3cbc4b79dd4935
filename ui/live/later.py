"""What Python sends of a figure that nobody has come near yet."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["LaterMessage"]


class LaterMessage(TypedDict):
    """What Python sends of a figure that nobody has come near yet: how high it will be, in pixels."""

    later: int
    name: str
    session: str
    modules: str
