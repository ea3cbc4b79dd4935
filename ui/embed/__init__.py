"""Embedding: one figure of a page by itself, for a slide, a course page, or a file that needs no server.

`query` reads a link, `restrict_figure` and `render_jobs` make the figure that it requests, `markup` makes
the page around it, `routes` answers ``/embed/PAGE?STATE``, and `handout` writes a file.
"""
