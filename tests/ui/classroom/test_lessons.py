"""Kept lessons: a short key that follows from the text, bounds, and what is said when they cannot be kept."""

import pytest

from ui.classroom import lessons as module
from ui.classroom.lessons import KEPT, Lessons
from ui.classroom.models import Refused
from ui.classroom.tables import engine


class Clock:
    now = 1e9

    def __call__(self):
        return self.now


@pytest.fixture
def made(tmp_path):
    database, clock = engine(f"sqlite:///{tmp_path / 'rooms.sqlite'}"), Clock()
    yield Lessons(database, clock), clock
    database.dispose()


def test_a_lesson_has_a_short_key_that_follows_from_its_text(made):
    shelf, _ = made
    key = shelf.keep("eJxyz", "a")
    assert len(key) == 10
    assert shelf.load(key) == "eJxyz"
    assert shelf.keep("eJxyz", "b") == key
    assert shelf.keep("eJxyy", "a") != key
    assert shelf.load("nothing222") is None


def test_a_lesson_that_is_opened_stays_and_another_goes_after_a_year(made):
    shelf, clock = made
    used, unused = shelf.keep("used", "a"), shelf.keep("unused", "a")
    clock.now += 0.6 * KEPT
    assert shelf.load(used) == "used"
    clock.now += 0.6 * KEPT
    assert (shelf.load(used), shelf.load(unused)) == ("used", None)
    assert shelf.keep("unused", "a") == unused


def test_a_flood_of_lessons_is_refused_and_deletes_none(made, monkeypatch):
    shelf, _ = made
    first = shelf.keep("0", "a")
    for k in range(1, 60):
        shelf.keep(str(k), "a")
    with pytest.raises(Refused, match="within the last hour"):
        shelf.keep("60", "a")
    assert shelf.keep("0", "a") == first, "what is kept already costs nothing"
    assert shelf.keep("from elsewhere", "b")
    monkeypatch.setattr(module, "MOST_LESSONS", 3)
    with pytest.raises(Refused, match="as many lessons as it can"):
        shelf.keep("one more", "c")
    assert shelf.load(first) == "0"


def test_two_processes_that_keep_the_same_lesson_at_once_have_one(made, monkeypatch):
    shelf, _ = made
    key = shelf.keep("eJxyz", "a")
    with monkeypatch.context() as late:
        late.setattr(shelf, "load", lambda key: None)
        assert shelf.keep("eJxyz", "b") == key
    assert shelf.load(key) == "eJxyz"


def test_two_lessons_whose_keys_are_the_same_are_both_kept(made, monkeypatch):
    shelf, _ = made
    monkeypatch.setattr(module, "LESSON_LENGTH", 1)
    texts = [
        f"lesson {k}" for k in range(20)
    ]  # twenty-nine keys: some texts have the same first one
    keys = [shelf.keep(text, "a") for text in texts]
    assert [shelf.load(key) for key in keys] == texts
    assert [shelf.keep(text, "a") for text in texts] == keys


def test_of_two_processes_that_keep_two_lessons_under_one_key_each_gets_its_own(made, monkeypatch):
    shelf, _ = made
    monkeypatch.setattr(module, "LESSON_LENGTH", 1)
    monkeypatch.setattr(module, "ALPHABET", "AB")
    first = shelf.keep("1", "a")
    found, calls = shelf.load, []

    def late(key):
        calls.append(key)
        return None if len(calls) == 1 else found(key)  # the other process has kept it since

    other = next(text for text in map(str, range(2, 99)) if next(module._keys(text)) == first)
    with monkeypatch.context() as patch:
        patch.setattr(shelf, "load", late)
        key = shelf.keep(other, "b")
    assert (shelf.load(first), shelf.load(key)) == ("1", other)


def test_a_lesson_is_shown_while_the_disk_is_full(made):
    shelf, clock = made
    key = shelf.keep("eJxyz", "a")
    clock.now += 2 * 86_400
    with shelf._engine.connect() as link:
        link.exec_driver_sql("PRAGMA query_only=ON")
    assert shelf.load(key) == "eJxyz"
    with pytest.raises(Refused, match="Long links work as well"):
        shelf.keep("another", "a")
