"""Routes of array files: browsers cache public ones permanently, and those of a user's own data never."""

from __future__ import annotations

import gzip

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.live import array_files

__all__ = ["ROUTES", "answered", "is_array_file"]

_FOR_EVER = "public, max-age=31536000, immutable"
_NEVER = "no-store"


async def _answer(request: Request) -> Response:
    """Return a file of arrays; if it is not stored (404), the browser requests the arrays from its page."""
    token = request.path_params.get("token", "")
    file = array_files.find(request.path_params["name"], token)
    packed = await run_in_threadpool(file.packed) if file else None
    return answered(request, packed, "application/octet-stream", private=bool(token))


def answered(
    request: Request, packed: bytes | None, media_type: str, *, private: bool = False
) -> Response:
    """Return the response for content that is compressed by gzip and never changes; 404 for None.

    Browsers may cache it permanently, or not at all if ``private``.
    """
    if packed is None:
        return Response(status_code=404, headers={"cache-control": _NEVER})
    headers = {"cache-control": _NEVER if private else _FOR_EVER, "vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        packed = gzip.decompress(packed)
    return Response(packed, headers=headers, media_type=media_type)


def is_array_file(path: str) -> bool:
    """Return whether a path belongs to one of the routes of array files."""
    return "arrays" in path.split("/")[1:-1]


# With a prefix or without: behind a proxy the app may have one (`server.baseUrlPath`).
ROUTES = [
    Route(f"{prefix}/arrays/{name}", _answer, methods=["GET"])
    for name in ("{name}", "{token}/{name}")
    for prefix in ("", "/{prefix:path}")
]
