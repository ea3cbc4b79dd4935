"""Database tables of rooms, and the function that opens the database: SQLite in WAL mode, or PostgreSQL."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql
from sqlalchemy import event

__all__ = ["boxes", "counts", "engine", "metadata", "phones", "rooms"]

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
    database = sql.create_engine(address, pool_pre_ping=kind != "sqlite")
    if kind == "sqlite":
        _as_wal(database)
    with database.connect().execution_options(writes=True) as link, link.begin():
        for name in _FORMER:  # rooms of an earlier version have four hours at most
            link.execute(sql.text(f"DROP TABLE IF EXISTS {name}"))
        metadata.create_all(link)
    return database


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
