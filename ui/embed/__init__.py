"""Embedding: one figure of a page by itself, for a slide, a course page, or a file without server.

`asked` reads what a link asks for, `part` makes the figure of it, `markup` the page around it, `routes` answers
``/embed/PAGE?STATE`` and `handout` writes a file.
"""
