"""Files of arrays, fetched as a browser does: what is here is not fetched again."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

__all__ = ["Server", "fetch"]


@dataclass
class Server:
    """Where a reader asks: the address, and the cookie that keeps it at one process of several."""

    address: str
    cookie: str = ""

    async def line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection."""
        place = urlsplit(self.address)
        tls = _trusted() if place.scheme == "https" else None
        return await asyncio.open_connection(place.hostname, place.port, ssl=tls)

    async def enter(self) -> None:
        """Load the first page, for its cookie: a browser has it before it opens a WebSocket."""
        reader, writer = await self.line()
        try:
            writer.write(self.question("/", "Connection: close"))
            head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        marks = re.findall(r"(?im)^set-cookie: *([^;\r]+)", head.decode("latin-1"))
        self.cookie = "; ".join(marks)

    def question(self, path: str, *more: str) -> bytes:
        """Return what asks for a path, with more lines of the head."""
        kept = (f"Cookie: {self.cookie}",) if self.cookie else ()
        lines = (f"GET {path} HTTP/1.1", f"Host: {urlsplit(self.address).netloc}", *kept, *more)
        return "\r\n".join((*lines, "", "")).encode()


@cache
def _trusted() -> ssl.SSLContext:
    """Whom to trust: ``SSL_CERT_FILE`` names one more."""
    return ssl.create_default_context()


async def fetch(server: Server, path: str) -> int:
    """Fetch a path of the server and return how many bytes came.

    Raises
    ------
    OSError
        When the answer is none, or not 200.
    """
    reader, writer = await server.line()
    try:
        writer.write(server.question(path, "Accept-Encoding: gzip", "Connection: close"))
        answer = await reader.read()
    finally:
        writer.close()
    if b" 200 " not in answer[:16]:
        raise OSError(f"{path}: {answer[:40]!r}")
    return len(answer)
