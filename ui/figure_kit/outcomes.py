"""The outcomes that the figure of a page steps through, with their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui import live
from ui.words import text

__all__ = ["along_outcomes", "breathing"]

T = text.beside(__file__)
_FEWEST = 6  # below, stepping through them says nothing of chance


def along_outcomes(found: live.Array) -> live.Array:
    """Return an array whose first unnamed dimension is that of outcomes: the same content travels once."""
    place = found.dims.index(None)
    dims = (*found.dims[:place], live.OUTCOME, *found.dims[place + 1 :])
    return live.Array(found.values, dims, scale=found.scale)


def breathing(
    n_outcomes: int, label: str, instead: Mapping[str, str], **world: Any
) -> live.Breathing | None:
    """Return the outcomes of a figure; None while there are too few.

    Parameters
    ----------
    n_outcomes : int
        How many there are.
    label : str
        What is said of the outcome in view; "" names its share of right answers, ``outcome_right``.
    instead : mapping
        Which array over outcomes stands in for one that is drawn.
    **world
        ``without`` of `live.Breathing`: the world without the person; its words are the same on all pages.
    """
    if n_outcomes < _FEWEST:
        return None
    if world:
        world |= {
            "label_without": T("outcomes.without"),
            "take_out": T("outcomes.take_out"),
            "put_back": T("outcomes.put_back"),
        }
    return live.Breathing(
        n_outcomes=n_outcomes,
        label=label or T("outcomes.right"),
        still=T("outcomes.still"),
        instead=instead,
        **world,
    )
