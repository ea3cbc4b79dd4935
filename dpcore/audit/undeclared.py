"""What a fitted estimator keeps that depends on the data, without noise and without being declared."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpcore._warnings import unwarned

__all__ = ["attributes", "kept_seeds", "undeclared"]

_CHANCE = (
    np.random.Generator,
    np.random.RandomState,
    np.random.SeedSequence,
    np.random.BitGenerator,
)
_LEAVES = (str, bytes, bool, int, float, complex, np.generic, np.ndarray, *_CHANCE)
_DEEP = 8


def attributes(fitted: object, *, deep: int = _DEEP) -> Iterator[tuple[str, object]]:
    """Yield every number, text and array that can be reached from an object, with its path.

    Through attributes (private ones too), containers and dataclasses, ``deep`` levels down.
    """
    yield from _walk("", fitted, deep, set())


def _walk(path: str, value: object, deep: int, seen: set[int]) -> Iterator[tuple[str, object]]:
    if value is None or isinstance(value, _LEAVES):
        yield path, value
    elif deep and id(value) not in seen:
        seen = seen | {id(value)}
        for name, part in _parts(value):
            yield from _walk(f"{path}.{name}" if path else name, part, deep - 1, seen)


def _parts(value: object) -> list[tuple[str, object]]:
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
    """Return the paths of attributes that tell neighbouring data sets apart and carry no noise.

    Fitted on both data sets with the same noise, and on the first with other noise: a number that
    changes with the data and not with the noise is not hidden by it, entry by entry.

    Parameters
    ----------
    make : callable (random_state) -> estimator
        Makes an unfitted estimator.
    X, y : array (n, d), (n,)
        One data set.
    X2, y2 : array (m, d), (m,)
        Its neighbour.
    declared : tuple of str
        Beginnings of paths that the guarantee names as public.

    Returns
    -------
    tuple of str
        Empty when all is noisy or declared.
    """
    here, there = _fitted(make, X, y, 1), _fitted(make, X2, y2, 1)
    again = _fitted(make, X, y, 2)
    found = []
    for path in sorted(here.keys() | there.keys()):
        if path.startswith(declared) if declared else False:
            continue
        if path not in here or path not in there:
            if path not in again or path in here:
                found.append(path)
        elif _told(here[path], there[path], again.get(path)):
            found.append(path)
    return tuple(found)


def _told(one: object, other: object, redrawn: object) -> bool:
    """Whether an entry changes with the data and not with the noise."""
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


def kept_seeds(make: Callable[[Any], Any], X: ArrayLike, y: ArrayLike) -> tuple[str, ...]:
    """Return the paths in a fitted, pickled estimator that lead back to its noise.

    Fitted with a Generator: none may come back out of the pickle, nor the seed of any part.

    Parameters
    ----------
    make : callable (random_state) -> estimator
        Makes an unfitted estimator.
    X, y : array (n, d), (n,)
        Data.

    Returns
    -------
    tuple of str
    """
    with unwarned(UserWarning):  # seeds are given on purpose, data are few
        found = make(np.random.default_rng(7)).fit(X, y)
    again = pickle.loads(pickle.dumps(found))
    return tuple(
        path
        for path, value in attributes(again)
        if isinstance(value, _CHANCE)
        or (path.endswith("random_state") and isinstance(value, int | np.integer))
    )
