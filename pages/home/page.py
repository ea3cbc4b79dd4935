"""Home."""

from pages.home import view

view.draw()
