"""Walk everything that a fitted estimator holds, down to arrays and numbers."""

import dataclasses
import inspect

import numpy as np


def leaves(value, path="", seen=None):
    """Yield (path, array) for every array, number, text and state of a generator below ``value``."""
    seen = set() if seen is None else seen
    if isinstance(value, np.random.Generator):
        value = repr(value.bit_generator.state)
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic, np.ndarray)):
        yield path, np.asarray(value)
    elif id(value) not in seen:
        seen.add(id(value))
        for name, item in below(value, path):
            yield from leaves(item, name, seen)


def below(value, path):
    if isinstance(value, dict):
        return [(f"{path}[{key!r}]", item) for key, item in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [(f"{path}[{at}]", item) for at, item in enumerate(value)]
    if dataclasses.is_dataclass(value):
        held = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    elif hasattr(value, "__dict__") and not inspect.isroutine(value):
        held = vars(value)
    else:
        raise TypeError(f"{path} holds {value!r}, which cannot be looked into")
    return [(f"{path}.{name}", item) for name, item in held.items()]


def same(one, other):
    """Whether two leaves are equal, NaN included."""
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
        return False
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))
