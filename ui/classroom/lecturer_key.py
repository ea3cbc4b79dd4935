"""Cookie in which the lecturer's browser keeps the key of a room, and the route that sets the cookie.

The cookie lets the lecturer return to the room after a reload, a restart of the server, or a move
to another process. Scripts of pages cannot read the cookie (HttpOnly), and other sites cannot send
it (SameSite=Strict). The cookie expires with the room.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ui.classroom import codes, housekeeping
from ui.classroom.models import Refused
from ui.classroom.routes import body, client_address, code_of, in_sentences
from ui.words.text import load_text

__all__ = ["PATH", "ROUTES", "key_of", "rooms_of"]

T = load_text(__file__)
PATH = "/lecturer/key"
_NAME = "dp_lecturer_"  # and the code of the room
_LONGEST = 64  # characters of a key
_MOST_ROOMS = 20  # whose keys are read from one browser's cookies


def key_of(cookies: Mapping[str, str], code: str) -> str:
    """Return the key of a room from a browser's cookies.

    Return "" if there is none.
    """
    key = cookies.get(f"{_NAME}{code}", "")
    return key if _is_possible(key) else ""


def rooms_of(cookies: Mapping[str, str]) -> list[str]:
    """Return the codes of the rooms whose keys are in a browser's cookies, twenty at most."""
    found = (codes.read(name.removeprefix(_NAME)) for name in cookies if name.startswith(_NAME))
    return sorted({code for code in found if code})[:_MOST_ROOMS]


async def _keep(request: Request) -> Response:
    """Set the cookie with the key of a room if the key is right; delete the cookie if the key is ""."""
    value, key = await body(request, "code", "key")
    code = code_of(request, value)
    if not _is_possible(key):
        raise Refused(T("refused.lecturer"), 403)
    answer = Response(status_code=204, headers={"cache-control": "no-store"})
    seconds = await run_in_threadpool(_seconds_left, code, key) if key else 0
    if key and not seconds:
        housekeeping.attempts().was_wrong(client_address(request))
        raise Refused(T("refused.lecturer"), 403)
    answer.set_cookie(
        f"{_NAME}{code}", key, max_age=seconds, path=_path(request), secure=_is_tls(request),
        httponly=True, samesite="strict",
    )  # fmt: skip
    return answer


async def _has_key(request: Request) -> Response:
    """Respond whether the request has a cookie with the key of a room.

    The page can find out in this way whether the browser has refused to store the cookie.
    """
    code = codes.read(request.path_params["code"])
    kept = bool(code and key_of(request.cookies, code))
    return JSONResponse({"kept": kept}, headers={"cache-control": "no-store"})


def _is_possible(key: object) -> bool:
    return isinstance(key, str) and len(key) <= _LONGEST and key.isascii()


def _seconds_left(code: str, key: str) -> int:
    """Return the number of seconds until the room is deleted.

    Return 0 if the key is wrong or the room is closed.
    """
    store = housekeeping.store()
    room = store.room(code) if store.is_lecturer(code, key) else None
    return 0 if room is None else max(int(room.expires - time.time()), 1)


def _path(request: Request) -> str:
    """Return the application's path with special characters encoded, for the attribute of a cookie.

    A semicolon in the path would begin another attribute.
    """
    return quote(request.url.path.removesuffix(PATH)) or "/"


def _is_tls(request: Request) -> bool:
    """Return whether the browser uses TLS, to this server or to a proxy before it."""
    return "https" in (request.url.scheme, request.headers.get("x-forwarded-proto", ""))


ROUTES = [
    Route(f"{prefix}{path}", in_sentences(handler), methods=[method])
    for method, path, handler in (("POST", PATH, _keep), ("GET", f"{PATH}/{{code}}", _has_key))
    for prefix in ("", "/{prefix:path}")
]
