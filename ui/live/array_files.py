"""Files of arrays that browsers fetch over HTTP, each named by a digest of its arrays.

Arrays of public data are in one store of the process, under ``/arrays/DIGEST``. They never change, so that
browsers and proxies may cache them. Arrays computed from a user's own data are in a store of the user's session,
under ``/arrays/TOKEN/DIGEST``. They are not cached, and they are removed with the session.
"""

from __future__ import annotations

import gzip
import hashlib
import secrets
import struct
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from numpy.typing import NDArray

from ui.live.wire import Tolerance, encode

__all__ = ["FORMAT", "PUBLIC", "ArrayFile", "Part", "Store", "find", "private_store"]

FORMAT = 2  # of what is in a file: another one gets other names, as browsers keep files for a year
_LENGTH = struct.Struct("<I")
_PUBLIC_BYTES = 128 * 2**20
_PRIVATE_BYTES = 32 * 2**20


@dataclass(frozen=True)
class Part:
    """One array of a file: its identifier in the browser, its values, and the allowed rounding error."""

    id: str
    values: NDArray[Any]
    tolerance: Tolerance

    def body(self) -> bytes:
        """Return the array encoded as bytes."""
        return encode(self.values, self.tolerance)


class ArrayFile:
    """File of several encoded arrays, each preceded by its length in bytes.

    The file is compressed at the first request.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts: Sequence[Part] | None = parts
        self._packed = b""
        self._lock = threading.Lock()

    @property
    def nbytes(self) -> int:
        """Number of bytes that the file occupies in memory."""
        parts = self._parts
        return len(self._packed) if parts is None else sum(part.values.nbytes for part in parts)

    def packed(self) -> bytes:
        """Return the content of the file, compressed by gzip."""
        with self._lock:
            if self._parts is not None:
                bodies = [part.body() for part in self._parts]
                whole = b"".join(_LENGTH.pack(len(body)) + body for body in bodies)
                self._packed = gzip.compress(whole, 6, mtime=0)
                self._parts = None
            return self._packed


class Store:
    """LRU store of array files by name.

    Parameters
    ----------
    limit : int
        Largest total number of bytes of the files.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._files: OrderedDict[str, ArrayFile] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, parts: Sequence[Part]) -> str:
        """Store arrays as one file, and return its name."""
        ids = f"{FORMAT}:" + ",".join(part.id for part in parts)
        name = hashlib.blake2b(ids.encode(), digest_size=16).hexdigest()
        with self._lock:
            if name not in self._files:
                self._files[name] = ArrayFile(parts)
            self._files.move_to_end(name)
            total = sum(file.nbytes for file in self._files.values())
            while total > self._limit and len(self._files) > 1:
                total -= self._files.popitem(last=False)[1].nbytes
        return name

    def get(self, name: str) -> ArrayFile | None:
        """Return the file with a name, or None if it is not stored."""
        with self._lock:
            if name in self._files:
                self._files.move_to_end(name)
            return self._files.get(name)

    def packed(self, url: str) -> bytes:
        """Return the compressed array file whose address is given in a figure's message.

        Raises
        ------
        AssertionError
            When the arrays of the figure do not fit in the store.
        """
        file = self.get(url.rpartition("/")[2])
        if file is None:
            raise AssertionError("a figure's arrays are larger than its store")
        return file.packed()

    @property
    def nbytes(self) -> int:
        """Number of bytes that all files occupy in memory."""
        with self._lock:
            return sum(file.nbytes for file in self._files.values())


class PrivateStore(Store):
    """Store of one session's array files, found by an unguessable token."""

    def __init__(self, limit: int = _PRIVATE_BYTES) -> None:
        super().__init__(limit)
        self.token = secrets.token_urlsafe(24)


PUBLIC = Store(_PUBLIC_BYTES)
_PRIVATE: WeakValueDictionary[str, PrivateStore] = WeakValueDictionary()  # held by their sessions


def private_store() -> PrivateStore:
    """Return a new private store.

    The registry of private stores has only a weak reference. `find` finds the store by its token until the caller
    drops the store.
    """
    store = PrivateStore()
    _PRIVATE[store.token] = store
    return store


def find(name: str, token: str = "") -> ArrayFile | None:
    """Return a file from the public store or, with a token, from a private store.

    Return None if the file is missing.
    """
    store: Store | None = _PRIVATE.get(token) if token else PUBLIC
    return None if store is None else store.get(name)
