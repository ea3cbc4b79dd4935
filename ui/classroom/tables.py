"""Database tables of rooms, and the function that opens the database.

The database is SQLite in WAL mode, or PostgreSQL.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sql
from sqlalchemy import event, exc

from ui.classroom.models import Away
from ui.words.text import load_text

__all__ = [
    "boxes", "count_rows", "counts", "engine", "lessons", "metadata", "phones", "reachable", "rooms", "writing",
]  # fmt: skip

T = load_text(__file__)
_PATIENCE = 3  # seconds for a connection to PostgreSQL
_AWAY = (
    exc.OperationalError, exc.InterfaceError, exc.InternalError, exc.TimeoutError,
    sqlite3.OperationalError, OSError,
)  # fmt: skip
"""Errors caused by a stopped server, a full disk or a read-only folder."""

metadata = sql.MetaData()
_CODE, _HASH = sql.String(5), sql.String(64)
_FORMER = "dp_rooms", "dp_room_phones", "dp_room_answered", "dp_room_counts"

rooms = sql.Table(
    "dp_class_rooms",
    metadata,
    sql.Column("code", _CODE, primary_key=True),
    sql.Column("lecturer", _HASH, nullable=False),
    sql.Column("salt", _HASH, nullable=False),
    sql.Column("expires", sql.Float, nullable=False, index=True),
    sql.Column("turn", sql.Integer, nullable=False, default=0),
    sql.Column("phase", sql.String(8), nullable=False, default="waiting"),
    sql.Column("activity", sql.Text, nullable=False, default="{}"),
    sql.Column("least", sql.Integer, nullable=False, default=0),
    sql.Column("spent", sql.Float, nullable=False, default=0.0),
    sql.Column("version", sql.Integer, nullable=False, default=0),
)
# Which phones have answered, in the order of their answers; what they answered stands nowhere beside it.
phones = sql.Table(
    "dp_room_seats",
    metadata,
    sql.Column("token", _HASH, primary_key=True),
    sql.Column("code", _CODE, nullable=False, index=True),
    sql.Column("turn", sql.Integer, nullable=False, default=0),  # of its last answer
    sql.Column("box", sql.String(32), nullable=False, default=""),  # that holds this answer
)
# Where processes hold answers in memory: when a process is gone, its answers have to be sent again.
boxes = sql.Table(
    "dp_room_boxes",
    metadata,
    sql.Column("box", sql.String(32), primary_key=True),
    sql.Column("code", _CODE, nullable=False, index=True),
    sql.Column("seen", sql.Float, nullable=False),
)
# How often each answer was given: written once, after a question has ended.
counts = sql.Table(
    "dp_room_sums",
    metadata,
    sql.Column("code", _CODE, primary_key=True),
    sql.Column("name", sql.String(80), primary_key=True),
    sql.Column("n", sql.Integer, nullable=False, default=0),
)
# Lessons of lecturers under a short key: the text of their long link, and when it was last opened.
lessons = sql.Table(
    "dp_lessons",
    sql.MetaData(),  # of their own: what closes a room goes over all tables of rooms
    sql.Column("key", sql.String(10), primary_key=True),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("used", sql.Float, nullable=False, index=True),
)


def engine(url: str) -> sql.Engine:
    """Open the database at an address in SQLAlchemy's format, and create missing tables.

    Raises
    ------
    ValueError
        When the database is neither SQLite nor PostgreSQL.
    """
    address = sql.make_url(url)
    kind = address.get_backend_name()
    if kind == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    elif kind != "sqlite":
        raise ValueError(
            f"A database of the kind {kind!r} is not allowed: give postgresql://... or sqlite:///..."
        )
    waits: dict[str, Any] = {"pool_timeout": _PATIENCE}
    if kind == "postgresql":
        waits |= {"pool_pre_ping": True, "connect_args": {"connect_timeout": _PATIENCE}}
    database = sql.create_engine(address, **waits)
    if kind == "sqlite":
        _as_wal(database)
    with writing(database) as link:
        for name in _FORMER:  # rooms of an earlier version have four hours at most
            link.execute(sql.text(f"DROP TABLE IF EXISTS {name}"))
        metadata.create_all(link)
        lessons.metadata.create_all(link)
    return database


@contextmanager
def reachable(away: str = T("refused.away")) -> Iterator[None]:
    """Context manager: raise `Away` when the database cannot be reached or written, or its file is damaged.

    ``away`` is the message of the error.
    """
    try:
        yield
    except _AWAY as error:
        raise Away(away, 503) from error
    except exc.DatabaseError as error:
        if type(error) is not exc.DatabaseError:  # a subclass, such as IntegrityError
            raise
        raise Away(away, 503) from error


@contextmanager
def writing(database: sql.Engine, away: str = T("refused.away")) -> Iterator[sql.Connection]:
    """Context manager: a connection in a transaction that may write.

    Raise `Away` with the sentence ``away``, as `reachable` does.
    """
    with (
        reachable(away),
        database.connect().execution_options(writes=True) as link,
        link.begin(),
    ):
        yield link


def count_rows(link: sql.Connection, table: sql.Table, *where: sql.ColumnElement[bool]) -> int:
    """Return the number of rows of a table for which all conditions hold."""
    return int(link.scalar(sql.select(sql.func.count()).select_from(table).where(*where)) or 0)


def _as_wal(database: sql.Engine) -> None:
    @event.listens_for(database, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("PRAGMA secure_delete=ON")  # what is deleted is written over

    @event.listens_for(database, "begin")
    def begun(connection: sql.Connection) -> None:
        # A writer says so at once: one that becomes a writer later would not be let in.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
