"""Database of rooms: counts and one-time tokens, no personal data, deleted when a room is closed.

The database records immediately which phones have answered. Their answers are added after the
question has ended, as one sum. So no transaction and no order links an answer to a phone.

Until the question has ended, answers are in the memory of server processes (`BallotBox`). A process
stores its answers when it ends. If it is killed, connected phones send their answers again. To make
this possible, the database also records which process has a phone's answer.

A process stores a sum only of ten or more answers, or of all answers to the question, since the sum
of a single answer would be that answer.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from ui.classroom import codes
from ui.classroom.ballots import FEWEST, BallotBox
from ui.classroom.models import Full, Refused, Room, Seat, Version
from ui.classroom.tables import (
    boxes,
    count_rows,
    counts,
    engine,
    metadata,
    phones,
    reachable,
    rooms,
    writing,
)
from ui.words.text import load_text

__all__ = ["ALIVE", "LIFETIME", "MOST_PHONES", "MOST_ROOMS", "Store"]

T = load_text(__file__)

LIFETIME = 4 * 3600.0  # seconds
MOST_ROOMS, MOST_PHONES = 400, 2000
ALIVE = 8.0
"""Seconds without a message from a process after which it is considered to have ended."""
_SILENT, _RESENT = 2.0, 4.0
"""Seconds after which a silent process may have ended, and seconds in which phones then send its answers again."""
_EMPTIED = 1e12  # "seen" of a box whose answers are written: they count, though its process is gone
Question = tuple[str, int]
"""Room code and turn (running number) of a question."""


class Store:
    """Access to the rooms in an SQLite or PostgreSQL database.

    Parameters
    ----------
    url : str
        Database address in SQLAlchemy's format.
    clock : callable
        Function that returns the current time in seconds since 1970.
    """

    def __init__(self, url: str, clock: Callable[[], float] = time.time) -> None:
        with reachable():
            self._engine = engine(url)
        self._clock = clock
        self._boxes: dict[Question, BallotBox] = {}
        self._lock = threading.RLock()

    @property
    def engine(self) -> sql.Engine:
        """The database."""
        return self._engine

    def dispose(self) -> None:
        """Store the answers kept in memory, and close the database connections."""
        with self._lock:
            for question in list(self._boxes):
                self._write_sums(question)
            self._boxes.clear()
        self._engine.dispose()

    @contextmanager
    def _reading(self) -> Iterator[sql.Connection]:
        with reachable(), self._engine.connect() as link:
            yield link

    # The lecturer's side: no route leads here.

    def open(self) -> tuple[str, str]:
        """Open a room; return its code and the lecturer's key.

        The database stores only a hash of the key.
        """
        self.tidy()
        key, expires = secrets.token_urlsafe(24), self._clock() + LIFETIME
        row = {"lecturer": codes.hashed(key), "salt": secrets.token_hex(32), "expires": expires}
        for _ in range(20):
            code = codes.draw()
            try:
                with writing(self._engine) as link:
                    if count_rows(link, rooms) >= MOST_ROOMS:
                        raise Refused(T("refused.rooms"), 503)
                    link.execute(rooms.insert().values(code=code, **row))
                return code, key
            except IntegrityError:  # somebody has this code
                continue
        raise Refused(T("refused.no_code"), 503)

    def is_lecturer(self, code: str, key: str) -> bool:
        """Return whether ``key`` is the lecturer's key of the open room ``code``."""
        wanted = sql.select(rooms.c.lecturer).where(*self._alive(code))
        with self._reading() as link:
            known = link.scalar(wanted)
        return known is not None and hmac.compare_digest(known, codes.hashed(key))

    def start(
        self,
        code: str,
        key: str,
        activity: Mapping[str, Any],
        names: Collection[str],
        spends: float = 0,
        least: int = 0,
    ) -> None:
        """Start an activity in a room.

        - ``names``: all counts that answers can increase.
        - ``spends``: the ε of one answer.
        - ``least``: smallest number of answers for which counts are stored.
        """
        with self._lock, writing(self._engine) as link:
            self._lecturers(link, code, key)
            self._drop_boxes(code)
            _forget(link, [code], counts, boxes)
            link.execute(counts.insert(), [{"code": code, "name": name, "n": 0} for name in names])
            link.execute(
                rooms.update().where(rooms.c.code == code).values(
                    turn=rooms.c.turn + 1, phase="open", activity=json.dumps(activity),
                    least=least, spent=rooms.c.spent + spends, version=rooms.c.version + 1,
                )
            )  # fmt: skip

    def show(self, code: str, key: str) -> None:
        """End the current question of a room and show its result to everybody.

        The end of the question and the sums of this process are stored in one transaction, so that
        a process that is killed stores both or neither. Phones send lost answers again only while a
        question runs. So the question does not end while answers of a process that has just been
        killed are missing.
        """
        with self._lock:
            mine = [question for question in self._boxes if question[0] == code]
            with writing(self._engine) as link:
                self._lecturers(link, code, key)
                self._check_resent(link, code)
                link.execute(
                    rooms.update()
                    .where(rooms.c.code == code, rooms.c.phase == "open")
                    .values(phase="shown", version=rooms.c.version + 1)
                )
                for question in mine:
                    self._add_sums(link, question)
            for question in mine:
                del self._boxes[question]

    def _check_resent(self, link: sql.Connection, code: str) -> None:
        """Raise `Refused` while phones may still repeat answers that were lost when another process ended."""
        now = self._clock()
        gone = sql.select(boxes.c.box).where(
            boxes.c.seen.between(now - ALIVE - _RESENT, now - _SILENT),
            boxes.c.box.not_in([box.name for box in self._boxes.values()]),
        )
        running = sql.select(rooms.c.turn).where(rooms.c.code == code, rooms.c.phase == "open")
        missing = phones.c.turn == running.scalar_subquery(), phones.c.box.in_(gone)
        if n := count_rows(link, phones, phones.c.code == code, *missing):
            raise Refused(T("refused.resent", n=n, seconds=ALIVE + _RESENT - _SILENT), 503)

    def close(self, code: str, key: str) -> None:
        """Delete a room and all its data."""
        with self._lock, writing(self._engine) as link:
            self._lecturers(link, code, key)
            self._drop_boxes(code)
            _forget(link, [code])
        self._shrink()

    def _lecturers(self, link: sql.Connection, code: str, key: str) -> None:
        room = self._locked(link, code)
        if room is None or not hmac.compare_digest(room.lecturer, codes.hashed(key)):
            raise Refused(T("refused.lecturer"), 403)

    # The phones' side.

    def join(self, code: str, token: str) -> None:
        """Let a phone take part in a room under a one-time token that it has made.

        A phone that did not receive the reply may ask again with the same token. It does not take a
        second place.

        Raises
        ------
        Refused
            When there is no such room, the room is full, or the token belongs to a phone in another
            room.
        """
        known = codes.hashed(token)
        with writing(self._engine) as link:
            if self._locked(link, code) is None:
                raise _no_room(code)
            there = link.scalar(sql.select(phones.c.code).where(phones.c.token == known))
            if there == code:
                return
            if there is not None:
                raise Refused(T("refused.no_phone"))
            if count_rows(link, phones, phones.c.code == code) >= MOST_PHONES:
                raise Full(T("refused.full"), 503)
            link.execute(phones.insert().values(token=known, code=code))
            _changed(link, code)

    def leave(self, code: str, tokens: Collection[str]) -> list[str]:
        """Delete the phones in a room whose tokens have the hashes ``tokens``.

        Return the hashes of the deleted phones. Phones that have answered a question are not deleted.
        """
        idle = phones.c.code == code, phones.c.token.in_(tokens), phones.c.turn == 0
        with writing(self._engine) as link:
            gone = list(link.scalars(sql.select(phones.c.token).where(*idle)))
            if gone:
                link.execute(phones.delete().where(phones.c.token.in_(gone)))
                _changed(link, code)
        return gone

    def seat(self, token: str) -> Seat:
        """Return the activity and random bytes with which an answer of the phone with this token is interpreted."""
        known = codes.hashed(token)
        wanted = sql.select(rooms).join(phones, phones.c.code == rooms.c.code)
        with self._reading() as link:
            row = link.execute(
                wanted.where(phones.c.token == known, rooms.c.expires > self._clock())
            ).first()
        if row is None:
            raise Refused(T("refused.closed"), 401)
        seed = f"{row.salt}.{row.turn}.{known}".encode()
        return Seat(row.code, row.turn, row.phase, json.loads(row.activity), seed)

    def answer(self, token: str, turn: int, names: Collection[str]) -> str:
        """Keep a phone's answer in memory, at most one per question (``turn``).

        The answer adds one to every count named in ``names``.

        Returns
        -------
        str
            Name of the process's `BallotBox` that keeps the answer. The answer counts while this name
            is among `Version.boxes`.

        Raises
        ------
        Refused
            When the question is over, the answer is not possible, or the phone has already answered.
            The refusal of a second answer has the name of the process that keeps the first answer,
            since the phone may not have received this name.
        """
        known = codes.hashed(token)
        code = self.seat(token).code
        with self._lock:
            with writing(self._engine) as link:
                room = self._locked(link, code)
                if room is None or room.turn != turn or room.phase != "open":
                    raise Refused(T("refused.over"))
                allowed = counts.c.code == code, counts.c.name.in_(names)
                if not names or count_rows(link, counts, *allowed) != len(set(names)):
                    raise Refused(T("refused.no_answer"), 422)
                box = self._boxes.setdefault((code, turn), BallotBox())
                if not self._claim_turn(link, known, turn, box):
                    kept = link.scalar(sql.select(phones.c.box).where(phones.c.token == known))
                    raise Refused(T("refused.answered"), box=kept or "")
                self._show_alive(link, code, box)
                _changed(link, code)
            box.put(known, names)
        return box.name

    def _drop_boxes(self, code: str) -> None:
        self._boxes = {
            question: box for question, box in self._boxes.items() if question[0] != code
        }

    def _claim_turn(self, link: sql.Connection, known: str, turn: int, box: BallotBox) -> bool:
        """Record that a phone has answered the question ``turn``.

        Return False if an answer of the phone to this question is already kept or counted.
        """
        lost = phones.c.box.not_in(sql.select(boxes.c.box).where(self._box_alive()))
        free = sql.or_(phones.c.turn != turn, lost)
        claimed = phones.update().where(phones.c.token == known, free)
        return link.execute(claimed.values(turn=turn, box=box.name)).rowcount == 1

    def settle(self) -> None:
        """Store the sums of ended questions; record that this process lives and keeps answers to running questions.

        The method is called about every second, since another process may have ended a question.
        """
        with self._lock:
            for question in list(self._boxes):
                with writing(self._engine) as link:
                    room = self._locked(link, question[0])
                    runs = room is not None and (room.turn, room.phase) == (question[1], "open")
                    if runs:
                        self._show_alive(link, question[0], self._boxes[question])
                if not runs:
                    self._write_sums(question)

    def _write_sums(self, question: Question) -> None:
        """Store the sum of the answers to a question that this process keeps, and forget the answers.

        Nothing is stored unless the question is the current one and has enough answers.
        """
        with writing(self._engine) as link:
            self._add_sums(link, question)
        del self._boxes[question]

    def _add_sums(self, link: sql.Connection, question: Question) -> None:
        (code, turn), box = question, self._boxes[question]
        room = self._locked(link, code)
        chosen = sql.select(phones.c.token).where(phones.c.box == box.name)
        mine = set(link.scalars(chosen)) & set(box.answers)
        if room is not None and room.turn == turn and self._enough(link, room, len(mine)):
            sums = box.sums(mine)
            for name in sorted(sums):
                here = counts.c.code == code, counts.c.name == name
                link.execute(counts.update().where(*here).values(n=counts.c.n + sums[name]))
            link.execute(boxes.update().where(boxes.c.box == box.name).values(seen=_EMPTIED))
            _changed(link, code)

    def _enough(self, link: sql.Connection, room: Any, n_answers: int) -> bool:
        """Return whether this process keeps enough answers to a question for their sum to hide each answer."""
        ended = room.phase != "open"
        if ended and self._answered(link, room.code, room.turn) < int(room.least):
            return False
        here = phones.c.code == room.code, phones.c.turn == room.turn
        return n_answers >= FEWEST or (ended and n_answers == count_rows(link, phones, *here))

    def _show_alive(self, link: sql.Connection, code: str, box: BallotBox) -> None:
        mine = boxes.c.box == box.name
        if not link.execute(boxes.update().where(mine).values(seen=self._clock())).rowcount:
            link.execute(boxes.insert().values(box=box.name, code=code, seen=self._clock()))

    def _box_alive(self) -> sql.ColumnElement[bool]:
        return boxes.c.seen > self._clock() - ALIVE

    def _answered(self, link: sql.Connection, code: str, turn: int) -> int:
        """Return the number of answers to a question that are stored, or in the memory of a living process."""
        alive = sql.select(boxes.c.box).where(self._box_alive())
        return count_rows(
            link, phones, phones.c.code == code, phones.c.turn == turn, phones.c.box.in_(alive)
        )

    # For everybody.

    def room(self, code: str) -> Room | None:
        """Return the state of a room, or None if there is no such room.

        While a question is running, the counts are those of the answers that this process keeps in memory.
        """
        with self._lock, self._reading() as link:
            row = link.execute(sql.select(rooms).where(*self._alive(code))).first()
            if row is None:
                return None
            rows = link.execute(sql.select(counts.c.name, counts.c.n).where(counts.c.code == code))
            sums = self._boxes.get((code, row.turn), BallotBox()).sums()
            return Room(
                code, row.turn, row.phase, json.loads(row.activity), row.spent, row.expires,
                joined=count_rows(link, phones, phones.c.code == code),
                answered=self._answered(link, code, row.turn) if row.turn else 0,
                counts={row.name: row.n + sums[row.name] for row in rows},
            )  # fmt: skip

    def versions(self, wanted: Collection[str]) -> dict[str, Version]:
        """Return the `Version` of every open room among ``wanted``, by code."""
        columns = rooms.c.code, rooms.c.version, rooms.c.turn, rooms.c.phase
        alive = rooms.c.code.in_(wanted), rooms.c.expires > self._clock()
        with self._reading() as link:
            rows = link.execute(sql.select(*columns).where(*alive)).all()
            holding = link.execute(
                sql.select(boxes.c.code, boxes.c.box).where(self._box_alive()).order_by(boxes.c.box)
            ).all()
        return {
            row.code: Version(
                row.version,
                row.turn,
                row.phase,
                tuple(box for code, box in holding if code == row.code),
            )
            for row in rows
        }

    def running(self) -> list[Mapping[str, Any]]:
        """Return the activities that classes are answering at present."""
        alive = rooms.c.phase == "open", rooms.c.expires > self._clock()
        with self._reading() as link:
            return [
                json.loads(row) for row in link.scalars(sql.select(rooms.c.activity).where(*alive))
            ]

    def tidy(self) -> int:
        """Delete expired rooms and return their number."""
        with writing(self._engine) as link:
            over = link.scalars(
                sql.select(rooms.c.code).where(rooms.c.expires <= self._clock())
            ).all()
            _forget(link, over)
        if over:
            self._shrink()
        return len(over)

    def _alive(self, code: str) -> tuple[sql.ColumnElement[bool], ...]:
        return rooms.c.code == code, rooms.c.expires > self._clock()

    def _locked(self, link: sql.Connection, code: str) -> Any:
        return link.execute(sql.select(rooms).where(*self._alive(code)).with_for_update()).first()

    def _shrink(self) -> None:
        """Remove deleted data from SQLite's write-ahead log."""
        if self._engine.dialect.name == "sqlite":
            with reachable(), closing(self._engine.raw_connection()) as link:
                link.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _changed(link: sql.Connection, code: str) -> None:
    link.execute(rooms.update().where(rooms.c.code == code).values(version=rooms.c.version + 1))


def _forget(link: sql.Connection, gone: Collection[str], *tables: sql.Table) -> None:
    for table in tables or metadata.sorted_tables:
        link.execute(table.delete().where(table.c.code.in_(gone)))


def _no_room(code: str) -> Refused:
    return Refused(T("refused.no_room", code=code), 404)
