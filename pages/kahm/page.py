"""Affine hulls."""

from pages.kahm.spec import PAGE
from ui.frame.page_spec import open_page

open_page(PAGE)
