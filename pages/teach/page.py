"""Teach."""

from pages.teach import view

view.draw()
