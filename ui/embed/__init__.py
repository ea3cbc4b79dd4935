"""Embedding of one figure of a page in a slide, a course page, or a file.

- `query` reads a link.
- `restrict_figure` and `render_jobs` make the requested figure.
- `markup` makes the page around it.
- `routes` answers ``/embed/PAGE?STATE``.
- `handout` writes a file that needs no server.
"""
