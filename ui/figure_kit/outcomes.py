"""Outcomes of other random draws that a page's figure steps through, and the person whose record may be removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore.units import Unit
from ui import live
from ui.live import layers
from ui.live.layer import Role
from ui.words import text
from ui.words.units import one_record

__all__ = [
    "Ada",
    "Someone",
    "ada",
    "along_outcomes",
    "breathing",
    "enough",
    "name_of",
    "someone",
    "stepped",
]

T = text.beside(__file__)
_FEWEST = 6  # outcomes below which stepping through them says nothing of chance
_FIRST = 8  # draws that are shown first: as many as of a first look at one noise level


def along_outcomes(values: live.Array) -> live.Array:
    """Return the array with its first unnamed dimension named as the dimension of outcomes (random draws)."""
    place = values.dims.index(None)
    dims = (*values.dims[:place], live.OUTCOME, *values.dims[place + 1 :])
    return live.Array(values.values, dims, scale=values.scale)


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


def enough(n_done: int, n_wanted: int) -> bool:
    """Return whether so many draws are done that a figure can begin to show them.

    With fewer draws, a figure that steps through the previous draws would have to stop.
    """
    return n_done >= min(_FIRST, n_wanted)


def name_of(record: int, first: int) -> str:
    """Return the name of a record's person, "Ada" for the record ``first`` that a page begins with.

    >>> name_of(7, first=7), name_of(0, first=7), name_of(0, first=7) == name_of(0, first=3)
    ('Ada', 'Bea', True)
    """
    ada, *others = T.lines("outcomes.names")
    return ada if record == first else others[record % len(others)]


@dataclass(frozen=True, kw_only=True)
class Someone:
    """The person whose record is removed in the neighbouring data set, as a map shows her: with a ring.

    - ``whose``: her name; or her record in words, if a record is not a person.
    - ``unit``: the word for one record.
    - ``arrays``: her position, and the records without hers.
    - ``without``: names of arrays of the figure, mapped to the names of the arrays that replace them when her
      record is removed; "" hides an array.
    - ``ring``: layer that draws a ring around her dot.
    - ``choice``: arguments of `live.Breathing`, by which a click on another dot chooses another person.
    """

    whose: str
    unit: str
    arrays: Mapping[str, live.Array]
    without: Mapping[str, str]
    ring: layers.Layer
    choice: Mapping[str, Any]


def someone(
    place: ArrayLike,
    points: live.Array,
    record: int,
    *,
    first: int,
    unit: Unit,
    drawn: ArrayLike | None = None,
) -> Someone:
    """Return the person whose record can be removed from the data, as a map shows her.

    Parameters
    ----------
    place : array-like (2,)
        Position of the record on the map.
    points : Array
        Positions (n, 2) of the n records that the map draws.
    record : int
        Index of her record in the training data.
    first : int
        Index of the record that can be removed when the page opens; its person is called Ada.
    unit : Unit
        The words for a record.
    drawn : array-like (n,), optional
        Indices of the n drawn records in the training data; by default all records are drawn.
    """
    shown = np.arange(len(points.values)) if drawn is None else np.asarray(drawn)
    others = points.values[:, :2].astype(np.float32)
    others[shown == record] = np.nan  # left out of the picture, as out of the training
    name, what = name_of(record, first), one_record(unit)
    whose = name if what == "person" else T("outcomes.whose", name=name, record=what)
    arrays = {
        "chosen": _place(place),
        "points_without": live.Array(others, (None, None)),
    }
    if drawn is not None and not np.array_equal(shown, np.arange(len(shown))):
        arrays["dot_numbers"] = live.Array((shown + 1).astype(np.int32), (None,))
    return Someone(
        whose=whose,
        unit=what,
        arrays=arrays,
        without={"points": "points_without", "chosen": ""},
        ring=layers.Markers(
            xy="chosen", labels=[0], role="danger", hollow=True, size=9, label=whose
        ),
        choice={
            "person": "chosen",
            "dots": "points",
            "record": "record",
            "numbers": "dot_numbers" if "dot_numbers" in arrays else "",
            "choose": T("outcomes.choose"),
            "waits": T("outcomes.waits"),
        },
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
        Further fields of `live.Breathing` such as ``without``, on the data set from which a record is removed.
        Missing texts are replaced by those that most pages share.
    """
    if n_outcomes < _FEWEST:
        return None
    if world:
        world = {
            "label_without": T("outcomes.without", whose=T("outcomes.ada")),
            "take_out": T("outcomes.take_out", whose=T("outcomes.ada")),
            "put_back": T("outcomes.put_back", whose=T("outcomes.ada")),
        } | world
    return live.Breathing(
        n_outcomes=n_outcomes,
        label=label or T("outcomes.right"),
        still=T("outcomes.still"),
        instead=instead,
        at=at or {},
        **world,
    )


def stepped(
    person: Someone,
    right: live.Array,
    worlds: Mapping[str, tuple[live.Array, live.Array]],
    *,
    hidden: tuple[str, ...] = (),
) -> tuple[dict[str, live.Array], live.Breathing | None]:
    """Return the arrays of the outcomes with and without a person's record, and the animation through them.

    With too few outcomes there are no arrays, and the animation is None.

    Parameters
    ----------
    person : Someone
        The person whose record is removed in the neighbouring data set.
    right : Array
        The accuracy of each outcome with her record, with the dimension `live.OUTCOME`.
    worlds : mapping
        For the name of a drawn array: the two arrays of outcomes that replace it, with and without her record.
    hidden : tuple of str
        Names of arrays that describe only the displayed draw, and are hidden during the animation.
    """
    away = dict.fromkeys(hidden, "")
    found = breathing(
        right.values.shape[right.dims.index(live.OUTCOME)],
        "",
        {name: f"outcome_{name}" for name in worlds} | away,
        without={name: f"outcome_{name}_without" for name in worlds} | away | dict(person.without),
        label_without=T("outcomes.without", whose=person.whose),
        take_out=T("outcomes.take_out", whose=person.whose),
        put_back=T("outcomes.put_back", whose=person.whose),
        **person.choice,
    )
    if found is None:
        return {}, None
    arrays = {f"outcome_{name}": here for name, (here, _) in worlds.items()}
    arrays |= {f"outcome_{name}_without": there for name, (_, there) in worlds.items()}
    return {**arrays, **person.arrays, "outcome_right": right}, found
