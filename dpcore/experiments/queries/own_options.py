"""Options and scores that a reader writes down: "Alien 9, Brazil 7"."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["MOST", "Options", "canonical", "options"]

MOST = 8
_LARGEST = 1000.0
_ENTRY = re.compile(r"([^\W\d_][\w '-]{0,19}?)[ :=]+(-?\d{1,4}(?:\.\d{1,3})?)")


@dataclass(frozen=True)
class Options:
    """Names and scores, two to eight of them."""

    names: tuple[str, ...]
    scores: tuple[float, ...]


def options(text: str) -> Options:
    """Return the options of a text like "Alien 9, Brazil 7".

    Raises
    ------
    ValueError
        Naming what cannot be read, with what can.

    Examples
    --------
    >>> options("Alien 9, Brazil 7.5").scores
    (9.0, 7.5)
    """
    parts = [part.strip() for part in text[:400].split(",") if part.strip()]
    if not 2 <= len(parts) <= MOST:
        raise ValueError(
            f"options={text[:40]} is not allowed: give two to {MOST} options with their scores, "
            "separated by commas, like Alien 9, Brazil 7."
        )
    found = [_entry(part) for part in parts]
    names = tuple(name for name, _ in found)
    if len(set(names)) < len(names):
        raise ValueError(f"options={text[:40]} is not allowed: give each option a name of its own.")
    return Options(names, tuple(score for _, score in found))


def _entry(part: str) -> tuple[str, float]:
    read = _ENTRY.fullmatch(part)
    if read is None or abs(float(read[2])) > _LARGEST:
        raise ValueError(
            f"options={part[:40]} is not allowed: give a name of letters and a score from -1000 to 1000, "
            "like Alien 9."
        )
    return " ".join(read[1].split()), float(read[2])


def canonical(text: str) -> str:
    """Return the options as a link writes them.

    >>> canonical("Alien: 9,  Brazil = 7.50")
    'Alien 9, Brazil 7.5'
    """
    found = options(text)
    return ", ".join(
        f"{name} {score:.6g}" for name, score in zip(found.names, found.scores, strict=True)
    )
