"""Refuses a site that loads anything from elsewhere: it is read without a network as well."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*\b(?:src|srcset|data)\s*=\s*["'](?:https?:)?//
    |<link\b[^>]*\bhref\s*=\s*["'](?:https?:)?//
    |@import\s+(?:url\()?["']?(?:https?:)?//
    |url\(\s*["']?(?:https?:)?//""",
    re.VERBOSE | re.IGNORECASE,
)


def loaded_from_elsewhere(text: str) -> list[str]:
    """Return the beginnings of what a page or a style sheet loads from another host."""
    return [found[0] for found in _LOADED.finditer(text)]


def _check(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.format != "html":
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        if path.suffix in {".html", ".css"}:
            for found in loaded_from_elsewhere(path.read_text()):
                logging.getLogger(__name__).warning("%s loads %s", path.name, found)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", _check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
