"""Glances at the news over a connection that stays open, as a browser's does."""

from __future__ import annotations

import asyncio
import json
import re
from urllib.parse import urlsplit

__all__ = ["Glances"]

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Glances:
    """One reader's line to the server at ``address``."""

    def __init__(self, address: str) -> None:
        self._place = urlsplit(address)
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def news(self, path: str) -> bool:
        """Return whether there is news, or whether nobody there can tell."""
        try:
            if self._line is None:
                self._line = await asyncio.open_connection(self._place.hostname, self._place.port)
            reader, writer = self._line
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._place.netloc}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            return bool(json.loads(body)["news"])
        except (OSError, ValueError, KeyError, asyncio.IncompleteReadError):
            self.close()
            return True

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line[1].close()
        self._line = None
