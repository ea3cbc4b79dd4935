"""Routes of array files.

Browsers cache public files permanently, and never cache files of a user's own data.
"""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.live import array_files
from ui.web.responses import respond

__all__ = ["ROUTES", "is_array_file"]


async def _answer(request: Request) -> Response:
    """Return a file of arrays, or 404 if the file is not stored.

    After a 404 the browser requests the arrays from its page.
    """
    token = request.path_params.get("token", "")
    file = array_files.find(request.path_params["name"], token)
    packed = await run_in_threadpool(file.packed) if file else None
    return respond(request, packed, "application/octet-stream", private=bool(token))


def is_array_file(path: str) -> bool:
    """Return whether a URL path is the path of an array file."""
    return "arrays" in path.split("/")[1:-1]


# With a prefix or without: behind a proxy the app may have one (`server.baseUrlPath`).
ROUTES = [
    Route(f"{prefix}/arrays/{name}", _answer, methods=["GET"])
    for name in ("{name}", "{token}/{name}")
    for prefix in ("", "/{prefix:path}")
]
