"""Search of the memory of processes for bytes of a table, on Linux."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["Marked", "is_readable", "process_tree", "traces"]

_PART = 2**26  # bytes that are read at once
_OVERLAP = 256
_HASH_BITS = 24


@dataclass(frozen=True)
class Marked:
    """A table of two numeric columns and a class, whose bytes occur nowhere else.

    - ``label``: beginning of the names of the classes.
    - ``column``: beginning of the names of the columns.
    - ``numbers``: records (n, 2), all in [1216, 1280) so that their first two bytes are known.
    """

    label: str
    column: str
    numbers: NDArray[np.float64]

    @classmethod
    def draw(cls, n_rows: int, rng: np.random.Generator) -> Marked:
        """Return a table with random names and numbers."""
        words = ["".join(map(chr, rng.integers(97, 123, 12))) for _ in range(2)]
        return cls(words[0], words[1], np.round(1216 + 64 * rng.random((n_rows, 2)), 9))

    @property
    def target(self) -> str:
        """Name of the column of classes."""
        return f"{self.column}_class"

    @property
    def csv(self) -> bytes:
        """Content of the table as a file."""
        rows = [
            f"{a:.9f},{b:.9f},{self.label}_{'ab'[a + b > 2496]}" for a, b in self.numbers.tolist()
        ]
        head = f"{self.column}_x,{self.column}_y,{self.target}"
        return "\n".join([head, *rows, ""]).encode()

    @property
    def scaled(self) -> NDArray[np.float32]:
        """Records (n, 2) scaled to [-1, 1] by their smallest and largest values."""
        low, high = self.numbers.min(axis=0), self.numbers.max(axis=0)
        return ((self.numbers - (low + high) / 2) / ((high - low) / 2)).astype(np.float32)


def is_readable(pid: int) -> bool:
    """Return whether the memory of a process can be read."""
    try:
        next(_parts(pid))
    except (OSError, StopIteration):
        return False
    return True


def process_tree(pid: int) -> list[int]:
    """Return a process and all processes that it has started, directly or not."""
    found = [pid]
    for one in found:
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(child) for child in children.read_text().split()]
    return found


def _parts(pid: int) -> Iterator[bytes]:
    """Yield the writable or anonymous memory of a process, part by part."""
    maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines()
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, _, _, inode, *name = line.split(maxsplit=5)
            if rights[0] != "r" or (rights[1] != "w" and inode != "0") or "[v" in "".join(name):
                continue
            start, end = (int(word, 16) for word in span.split("-"))
            for at in range(start, end, _PART):
                try:
                    memory.seek(at)
                    yield memory.read(min(_PART + _OVERLAP, end - at))
                except (OSError, ValueError):  # unmapped meanwhile
                    continue


def traces(pid: int, marked: Marked) -> Counter[str]:
    """Return how often traces of a table occur in a process and those that it has started, by their kind."""
    known, found = _Known(marked), Counter[str]()
    for one in process_tree(pid):
        for part in _parts(one):
            found += known.count(part)
    return found


class _Known:
    """What is searched for, prepared once."""

    def __init__(self, marked: Marked) -> None:
        self.texts = {
            f"{kind}, {coding}": word.encode(coding)
            for kind, word in (("label", marked.label), ("column", marked.column))
            for coding in ("utf-8", "utf-16-le", "utf-32-le")
        }
        self.decimals = {f"{value:.9f}".encode() for value in marked.numbers.ravel().tolist()}
        self.doubles = np.sort(marked.numbers.ravel().view(np.uint64))
        self.pairs = np.sort(np.ascontiguousarray(marked.scaled).view(np.uint64).ravel())
        self.hashed = np.zeros(2**_HASH_BITS, bool)
        self.hashed[_hash(self.pairs)] = True

    def count(self, part: bytes) -> Counter[str]:
        found = Counter({kind: part.count(text) for kind, text in self.texts.items()})
        found["number, text"] = sum(
            match[0] in self.decimals for match in re.finditer(rb"12\d\d\.\d{9}", part)
        )
        found["number, float64"] = self._doubles(part)
        for shift in (0, 4):
            words = _words(part, shift)
            words = words[self.hashed[_hash(words)]]
            found["scaled record, float32"] += int(np.isin(words, self.pairs).sum())
        return +found

    def _doubles(self, part: bytes) -> int:
        count = 0
        raw = np.frombuffer(part, np.uint8)
        for shift in (0, 1):  # the two highest bytes, wherever they lie
            tops = raw[shift : shift + (len(raw) - shift) // 2 * 2].view("<u2")
            ends = 2 * np.flatnonzero(tops == 0x4093) + shift + 2
            ends = ends[ends >= 8]
            if len(ends):
                whole = raw[ends[:, None] + np.arange(-8, 0)].view("<u8").ravel()
                count += int(np.isin(whole, self.doubles).sum())
        return count


def _words(part: bytes, shift: int) -> NDArray[np.uint64]:
    return np.frombuffer(part, "<u8", (len(part) - shift) // 8, shift)


def _hash(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (words * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - _HASH_BITS)
