"""Formulas."""

from pages.formulas import view

view.draw()
