"""List of the application's pages, each of which has a folder.

Navigation, Home, screenshots, tests and README are derived from this list.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # figures lie in this package, and know nothing of Streamlit
    from ui.frame.page_spec import PageEntry

__all__ = ["PAGES", "specs", "with_first_figures"]

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
    """Return the entries of all pages in the order of the navigation.

    The first entry is the start page.
    """
    return [import_module(f"pages.{name}.page").PAGE for name in PAGES]


def with_first_figures() -> list[PageEntry]:
    """Return the entries of all pages, after the figures at the top of the start page are computed and cached."""
    entries = specs()
    if entries[0].first is not None:
        entries[0].first()
    return entries
