"""Texts of the start page, and links for a lecture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ui.words import text

__all__ = ["DOORS", "HOW", "TOUR", "Stop"]

T = text.load_text(__file__)
DOORS = {
    "learn": ("lesson", "mechanisms"),
    "teach": ("teach", "mechanisms"),
    "decide": ("decide", "choose", "budget"),
}
"""Pages of each entry point on Home. The entry point links to the first of these pages that exists."""
HOW = ("drag", "read", "deeper", "keep")


class Stop(NamedTuple):
    """One link of the guided tour: page, parameters, link text, caption."""

    page: str
    label: str
    link: Mapping[str, str]
    text: str


def _stop(key: str, page: str, **link: str) -> Stop:
    return Stop(page, T(f"tour.{key}.label"), link, T(f"tour.{key}.text"))


TOUR = (
    _stop("digits", "relevance", dataset="digits", epsilon="1", prototypes_per_class="1"),
    _stop("printed", "relevance", recipe="paper", epsilon="10", depth="check"),
    _stop("rule", "budget", noise_multiplier="0.6", n_steps="5000", depth="check"),
    _stop("clip", "descent", parts="noise", model="logistic", dataset="blobs"),
    _stop(
        "ridge", "regression", epsilon="0.1", n_samples="400", method="printed", repair="none",
        depth="understand",
    ),
    _stop("scrambled", "autoencoder", epsilon="0.8", kind="hidden"),
)  # fmt: skip
