"""Store of the figures with which pages open; all of them are complete and of public data."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from ui.embed.query import MOST
from ui.frame.controls import LINK_VERSION, LINK_VERSIONS
from ui.frame.page_spec import PageSpec
from ui.live import Control, Figure
from ui.live.array_files import PUBLIC
from ui.live.inputs import Value
from ui.live.transport import Delivery, message
from ui.web.base_path import prefix

__all__ = ["EarlyFigure", "add", "find", "forget", "is_there", "on_page"]

_FIGURES: dict[str, EarlyFigure] = {}  # by page: at most one each


@dataclass(frozen=True, kw_only=True)
class EarlyFigure:
    """Figure with which a page opens, ready to be sent.

    Parameters
    ----------
    spec : PageSpec
        The page.
    body : bytes
        The figure's message in JSON, compressed by gzip.
    digest : str
        Hash of the message.
    files : tuple of str
        Addresses of the array files needed for the first view.
    controls : mapping of str to Control
        Controls that work in the browser without the server, by name.
    """

    spec: PageSpec[Any]
    body: bytes
    digest: str
    files: tuple[str, ...]
    controls: Mapping[str, Control]

    def values(self, query: str) -> dict[str, Value] | None:
        """Return the control values in a link's query.

        Return None if the browser cannot draw the figure at these values without the server.
        """
        link = dict(parse_qsl(query, keep_blank_values=True)) if len(query) <= MOST else None
        known = self.spec.params.controls()
        if link is None or link.keys() - known.keys() - {"v"}:
            return None
        params, problems = self.spec.params.from_link(link)
        usual = self.spec.params()
        changed = {
            name: getattr(params, name)
            for name in known
            if getattr(params, name) != getattr(usual, name)
        }
        control_values = {
            name: self.controls[name].allowed(value)
            for name, value in changed.items()
            if name in self.controls
        }
        same = control_values == changed and link.get("v", LINK_VERSION) in LINK_VERSIONS
        return changed if same and not problems else None


def add(spec: PageSpec[Any], figure: Figure) -> None:
    """Store the figure with which a page opens.

    The figure must be complete and of public data.
    """
    # Another session than any of Python's: what was moved before its first answer is told to it.
    about = {"name": spec.key, "seq": 0, "session": "early", "modules": "", "news": ""}
    payload = message(figure, Delivery(path=f"{prefix()}/arrays"))
    text = json.dumps({**payload, **about}, ensure_ascii=False, separators=(",", ":")).encode()
    _FIGURES[spec.key] = EarlyFigure(
        spec=spec, body=gzip.compress(text, 6, mtime=0),
        digest=hashlib.blake2b(text, digest_size=12).hexdigest(),
        files=tuple(file["url"] for file in payload["files"] if not file["purpose"]),
        controls={
            item.name: item for item in figure.controls if item.mode == "local" and not item.hidden
        },
    )  # fmt: skip


def forget() -> None:
    """Remove all stored figures."""
    _FIGURES.clear()


def is_there(page: str) -> bool:
    """Return whether the figure of the page with the key ``page`` is stored."""
    return page in _FIGURES


def find(page: str, digest: str) -> EarlyFigure | None:
    """Return a page's stored figure, or None if its message has another digest."""
    figure = _FIGURES.get(page)
    return figure if figure and figure.digest == digest else None


def on_page(path: str, query: str) -> tuple[EarlyFigure, dict[str, Value]] | None:
    """Return the stored figure for a page's address, and the control values in the query of the address.

    Return None if there is no such figure.

    A figure is not returned after one of its array files was evicted from the store of arrays. The next session
    stores the figure again.
    """
    figure = _FIGURES.get(path.rpartition("/")[2])
    values = figure.values(query) if figure else None
    if figure is None or values is None:
        return None
    there = all(PUBLIC.get(url.rpartition("/")[2]) for url in figure.files)
    return (figure, values) if there else None
