"""Serialisation of numbers, strings, arrays and dataclasses as two arrays of bytes, without pickle.

Unpickling a file may run code from the file. Reading this format runs no code from the file.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray

__all__ = ["Unpackable", "pack", "unpack"]

_KINDS = "biufcU"  # of arrays: no Python objects
_ALIGNED = 64
_PLAIN = (bool, int, float, str)


class Unpackable(TypeError):
    """Error: a value contains a type that cannot be serialised."""


def pack(value: object) -> dict[str, NDArray[np.uint8]]:
    """Return a value serialised as two arrays of bytes: ``tree`` (structure) and ``body`` (array data).

    Raises
    ------
    Unpackable
        When the value contains a function, an object array or another unsupported type.
    """
    packer = _Packer()
    tree = json.dumps(packer.node(value), separators=(",", ":")).encode()
    body = b"".join(packer.parts)
    return {"tree": np.frombuffer(tree, np.uint8), "body": np.frombuffer(body, np.uint8)}


def unpack(arrays: Mapping[str, AnyArray]) -> Any:
    """Return the value that `pack` serialised, with all numbers equal bit by bit.

    Raises
    ------
    ValueError, KeyError, TypeError, AttributeError, ImportError
        When the arrays were not made by `pack`, or a dataclass in them does not exist.
    """
    body = np.array(arrays["body"], np.uint8)  # memory of its own, which may be written to
    return _Unpacker(body).value(json.loads(bytes(arrays["tree"])))


class _Packer:
    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._size = 0
        self._known: dict[int, tuple[object, list[Any]]] = {}  # what is met twice is kept once

    def node(self, value: object) -> Any:
        if value is None or type(value) in _PLAIN:
            return value
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return ["scalar", self._array(np.asarray(value))]
        if type(value) in (tuple, list):
            return [type(value).__name__, *map(self.node, value)]  # type: ignore[call-overload]
        if type(value) is dict:
            return ["dict", *([self.node(key), self.node(item)] for key, item in value.items())]
        if is_dataclass(value) and not isinstance(value, type):
            kind = type(value)
            nodes = {item.name: self.node(getattr(value, item.name)) for item in fields(value)}
            return ["object", kind.__module__, kind.__qualname__, nodes]
        raise Unpackable(f"{type(value).__name__} is not kept on disk.")

    def _array(self, array: AnyArray) -> list[Any]:
        if array.dtype.kind not in _KINDS or not array.dtype.isnative:
            raise Unpackable(f"An array of {array.dtype} is not kept on disk.")
        known = self._known.get(id(array))
        if known is None:
            turned = array.flags.f_contiguous and not array.flags.c_contiguous
            raw = np.ascontiguousarray(array.T if turned else array).tobytes()
            node = ["array", array.dtype.str, list(array.shape), self._size, turned]
            padding = -len(raw) % _ALIGNED
            self.parts.append(raw + bytes(padding))
            self._size += len(raw) + padding
            known = self._known[id(array)] = (array, node)
        return known[1]


class _Unpacker:
    def __init__(self, body: NDArray[np.uint8]) -> None:
        self._body = body
        self._arrays: dict[tuple[object, ...], AnyArray] = {}

    def value(self, node: Any) -> Any:
        if not isinstance(node, list):
            return node
        kind, *rest = node
        match kind:
            case "array":
                return self._array(*rest)
            case "scalar":
                return self.value(rest[0])[()]
            case "tuple":
                return tuple(map(self.value, rest))
            case "list":
                return [self.value(item) for item in rest]
            case "dict":
                return {self.value(key): self.value(item) for key, item in rest}
            case "object":
                return self._object(*rest)
        raise ValueError(f"{kind!r} is no kind of value.")

    def _array(self, dtype: str, shape: list[int], start: int, turned: bool) -> AnyArray:
        kind = np.dtype(dtype)
        if kind.kind not in _KINDS:
            raise ValueError(f"{dtype!r} is no kind of array.")
        size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        key = start, dtype, *shape  # empty ones share their place with others
        if key not in self._arrays:
            part = self._body[start : start + size].view(kind)
            self._arrays[key] = part.reshape(shape[::-1]).T if turned else part.reshape(shape)
        return self._arrays[key]

    def _object(self, module: str, name: str, nodes: dict[str, Any]) -> Any:
        kind = _class(module, name)
        if set(nodes) != {item.name for item in fields(kind)}:
            raise ValueError(f"{name} has other fields.")
        instance = object.__new__(kind)
        for key, node in nodes.items():
            object.__setattr__(instance, key, self.value(node))
        return instance


def _class(module: str, name: str) -> Any:
    """Return a dataclass by its module and name.

    Modules of dpcore are imported. Any other module must already be loaded.
    """
    own = module.split(".")[0] == "dpcore" and not module.endswith("__main__")
    attribute: Any = import_module(module) if own else sys.modules[module]
    for part in name.split("."):
        attribute = getattr(attribute, part)
    if not (isinstance(attribute, type) and is_dataclass(attribute)):
        raise ValueError(f"{name} is no dataclass.")
    return attribute
