"""Public address of the server, for URLs that other sites read."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from ui.words.text import load_text

__all__ = ["PUBLIC_URL", "base", "check_settings"]

T = load_text(__file__)
PUBLIC_URL = "DPCORE_PUBLIC_URL"
"""Environment variable with the public address of the server, e.g. ``https://dp.example.org``."""
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?|\[[0-9A-Fa-f:]{2,45}\](:\d{1,5})?")


def check_settings() -> None:
    """Check the environment variable that `PUBLIC_URL` names.

    Raises
    ------
    ValueError
        When its value is not a scheme and a host.
    """
    _declared()


def _declared() -> str:
    address = os.environ.get(PUBLIC_URL, "").strip().rstrip("/")
    if not address:
        return ""
    scheme, _, host = address.partition("://")
    if scheme not in ("http", "https") or not _HOST.fullmatch(host):
        raise ValueError(T("setting.address", name=PUBLIC_URL, value=repr(address[:200])))
    return address


def base(scope: Scope) -> str:
    """Return scheme and host of the server: as declared, else as requested.

    Return "" if nothing is declared and the request's Host header is not a host. A proxy tells the scheme
    in ``X-Forwarded-Proto``.
    """
    if declared := _declared():
        return declared
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    told = headers.get("x-forwarded-proto", "").partition(",")[0].strip()
    scheme = told if told in ("http", "https") else scope.get("scheme", "http")
    address = f"{scheme}://{host}"
    return address if _HOST.fullmatch(host) and urlsplit(address).hostname else ""
