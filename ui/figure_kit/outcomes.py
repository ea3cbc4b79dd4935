"""Outcomes of other random draws that a page's figure steps through, with their words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ui import live
from ui.live import layers
from ui.words import text

__all__ = ["Ada", "ada", "along_outcomes", "breathing"]

T = text.beside(__file__)
_FEWEST = 6  # below, stepping through them says nothing of chance


def along_outcomes(found: live.Array) -> live.Array:
    """Return the array with its first unnamed dimension named as the dimension of outcomes (random draws)."""
    place = found.dims.index(None)
    dims = (*found.dims[:place], live.OUTCOME, *found.dims[place + 1 :])
    return live.Array(found.values, dims, scale=found.scale)


@dataclass(frozen=True, kw_only=True)
class Ada:
    """The record that differs between two neighbouring data sets, marked by a ring; without it, neither is drawn.

    ``arrays``: her position, and the records without her. ``without``: for arrays of the figure, the names of
    the arrays that replace them when she is removed. ``ring``: layer to draw over the records. ``person``: name
    of the array of her position.
    """

    arrays: Mapping[str, live.Array]
    without: Mapping[str, str]
    ring: layers.Layer
    person: str = "ada"


def ada(place: ArrayLike, points: live.Array, row: int | None) -> Ada:
    """Return the record that a map shows with a ring and that can be removed (Ada).

    Parameters
    ----------
    place : array-like (2,)
        Position of the record on the map.
    points : Array
        The records that the figure draws as ``points``, (n, 2).
    row : int or None
        Index of the record among ``points``; None if it is not drawn.
    """
    others = points.values[:, :2].astype(np.float32)
    if row is not None:
        others[row] = np.nan  # left out of the picture, as out of the training
    ring = layers.Markers(
        xy="ada", labels=[0], role="danger", hollow=True, size=9, label=T("outcomes.ada")
    )
    return Ada(
        arrays={
            "ada": live.Array(np.asarray(place, np.float32)[None, :2], (None, None)),
            "points_without_ada": live.Array(others, (None, None)),
        },
        without={"points": "points_without_ada", "ada": ""},
        ring=ring,
    )


def breathing(
    n_outcomes: int, label: str, instead: Mapping[str, str], **world: Any
) -> live.Breathing | None:
    """Return the animation with which a figure steps through outcomes of random draws; None while there are too
    few.

    Parameters
    ----------
    n_outcomes : int
        Number of outcomes.
    label : str
        Text on the displayed outcome; "" for the default, which states its accuracy (array
        ``outcome_right``).
    instead : mapping
        For an array of the figure, the name of the array over outcomes that replaces it.
    **world
        Further fields of `live.Breathing` such as ``without``, for the data set from which a record is
        removed. Their words are the same on all pages.
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
