"""Responses whose HTML page is changed before it is sent to the browser."""

from __future__ import annotations

import gzip
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

__all__ = ["ChangedPage", "without_conditions"]

_CONDITIONS = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")


def without_conditions(scope: Scope) -> Scope:
    """Return a request for the complete and uncompressed page, without conditional headers.

    These compare the browser's copy with the page before it is changed.
    """
    plain = [(name, value) for name, value in scope["headers"] if name not in _CONDITIONS]
    return {**scope, "headers": plain, "extensions": {}}  # the body, not the path of a file


class ChangedPage:
    """Send function that buffers an HTML page until it is complete, and then changes and sends it.

    Content other than HTML is passed on unchanged. If ``small``, the changed page is compressed.
    """

    def __init__(self, send: Send, change: Callable[[str], str], *, small: bool) -> None:
        self._send, self._change, self._small = send, change, small
        self._start: Message | None = None
        self._body = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_page(message):
            self._start = message
        elif self._start is None or message["type"] != "http.response.body":
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page(self._start, self._change(self._body.decode()).encode())

    async def _send_page(self, start: Message, body: bytes) -> None:
        headers = MutableHeaders(scope=start)
        for name in ("etag", "last-modified", "accept-ranges"):
            del headers[name]
        if self._small:
            body = gzip.compress(body, 6)
            headers["content-encoding"] = "gzip"
        if "accept-encoding" not in headers.get("vary", "").lower():
            headers.add_vary_header("Accept-Encoding")
        headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})


def _is_page(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    whole = start["status"] == 200 and "content-encoding" not in headers
    return whole and headers.get("content-type", "").startswith("text/html")
