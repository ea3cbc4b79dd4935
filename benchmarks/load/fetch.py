"""Files of arrays, fetched as a browser does: what is here is not fetched again."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

__all__ = ["fetch"]


async def fetch(address: str, path: str) -> int:
    """Fetch a path of the server and return how many bytes came.

    Raises
    ------
    OSError
        When the answer is none, or not 200.
    """
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    try:
        head = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await reader.read()
    finally:
        writer.close()
    if b" 200 " not in answer[:16]:
        raise OSError(f"{path}: {answer[:40]!r}")
    return len(answer)
