"""The controls that several pages have: one wording, unless a page says more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ui.figure_kit.controls import PageControl
from ui.frame.depth import Depth

__all__ = ["delta", "epsilon", "person", "seed"]

_EPSILON = PageControl("epsilon", ends=("more private", "less private"), mode="local")
_DELTA = PageControl("delta", ends=("stricter", "laxer"), mode="local")
_PERSON = PageControl(
    "person", ends=("the most unusual", "the most ordinary"), depth=Depth.UNDERSTAND, unit=" %"
)
_SEED = PageControl(
    "seed", depth=Depth.UNDERSTAND, help="The same seed gives the same noise; ε only scales it."
)


def epsilon(**settings: Any) -> PageControl:
    """Return the control of ε, which the browser holds whole."""
    return replace(_EPSILON, **settings)


def delta(**settings: Any) -> PageControl:
    """Return the control of δ."""
    return replace(_DELTA, **settings)


def person(**settings: Any) -> PageControl:
    """Return the control of whose record differs between the two runs, by rank."""
    return replace(_PERSON, **settings)


def seed(**settings: Any) -> PageControl:
    """Return the control of the seed, the same on all pages of a session."""
    return replace(_SEED, **settings)
