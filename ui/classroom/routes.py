"""HTTP routes for phones: their page, their messages and the replies.

The lecturer's view is a page of Streamlit and has no route here.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ui.classroom import activities, codes, housekeeping
from ui.classroom.models import Refused
from ui.words.text import beside

__all__ = ["LARGEST_BODY", "POLICY", "ROUTES", "files"]

T = beside(__file__)

LARGEST_BODY = 4096  # bytes
_SOURCE = Path(__file__).resolve().parents[2] / "assets" / "room"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_NEVER = {"cache-control": "no-store"}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@lru_cache(maxsize=1)
def files() -> dict[str, bytes]:
    """Return the static files of the phones' page, by name."""
    paths = [path for path in sorted(_SOURCE.iterdir()) if path.suffix in {".js", ".css", ".html"}]
    return {path.name: path.read_bytes() for path in paths}


@lru_cache(maxsize=1)
def version() -> str:
    """Return a hash of the static files of the phones' page, used as their version."""
    return hashlib.sha256(b"".join(files().values())).hexdigest()[:12]


@lru_cache(maxsize=32)
def _packed(name: str) -> bytes:
    return gzip.compress(files()[name], 9, mtime=0)


async def _page(request: Request) -> Response:
    """Return the phones' page; it refers to versioned files, which browsers cache permanently."""
    text = files()["index.html"].decode().replace("VERSION", version())
    headers = {"content-security-policy": POLICY, "cache-control": "no-cache"}
    return Response(text, headers=headers, media_type="text/html")


async def _file(request: Request) -> Response:
    name = request.path_params["name"]
    kind = _KINDS.get(Path(name).suffix)
    if kind is None or name not in files() or request.path_params["version"] != version():
        return Response(status_code=404, headers=_NEVER)
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(files()[name], headers=headers, media_type=kind)
    return Response(_packed(name), headers={**headers, "content-encoding": "gzip"}, media_type=kind)


async def _body(request: Request, *wanted: str) -> list[Any]:
    """Return the values of the required fields of a small JSON request, in this order; refuse other fields."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused(T("refused.json"), 415)
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > LARGEST_BODY:
            raise Refused(T("refused.bytes", most=LARGEST_BODY), 413)
    try:
        fields = json.loads(whole)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or sorted(fields) != sorted(wanted):
        raise Refused(T("refused.fields", names=", ".join(wanted)), 422)
    return [fields[name] for name in wanted]


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _code(request: Request, value: object) -> str:
    """Return the room code of a request in normalised form; refuse it if the sender has guessed too often."""
    housekeeping.let_try(_address(request))
    code = codes.read(value)
    if not code:
        raise Refused(T("refused.code"), 422)
    return code


async def _enter(request: Request) -> Response:
    (value,) = await _body(request, "code")
    code = _code(request, value)
    try:
        token = await run_in_threadpool(housekeeping.store().join, code)
    except Refused as refusal:
        if refusal.status == 404:
            housekeeping.attempts().was_wrong(_address(request))
        raise
    return JSONResponse({"code": code, "token": token}, headers=_NEVER)


async def _seat(token: object, turn: object) -> Any:
    if not isinstance(token, str) or len(token) > 64 or type(turn) is not int:
        raise Refused(T("refused.no_phone"), 422)
    seat = await run_in_threadpool(housekeeping.store().seat, token)
    if seat.turn != turn or not seat.activity:
        raise Refused(T("refused.over"))
    return seat


async def _mine(request: Request) -> Response:
    seat = await _seat(*await _body(request, "token", "turn"))
    share = activities.read(seat.activity).mine(seat.seed)
    return JSONResponse(share, headers=_NEVER)


async def _answer(request: Request) -> Response:
    token, turn, answer = await _body(request, "token", "turn", "answer")
    seat = await _seat(token, turn)
    counted = await run_in_threadpool(activities.read(seat.activity).count, answer, seat.seed)
    box = await run_in_threadpool(housekeeping.store().answer, token, turn, counted.names)
    return JSONResponse({**counted.told, "box": box}, headers=_NEVER)


async def _events(request: Request) -> Response:
    code = _code(request, request.path_params["code"])
    if not await run_in_threadpool(housekeeping.store().versions, [code]):
        housekeeping.attempts().was_wrong(
            _address(request)
        )  # told as a message: browsers show no answer of 404
    housekeeping.hub().check()
    headers = {**_NEVER, "x-accel-buffering": "no"}
    return StreamingResponse(
        housekeeping.hub().listen(code), headers=headers, media_type="text/event-stream"
    )


Handler = Callable[[Request], Awaitable[Response]]


def _in_sentences(handler: Handler) -> Handler:
    """Return a handler that answers a refused request with its message and HTTP status."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refusal:
            return JSONResponse({"refused": str(refusal)}, refusal.status, headers=_NEVER)

    return answered


_PATHS: list[tuple[str, str, Handler]] = [
    ("GET", "/join", _page),
    ("GET", "/join/files-{version}/{name}", _file),
    ("POST", "/join/enter", _enter),
    ("POST", "/join/mine", _mine),
    ("POST", "/join/answer", _answer),
    ("GET", "/join/events/{code}", _events),
]
# With a prefix or without, as the routes of arrays.
ROUTES = [
    Route(f"{prefix}{path}", _in_sentences(handler), methods=[method])
    for method, path, handler in _PATHS
    for prefix in ("", "/{prefix:path}")
]
