"""Route ``/early/PAGE/DIGEST`` for the figure with which a page opens, as a message in JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.early import figure_store
from ui.web.responses import respond

__all__ = ["ROUTES"]


async def _answer(request: Request) -> Response:
    """Return the message (data in JSON) of an early figure, or 404 if the figure is not stored.

    After a 404 the browser waits for Streamlit, which sends the figure later.
    """
    figure = figure_store.find(request.path_params["page"], request.path_params["digest"])
    return respond(request, figure.body if figure else None, "application/json")


ROUTES = [
    Route(f"{prefix}/early/{{page}}/{{digest}}", _answer, methods=["GET"])
    for prefix in ("", "/{prefix:path}")
]
