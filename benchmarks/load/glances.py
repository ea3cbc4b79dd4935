"""Polling of the status route over an open connection, as by a browser."""

from __future__ import annotations

import asyncio
import json
import re

from benchmarks.load.fetch import Server

__all__ = ["Glances"]

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


class Glances:
    """Open connection over which one reader polls the status route of a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def news(self, path: str) -> bool:
        """Return whether the page has an update, or True if the server cannot tell."""
        try:
            if self._line is None:
                self._line = await self._server.line()
            reader, writer = self._line
            writer.write(self._server.question(path))
            head = await reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await reader.readexactly(int(length[1]) if length else 0)
            return bool(json.loads(body)["news"])
        except (OSError, ValueError, KeyError, asyncio.IncompleteReadError):
            self.close()
            return True

    def close(self) -> None:
        """Close the connection."""
        if self._line is not None:
            self._line[1].close()
        self._line = None
