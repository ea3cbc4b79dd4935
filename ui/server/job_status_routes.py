"""Route under which a browser polls the status of the background jobs that its figure waits for."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.jobs import job_status

__all__ = ["ROUTES"]


async def _answer(request: Request) -> Response:
    status = job_status.answer(request.path_params["token"])
    return JSONResponse(status, headers={"cache-control": "no-store"})


# With a prefix or without, as the routes of arrays.
ROUTES = [
    Route(f"{prefix}/news/{{token}}", _answer, methods=["GET"]) for prefix in ("", "/{prefix:path}")
]
