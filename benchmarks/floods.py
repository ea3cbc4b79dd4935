"""Measure whether a flood of requests from one network or site shuts other networks out.

The floods are wrong room codes, joins (of one network, and of a site with 900), open streams of events, links, and
uploads. The application runs in a new process that trusts the addresses in request headers, as behind a proxy. After
each flood, while its connections are still open, a phone of another network joins a room and waits for its first
message. The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import http.cookies
import json
import os
import sys
import time
import urllib.request
import zlib
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.load.watched import Server, running, version
from tests.browser.visitor import visiting
from tests.ui.classroom.asking import asks_to_join
from ui.classroom import housekeeping
from ui.server import open_files

_LINK = base64.urlsafe_b64encode(zlib.compress(b"[" * 19_999, 9)).decode().rstrip("=")
_AT_ONCE = 50
_BYSTANDER = "192.0.2.1"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Client:
    """Client that can name any address as its own."""

    def __init__(self, server: Server) -> None:
        self.host, _, port = server.address.partition("://")[2].partition(":")
        self.port = int(port)
        self._free = asyncio.Semaphore(_AT_ONCE)

    async def ask(
        self, path: str, body: dict[str, Any] | bytes | None = None, *, of: str, **headers: str
    ) -> tuple[int, bytes]:
        """Send one request as the address ``of``; return status and content of the response."""
        async with self._free:
            reader, writer = await self._sent(path, body, of, headers)
            try:
                answer = await reader.read()
            except ConnectionResetError:  # refused before all of the body was read
                answer = b"HTTP/1.1 0 "
            finally:
                writer.close()
        head, _, content = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), content

    async def listen(self, path: str, *, of: str) -> tuple[int, Line]:
        """Open a stream of events; return its status and its open connection."""
        async with self._free:
            reader, writer = await self._sent(path, None, of, {})
            head = await reader.readuntil(b"\r\n\r\n")
        return int(head.split()[1]), (reader, writer)

    async def _sent(
        self, path: str, body: dict[str, Any] | bytes | None, of: str, headers: dict[str, str]
    ) -> Line:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        content = (
            b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        kind = "application/json" if isinstance(body, dict) else "multipart/form-data; boundary=b"
        method = "GET" if body is None else "POST" if isinstance(body, dict) else "PUT"
        fields = {
            "Host": f"{self.host}:{self.port}", "X-Forwarded-For": of, "Connection": "close",
            "Content-Type": kind, "Content-Length": str(len(content)), **headers,
        }  # fmt: skip
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + content)
        return reader, writer


async def _bystander(client: Client, code: str) -> float:
    """Return the seconds in which a phone of another network joins a room and receives its first message."""
    start = time.perf_counter()
    status, content = await client.ask("/join/enter", asks_to_join(code), of=_BYSTANDER)
    assert status == 200, (status, content)
    seat = json.loads(content)["seat"]
    status, (reader, writer) = await client.listen(
        f"/join/events/{code}?seat={seat}", of=_BYSTANDER
    )
    assert status == 200, status
    await reader.readuntil(b"data: ")
    writer.close()
    return time.perf_counter() - start


async def flooded(server: Server) -> dict[str, Any]:
    """Run all floods against one room; return their statuses, and a bystander's time after each flood.

    The status 0 stands for a connection that the server closed before it read the request.
    """
    client, found = Client(server), {}
    code, _ = housekeeping.store().open()
    wrong = "22222" if code != "22222" else "33333"

    async def run(name: str, *requests: Any) -> None:
        start, cpu = time.perf_counter(), server.cpu()
        answers = await asyncio.gather(*requests)
        taken = time.perf_counter() - start
        found[name] = {
            "statuses": dict(Counter(status for status, _ in answers)),
            "s": round(taken, 2),
            "cpu_s": round(server.cpu() - cpu, 2),
            "bystander_s": round(await _bystander(client, code), 3),
        }

    await client.ask(f"/handout/{_LINK}", of=_BYSTANDER)  # imports what a first visitor would
    await _bystander(client, code)
    found["quiet"] = {"bystander_s": round(await _bystander(client, code), 3)}
    await run("links", *(client.ask(f"/handout/{_LINK}", of="10.0.0.1") for _ in range(4)))
    await run(
        "wrong codes",
        *(client.ask("/join/enter", asks_to_join(wrong), of=f"10.0.1.{k % 8}") for k in range(218)),
    )
    await run(
        "joins", *(client.ask("/join/enter", asks_to_join(code), of="10.0.2.1") for _ in range(450))
    )
    site = [f"2001:db8:0:{k:x}::1" for k in range(900)]
    await run(
        "joins of a site", *(client.ask("/join/enter", asks_to_join(code), of=one) for one in site)
    )
    streams = [client.listen(f"/join/events/{code}", of="10.0.3.1") for _ in range(2000)]
    await run("streams", *streams)
    return found


async def uploaded(server: Server, megabytes: int) -> dict[str, Any]:
    """Send ten files of this size at once to one session; return statuses, and the memory before and after."""
    client = Client(server)
    with visiting(server.address) as visitor:
        visitor.open("")
        with urllib.request.urlopen(f"{server.address}/_stcore/health") as page:
            cookie = http.cookies.SimpleCookie(page.headers["set-cookie"])["_streamlit_xsrf"].value
        head = b"--b\r\nContent-Disposition: form-data; name=f; filename=f\r\n\r\n"
        body = head + b"1" * (megabytes * 2**20) + b"\r\n--b--\r\n"
        before = server.usage()["rss_mb"]
        path = f"/_stcore/upload_file/{visitor.session}"
        fields = {"X_Xsrftoken": cookie, "Cookie": f"_streamlit_xsrf={cookie}"}
        answers = await asyncio.gather(
            *(client.ask(f"{path}/{k}", body, of="10.0.4.1", **fields) for k in range(10))
        )
        after = server.usage()["rss_mb"]
    return {"statuses": dict(Counter(status for status, _ in answers)), "rss_mb": [before, after]}


def main() -> None:
    """Measure, print the results, and end with one JSON object."""
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    open_files.raise_limit()
    with TemporaryDirectory() as folder:
        os.environ.setdefault(housekeeping.ROOMS, f"sqlite:///{folder}/rooms.sqlite")
        with running() as server:
            found = asyncio.run(flooded(server))
            for megabytes in (19, 99):
                found[f"uploads of {megabytes} MB"] = asyncio.run(uploaded(server, megabytes))
        housekeeping.store().dispose()
    for name, values in found.items():
        print(f"  {name:18} {values}")
    print(json.dumps({"commit": version(), **found}))


if __name__ == "__main__":
    main()
