"""Limits on uploads, checked before the body of a request is received."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime import Runtime
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from ui.classroom.limits import networks
from ui.server import glibc_heaps
from ui.words.text import load_text

__all__ = [
    "LARGEST", "MOST_BYTES", "MOST_BYTES_OF_NETWORK", "MOST_FILES", "SENDERS", "UploadLimits",
]  # fmt: skip

T = load_text(__file__)

_MEGABYTES = 20  # of a file
LARGEST = (_MEGABYTES + 1) * 2**20
"""Largest number of bytes of a request: a file, and the multipart lines around it."""
MOST_FILES = 2
"""Largest number of a session's files that its pages have not read yet."""
MOST_BYTES, MOST_BYTES_OF_NETWORK = 600 * 2**20, 200 * 2**20
"""Largest numbers of uploaded bytes not read yet: in total, and from one network.

All members of a class may be in one network.
"""
SENDERS: set[str] = set()
"""Sessions that have sent a file, until `session_cleanup` has removed them."""
_IDLE, _WHOLE = 30.0, 300.0  # seconds for the next part of an upload, and for all of it
_MOST_KNOWN = 200  # files of a session, read and empty ones too
_PATH = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)/?$")

Stored = Mapping[str, Mapping[str, UploadedFileRec]]


def _stored() -> Stored:
    """Return Streamlit's uploaded files by session and file."""
    files: Stored = getattr(Runtime.instance().uploaded_file_mgr, "file_storage", {})
    return files


def _remember(session: str) -> None:
    """Add a session to `SENDERS` if it exists; Streamlit refuses files of sessions that do not exist."""
    if Runtime.exists() and Runtime.instance().is_active_session(session):
        SENDERS.add(session)


def _timely(receive: Receive) -> Receive:
    """Return a receive function that ends an upload that stalls or lasts too long.

    Until it ends, an upload counts towards the bytes that its network may upload at a time.
    """
    end = asyncio.get_running_loop().time() + _WHOLE

    async def heard() -> Message:
        left = end - asyncio.get_running_loop().time()
        try:
            return await asyncio.wait_for(receive(), min(_IDLE, max(left, 0.0)))
        except TimeoutError:
            return {"type": "http.disconnect"}

    return heard


class UploadLimits:
    """Middleware that refuses uploads that are too large, or too many at once.

    Streamlit limits the size of each file, but neither the number of files nor the total size of all sessions' files.

    Parameters
    ----------
    app : ASGI application
        Application that receives the uploads.
    stored : callable
        Function that returns the files that ``app`` has received, by session and file.
    """

    def __init__(self, app: ASGIApp, stored: Callable[[], Stored] = _stored) -> None:
        self.app, self._stored = app, stored
        self._under_way: Counter[str] = Counter()  # sessions
        self._bytes: Counter[str] = Counter()  # networks, of what is under way
        self._n_bytes = 0  # under way
        # By session, with the factors of their limits.
        self._networks: dict[str, Mapping[str, int]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request."""
        found = _PATH.search(scope["path"]) if scope["type"] == "http" else None
        if found is None or scope["method"] != "PUT":
            return await self.app(scope, receive, send)
        declared = Headers(scope=scope).get("content-length", "")
        # Without a declared length Streamlit counts while the body arrives, up to server.maxUploadSize.
        size = int(declared) if declared.isdecimal() and len(declared) < 20 else LARGEST
        client = scope.get("client")
        places = networks(client[0] if client else "")
        refused = self._refusal(found[1], found[2], size, places)
        if refused is not None:
            return await refused(scope, receive, send)
        _remember(found[1])
        glibc_heaps.fill_freed_blocks()
        with self._taking(found[1], size, places):
            try:
                return await self.app(scope, _timely(receive), send)
            except ClientDisconnect:  # raised while the body is read, before anything is sent
                slow = T("upload.slow", idle=_IDLE, minutes=_WHOLE / 60)
                return await PlainTextResponse(slow, 408)(scope, receive, send)

    def _refusal(
        self, session: str, file: str, size: int, places: Mapping[str, int]
    ) -> PlainTextResponse | None:
        """Return the response that refuses an upload, or None if it may be received.

        ``places``: networks of the sender, with the factors of their limits.
        """
        if size > LARGEST:
            return PlainTextResponse(T("upload.large", most=_MEGABYTES), 413)
        stored = self._stored()
        known = dict(stored.get(session, {}))
        waiting = [key for key, one in known.items() if one.data and key != file]
        full = len(waiting) + self._under_way[session] >= MOST_FILES
        if full or len(known) >= _MOST_KNOWN:
            return PlainTextResponse(T("upload.files", most=MOST_FILES), 429)
        self._networks = {
            key: where
            for key, where in self._networks.items()
            if key in stored or self._under_way[key]
        }
        held, total = self._bytes.copy(), self._n_bytes + size
        for key, files in list(stored.items()):
            n = sum(len(one.data) for one in list(files.values()))
            held.update(dict.fromkeys(self._networks.get(key, ()), n))
            total += n
        of_network = MOST_BYTES_OF_NETWORK
        full = any(held[place] + size > k * of_network for place, k in places.items())
        if full or total > MOST_BYTES:
            return PlainTextResponse(T("upload.many"), 503, {"retry-after": "30"})
        return None

    @contextmanager
    def _taking(self, session: str, size: int, places: Mapping[str, int]) -> Iterator[None]:
        self._networks[session] = places
        self._under_way[session] += 1
        self._n_bytes += size
        self._bytes.update(dict.fromkeys(places, size))
        try:
            yield
        finally:
            self._under_way -= Counter([session])  # what has fallen to 0 is left out
            self._n_bytes -= size
            self._bytes -= Counter(dict.fromkeys(places, size))
