"""Preload links in the served page.

Browsers then fetch all scripts of the first figure at once.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.early import figure_store
from ui.early.markup import with_early
from ui.web import static_files
from ui.web.changed_page import ChangedPage, without_conditions

__all__ = ["PLACE", "Preload", "links", "with_links"]

# Streamlit would look for its own place at the page's address first: two answers of 404 on every page but one.
PLACE = 'window.__streamlit = {BACKEND_BASE_URL: new URL("./", location.href).href}'

_NEEDED = ("BidiComponent", "Html", "Checkbox")  # Streamlit's own, loaded late by itself
_IMPORTS = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")


@cache
def links() -> str:
    """Return preload links for the figures' styles and modules, and for the Streamlit scripts that they need."""
    home = Path(st.__file__).parent / "static" / "static" / "js"
    theirs = [f"./static/js/{name}" for name in _chunks(home)]
    styles = f"./app/static/{static_files.live_folder()}/live.css"
    return "".join(
        [f'<link rel="preload" as="style" href="{styles}">\n']
        + [f'<link rel="modulepreload" href="./app/static/{static_files.entry()}">\n']
        + [f'<link rel="modulepreload" crossorigin href="{path}">\n' for path in theirs]
    )


def _chunks(home: Path) -> list[str]:
    """Return the file names of the Streamlit scripts in `_NEEDED` and of their imports.

    The list is empty if no such files exist.
    """
    names: dict[str, None] = {}

    def take(file: Path) -> None:
        if file.name in names or not file.is_file():
            return
        names[file.name] = None
        for name in _IMPORTS.findall(file.read_text("utf-8")):
            take(home / name)

    for start in _NEEDED:
        for file in home.glob(f"{start}.*.js"):
            take(file)
    return list(names)


def with_links(page: str) -> str:
    """Return an HTML page with the script `PLACE`, and the preload links that are missing, added to its head."""
    new = [line for line in links().splitlines(True) if _address(line) not in page]
    return page.replace("</head>", f"<script>{PLACE}</script>{''.join(new)}</head>", 1)


def _address(link: str) -> str:
    address: str = link.partition('href="')[2].partition('"')[0]
    return address


class Preload:
    """Middleware that adds two things to HTML pages: preload `links`, and the figure with which a page opens.

    The pages are compressed if the browser accepts that.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one HTTP request."""
        if scope["type"] != "http" or scope["method"] != "GET" or _is_alone(scope["path"]):
            return await self.app(scope, receive, send)
        fields = Headers(scope=scope)
        if "text/html" not in fields.get("accept", ""):
            return await self.app(scope, receive, send)
        small = "gzip" in fields.get("accept-encoding", "")
        inner = without_conditions(scope)
        early = figure_store.on_page(scope["path"], scope["query_string"].decode("latin-1"))

        def change(page: str) -> str:
            linked = with_links(page)
            return with_early(linked, *early) if early else linked

        await self.app(inner, receive, ChangedPage(send, change, small=small))
        return None


def _is_alone(path: str) -> bool:
    """Return whether a path is a page without Streamlit: an embedded figure, a handout or the page for phones."""
    *folders, name = path.split("/")
    return name == "join" or not {"embed", "handout"}.isdisjoint(folders)
