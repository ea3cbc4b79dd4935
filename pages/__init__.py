"""The one list of pages, one folder each: navigation, Home, screenshots, tests and README read it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
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
    """Return what every page says of itself, in the order of the navigation; the first is the start."""
    return [_module(name).PAGE for name in PAGES]


def _module(name: str) -> ModuleType:
    """Return the module that declares a page."""
    whole = find_spec(f"pages.{name}.spec") is None
    return import_module(f"pages.{name}.page" if whole else f"pages.{name}.spec")
