"""Download of array files over HTTP as by a browser, which does not fetch a file twice."""

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
    """Address of a server, and a reader's cookie, which selects one of several server processes."""

    address: str
    cookie: str = ""

    async def line(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a new connection to the server."""
        place = urlsplit(self.address)
        tls = _trusted() if place.scheme == "https" else None
        return await asyncio.open_connection(place.hostname, place.port, ssl=tls)

    async def enter(self) -> None:
        """Load the start page to receive the server's cookie, as a browser does before it opens a WebSocket."""
        reader, writer = await self.line()
        try:
            writer.write(self.question("/", "Connection: close"))
            head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        marks = re.findall(r"(?im)^set-cookie: *([^;\r]+)", head.decode("latin-1"))
        self.cookie = "; ".join(marks)

    def question(self, path: str, *more: str) -> bytes:
        """Return the HTTP request for a path, with additional header lines."""
        kept = (f"Cookie: {self.cookie}",) if self.cookie else ()
        lines = (f"GET {path} HTTP/1.1", f"Host: {urlsplit(self.address).netloc}", *kept, *more)
        return "\r\n".join((*lines, "", "")).encode()


@cache
def _trusted() -> ssl.SSLContext:
    """Return TLS settings that also trust the certificate in the file named by ``SSL_CERT_FILE``."""
    return ssl.create_default_context()


async def fetch(server: Server, path: str) -> int:
    """Fetch a path from the server; return the number of bytes received.

    Raises
    ------
    OSError
        When there is no response, or its status is not 200.
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
