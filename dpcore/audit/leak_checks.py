"""Leak checks, which search a fitted estimator for exact functions of the data and for stored noise.

The estimator is fitted on two neighbouring data sets and on an unrelated data set, always with the same series of
noise seeds. A private result changes with the data and with the noise. An attribute that changes only with the data
is an exact function of the data. An attribute that changes only with the noise is stored noise, which can be
subtracted and so reveals the exact result.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._types import Bools
from dpcore._warnings import unwarned

__all__ = [
    "Traces",
    "attributes",
    "leaves",
    "secrets",
    "stored_seeds",
    "traces",
    "undeclared",
    "whole_numbers",
]


_CHANCE = (
    np.random.Generator,
    np.random.RandomState,
    np.random.SeedSequence,
    np.random.BitGenerator,
)

_LEAVES = (str, bytes, bool, int, float, complex, np.generic, np.ndarray, *_CHANCE)

_DEEP = 8


def attributes(fitted: object, *, deep: int = _DEEP) -> Iterator[tuple[str, object]]:
    """Yield the attribute path and the value of every number, string, array and random generator inside an object.

    Attributes (including private ones) and containers are searched down to ``deep`` levels.
    """
    yield from _walk_attributes("", fitted, deep, set())


def _walk_attributes(
    path: str, value: object, deep: int, seen: set[int]
) -> Iterator[tuple[str, object]]:
    if value is None or isinstance(value, _LEAVES):
        yield path, value
    elif deep and id(value) not in seen:
        seen = seen | {id(value)}
        for name, part in _attribute_values(value):
            yield from _walk_attributes(f"{path}.{name}" if path else name, part, deep - 1, seen)


def _attribute_values(value: object) -> list[tuple[str, object]]:
    if isinstance(value, dict):
        return [(str(key), part) for key, part in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [(str(i), part) for i, part in enumerate(value)]
    slots = [s for kind in type(value).__mro__ for s in getattr(kind, "__slots__", ())]
    named = {s: getattr(value, s) for s in slots if hasattr(value, s)}
    return list({**named, **getattr(value, "__dict__", {})}.items())


def _fitted(make: Callable[[Any], Any], X: ArrayLike, y: ArrayLike, seed: int) -> dict[str, object]:
    with unwarned(UserWarning):  # seeds are given on purpose, data are few
        return dict(attributes(make(seed).fit(X, y)))


def undeclared(
    make: Callable[[Any], Any], X: ArrayLike, y: ArrayLike, X2: ArrayLike, y2: ArrayLike,
    *, declared: tuple[str, ...] = (),
) -> tuple[str, ...]:  # fmt: skip
    """Return the paths of attributes that differ between neighbouring data sets and contain no noise.

    The estimator is fitted on both data sets with the same noise, and on the first data set again with other noise.
    An attribute is not protected if one of its entries changes with the data but not with the noise.

    Parameters
    ----------
    make : callable (random_state) -> estimator
        Function that returns an unfitted estimator.
    X, y : array (n, d), (n,)
        First data set.
    X2, y2 : array (m, d), (m,)
        Second data set, a neighbour of the first.
    declared : tuple of str
        Prefixes of the paths that the guarantee lists as public.

    Returns
    -------
    tuple of str
        Paths of the unprotected attributes; an empty tuple if all attributes are noisy or declared.
    """
    here, there = _fitted(make, X, y, 1), _fitted(make, X2, y2, 1)
    again = _fitted(make, X, y, 2)
    paths = []
    for path in sorted(here.keys() | there.keys()):
        if path.startswith(declared) if declared else False:
            continue
        if path not in here or path not in there:
            if path not in again or path in here:
                paths.append(path)
        elif _depends_on_data(here[path], there[path], again.get(path)):
            paths.append(path)
    return tuple(paths)


def _depends_on_data(one: object, other: object, redrawn: object) -> bool:
    """Return whether an entry of a value changes with the data, but not if only the noise changes.

    ``one`` is the value for the first data set, and ``other`` the value for the second data set with the same noise.
    ``redrawn`` is the value for the first data set with new noise.
    """
    if isinstance(one, _CHANCE):
        return False
    a, b, c = (np.asarray(v) for v in (one, other, redrawn))
    if a.shape != b.shape:
        return a.shape == c.shape
    if a.shape != c.shape or a.dtype == object:
        return False
    return bool((_differ(a, b) & ~_differ(a, c)).any())


def _differ(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    numbers = a.dtype.kind in "fc" and b.dtype.kind in "fc"
    return (a != b) & ~(np.isnan(a) & np.isnan(b)) if numbers else np.asarray(a != b)


def stored_seeds(make: Callable[[Any], Any], X: ArrayLike, y: ArrayLike) -> tuple[str, ...]:
    """Return the attribute paths to random generators and seeds in a pickled estimator.

    Anybody who finds a generator or a seed in the pickle could draw the noise again and subtract it. To test this,
    the estimator is fitted with a Generator, pickled and loaded, and its attributes are searched.

    Parameters
    ----------
    make : callable (random_state) -> estimator
        Function that returns an unfitted estimator.
    X, y : array (n, d), (n,)
        Records and targets that the estimator is fitted on.

    Returns
    -------
    tuple of str
        The attribute paths. The tuple is empty if no generator or seed was found.
    """
    with unwarned(UserWarning):  # seeds are given on purpose, data are few
        estimator = make(np.random.default_rng(7)).fit(X, y)
    again = pickle.loads(pickle.dumps(estimator))
    return tuple(
        path
        for path, value in attributes(again)
        if isinstance(value, _CHANCE)
        or (path.endswith("random_state") and isinstance(value, int | np.integer))
    )


_SOURCES = (
    np.random.Generator,
    np.random.RandomState,
    np.random.BitGenerator,
    np.random.SeedSequence,
)

_PLAIN = (str, bytes, bool, int, float, complex, type(None), np.generic)


@dataclass(frozen=True)
class Traces:
    """Sorted attribute paths to the leaks of a fitted estimator.

    The paths in ``exact`` lead to exact functions of the data, and the paths in ``noise`` to stored noise.
    """

    exact: tuple[str, ...]
    noise: tuple[str, ...]


def traces(
    fit: Callable[[Any, int], Any],
    data: object,
    neighbour: object,
    elsewhere: object,
    *,
    seeds: Sequence[int] = tuple(range(6)),
    declared: Sequence[str] = (),
) -> Traces:
    """Return the attribute paths to exact functions of the data and to stored noise, in an estimator and its pickle.

    Arrays are compared elementwise, so a single exact number among noisy ones is found. A number counts as exact if
    it depends on the data and is the same for all seeds. A result with only a few possible values may be the same by
    chance, so it needs many seeds. The scale of the noise is not checked here.

    Parameters
    ----------
    fit : callable (data, seed) -> estimator
        Function that returns a new estimator, fitted on the data with noise from the seed.
    data, neighbour : object
        Two data sets that differ in one record.
    elsewhere : object
        A data set that has the same public properties as ``data`` but no record in common with it.
    seeds : sequence of int
        At least two seeds of the noise.
    declared : sequence of str
        Paths to skip, with everything below them. These are public values, and randomness other than noise. The
        parameter ``random_state`` is always skipped, because the guarantee states whether it is secret.

    Returns
    -------
    Traces
        The paths to exact functions of the data, and the paths to stored noise.
    """
    known = (*declared, "random_state", "pickle.random_state")
    worlds = [
        [_all_leaves(fit(one, seed)) for seed in seeds] for one in (data, neighbour, elsewhere)
    ]
    paths = sorted(set().union(*(fit_leaves for world in worlds for fit_leaves in world)))
    exact, noise = [], []
    for path in paths:
        if any(path == one or path.startswith((f"{one}.", f"{one}[")) for one in known):
            continue
        here, there, far = ([fit_leaves.get(path) for fit_leaves in world] for world in worlds)
        by_record = _any([_differs(a, b) for a, b in zip(here, there, strict=True)])
        by_data = _any([_differs(a, b) for a, b in zip(here, far, strict=True)])
        by_noise = _any([_differs(a, world[0]) for world in (here, there) for a in world[1:]])
        if (by_record & ~by_noise).any():
            exact.append(path)
        elif by_noise.any() and not (by_record.any() or by_data.any()):
            noise.append(path)
    return Traces(tuple(exact), tuple(noise))


def secrets(thing: object) -> list[str]:
    """Return the attribute paths to all random generators in an object, and to all values named ``random_state``."""
    return sorted(
        path
        for path, part in _walk(thing, "", {})
        if isinstance(part, _SOURCES)
        or (path.split(".")[-1] == "random_state" and part is not None)
    )


def whole_numbers(thing: object) -> list[int]:
    """Return all distinct non-negative integers in an object and in its arrays, which are candidates for seeds."""
    numbers: set[int] = set()
    for _, part in _walk(thing, "", {}):
        if isinstance(part, np.ndarray) and part.dtype.kind in "iu":
            numbers |= set(part.ravel().tolist())
        elif isinstance(part, int | np.integer):
            numbers.add(int(part))
    return sorted(number for number in numbers if number >= 0)


def leaves(thing: object) -> dict[str, NDArray[Any]]:
    """Return all numbers, strings and arrays in an object, as arrays of any shape, by attribute path."""
    return {
        path: _as_array(part)
        for path, part in _walk(thing, "", {})
        if isinstance(part, (*_PLAIN, *_SOURCES, np.ndarray)) or not _parts(part)
    }


def _all_leaves(thing: object) -> dict[str, NDArray[Any]]:
    again = leaves(pickle.loads(pickle.dumps(thing)))
    return leaves(thing) | {f"pickle.{path}": value for path, value in again.items()}


def _walk(thing: object, path: str, seen: dict[int, object]) -> Iterator[tuple[str, object]]:
    """Yield every attribute and item in an object, at any depth, with its attribute path.

    An object that can be reached by several paths is yielded only once.
    """
    if not isinstance(thing, _PLAIN):
        if id(thing) in seen:
            return
        seen[id(thing)] = thing  # kept, so that its id is not given away again
    yield path.lstrip("."), thing
    if isinstance(thing, (*_PLAIN, *_SOURCES, type, ModuleType)):
        return
    for name, part in _parts(thing).items():
        yield from _walk(part, path + name, seen)


def _parts(thing: object) -> dict[str, object]:
    """Return the attributes and items that an object contains directly, by path.

    The result is empty if the object has no readable attributes or items.
    """
    if isinstance(thing, dict):
        return {f"[{key!r}]": value for key, value in thing.items()}
    if isinstance(thing, list | tuple | set | frozenset):
        parts = {f"[{i}]": value for i, value in enumerate(thing)}
    elif isinstance(thing, np.ndarray):
        parts = {f"[{i}]": v for i, v in enumerate(thing.ravel())} if thing.dtype == object else {}
        # A view keeps all of the array that it was cut from.
        if isinstance(thing.base, np.ndarray) and thing.base.size > thing.size:
            parts[".base"] = thing.base
        return parts
    elif isinstance(thing, MethodType):
        parts = {".__self__": thing.__self__, ".__func__": thing.__func__}
    elif isinstance(thing, FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or ()]
        parts = {".__closure__": cells, ".__defaults__": thing.__defaults__}
    else:
        parts = {}
    slots = [s for kind in type(thing).__mro__ for s in getattr(kind, "__slots__", ())]
    contents = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    contents |= getattr(thing, "__dict__", {})
    return parts | {f".{name}": value for name, value in contents.items()}


def _as_array(part: Any) -> NDArray[Any]:
    if isinstance(part, np.ndarray) and part.dtype != object:
        return part
    if isinstance(part, np.random.RandomState):
        part = part.get_state(legacy=False)
    if isinstance(part, np.random.Generator):
        part = part.bit_generator
    if isinstance(part, np.random.BitGenerator):
        part = part.state
    try:
        return np.array(pickle.dumps(part).hex())
    except (pickle.PicklingError, TypeError, AttributeError):  # only its kind can be compared
        return np.array(str(type(part)))


def _differs(a: NDArray[Any] | None, b: NDArray[Any] | None) -> NDArray[np.bool_]:
    """Return a mask of the elements in which two arrays differ.

    If the shapes or types of the arrays differ, or if only one of them is None, the result is a single True.
    """
    if a is None and b is None:
        return np.array(False)
    if a is None or b is None or a.shape != b.shape or a.dtype != b.dtype:
        return np.array(True)
    equal_nan = a.dtype.kind in "fc"
    same = (a == b) | (np.isnan(a) & np.isnan(b)) if equal_nan else a == b
    return cast(Bools, ~same)


def _any(masks: list[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Return the elementwise "or" of boolean arrays, or, if their shapes differ, whether any entry is True."""
    if len({mask.shape for mask in masks}) == 1:
        return cast(Bools, np.logical_or.reduce(masks))
    return np.array(any(mask.any() for mask in masks))
