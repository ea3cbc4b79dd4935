"""The first lesson."""

from pages.lesson import view

view.draw()
