"""Responses with compressed content that never changes."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response

__all__ = ["respond"]

_FOR_EVER = "public, max-age=31536000, immutable"
_NEVER = "no-store"


def respond(
    request: Request, packed: bytes | None, media_type: str, *, private: bool = False
) -> Response:
    """Return the response for gzip-compressed content that never changes, or 404 for None.

    Browsers may cache the response permanently, or not at all if ``private``.
    """
    if packed is None:
        return Response(status_code=404, headers={"cache-control": _NEVER})
    headers = {"cache-control": _NEVER if private else _FOR_EVER, "vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, headers=headers, media_type=media_type)
