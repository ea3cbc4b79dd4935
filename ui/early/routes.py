"""``/early/PAGE/DIGEST``: the message of the figure with which a page opens."""

from __future__ import annotations

import gzip

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.early import kept

__all__ = ["ROUTES"]

_FOR_EVER = "public, max-age=31536000, immutable"


async def _answer(request: Request) -> Response:
    """Return a message; 404 for one that is not here, and the page waits for Streamlit."""
    found = kept.find(request.path_params["page"], request.path_params["digest"])
    if found is None:
        return Response(status_code=404, headers={"cache-control": "no-store"})
    body, headers = found.body, {"cache-control": _FOR_EVER, "vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
    else:
        body = gzip.decompress(body)
    return Response(body, headers=headers, media_type="application/json")


ROUTES = [
    Route(f"{prefix}/early/{{page}}/{{digest}}", _answer, methods=["GET"])
    for prefix in ("", "/{prefix:path}")
]
