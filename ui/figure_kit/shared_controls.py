"""Controls of ε and of the seed with shared words, for pages without a ``text.toml``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ui.figure_kit.controls import PageControl, shared_control
from ui.live.depth import Depth

__all__ = ["epsilon", "seed"]


def epsilon(**settings: Any) -> PageControl:
    """Return the control of ε.

    While its slider moves, the browser redraws the figure without the server.
    """
    return replace(shared_control("epsilon"), **settings)


def seed(**settings: Any) -> PageControl:
    """Return the control of the seed.

    All pages of a session have the same seed.
    """
    return replace(shared_control("seed"), depth=Depth.UNDERSTAND, **settings)
