"""The application's server: static files, security headers, blocked routes, quick shutdown."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from pathlib import Path
from types import FrameType

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.classroom import housekeeping as room_desk
from ui.classroom import lecturer_key
from ui.classroom import routes as room_routes
from ui.early import routes as early_routes
from ui.early.markup import START
from ui.exercises import files
from ui.export import origin
from ui.frame import shell
from ui.frame.page_spec import PageEntry
from ui.jobs import pool
from ui.server import (
    array_routes,
    background_preparation,
    cache_warmup,
    connection,
    freed_memory,
    gzip_middleware,
    health,
    interrupt,
    job_status_routes,
    malloc_trim,
    open_files,
    preload_links,
    session_cleanup,
    upload_limits,
)
from ui.share import address
from ui.web import static_files
from ui.web.base_path import prefix

__all__ = [
    "FRAMES",
    "METRICS",
    "MIDDLEWARE",
    "ROUTES",
    "SecurityHeaders",
    "check_settings",
    "headers",
    "lifespan",
    "start",
]

FRAMES = "DPCORE_FRAME_ANCESTORS"  # who may show the app in a frame, as in CSP; 'self' when not set
METRICS = "DPCORE_METRICS"  # "1" opens /_stcore/metrics
ROUTES = [
    *array_routes.ROUTES, *early_routes.ROUTES, *job_status_routes.ROUTES, *room_routes.ROUTES,
    *lecturer_key.ROUTES, *health.ROUTES,
]  # fmt: skip
_GRACE = 0.6  # seconds between a signal and the end, whatever computes
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:]{2,45}\](:\d{1,5})?")
_SOURCE = re.compile(r"'self'|'none'|(https?://)?[A-Za-z0-9.*-]+(:(\d{1,5}|\*))?")


@cache
def _inline_scripts() -> str:
    """Return the hashes of the inline scripts in the served page.

    Browsers may run no other inline scripts.
    """
    page = (Path(st.__file__).parent / "static" / "index.html").read_text("utf-8")
    scripts = [preload_links.PLACE, START, *re.findall(r"<script>(.*?)</script>", page, re.DOTALL)]
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()) for text in scripts)
    return " ".join(f"'sha256-{digest.decode()}'" for digest in digests)


def _frames() -> str:
    sources = os.environ.get(FRAMES, "").split() or ["'self'"]
    wrong = [source for source in sources if not _SOURCE.fullmatch(source)]
    if wrong:
        raise ValueError(
            f"{FRAMES} has {wrong[0]!r}: give addresses like https://course.example.org, or 'none'."
        )
    return " ".join(sources)


def headers(host: str = "") -> dict[str, str]:
    """Return the HTTP security headers of every response.

    Parameters
    ----------
    host : str
        The request's Host header. The policy names it as an address for WebSockets, since in some browsers
        ``'self'`` does not include WebSockets.
    """
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    policy = {
        "default-src": "'self'",
        # blob: is how Streamlit loads the first line of a component; styles are made by scripts.
        "script-src": f"'self' blob: 'wasm-unsafe-eval' {_inline_scripts()}".rstrip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "connect-src": f"'self' data: blob:{sockets}",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": _frames(),
    }
    table = {
        "content-security-policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    }
    if _frames() == "'self'":
        table["x-frame-options"] = "SAMEORIGIN"  # for browsers that do not know frame-ancestors
    return table


_OF_FILES = ("x-content-type-options", "cross-origin-resource-policy")
# A file whose name carries its content: no browser has to ask for it again.
_FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}


class SecurityHeaders:
    """Middleware that adds security headers, hides metrics, and filters the messages on WebSockets."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request or WebSocket connection."""
        if scope["type"] == "websocket":
            await self.app(scope, connection.hearing(receive), connection.saying(send))
        elif scope["type"] == "http":
            host = Headers(scope=scope).get("host", "")
            closed = _is_metrics(scope["path"]) and os.environ.get(METRICS) != "1"
            app = PlainTextResponse("Not found", 404) if closed else self.app
            is_fixed = static_files.is_fixed(scope["path"])
            bare = is_fixed or array_routes.is_array_file(scope["path"])
            await app(
                scope, receive, _with_headers(send, headers(host), cached=is_fixed, bare=bare)
            )
        else:
            await self.app(scope, receive, send)


def _is_metrics(path: str) -> bool:
    return [part for part in path.split("/") if part][-2:] == ["_stcore", "metrics"]


def _with_headers(send: Send, wanted: dict[str, str], *, cached: bool, bare: bool) -> Send:
    """Return a send function that adds the headers ``wanted`` to a response.

    ``cached``: browsers may cache the response permanently. ``bare``: omit the content security policy, which
    only pages need.
    """

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            fields = MutableHeaders(scope=message)
            page = message["status"] != 200 or "html" in fields.get("content-type", "html")
            whole = page or not bare
            own = fields.get("content-security-policy")  # a page of our own knows what it needs
            fields.update(wanted if whole else {name: wanted[name] for name in _OF_FILES})
            if own:
                fields["content-security-policy"] = own
            if cached and message["status"] == 200:  # what is not there now may be there later
                fields.update(_FOR_EVER)
            if fields.get("access-control-allow-origin") == "*":
                for name in [name for name in fields if name.startswith("access-control-")]:
                    del fields[name]
        await send(message)

    return send_with_headers


MIDDLEWARE = [
    Middleware(SecurityHeaders),
    Middleware(upload_limits.UploadLimits),
    Middleware(preload_links.Preload),
    Middleware(gzip_middleware.GzipMiddleware),
]


def start(key: str) -> Route:
    """Return the route that redirects from the start page's key to the root path."""

    def redirect(request: Request) -> RedirectResponse:
        return RedirectResponse(f"./?{request.url.query}".rstrip("?"))

    return Route(f"{prefix()}/{key}", redirect)


def check_settings() -> None:
    """Check settings in environment variables, so that a wrong one is reported at the start, not at the first visit.

    Raises
    ------
    ValueError
        When a setting cannot be used. The message states the reason.
    """
    headers()
    files.check_settings()
    origin.check_settings()
    address.check_settings()


Handler = Callable[[int, FrameType | None], object] | int | None  # what `signal.getsignal` returns


def lifespan(
    pages: Callable[[], Sequence[PageEntry]],
) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """Return the lifespan of the server: a context manager that runs at its start and end.

    At the start, static files are published and caches are warmed up. On a signal, the server shuts
    down quickly.

    Parameters
    ----------
    pages : callable
        Function that imports and returns the pages. It is called in the background at the start, so that
        the first visitor need not wait. Then each page is drawn once, if `cache_warmup.AHEAD` is set.
    """

    @asynccontextmanager
    async def life(app: object) -> AsyncIterator[None]:
        check_settings()
        malloc_trim.set_thresholds()
        freed_memory.use_system_pool()
        open_files.raise_limit()
        static_files.publish()
        session_cleanup.watch()
        _end_soon()
        cache_warmup.start(pages, after=shell.warm_up(pages))
        background_preparation.start()
        room_desk.start_tidying()
        try:
            yield
        finally:
            cache_warmup.stop()
            background_preparation.stop()
            room_desk.stop_tidying()
            pool.stop_all()

    return life


def _end_soon() -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # a test's server: its process belongs to somebody else
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ending(signal.getsignal(number)))


def _ending(before: Handler) -> Callable[[int, FrameType | None], None]:
    def heard(number: int, frame: FrameType | None) -> None:
        threading.Thread(target=_leave, args=(number,), name="leave", daemon=True).start()
        if callable(before):
            before(number, frame)

    return heard


def _leave(number: int) -> None:
    """End the process on signal ``number``, without waiting for running computations."""
    if number == signal.SIGINT:
        interrupt.say_stopped()
    cache_warmup.stop()
    background_preparation.stop()
    pool.stop_all()
    time.sleep(_GRACE)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(128 + number)
