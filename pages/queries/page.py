"""Asking again."""

from pages.queries.spec import PAGE
from ui.page_spec import open_page

open_page(PAGE)
