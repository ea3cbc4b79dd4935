"""Shared controls with shared words, for a page without ``text.toml``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ui.figure_kit.controls import PageControl, shared_control
from ui.frame.depth import Depth

__all__ = ["epsilon", "seed"]


def epsilon(**settings: Any) -> PageControl:
    """Return the control of ε, answered in the browser."""
    return replace(shared_control("epsilon"), **settings)


def seed(**settings: Any) -> PageControl:
    """Return the control of the seed, the same on all pages of a session."""
    return replace(shared_control("seed"), depth=Depth.UNDERSTAND, **settings)
