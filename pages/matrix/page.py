"""Relevance matrix."""

from pages.matrix.spec import PAGE
from ui.frame.page_spec import open_page

open_page(PAGE)
