"""A database that is away is answered in a sentence, with SQLite as with PostgreSQL, and all goes on afterwards."""

import sqlite3
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError

from tests.ui.classroom.asking import ask, asks_to_join, join
from tests.ui.classroom.postgres import programs, stoppable
from ui.classroom import housekeeping
from ui.classroom.activities import Poll
from ui.classroom.models import Away
from ui.classroom.store import Store
from ui.classroom.tables import reachable

POLL = Poll("Did you ever copy homework?", 1.0)


@pytest.mark.parametrize("error", [OSError(28, "No space left"), sqlite3.OperationalError("full")])
def test_what_a_full_disk_raises_is_away(error):
    with pytest.raises(Away, match="cannot reach its rooms") as caught, reachable():
        raise error
    assert caught.value.status == 503


def test_other_errors_are_not_hidden():
    with pytest.raises(ZeroDivisionError), reachable():
        raise ZeroDivisionError


def test_a_folder_that_is_none_is_away_and_asked_again(tmp_path, monkeypatch):
    place = tmp_path / "cache"
    place.write_text("a file, where the folder of results should be")
    monkeypatch.delenv(housekeeping.ROOMS, raising=False)
    monkeypatch.setenv("DPCORE_CACHE", str(place))
    housekeeping.store.cache_clear()
    try:
        for path, body in (("/join/enter", asks_to_join("AB2CD")), ("/join/events/AB2CD", None)):
            status, headers, told = ask(path, body)
            assert (status, headers["retry-after"]) == (503, "5")
            assert "cannot reach its rooms" in told["refused"]
        with pytest.raises(Away, match="Long links work as well"):
            housekeeping.lessons()
        place.unlink()
        assert ask("/join/enter", asks_to_join("AB2CD"))[0] == 404
    finally:
        if housekeeping.store.cache_info().currsize:
            housekeeping.store().dispose()
        housekeeping.store.cache_clear()


def test_a_disk_that_is_full_refuses_a_vote_and_takes_it_afterwards(tmp_path, monkeypatch):
    found = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    monkeypatch.setattr(housekeeping, "store", lambda: found)
    code, key = found.open()
    housekeeping.start_activity(code, key, POLL)
    token = join(found, code)
    with found._engine.connect() as link:
        pages = link.exec_driver_sql("PRAGMA page_count").scalar()
        link.exec_driver_sql(f"PRAGMA max_page_count={pages}")  # as on a full disk
    with pytest.raises(Away):
        _ = [join(found, code) for _ in range(400)]
    assert found.room(code).phase == "open"
    with found._engine.connect() as link:
        link.exec_driver_sql("PRAGMA max_page_count=100000")
    assert ask("/join/answer", {"token": token, "turn": 1, "answer": 1})[0] == 200
    found.dispose()


@pytest.mark.skipif(programs() is None, reason="no PostgreSQL on this machine")
def test_postgresql_stops_and_comes_back_while_a_class_votes(monkeypatch):
    with stoppable() as (address, stop, start):
        found = Store(address)
        monkeypatch.setattr(housekeeping, "store", lambda: found)
        code, key = found.open()
        housekeeping.start_activity(code, key, POLL)
        tokens = [join(found, code) for _ in range(12)]
        votes = [{"token": token, "turn": 1, "answer": 1} for token in tokens]
        assert ask("/join/answer", votes[0])[0] == 200
        stop()
        for path, body in (
            ("/join/answer", votes[1]), ("/join/mine", {"token": tokens[1], "turn": 1}),
            ("/join/enter", asks_to_join(code)), (f"/join/events/{code}", None),
        ):  # fmt: skip
            status, _, told = ask(path, body)
            assert (status, told["refused"][:17]) == (503, "The server cannot")
        with pytest.raises(Away):
            found.show(code, key)
        start()
        assert [ask("/join/answer", vote)[0] for vote in votes] == [409] + [200] * 11
        found.show(code, key)
        assert found.room(code).counts == {"no": 0, "yes": 12}
        found.dispose()


def test_a_damaged_file_is_away_and_a_row_that_exists_is_not(tmp_path):
    place = tmp_path / "rooms.sqlite"
    place.write_text("this is no database, but longer than its header " * 100)
    with pytest.raises(Away):
        Store(f"sqlite:///{place}")
    wrong = sqlite3.IntegrityError("exists")
    with pytest.raises(IntegrityError), reachable():
        raise IntegrityError("INSERT", {}, wrong)


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(housekeeping.ROOMS, raising=False)
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path))
    housekeeping.store.cache_clear()
    yield tmp_path
    if housekeeping.store.cache_info().currsize:
        housekeeping.store().dispose()
    housekeeping.store.cache_clear()


def test_threads_that_are_first_together_share_one_store(own_folder):
    together = threading.Barrier(8)

    def first(_):
        together.wait()
        return housekeeping.store()

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(first, range(8)))) == 1, "each has a box of answers of its own"


@pytest.mark.skipif(sys.platform == "win32", reason="no modes of files")
def test_the_files_of_rooms_are_read_by_their_owner_alone(own_folder):
    (own_folder / "rooms.sqlite").touch(mode=0o644)
    housekeeping.store().open()
    modes = {file.name: file.stat().st_mode & 0o777 for file in own_folder.iterdir()}
    assert len(modes) >= 2
    assert set(modes.values()) == {0o600}
