"""The cookie with the lecturer's key: who gets it, how it is sent, when it ends."""

from http.cookies import SimpleCookie

import pytest

from tests.ui.classroom.asking import ask
from ui.classroom import housekeeping, lecturer_key
from ui.classroom.codes import Attempts
from ui.classroom.store import LIFETIME, Store


@pytest.fixture
def room(tmp_path, monkeypatch):
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    attempts = Attempts(lambda: 0.0)
    monkeypatch.setattr(housekeeping, "store", lambda: store)
    monkeypatch.setattr(housekeeping, "attempts", lambda: attempts)
    yield store.open()
    store.dispose()


def cookie_of(answer):
    status, headers, _ = answer
    assert status == 204
    ((name, morsel),) = SimpleCookie(headers["set-cookie"]).items()
    return name, morsel


@pytest.mark.parametrize(
    ("prefix", "scheme", "secure"), [("", "http", ""), ("/class/dp", "https", True)]
)
def test_the_right_key_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(
    room, prefix, scheme, secure
):
    code, key = room
    body = {"code": code, "key": key}
    name, morsel = cookie_of(ask(f"{prefix}/lecturer/key", body, x_forwarded_proto=scheme))
    assert lecturer_key.key_of({name: morsel.value}, code) == key
    assert lecturer_key.rooms_of({name: morsel.value, "dp_server": "a"}) == [code]
    assert (morsel["httponly"], morsel["samesite"]) == (True, "strict")
    assert (morsel["secure"], morsel["path"]) == (secure, prefix or "/")
    assert LIFETIME - 60 < int(morsel["max-age"]) <= LIFETIME


def test_a_path_begins_no_other_attribute_of_the_cookie(room):
    code, key = room
    path = "/; Domain=evil.example/é/lecturer/key"
    _, morsel = cookie_of(ask(path, {"code": code, "key": key}))
    assert (morsel["path"], morsel["domain"]) == ("/%3B%20Domain%3Devil.example/%C3%A9", "")


def test_of_many_cookies_the_keys_of_twenty_rooms_are_read():
    cookies = {f"dp_lecturer_{a}{b}222": "x" for a in "ABCDEFGHJK" for b in "ABCDEFGHJK"}
    assert len(lecturer_key.rooms_of(cookies)) == 20
    assert lecturer_key.rooms_of({"dp_lecturer_abcde": "x", "dp_lecturer_ABCDE": "x"}) == ["ABCDE"]


def test_the_browser_is_told_whether_it_keeps_the_key(room):
    code, key = room
    assert ask(f"/lecturer/key/{code}")[2] == {"kept": False}
    assert ask(f"/lecturer/key/{code}", cookie=f"dp_lecturer_{code}={key}")[2] == {"kept": True}
    assert ask("/lecturer/key/nothing")[2] == {"kept": False}


@pytest.mark.parametrize("wrong", ["wrong", "x" * 65, 7, "é", None])
def test_a_wrong_key_gets_no_cookie_and_a_sentence(room, wrong):
    status, headers, told = ask("/lecturer/key", {"code": room[0], "key": wrong})
    assert status == 403
    assert "set-cookie" not in headers
    assert told["refused"].endswith(".")


def test_keys_cannot_be_tried_any_faster_than_codes(room):
    body = {"code": room[0], "key": "wrong"}
    assert [ask("/lecturer/key", body)[0] for _ in range(41)] == [403] * 40 + [429]


def test_the_cookie_ends_with_the_room(room):
    code, key = room
    housekeeping.store().close(code, key)
    assert ask("/lecturer/key", {"code": code, "key": key})[0] == 403
    name, morsel = cookie_of(ask("/lecturer/key", {"code": code, "key": ""}))
    assert (name, morsel.value, morsel["max-age"]) == (f"dp_lecturer_{code}", "", "0")


def test_what_is_no_key_in_a_cookie_is_none():
    code = "ABCDE"
    assert lecturer_key.key_of({}, code) == ""
    assert lecturer_key.key_of({f"dp_lecturer_{code}": "x" * 65}, code) == ""
    assert lecturer_key.rooms_of({"dp_lecturer_": "x", "dp_lecturer_a/b": "x"}) == []
