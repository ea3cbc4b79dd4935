"""Route ``/healthz``, which reports whether the process responds, and whether its cache folder and database work."""

from __future__ import annotations

import contextlib
import tempfile
import time
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from dpcore import disk_cache
from ui.classroom import housekeeping
from ui.words.text import load_text

__all__ = ["ROUTES", "faults"]

T = load_text(__file__)
_KEPT = 5.0  # seconds for which an answer holds: a flood of requests writes no flood of files
_PROBE = bytes(4096)  # a full disk takes an empty file


def faults() -> list[str]:
    """Return a sentence for each storage that does not work, of the cache folder and the database of rooms."""
    works = {
        "health.cache": _can_write_cache(),
        "health.rooms": housekeeping.is_reachable(),
    }
    return [T(sentence) for sentence, is_working in works.items() if not is_working]


def _can_write_cache() -> bool:
    with contextlib.suppress(OSError):
        folder = disk_cache.folder()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_PROBE)
            file.flush()
        return True
    return False


@lru_cache(maxsize=1)
def _faults_at(period: int) -> list[str]:
    return faults()


def _answer(request: Request) -> PlainTextResponse:
    found = _faults_at(int(time.monotonic() / _KEPT))
    return PlainTextResponse(
        " ".join(found) or T("health.good"), 503 if found else 200,
        headers={"cache-control": "no-store"},
    )  # fmt: skip


# With a prefix or without, as the routes of arrays.
ROUTES = [Route(f"{prefix}/healthz", _answer, methods=["GET"]) for prefix in ("", "/{prefix:path}")]
