"""Compression of scripts and styles.

Streamlit sends 3 MB of them uncompressed, which load slowly on a phone.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["MOST", "GzipMiddleware"]

MOST = 24 * 2**20  # bytes kept; all of Streamlit's scripts and styles and ours take about a third
_FILES = re.compile(r"(/[\w-]+)*/(static/(js|css)|app/static/live-[0-9a-f]{12})/[\w.-]+\.(js|css)")
_KINDS = re.compile(r"/(javascript|css)\b")
_OWN_RULES = ("range", "if-none-match", "if-modified-since")  # answered by the file as it is

_Answer = tuple[Message, bytes]


class GzipMiddleware:
    """Middleware that compresses files with a digest in their name, and caches the compressed files.

    Parameters
    ----------
    app : ASGI application
        Application that serves the files uncompressed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._answers: dict[str, _Answer] = {}
        self._bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request."""
        if not _wants(scope):
            return await self.app(scope, receive, send)
        start, body = self._answers.get(scope["path"]) or await self._compress(scope, receive)
        headers = [*start["headers"]]  # those before this may add to it
        await send({**start, "headers": headers})
        await send({"type": "http.response.body", "body": body})
        return None

    async def _compress(self, scope: Scope, receive: Receive) -> _Answer:
        start, body = await _whole(self.app, scope, receive)
        kind = Headers(raw=start["headers"]).get("content-type", "")
        if start["status"] != 200 or not _KINDS.search(kind):
            return start, body  # nothing of that name: Streamlit's page in its place
        small = await to_thread.run_sync(gzip.compress, body, 6)
        answer = _compressed(start, small)
        if self._bytes + len(small) <= MOST and scope["path"] not in self._answers:
            self._bytes += len(small)
            self._answers[scope["path"]] = answer
        return answer


def _wants(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] != "GET" or not _FILES.fullmatch(scope["path"]):
        return False
    headers = Headers(scope=scope)
    return "gzip" in headers.get("accept-encoding", "") and not any(
        name in headers for name in _OWN_RULES
    )


async def _whole(app: ASGIApp, scope: Scope, receive: Receive) -> _Answer:
    """Return the complete, uncompressed response of an application to a request."""
    messages: list[Message] = []

    async def noted(message: Message) -> None:
        messages.append(message)

    plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    await app({**scope, "headers": plain, "extensions": {}}, receive, noted)
    return messages[0], b"".join(_bodies(messages[1:]))


def _bodies(messages: Sequence[Message]) -> list[bytes]:
    return [message.get("body", b"") for message in messages]


def _compressed(start: Message, body: bytes) -> _Answer:
    reply = {**start, "headers": [*start["headers"]]}
    headers = MutableHeaders(scope=reply)
    headers["content-encoding"] = "gzip"
    headers["content-length"] = str(len(body))
    headers["vary"] = "Accept-Encoding"
    del headers["accept-ranges"]
    if "etag" in headers:
        headers["etag"] = "W/" + headers["etag"].removeprefix("W/")
    return reply, body
