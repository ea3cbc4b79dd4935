"""Writes the gallery: every page of the application with its question, and its picture if it is up to date."""

from __future__ import annotations

from pathlib import Path

from pages import PAGES, specs
from tools.gallery import pictures

__all__ = ["write_page"]

_HEAD = """# Gallery

The pages of the application as they open, in the order of its navigation. {note}
"""
_ENTRY = """
## {title}

{question}
"""
_PICTURE = """
```{{image}} gallery/{key}.png
:alt: The page {title} as it opens
:width: 100%
```
"""


def write_page(folder: Path) -> None:
    """Write ``gallery.md`` into a folder; only a change is written."""
    found = pictures(folder / "gallery")
    lacking = len(PAGES) - len(found)
    note = (
        ""
        if not lacking
        else f"`make gallery` takes the pictures; {lacking} are missing or out of date."
    )
    text = _HEAD.format(note=note)
    for spec in specs():
        text += _ENTRY.format(title=spec.title, question=spec.question)
        if spec.key in found:
            text += _PICTURE.format(key=spec.key, title=spec.title)
    path = folder / "gallery.md"
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
