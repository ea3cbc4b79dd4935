"""Lessons that the server stores under a short key, so that their links and QR codes are short.

A stored lesson is the text of its long link: a lecturer's figures, texts and exercises. It contains
no data of students.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from ui.classroom.codes import ALPHABET, LESSON_LENGTH
from ui.classroom.limits import Buckets
from ui.classroom.models import Away, Refused
from ui.classroom.tables import count_rows, lessons, reachable, writing
from ui.words.text import load_text

__all__ = ["KEPT", "MOST_LESSONS", "Lessons"]

T = load_text(__file__)
_AWAY = T("refused.lessons_away")
MOST_LESSONS = 5000
KEPT = 365 * 86_400.0
"""Number of seconds for which a lesson is kept after it was last opened."""
_DAY = 86_400.0


class Lessons:
    """Access to the stored lessons in the database of rooms.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        The database.
    clock : callable
        Function that returns the current time in seconds since 1970.
    """

    def __init__(self, engine: sql.Engine, clock: Callable[[], float] = time.time) -> None:
        self._engine, self._clock = engine, clock
        self._new = Buckets(60, 30 / 3600, clock)

    def keep(self, text: str, address: str) -> str:
        """Store a lesson, and return its key, which is computed from the text.

        Raises
        ------
        Refused
            When too many lessons are stored, too many new lessons came from the network of ``address``,
            or the database cannot be reached.
        """
        keys = _keys(text)
        while True:
            key = next(keys)
            kept = self.load(key)
            if kept is None:
                if self._new.left_at(address) < 1:
                    raise Refused(T("refused.lessons_here"), 429)
                self._new.take_at(address)
                kept = self._insert(key, text)
            if kept == text:
                return key

    def _insert(self, key: str, text: str) -> str:
        """Store a lesson under a key unless the key is taken; return the lesson that now has the key.

        If the key was taken, the result may be another lesson.
        """
        now = self._clock()
        with writing(self._engine, _AWAY) as link:
            link.execute(lessons.delete().where(lessons.c.used < now - KEPT))
            if count_rows(link, lessons) >= MOST_LESSONS:
                raise Refused(T("refused.lessons"), 503)
            with suppress(IntegrityError), link.begin_nested():  # another process has just kept one
                link.execute(lessons.insert().values(key=key, text=text, used=now))
            return str(link.scalar(sql.select(lessons.c.text).where(lessons.c.key == key)))

    def load(self, key: str) -> str | None:
        """Return the lesson with this key, or None.

        The current day is stored as the day on which the lesson was last opened.
        """
        now = self._clock()
        with reachable(_AWAY), self._engine.connect() as link:
            row = link.execute(sql.select(lessons).where(lessons.c.key == key)).first()
        if row is None or row.used < now - KEPT:
            return None
        if row.used < now - _DAY:
            with (
                suppress(Away),
                writing(self._engine, _AWAY) as link,
            ):  # a full disk hides no lesson
                link.execute(lessons.update().where(lessons.c.key == key).values(used=now))
        return str(row.text)


def _keys(text: str) -> Iterator[str]:
    """Yield the keys of a text, in the order in which they are tried."""
    for attempt in count():
        number = int.from_bytes(hashlib.sha256(b"\0" * attempt + text.encode()).digest(), "big")
        signs = []
        for _ in range(LESSON_LENGTH):
            number, sign = divmod(number, len(ALPHABET))
            signs.append(ALPHABET[sign].lower())
        yield "".join(signs)
