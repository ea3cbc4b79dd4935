"""Animation of a figure through outcomes: the results of other random draws.

Each outcome is shown for the data set with a person's record, or for the one in which it is removed or replaced.
"""

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
    "Someone",
    "along_outcomes",
    "breathing",
    "enough",
    "in_picture",
    "name_of",
    "someone",
    "stepped",
    "stranger",
    "whose_record",
    "words_of_worlds",
]

T = text.load_text(__file__)
_FEWEST = 6  # outcomes below which stepping through them says nothing of chance
_FIRST = 8  # draws that are shown first: as many as of a first look at one noise level


def along_outcomes(values: live.Array) -> live.Array:
    """Return the array with its first unnamed dimension named "outcome"."""
    place = values.dims.index(None)
    dims = (*values.dims[:place], live.OUTCOME, *values.dims[place + 1 :])
    return live.Array(values.values, dims, scale=values.scale)


def enough(n_done: int, n_wanted: int) -> bool:
    """Return whether ``n_done`` of ``n_wanted`` new draws are enough to replace those that an animation shows.

    With too few draws the animation would stop.
    """
    return n_done >= min(_FIRST, n_wanted)


def name_of(record: int, first: int) -> str:
    """Return the name of a record's person.

    The person of the record ``first``, with which a page begins, is "Ada".

    >>> name_of(7, first=7), name_of(0, first=7), name_of(0, first=7) == name_of(0, first=3)
    ('Ada', 'Bea', True)
    """
    ada, *others = T.lines("outcomes.names")
    return ada if record == first else others[record % len(others)]


@dataclass(frozen=True, kw_only=True)
class Someone:
    """The person whose record makes the difference between two neighbouring data sets.

    - ``whose``: words for the person's record: "Ada" or, if a record is not a person, e.g. "Ada's flower".
    - ``unit``: the word for one record.
    - ``arrays``: arrays of the person's position and of the records of the second data set, by name.
    - ``without``: names of arrays that replace arrays of the figure while the second data set is shown, by the name
      of the replaced array; "" hides an array.
    - ``rings``: layers that draw a ring around the dot of the person, and one around that of the replacing record.
    - ``choice``: arguments of `live.Breathing`: texts on the two data sets and on the choice of another person.
    """

    whose: str
    unit: str
    arrays: Mapping[str, live.Array]
    without: Mapping[str, str]
    rings: Sequence[layers.Layer]
    choice: Mapping[str, Any]


def someone(
    place: ArrayLike,
    points: live.Array,
    record: int,
    *,
    first: int,
    unit: Unit,
    rows: ArrayLike | None = None,
    away: ArrayLike | None = None,
    dots: str = "points",
    control: str = "record",
    counted_from: int = 1,
) -> Someone:
    """Return, for a map, the person whose record makes the difference between two neighbouring data sets.

    Parameters
    ----------
    place : array-like (2,)
        Position of the person's record on the map.
    points : Array
        Positions (n, 2) of the n records that the map draws.
    record : int
        Index of the person's record in the training data.
    first : int
        Index of the record that is selected when the page opens; its person is called Ada.
    unit : Unit
        The words for a record.
    rows : array-like (n,), optional
        Indices of the n drawn records in the training data; by default all records are drawn.
    away : array-like (2,), optional
        Position of the record that replaces the person's record; by default the person's record is removed.
    dots : str
        Name of the array of ``points``.
    control : str
        Name of the control that holds the number of the chosen record.
    counted_from : int
        Number of the first record.
    """
    shown = np.arange(len(points.values)) if rows is None else np.asarray(rows)
    gone = np.full(2, np.nan, np.float32)  # left out of the picture, as out of the data
    others = points.values[:, :2].astype(np.float32)
    others[shown == record] = gone if away is None else away
    what = one_record(unit)
    whose = whose_record(name_of(record, first), what)
    arrays = {"chosen": _place(place), f"{dots}_without": live.Array(others, (None, None))}
    without, rings = {dots: f"{dots}_without", "chosen": ""}, [_ring("chosen", "danger", whose)]
    if away is not None:
        arrays |= {"stranger": _place(gone), "stranger_there": _place(away)}
        without |= {"stranger": "stranger_there"}
        rings.append(_ring("stranger", "text", stranger(what)))
    numbers = shown + counted_from
    if not np.array_equal(numbers, np.arange(len(shown)) + 1):
        arrays["dot_numbers"] = live.Array(numbers.astype(np.int32), (None,))
    choice = {
        "person": "chosen",
        "dots": dots,
        "record": control,
        "numbers": "dot_numbers" if "dot_numbers" in arrays else "",
        "choose": T("outcomes.choose"),
        "tap": T("outcomes.tap", record=what),
        "waits": T("outcomes.waits"),
        **words_of_worlds(whose, "" if away is None else stranger(what)),
    }
    return Someone(
        whose=whose, unit=what, arrays=arrays, without=without, rings=rings, choice=choice
    )


def in_picture(
    number: int, n_pictures: int, *, whose: str, unit: Unit, dots: str, control: str
) -> Someone:
    """Return the person with a replaced picture, for a figure that is a mosaic.

    Parameters
    ----------
    number : int
        Number of the picture, from 0.
    n_pictures : int
        Number of pictures that can be chosen. Each has a column of the mosaic.
    whose : str
        Words for the person's picture.
    unit : Unit
        The words for a picture.
    dots : str
        Name of the array of the pictures.
    control : str
        Name of the control that holds the number of the chosen picture.
    """
    what = one_record(unit)
    numbers = {"chosen": [number], "dot_numbers": np.arange(n_pictures)}
    choice = {
        "person": "chosen",
        "dots": dots,
        "record": control,
        "numbers": "dot_numbers",
        "choose": T("outcomes.choose_picture"),
        "tap": T("outcomes.tap_picture"),
        "waits": T("outcomes.waits_picture"),
        **words_of_worlds(whose, stranger(what)),
    }
    arrays = {name: live.Array(np.array(k, np.int32), (None,)) for name, k in numbers.items()}
    return Someone(whose=whose, unit=what, arrays=arrays, without={}, rings=(), choice=choice)


def whose_record(name: str, what: str) -> str:
    """Return the words for a person's record: the name if a record is a person, else the name and the record.

    >>> whose_record("Ada", "person"), whose_record("Ada", "flower")
    ('Ada', "Ada's flower")
    """
    return name if what == "person" else T("outcomes.whose", name=name, record=what)


def stranger(what: str) -> str:
    """Return the words for the record that replaces another one.

    ``what`` is the word for one record.

    >>> stranger("person"), stranger("picture")
    ('somebody else', 'another picture')
    """
    return (
        T("outcomes.stranger") if what == "person" else T("outcomes.stranger_record", record=what)
    )


def words_of_worlds(whose: str, other: str = "") -> dict[str, str]:
    """Return the texts of `live.Breathing` on the data set in which a record is removed or replaced.

    ``whose``: words for the record. ``other``: words for the record that replaces it, or "" if the
    record is removed.
    """
    ending = "_replaced" if other else ""
    return {
        "label_without": T(f"outcomes.without{ending}", whose=whose, **({"other": other} if other else {})),
        "take_out": T(f"outcomes.take_out{ending}", whose=whose),
        "put_back": T("outcomes.put_back", whose=whose),
    }  # fmt: skip


def _place(xy: ArrayLike) -> live.Array:
    return live.Array(np.asarray(xy, np.float32)[None, :2], (None, None))


def _ring(name: str, role: Role, label: str) -> layers.Layer:
    return layers.Markers(xy=name, labels=[0], role=role, hollow=True, size=9, label=label)


def breathing(
    n_outcomes: int,
    label: str,
    instead: Mapping[str, str],
    *,
    at: Mapping[str, float] | None = None,
    **world: Any,
) -> live.Breathing | None:
    """Return the animation through outcomes of random draws.

    Return None while there are too few outcomes.

    Parameters
    ----------
    n_outcomes : int
        Number of outcomes.
    label : str
        Text shown with an outcome. If "", it states the accuracy of the outcome (array ``outcome_right``).
    instead : mapping
        Names of the arrays of outcomes, by the name of the figure's array that each replaces.
    at : mapping or None
        For each slider that is not a dimension of these arrays, the value at which the outcomes were drawn.
    **world
        Further fields of `live.Breathing`, such as ``without`` for the neighbouring data set.
    """
    if n_outcomes < _FEWEST:
        return None
    return live.Breathing(
        n_outcomes=n_outcomes,
        label=label or T("outcomes.right"),
        still=T("outcomes.still"),
        elsewhere=T("outcomes.elsewhere"),
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
    """Return an animation through outcomes with and without a person's record, after the arrays that it needs.

    With too few outcomes there are no arrays, and the animation is None.

    Parameters
    ----------
    person : Someone
        The person whose record is removed in the neighbouring data set.
    right : Array
        The accuracy of each outcome with the record, with the dimension `live.OUTCOME`.
    worlds : mapping
        Pairs of arrays by the name of the array that they replace: outcomes with the record, and without it.
    hidden : tuple of str
        Names of arrays that describe only the displayed draw, and are hidden during the animation.
    """
    away = dict.fromkeys(hidden, "")
    found = breathing(
        right.values.shape[right.dims.index(live.OUTCOME)],
        "",
        {name: f"outcome_{name}" for name in worlds} | away,
        without={name: f"outcome_{name}_without" for name in worlds} | away | dict(person.without),
        **person.choice,
    )
    if found is None:
        return {}, None
    arrays = {f"outcome_{name}": here for name, (here, _) in worlds.items()}
    arrays |= {f"outcome_{name}_without": there for name, (_, there) in worlds.items()}
    return {**arrays, **person.arrays, "outcome_right": right}, found
