"""Outcomes of other random draws that a page's figure steps through, with their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ui import live
from ui.live import layers
from ui.live.layer import Role
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
    """The record in which two neighbouring data sets differ, as a map shows it; it belongs to a person named Ada.

    ``arrays``: Ada's position, and the records of the second data set. ``without``: names of arrays of the figure,
    mapped to the names of the arrays that replace them while the second data set is shown. ``rings``: layers that
    draw rings around Ada's record and around the record that replaces it. ``person``: name of the array with Ada's
    position.
    """

    arrays: Mapping[str, live.Array]
    without: Mapping[str, str]
    rings: Sequence[layers.Layer]
    person: str = "ada"


def ada(
    place: ArrayLike, points: live.Array, row: int | None, away: ArrayLike | None = None, name: str = "points"
) -> Ada:  # fmt: skip
    """Return the record that a map shows with a ring and that can be removed or replaced (Ada).

    Parameters
    ----------
    place : array-like (2,)
        Position of the record on the map.
    points : Array
        The records that the figure draws, (n, 2).
    row : int or None
        Index of the record among ``points``; None if it is not drawn.
    away : array-like (2,) or None
        Position of the record that replaces it; None if it is removed and nothing replaces it.
    name : str
        Name of the array of ``points``.
    """
    gone = np.full(2, np.nan)
    others = points.values[:, :2].astype(np.float32)
    if row is not None:
        others[row] = gone if away is None else away
    arrays = {"ada": _place(place), f"{name}_without_ada": live.Array(others, (None, None))}
    without = {name: f"{name}_without_ada", "ada": ""}
    if away is None:
        return Ada(arrays=arrays, without=without, rings=[_ring("ada", "danger")])
    return Ada(
        arrays=arrays | {"stranger": _place(gone), "stranger_there": _place(away)},
        without=without | {"stranger": "stranger_there"},
        rings=[_ring("ada", "danger"), _ring("stranger", "text")],
    )


def _place(xy: ArrayLike) -> live.Array:
    return live.Array(np.asarray(xy, np.float32)[None, :2], (None, None))


def _ring(name: str, role: Role) -> layers.Layer:
    return layers.Markers(
        xy=name, labels=[0], role=role, hollow=True, size=9, label=T(f"outcomes.{name}")
    )


def breathing(
    n_outcomes: int,
    label: str,
    instead: Mapping[str, str],
    *,
    at: Mapping[str, float] | None = None,
    **world: Any,
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
    at : mapping or None
        Values of sliders at which the outcomes were drawn, for sliders that are not dimensions of the outcome
        arrays.
    **world
        Further fields of `live.Breathing` such as ``without``, which describe the neighbouring data set, from which a
        record is removed. Texts that are not given are those that most pages share.
    """
    if n_outcomes < _FEWEST:
        return None
    if world:
        world = {
            "label_without": T("outcomes.without"),
            "take_out": T("outcomes.take_out"),
            "put_back": T("outcomes.put_back"),
        } | world
    return live.Breathing(
        n_outcomes=n_outcomes,
        label=label or T("outcomes.right"),
        still=T("outcomes.still"),
        instead=instead,
        at=at or {},
        **world,
    )
