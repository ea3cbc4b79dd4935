"""Who reads a database's journal, transaction by transaction, cannot put a phone beside its answer."""

import contextlib
import itertools
import re
import shutil
import sqlite3
import struct
from pathlib import Path

import pytest
import sqlalchemy as sql

from tests.ui.classroom.asking import join
from tests.ui.classroom.postgres import cluster, programs
from ui.classroom import codes
from ui.classroom.store import Store
from ui.classroom.tables import boxes, counts, phones, writing

POLL = {"kind": "poll", "question": "?", "epsilon": 1.0}
WORDS = ("yes", "no", "yes", "yes", "no", "no")


def frames(journal):
    """The lengths of a write-ahead log after each of its transactions."""
    size, salt = struct.unpack(">I", journal[8:12])[0], journal[16:24]
    for start in range(32, len(journal) - size - 23, 24 + size):
        pages_after = struct.unpack(">I", journal[start + 4 : start + 8])[0]
        if journal[start + 8 : start + 16] == salt and pages_after:
            yield start + 24 + size


def sqlite_states(file, folder):
    """What the tables held after each transaction: {token: turn}, {name: n}."""
    journal = Path(f"{file}-wal").read_bytes()
    for length in frames(journal):
        copy = folder / f"{length}.sqlite"
        shutil.copy(file, copy)
        Path(f"{copy}-wal").write_bytes(journal[:length])
        with contextlib.closing(sqlite3.connect(copy)) as link, contextlib.suppress(sqlite3.Error):
            turns = dict(link.execute(f"SELECT token, turn FROM {phones.name}").fetchall())
            yield turns, dict(link.execute(f"SELECT name, n FROM {counts.name}").fetchall())


def postgres_states(engine):
    """The same of PostgreSQL, from its logical decoding of the write-ahead log."""
    turns, sums, last = {}, {}, None
    with engine.connect() as link:
        changes = link.execute(
            sql.text(
                "SELECT xid::text, data FROM pg_logical_slot_get_changes('reader', NULL, NULL)"
            )
        ).all()
    for transaction, text in changes:
        if transaction != last and last is not None:
            yield dict(turns), dict(sums)
        last = transaction
        fields = dict(re.findall(r"(\w+)\[[^\]]*\]:'?([^' ]*)", text))
        if f".{phones.name}:" in text and "DELETE" not in text:
            turns[fields["token"]] = int(fields["turn"])
        if f".{counts.name}:" in text and "DELETE" not in text:
            sums[fields["name"]] = int(fields["n"])
    yield turns, sums


def joined(states):
    """Phones beside answers: by one transaction, or by the order of single phones and single answers."""
    by_transaction, voters, votes = {}, [], []
    states = list(states)
    for (turns, sums), (later_turns, later_sums) in itertools.pairwise(states):
        new = [token for token in later_turns if later_turns[token] > turns.get(token, 0)]
        given = [name for name in later_sums if later_sums[name] > sums.get(name, 0)]
        voters += new
        votes += given if sum(later_sums.values()) - sum(sums.values()) == 1 else []
        if len(new) == len(given) == 1:
            by_transaction[new[0]] = given[0]
    return by_transaction or (
        dict(zip(voters, votes, strict=True)) if len(votes) == len(voters) else {}
    )


def careless(store, code, token, word):
    """Note the phone and its answer in one transaction."""
    with writing(store.engine) as link:
        known = phones.c.token == codes.hashed(token)
        link.execute(phones.update().where(known).values(turn=1))
        here = counts.c.code == code, counts.c.name == word
        link.execute(counts.update().where(*here).values(n=counts.c.n + 1))


def one_by_one(store, code, token, word):
    """Note the phone, and in a second transaction its answer."""
    with writing(store.engine) as link:
        known = phones.c.token == codes.hashed(token)
        link.execute(phones.update().where(known).values(turn=1))
    with writing(store.engine) as link:
        here = counts.c.code == code, counts.c.name == word
        link.execute(counts.update().where(*here).values(n=counts.c.n + 1))


def held(store, code, token, word):
    store.answer(token, 1, [word])


@pytest.fixture(params=["sqlite", "postgresql"])
def journal(request, tmp_path):
    """A store and a function that reads its journal."""
    if request.param == "sqlite":
        file = tmp_path / "rooms.sqlite"
        store = Store(f"sqlite:///{file}")
        yield store, lambda: sqlite_states(file, tmp_path)
        store.dispose()
        return
    if programs() is None:
        pytest.skip("no PostgreSQL on this machine: apt-get install postgresql")
    with cluster() as address:
        store = Store(address)
        slot = "SELECT pg_create_logical_replication_slot('reader', 'test_decoding')"
        with store._engine.connect() as link:
            link.execute(sql.text(slot))
            link.commit()
        yield store, lambda: postgres_states(store._engine)
        store.dispose()


@pytest.mark.parametrize("write", [careless, one_by_one, held])
def test_the_journal_joins_no_phone_with_its_answer(journal, write):
    store, states = journal
    code, key = store.open()
    store.start(code, key, POLL, ("no", "yes"))
    tokens = [join(store, code) for _ in WORDS]
    for token, word in zip(tokens, WORDS, strict=True):
        write(store, code, token, word)
    store.show(code, key)
    assert store.room(code).counts == {"no": 3, "yes": 3}
    truth = {codes.hashed(token): word for token, word in zip(tokens, WORDS, strict=True)}
    assert joined(states()) == ({} if write is held else truth)


def test_a_second_process_that_holds_one_answer_does_not_write_it(journal):
    """The journal says which process a phone has answered to, so that a sum of one is the answer of this phone."""
    store, states = journal
    second = Store(store._engine.url.render_as_string(hide_password=False))
    code, key = store.open()
    store.start(code, key, POLL, ("no", "yes"))
    for where, word in ((store, "yes"), (second, "no"), *((store, "yes"),) * 9):
        where.answer(join(store, code), 1, [word])
    store.show(code, key)
    second.settle()
    second.dispose()
    assert store.room(code).counts == {"no": 0, "yes": 10}
    assert {name for _, sums in states() for name, n in sums.items() if n} == {"yes"}


def test_the_journal_says_which_box_holds_an_answer_and_no_more(journal):
    store, _ = journal
    code, key = store.open()
    store.start(code, key, POLL, ("no", "yes"))
    box = store.answer(join(store, code), 1, ["yes"])
    with store._engine.connect() as link:
        assert link.scalars(sql.select(boxes.c.box)).all() == [box]
        assert set(link.scalars(sql.select(phones.c.box))) == {box}
        assert link.scalar(sql.select(sql.func.sum(counts.c.n))) == 0
