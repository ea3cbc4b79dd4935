"""Directives of the guide: a figure that dpcore computes, and what a command says of itself."""

from __future__ import annotations

import contextlib
import io
import os

from docutils import nodes
from figures import FIGURES
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import dpcore.__main__
import pages.__main__

_MAINS = {"dpcore": dpcore.__main__.main, "pages": pages.__main__.main}


class Computed(SphinxDirective):
    """A figure by its name in `figures`; the content is its caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Compute it."""
        figure = nodes.figure(classes=["computed"])
        figure += nodes.raw("", FIGURES[self.arguments[0]](), format="html")
        caption = nodes.caption()
        self.state.nested_parse(self.content, self.content_offset, caption)
        figure += nodes.caption("", "", *(n for p in caption.children for n in p.children))
        return [figure]


class Command(SphinxDirective):
    """What ``python -m dpcore WORD --help`` prints, or ``python -m pages WORD --help``."""

    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Ask it."""
        text = help_of(*self.arguments)
        return [nodes.literal_block(text, text, language="none")]


def help_of(package: str, *words: str) -> str:
    """Return the help of a package's command, in lines of 80 characters."""
    printed = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            _MAINS[package]([*words, "--help"])
    finally:
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
    return printed.getvalue()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("computed", Computed)
    app.add_directive("command", Command)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
