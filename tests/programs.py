"""Run the downloadable programs of pages, and keep the figures that they would show in a browser."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from unittest.mock import patch

import numpy as np
import plotly.graph_objects as go

from pages import specs
from ui.export.downloads import Bundle
from ui.frame.page_spec import PageSpec

__all__ = ["PROGRAMS", "bundle", "curve", "drawn", "program_figure"]

_SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec) and spec.words}
PROGRAMS = tuple(_SPECS)


@lru_cache(maxsize=16)
def bundle(page: str) -> Bundle:
    """Return the downloadable files of a page with default parameters."""
    spec = _SPECS[page]
    assert spec.pipeline is not None
    assert spec.words is not None
    words = spec.words(spec.pipeline.still(spec.params()))
    assert words is not None
    return words.bundle


@lru_cache(maxsize=16)
def program_figure(page: str) -> go.Figure:
    """Return the figure that a page's downloadable program draws with default parameters."""
    return drawn(bundle(page).program)


def curve(shown: go.Figure, name: str) -> Any:
    """Return the y values of the only curve of this name."""
    (found,) = [np.asarray(trace.y) for trace in shown.data if trace.name == name]
    return found


def drawn(text: str, scope: dict[str, Any] | None = None) -> go.Figure:
    """Run a program that shows one figure; return that figure."""
    shown: list[go.Figure] = []
    with patch.object(go.Figure, "show", lambda figure: shown.append(figure)):
        program = compile(text, "the program of the page", "exec", dont_inherit=True)
        exec(program, {} if scope is None else scope)
    (figure,) = shown
    return figure
