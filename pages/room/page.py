"""A class in the room."""

from pages.room import view

view.draw()
