"""Exercises that check themselves."""

from pages.exercises import view

view.draw()
