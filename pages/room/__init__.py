"""Classroom: the lecturer's view and the projector's view."""
