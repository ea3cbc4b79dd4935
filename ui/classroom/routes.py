"""HTTP routes for phones: their page, their messages and the replies.

The lecturer's view is a page of Streamlit. Its only route is in `ui.classroom.lecturer_key`.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ui.classroom import activities, codes, housekeeping
from ui.classroom.models import Refused
from ui.words.text import load_text

__all__ = [
    "LARGEST_BODY", "POLICY", "ROUTES", "body", "client_address", "code_of", "files", "in_sentences",
]  # fmt: skip

T = load_text(__file__)

LARGEST_BODY = 4096  # bytes
_PATIENCE = 10.0  # seconds for the whole body of a request
_SOURCE = Path(__file__).resolve().parents[2] / "assets" / "room"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_NEVER = {"cache-control": "no-store"}
_AGAIN = "5"  # seconds
_TOKEN_LENGTH = 32  # of 64 signs: 192 bits, drawn by the phone
_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{_TOKEN_LENGTH}}}")
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
    """Return a hash of the static files of the phones' page, which serves as their version."""
    return hashlib.sha256(b"".join(files().values())).hexdigest()[:12]


@lru_cache(maxsize=32)
def _packed(name: str) -> bytes:
    return gzip.compress(files()[name], 9, mtime=0)


async def _page(request: Request) -> Response:
    """Return the phones' page, which refers to files that browsers may cache permanently."""
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


async def body(request: Request, *wanted: str) -> list[Any]:
    """Return the values of the required fields of a small JSON request, in order.

    A request with other fields is refused.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused(T("refused.json"), 415)
    try:
        whole = await asyncio.wait_for(_bounded(request), _PATIENCE)
    except (TimeoutError, ClientDisconnect):
        raise Refused(T("refused.slow", seconds=_PATIENCE), 408) from None
    try:
        fields = json.loads(whole)
        json.dumps(fields, ensure_ascii=False).encode()  # no half of a surrogate pair gets further
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or sorted(fields) != sorted(wanted):
        raise Refused(T("refused.fields", names=", ".join(wanted)), 422)
    return [fields[name] for name in wanted]


async def _bounded(request: Request) -> bytes:
    """Return the body of a request; refuse a body that is too large before all of it has arrived."""
    whole = b""
    async for part in request.stream():
        whole += part
        if len(whole) > LARGEST_BODY:
            raise Refused(T("refused.bytes", most=LARGEST_BODY), 413)
    return whole


def client_address(request: Request) -> str:
    """Return the network address that a request came from, or ""."""
    return request.client.host if request.client else ""


def code_of(request: Request, value: object) -> str:
    """Return the room code of a request in normalised form.

    Refuse the request if its sender has sent too many wrong codes.
    """
    housekeeping.let_try(client_address(request))
    code = codes.read(value)
    if not code:
        raise Refused(T("refused.code"), 422)
    return code


async def _enter(request: Request) -> Response:
    value, token = await body(request, "code", "token")
    code, address = code_of(request, value), client_address(request)
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise Refused(T("refused.token", n=_TOKEN_LENGTH), 422)
    try:
        seat = await run_in_threadpool(housekeeping.join, code, address, token)
    except Refused as refusal:
        if refusal.status == 404:
            housekeeping.attempts().was_wrong(address)
        raise
    return JSONResponse({"code": code, "seat": seat}, headers=_NEVER)


async def _seat(token: object, turn: object) -> Any:
    if not isinstance(token, str) or len(token) > 64 or type(turn) is not int:
        raise Refused(T("refused.no_phone"), 422)
    seat = await run_in_threadpool(lambda: housekeeping.store().seat(token))
    if seat.turn != turn or not seat.activity:
        raise Refused(T("refused.over"))
    return seat


async def _mine(request: Request) -> Response:
    seat = await _seat(*await body(request, "token", "turn"))
    share = activities.read(seat.activity).mine(seat.seed)
    return JSONResponse(share, headers=_NEVER)


async def _answer(request: Request) -> Response:
    token, turn, answer = await body(request, "token", "turn", "answer")
    seat = await _seat(token, turn)
    counted = await run_in_threadpool(activities.read(seat.activity).count, answer, seat.seed)
    box = await run_in_threadpool(lambda: housekeeping.store().answer(token, turn, counted.names))
    return JSONResponse({**counted.reply, "box": box}, headers=_NEVER)


async def _events(request: Request) -> Response:
    code, address = code_of(request, request.path_params["code"]), client_address(request)
    if not await run_in_threadpool(lambda: housekeeping.store().versions([code])):
        # The phone reads it in a message: browsers show no answer of 404.
        housekeeping.attempts().was_wrong(address)
    housekeeping.hub().check(address)
    headers = {**_NEVER, "x-accel-buffering": "no"}
    news = _heard(code, address, request.query_params.get("seat", ""))
    return StreamingResponse(news, headers=headers, media_type="text/event-stream")


async def _heard(code: str, address: str, seat: str) -> AsyncIterator[bytes]:
    with housekeeping.seats().listening(code, seat):
        async with aclosing(housekeeping.hub().listen(code, address)) as messages:
            async for message in messages:
                yield message


Handler = Callable[[Request], Awaitable[Response]]


def in_sentences(handler: Handler) -> Handler:
    """Return a handler that answers a refused request with its message and HTTP status."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refusal:
            again = {"retry-after": _AGAIN} if refusal.status in {429, 503} else {}
            told = {"refused": str(refusal)} | ({"box": refusal.box} if refusal.box else {})
            return JSONResponse(told, refusal.status, headers={**_NEVER, **again})

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
    Route(f"{prefix}{path}", in_sentences(handler), methods=[method])
    for method, path, handler in _PATHS
    for prefix in ("", "/{prefix:path}")
]
