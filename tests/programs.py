"""Run the programs that the pages show, and keep what they draw instead of opening a browser."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import plotly.graph_objects as go

__all__ = ["drawn"]


def drawn(text: str, scope: dict[str, Any] | None = None) -> go.Figure:
    """Run a program that shows one figure, and return that figure."""
    shown: list[go.Figure] = []
    with patch.object(go.Figure, "show", lambda figure: shown.append(figure)):
        program = compile(text, "the program of the page", "exec", dont_inherit=True)
        exec(program, {} if scope is None else scope)
    (figure,) = shown
    return figure
