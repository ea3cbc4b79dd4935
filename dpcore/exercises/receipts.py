"""Signed receipts for solved exercises, and their verification.

A receipt is one line of text: version, course, pseudonym, exercise, score, and their HMAC-SHA-256
with the server's key. It proves that this server gave this score for this pseudonym's numbers, but
not who typed the answer.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpcore.exercises.node import ExerciseError

__all__ = [
    "KEY",
    "KEY_FILE",
    "Receipt",
    "ServerKey",
    "check",
    "is_name",
    "read_lines",
    "server_key",
]

KEY, KEY_FILE = "DPCORE_RECEIPT_KEY", "DPCORE_RECEIPT_KEY_FILE"
_NAME = re.compile(r"[\w][\w.-]{0,39}")
_FORM = re.compile(r"dpx1:([\w.-]{1,40}):([\w.-]{1,40}):([a-z0-9-]{1,40}):(0\.5|1):([0-9a-f]{64})")
_LONGEST = 10_000_000
_MARK = 20  # hexadecimal digits of the signature in a mark


@dataclass(frozen=True, repr=False)
class ServerKey:
    """Key with which this server signs receipts; ``lasting`` is False for a random key that a restart replaces."""

    secret: bytes
    lasting: bool


@cache
def server_key() -> ServerKey:
    """Return the server's signing key from its configuration, or a random key for this process.

    A configured key is in the environment variable DPCORE_RECEIPT_KEY, or in the file named by the variable
    DPCORE_RECEIPT_KEY_FILE.

    Raises
    ------
    ExerciseError
        When the key has less than 16 characters, or its file cannot be read.
    """
    text, place = os.environ.get(KEY, ""), KEY
    named = os.environ.get(KEY_FILE)
    if not text and named:
        place = KEY_FILE
        try:
            text = Path(named).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise ExerciseError(
                f"{KEY_FILE} names a file that cannot be read: give one with a key."
            ) from None
        if not text:
            raise ExerciseError(f"{KEY_FILE} names an empty file: write at least 16 signs into it.")
    if not text:
        return ServerKey(secrets.token_bytes(32), lasting=False)
    if len(text) < 16:
        raise ExerciseError(
            f"{place} has {len(text)} signs: give a key of at least 16, chosen at random."
        )
    return ServerKey(text.encode(), lasting=True)


def is_name(text: str) -> bool:
    """Return whether a text is a valid course or pseudonym: letters, digits, . - and _, at most 40 characters."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Content of a receipt: course, pseudonym, exercise, and the score, which is 0.5 or 1.

    Examples
    --------
    >>> key = b"a key of the server's own"
    >>> text = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=1.0).sign(key)
    >>> Receipt.read(text, key).score
    1.0
    >>> Receipt.read(text.replace("odds", "group"), key) is None
    True
    """

    course: str
    pseudonym: str
    exercise: str
    score: float

    def __post_init__(self) -> None:
        for name, value in (("course", self.course), ("pseudonym", self.pseudonym)):
            if not is_name(value):
                message = (
                    f"{name}={value[:60]!r} is not allowed: letters, digits, . - and _, at most 40."
                )
                raise ExerciseError(message)
        if self.score not in (0.5, 1.0):
            raise ExerciseError(f"score={self.score} is not allowed: a receipt is for 0.5 or 1.")

    def sign(self, key: bytes) -> str:
        """Return the receipt as a line of text that is signed with the key."""
        return f"{self._said()}:{self._mac(key)}"

    @classmethod
    def read(cls, text: str, key: bytes) -> Receipt | None:
        """Return the receipt in a line of text; None if the line is no receipt or is not signed with this key."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            return None
        try:
            receipt = cls(
                course=match[1], pseudonym=match[2], exercise=match[3], score=float(match[4])
            )
        except ExerciseError:
            return None
        return receipt if hmac.compare_digest(receipt._mac(key), match[5]) else None

    def mark(self, key: bytes) -> str:
        """Return a short form of the receipt, for a link in which course and pseudonym are other fields.

        The short form consists of exercise, score and 80 bits of the signature.
        """
        return f"{self.exercise}.{'h' if self.score < 1 else '1'}.{self._mac(key)[:_MARK]}"

    @classmethod
    def of_mark(cls, mark: str, course: str, pseudonym: str, key: bytes) -> Receipt | None:
        """Return the receipt for a short form from `mark`; None if the signature in it does not match this key."""
        match = re.fullmatch(rf"([a-z0-9-]{{1,40}})\.([h1])\.([0-9a-f]{{{_MARK}}})", mark)
        if match is None or not (is_name(course) and is_name(pseudonym)):
            return None
        score = 1.0 if match[2] == "1" else 0.5
        receipt = cls(course=course, pseudonym=pseudonym, exercise=match[1], score=score)
        return receipt if hmac.compare_digest(receipt._mac(key)[:_MARK], match[3]) else None

    def _said(self) -> str:
        return f"dpx1:{self.course}:{self.pseudonym}:{self.exercise}:{self.score:g}"

    def _mac(self, key: bytes) -> str:
        return hmac.new(key, self._said().encode(), hashlib.sha256).hexdigest()


def check(lines: Iterable[str], key: bytes) -> Iterator[tuple[int, Receipt | None, str]]:
    """Check lines of text and yield, for each line that is not empty, the result.

    A result is the number of the line, the receipt (None if it is invalid), and a sentence about the receipt.
    """
    known: dict[tuple[str, str, str], float] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            continue
        match = re.search(r"dpx1:\S+", text)
        receipt = Receipt.read(match[0].rstrip(".,;\"'"), key) if match else None
        if receipt is None:
            yield number, None, "no receipt" if match is None else "not signed by this server's key"
            continue
        who = receipt.course, receipt.pseudonym, receipt.exercise
        sentence = f"{receipt.pseudonym}, {receipt.exercise}: {receipt.score:g}"
        again = " (stands there more than once)" if who in known else ""
        known[who] = receipt.score
        yield number, receipt, f"valid: course {receipt.course}, {sentence}{again}"


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file that contains receipts.

    Raises
    ------
    ExerciseError
        When the file cannot be read, or is larger than 10 MB.
    """
    try:
        if path.stat().st_size > _LONGEST:
            raise ExerciseError(f"{path} is larger than 10 MB: split it.")
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ExerciseError(
            f"{path} cannot be read: name a text file with a receipt a line."
        ) from None
