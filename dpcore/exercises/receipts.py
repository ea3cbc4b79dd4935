"""Signed receipts for solved exercises, and their verification.

A receipt is one line of text: version, course, pseudonym, exercise, score, and their HMAC-SHA-256 with the server's
key. It proves that this server gave this score for this pseudonym's numbers. It does not prove who typed the answer.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dpcore import disk_cache
from dpcore.exercises.node import ExerciseError

__all__ = [
    "KEY", "KEY_FILE", "Receipt", "ServerKey", "check", "is_name", "key_file", "known_key",
    "lower_scores", "points", "read_lines", "server_key",
]  # fmt: skip

KEY, KEY_FILE = "DPCORE_RECEIPT_KEY", "DPCORE_RECEIPT_KEY_FILE"
_NAME = re.compile(r"[\w][\w.-]{0,39}")
_EXERCISE = r"(?:[a-z0-9-]{1,40}\.)?[a-z0-9-]{1,40}"  # of a set of its own: set.key
_FORM = re.compile(
    rf"dpx1:([\w.-]{{1,40}}):([\w.-]{{1,40}}):({_EXERCISE}):(0\.\d?[1-9]|1):([0-9a-f]{{64}})"
)
_LONGEST = 10_000_000
_MARK = 20  # hexadecimal digits of the signature in a mark


@dataclass(frozen=True, repr=False)
class ServerKey:
    """Key for signing receipts on this server.

    ``lasting`` is False if a restart replaces the key.
    """

    secret: bytes
    lasting: bool


def key_file() -> Path:
    """Return the path of the file with the key that a server generates if no key is configured."""
    return disk_cache.folder() / "receipts.key"


@cache
def server_key() -> ServerKey:
    """Return the server's signing key: `known_key`, or else a new random key.

    A new key is saved in `key_file`. If the file cannot be written, other processes have different keys.
    """
    known = known_key()
    if known is None:
        _make_key()
        known = known_key()
    return known or ServerKey(secrets.token_bytes(32), lasting=False)


def _make_key() -> None:
    """Write a random key into `key_file`, readable by its owner only.

    If another process has written a key first, nothing is written.
    """
    file = key_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            whole = Path(folder) / file.name
            with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT, 0o600), "w") as opened:
                opened.write(f"{secrets.token_urlsafe(32)}\n")
            os.link(whole, file)  # whole at once, and never over an older one
    except OSError:
        return


def known_key() -> ServerKey | None:
    """Return the configured signing key, or the one saved by this server; None if there is none.

    A configured key is in the environment variable DPCORE_RECEIPT_KEY, or in the file named by the variable
    DPCORE_RECEIPT_KEY_FILE.

    Raises
    ------
    ExerciseError
        When the configured key has less than 16 characters, or its file cannot be read.
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
        return _saved_key()
    if len(text) < 16:
        raise ExerciseError(
            f"{place} has {len(text)} signs: give a key of at least 16, chosen at random."
        )
    return ServerKey(text.encode(), lasting=True)


def _saved_key() -> ServerKey | None:
    try:
        text = key_file().read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return ServerKey(text.encode(), lasting=True) if len(text) >= 16 else None


def is_name(text: str) -> bool:
    """Return whether a text is a valid course or pseudonym: at most 40 letters, digits, dots, - or _."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """Content of a receipt: course, pseudonym, exercise and score.

    The score is from 0.01 to 1 and has at most two decimals.

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
        if not 0 < self.score <= 1 or self.score != round(self.score, 2):
            raise ExerciseError(
                f"score={self.score} is not allowed: a receipt is for 0.01 to 1, with at most two decimals."
            )

    def sign(self, key: bytes) -> str:
        """Return the receipt as a line of text, signed with the key."""
        return f"{self._said()}:{self._mac(key)}"

    @classmethod
    def read(cls, text: str, key: bytes) -> Receipt | None:
        """Return the receipt in a line of text, or None if the line has no valid signature."""
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
        """Return a short form of the receipt, for a link that also has course and pseudonym.

        The short form consists of exercise, score and 80 bits of the signature.
        """
        code = {1.0: "1", 0.5: "h"}.get(self.score, f"{100 * self.score:02.0f}")
        return f"{self.exercise}.{code}.{self._mac(key)[:_MARK]}"

    @classmethod
    def of_mark(cls, mark: str, course: str, pseudonym: str, key: bytes) -> Receipt | None:
        """Return the receipt for a short form from `mark`; None if its signature is invalid."""
        match = re.fullmatch(rf"({_EXERCISE})\.(h|1|\d\d)\.([0-9a-f]{{{_MARK}}})", mark)
        if match is None or not (is_name(course) and is_name(pseudonym)):
            return None
        score = {"1": 1.0, "h": 0.5}.get(match[2]) or int(match[2]) / 100
        if score == 0:
            return None
        receipt = cls(course=course, pseudonym=pseudonym, exercise=match[1], score=score)
        return receipt if hmac.compare_digest(receipt._mac(key)[:_MARK], match[3]) else None

    def _said(self) -> str:
        return f"dpx1:{self.course}:{self.pseudonym}:{self.exercise}:{self.score:g}"

    def _mac(self, key: bytes) -> str:
        return hmac.new(key, self._said().encode(), hashlib.sha256).hexdigest()


def check(lines: Iterable[str], key: bytes) -> Iterator[tuple[int, Receipt | None, str]]:
    """Check the receipt on each non-empty line and yield the result.

    A result is the number of the line, the receipt (None if it is invalid), and a sentence about the receipt. The
    sentence says whether an earlier line has a receipt for the same exercise, and with which score.
    """
    known: dict[tuple[str, str, str], list[float]] = {}
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
        earlier = known.setdefault(who, [])
        yield (
            number,
            receipt,
            f"valid: course {receipt.course}, {sentence}{_again(receipt, earlier)}",
        )
        earlier.append(receipt.score)


def _again(receipt: Receipt, earlier: list[float]) -> str:
    """Return words about the scores of earlier receipts for the same exercise; "" if there are no such receipts."""
    others = sorted({*earlier} - {receipt.score})
    if others:
        scores = " and ".join(f"{score:g}" for score in others)
        return f" (stands there before with the score {scores}; the best score counts)"
    return " (stands there more than once)" if earlier else ""


def points(receipts: Iterable[Receipt]) -> dict[tuple[str, str], dict[str, float]]:
    """Return the best score of every exercise, by course and pseudonym.

    Examples
    --------
    >>> half = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=0.5)
    >>> points([half, Receipt(course="dp26", pseudonym="otter", exercise="odds", score=1.0)])
    {('dp26', 'otter'): {'odds': 1.0}}
    """
    table: dict[tuple[str, str], dict[str, float]] = {}
    for receipt in receipts:
        scores = table.setdefault((receipt.course, receipt.pseudonym), {})
        scores[receipt.exercise] = max(receipt.score, scores.get(receipt.exercise, 0.0))
    return dict(sorted(table.items()))


def lower_scores(receipts: Iterable[Receipt]) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Return the scores that receipts have below the best score of their exercise, by course and pseudonym.

    Exercises with one score are left out.

    Examples
    --------
    >>> half = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=0.5)
    >>> lower_scores([half, Receipt(course="dp26", pseudonym="otter", exercise="odds", score=1.0)])
    {('dp26', 'otter'): {'odds': [0.5]}}
    """
    scores: dict[tuple[str, str], dict[str, set[float]]] = {}
    for receipt in receipts:
        own = scores.setdefault((receipt.course, receipt.pseudonym), {})
        own.setdefault(receipt.exercise, set()).add(receipt.score)
    several = {
        who: {key: sorted(found)[:-1] for key, found in own.items() if len(found) > 1}
        for who, own in scores.items()
    }
    return {who: own for who, own in several.items() if own}


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
