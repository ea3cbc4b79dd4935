"""Run the programs that the pages show, and keep what they draw instead of opening a browser."""

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
    """Return what a page offers at its first settings."""
    spec = _SPECS[page]
    assert spec.pipeline is not None
    assert spec.words is not None
    words = spec.words(spec.pipeline.still(spec.params()))
    assert words is not None
    return words.bundle


@lru_cache(maxsize=16)
def program_figure(page: str) -> go.Figure:
    """Return what the program of a page draws at its first settings."""
    return drawn(bundle(page).program)


def curve(shown: go.Figure, name: str) -> Any:
    """Return the heights of the one curve of that name."""
    (found,) = [np.asarray(trace.y) for trace in shown.data if trace.name == name]
    return found


def drawn(text: str, scope: dict[str, Any] | None = None) -> go.Figure:
    """Run a program that shows one figure, and return that figure."""
    shown: list[go.Figure] = []
    with patch.object(go.Figure, "show", lambda figure: shown.append(figure)):
        program = compile(text, "the program of the page", "exec", dont_inherit=True)
        exec(program, {} if scope is None else scope)
    (figure,) = shown
    return figure
