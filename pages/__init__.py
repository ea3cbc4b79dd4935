"""List of the application's pages, one folder each; navigation, Home, screenshots, tests and README are
derived from it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # figures lie in this package, and know nothing of Streamlit
    from ui.frame.page_spec import PageEntry

__all__ = ["PAGES", "specs"]

PAGES = (
    "home",
    "lesson",
    "mechanisms",
    "queries",
    "budget",
    "descent",
    "relevance",
    "matrix",
    "regression",
    "network",
    "autoencoder",
    "kahm",
    "choose",
    "audit",
    "teach",
    "exercises",
    "formulas",
    "room",
)


def specs() -> list[PageEntry]:
    """Return the entries of all pages in the order of the navigation; the first is the start page."""
    return [import_module(f"pages.{name}.page").PAGE for name in PAGES]
