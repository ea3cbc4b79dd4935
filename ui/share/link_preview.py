"""Previews of links on other sites: Open Graph elements in the head of every page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.embed.query import MOST, FigureRequest, parse_request
from ui.figure_kit.controls import field_texts
from ui.frame.page_spec import PageEntry, PageSpec
from ui.share import address
from ui.web.base_path import prefix
from ui.web.changed_page import ChangedPage, without_conditions
from ui.words.text import load_text

__all__ = ["FOLDER", "SIZE", "LinkPreview", "Target", "elements", "picture", "target"]

T = load_text(__file__)
SIZE = (1200, 630)  # pixels of a picture
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "previews"
_MOST_VALUES = 300  # characters of a list of values; sites cut a description there or before
Pages = Callable[[], Iterable[PageEntry]]


@dataclass(frozen=True, kw_only=True)
class Target:
    """Page that a link leads to.

    Parameters
    ----------
    entry : PageEntry
        The page.
    embedded : bool
        Whether the link is of the page's figure alone.
    start : bool
        Whether the page is the start page, whose address has no key.
    wanted : FigureRequest, optional
        The requested state of the figure, if the page has a figure and the query is not too long.
    """

    entry: PageEntry
    embedded: bool = False
    start: bool = False
    wanted: FigureRequest | None = None

    @property
    def path(self) -> str:
        """Path and query of the link, with nothing in it that was not validated."""
        query: dict[str, str] = {}
        if self.wanted is not None:
            query = self.wanted.query() if self.embedded else self.wanted.link()
        if query.keys() == {"v"}:  # the version is of values, and there are none
            query = {}
        folder, key = "embed/" if self.embedded else "", "" if self.start else self.entry.key
        return f"{prefix()}/{folder}{key}?{urlencode(query)}".rstrip("?")

    @property
    def description(self) -> str:
        """The page's question, and the values in the link that differ from those with which the page opens."""
        values = _values(self.wanted) if self.wanted else ""
        if not values:
            return self.entry.question
        return T("preview.values", question=self.entry.question, values=values)


def target(path: str, query: str, pages: Iterable[PageEntry]) -> Target | None:
    """Return the page of an address's path and query; None for an address that is not of a page.

    A query that is too long is ignored.
    """
    within = (
        path.removeprefix(f"{prefix()}/") if path.startswith(f"{prefix()}/") else path.lstrip("/")
    )
    folder, _, key = within.rpartition("/")
    if folder not in ("", "embed"):
        return None
    known = {entry.key: entry for entry in pages}
    start = not key and not folder
    entry = next(iter(known.values()), None) if start else known.get(key)
    if entry is None:
        return None
    figure = isinstance(entry, PageSpec)
    if folder and not figure:
        return None
    wanted = None
    if isinstance(entry, PageSpec) and len(query) <= MOST:
        wanted = parse_request(entry, dict(parse_qsl(query, keep_blank_values=True)))
    return Target(entry=entry, embedded=bool(folder), start=start, wanted=wanted)


def _values(wanted: FigureRequest) -> str:
    """Return the values of a request that differ from the defaults, in words; no seeds, which tell the noise."""
    words = field_texts(type(wanted.params))
    said: list[str] = []
    for name, item in wanted.params.controls().items():
        value = getattr(wanted.params, name)
        if value == item.default or name == "seed":
            continue
        code = item.show(value)
        text = (words[name].options or {}).get(code, code)
        said.append(f"{item.symbol or words[name].label or name} = {text}")
    while len("; ".join(said)) > _MOST_VALUES:
        said.pop()
    return "; ".join(said)


@cache
def picture(key: str) -> bytes | None:
    """Return the picture of a page as it opens, as PNG of the size `SIZE`; None if there is none."""
    file = FOLDER / f"{key}.png"
    return file.read_bytes() if key.isidentifier() and file.is_file() else None


def elements(found: Target, base: str) -> str:
    """Return the HTML elements that describe a link to other sites.

    ``base``: scheme and host of the server; without it there is neither a picture nor an address.
    """
    title, description = T("preview.title", title=found.entry.title), found.description
    fields = {"og:type": "website", "og:site_name": "DP Explorer", "og:title": title}
    fields |= {"og:description": description}
    names = {"description": description, "twitter:card": "summary"}
    links = ""
    if base:
        fields["og:url"] = f"{base}{found.path}"
        if found.wanted is not None:
            asked = urlencode({"url": f"{base}{found.path}", "format": "json"})
            links = (
                '<link rel="alternate" type="application/json+oembed" '
                f'href="{escape(f"{base}{prefix()}/oembed?{asked}")}" title="{escape(title)}">'
            )
    if base and picture(found.entry.key):
        width, height = SIZE
        fields |= {
            "og:image": f"{base}{prefix()}/previews/{found.entry.key}.png",
            "og:image:width": str(width), "og:image:height": str(height), "og:image:alt": title,
        }  # fmt: skip
        names["twitter:card"] = "summary_large_image"
    return _meta("property", fields) + _meta("name", names) + links


def _meta(kind: str, fields: Mapping[str, str]) -> str:
    return "".join(
        f'<meta {kind}="{name}" content="{escape(text)}">' for name, text in fields.items()
    )


class LinkPreview:
    """Middleware that adds `elements` to the head of every page, whoever asks for it."""

    def __init__(self, app: ASGIApp, pages: Pages) -> None:
        self.app = app
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request."""
        found = self._found(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if found is None:
            return await self.app(scope, receive, send)
        added = elements(found, address.base(scope))
        small = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        changed = ChangedPage(
            send, lambda page: page.replace("</head>", f"{added}</head>", 1), small=small
        )
        await self.app(without_conditions(scope), receive, changed)
        return None

    def _found(self, scope: Scope) -> Target | None:
        accept = Headers(scope=scope).get("accept", "*/*")  # most crawlers accept anything
        if "text/html" not in accept and "*/*" not in accept:
            return None
        query: Any = scope["query_string"]
        return target(scope["path"], query.decode("latin-1"), self._pages())
