"""Routes for other sites: pictures of pages, and ``/oembed`` (https://oembed.com)."""

from __future__ import annotations

import hashlib
import re
from html import escape
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ui.embed.query import MOST
from ui.frame.page_spec import PageSpec
from ui.share import address
from ui.share.link_preview import SIZE, Pages, Target, picture, target
from ui.web.base_path import prefix
from ui.words.text import load_text

__all__ = ["HEIGHT", "WIDTH", "routes"]

T = load_text(__file__)
WIDTH, HEIGHT = 900, 640  # pixels of an embedded figure where nothing else is asked
_SIZE = re.compile(r"[1-9]\d{0,4}|100000", re.ASCII)


class _Refused(Exception):
    """Refusal of an oEmbed request: a sentence, and the status of the response."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def routes(pages: Pages) -> list[Route]:
    """Return the routes for pictures of pages and for oEmbed.

    ``pages`` is called on the first request.
    """

    async def embed(request: Request) -> Response:
        return await run_in_threadpool(_oembed, request, pages)

    return [
        Route(f"{before}/{path}", endpoint, methods=["GET"])
        for path, endpoint in (("oembed", embed), ("previews/{page}.png", _picture))
        for before in ("", "/{prefix:path}")
    ]


async def _picture(request: Request) -> Response:
    """Return the picture of a page, or 404."""
    content = picture(request.path_params["page"])
    if content is None:
        return PlainTextResponse("Not found", 404)
    tag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    headers = {"cache-control": "public, max-age=3600", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="image/png")


def _oembed(request: Request, pages: Pages) -> Response:
    base = address.base(request.scope)
    try:
        found = _target(request, pages, base)
        width, height = _bounded(request, "maxwidth", WIDTH), _bounded(request, "maxheight", HEIGHT)
    except _Refused as refusal:
        return PlainTextResponse(str(refusal), refusal.status)
    source = f"{base}{Target(entry=found.entry, embedded=True, wanted=found.wanted).path}"
    title = T("preview.title", title=found.entry.title)
    html = (
        f'<iframe src="{escape(source)}" width="{width}" height="{height}" title="{escape(title)}" '
        'loading="lazy" style="border:0;max-width:100%"></iframe>'
    )
    answer = {
        "version": "1.0", "type": "rich", "title": title, "provider_name": "DP Explorer",
        "provider_url": f"{base}{prefix()}/", "html": html, "width": width, "height": height,
        "cache_age": 3600,
    }  # fmt: skip
    if (
        picture(found.entry.key)
        and SIZE[0] <= _most(request, "maxwidth")
        and SIZE[1] <= _most(request, "maxheight")
    ):
        answer["thumbnail_url"] = f"{base}{prefix()}/previews/{found.entry.key}.png"
        answer["thumbnail_width"], answer["thumbnail_height"] = SIZE
    return JSONResponse(answer)


def _target(request: Request, pages: Pages, base: str) -> Target:
    """Return the page with a figure that an oEmbed request names.

    Raises
    ------
    _Refused
        With 501 for a format other than JSON, 400 for an unusable URL, and 404 for a URL of another
        server or of no figure.
    """
    known = list(pages())
    figures = [entry.key for entry in known if isinstance(entry, PageSpec)]
    example = f"{base}{prefix()}/{figures[0]}" if figures else f"{base}{prefix()}/"
    kind = request.query_params.get("format", "json")
    if kind != "json":
        raise _Refused(T("oembed.format", format=kind[:40]), 501)
    url = request.query_params.get("url", "")
    if not url:
        raise _Refused(T("oembed.no_url", example=example), 400)
    if len(url) > MOST:
        raise _Refused(T("oembed.long", n=str(len(url)), most=str(MOST)), 400)
    if not _is_ours(url, base, example):
        raise _Refused(T("oembed.foreign", url=url[:200], base=base), 404)
    parts = urlsplit(url)
    found = target(parts.path, parts.query, known)
    if not parts.path.startswith(f"{prefix()}/") or found is None or found.wanted is None:
        raise _Refused(T("oembed.page", url=url[:200], pages=", ".join(figures)), 404)
    return found


def _is_ours(url: str, base: str, example: str) -> bool:
    """Return whether a URL is of the server at ``base``, with http or https.

    Raises
    ------
    _Refused
        When it is not a web address.
    """
    try:
        parts = urlsplit(url)
        port = parts.port  # a wrong one is an error
    except ValueError:
        raise _Refused(T("oembed.url", url=url[:200], example=example), 400) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise _Refused(T("oembed.url", url=url[:200], example=example), 400)
    ours = urlsplit(base)
    usual = (_port(parts.scheme, port), _port(ours.scheme, ours.port))
    return parts.hostname == ours.hostname and (port == ours.port or usual[0] == usual[1])


def _port(scheme: str, port: int | None) -> int:
    return port if port is not None else 443 if scheme == "https" else 80


def _bounded(request: Request, name: str, usual: int) -> int:
    """Return the usual size, or the requested maximum if it is smaller."""
    text = request.query_params.get(name)
    if text is not None and not _SIZE.fullmatch(text):
        raise _Refused(T("oembed.size", name=name, value=text[:40]), 400)
    return min(usual, _most(request, name))


def _most(request: Request, name: str) -> int:
    return int(request.query_params.get(name, "100000"))
