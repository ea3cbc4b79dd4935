"""The lecturer's view and the projector's through AppTest: opened, run, shown, closed; no key, no control."""

import base64
import re

import pytest
import streamlit as st

from pages.room import pictures
from tests.pages.visits import app
from tests.ui.classroom.asking import join
from ui.classroom import housekeeping
from ui.classroom.activities import Betting, Poll, Together
from ui.classroom.codes import Attempts
from ui.classroom.limits import Openings
from ui.classroom.models import Away
from ui.classroom.predicting import prepared
from ui.classroom.store import Store


@pytest.fixture
def store(tmp_path, monkeypatch):
    found = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    attempts = Attempts(lambda: 0.0)
    monkeypatch.setattr(housekeeping, "store", lambda: found)
    openings = Openings(lambda: 0.0)
    monkeypatch.setattr(housekeeping, "attempts", lambda: attempts)
    monkeypatch.setattr(housekeeping, "openings", lambda: openings)
    yield found
    found.dispose()


def said(found):
    """Everything that is written on the page."""
    texts = [item.proto.body for item in found.get("html")]
    texts += [
        item.value
        for kind in (found.markdown, found.info, found.caption, found.warning)
        for item in kind
    ]
    pictures = re.findall(r"base64,([\w+/=]+)", "".join(texts))
    return "\n".join([*texts, *(base64.b64decode(picture).decode() for picture in pictures)])


def answer(store, code, turn, answers):
    for given in answers:
        token = join(store, code)
        runs = housekeeping.activities.read(store.room(code).activity)
        store.answer(token, turn, runs.count(given, store.seat(token).seed).names)


def test_a_room_from_opening_to_deletion(store):
    found = app("room")
    found.button(key="room.open").click().run()
    code = "".join(found.query_params["room"])
    assert store.room(code).phase == "waiting"
    assert code in said(found)
    assert found.button(key="room.start").disabled
    found.text_input(key="room.question").set_value("Did you <b>copy</b>?").run()
    assert "18 points" in said(found)
    found.button(key="room.start").click().run()
    answer(store, code, 1, [1] * 4 + [0] * 5)
    found.run()
    assert "Did you &lt;b&gt;copy&lt;/b&gt;?" in said(found)
    assert "nothing is shown below 10" in said(found)
    assert "phones said yes" not in said(found)
    assert "ε\u00a0=\u00a01.1 for one answer." in said(found), (
        "no line ends between ε and its number"
    )
    answer(store, code, 1, [0])
    found.run()
    assert "4 of 10 phones said yes" in said(found)
    assert "What does the server know" not in said(found)
    found.button(key="room.show").click().run()
    assert "What does the server know about you?" in said(found)
    found.button(key="room.close").click().run()
    assert not found.exception
    assert store.room(code) is None
    assert "is closed" in said(found)


def test_the_projector_and_a_wrong_key_have_no_controls_and_the_right_key_leaves_the_link(store):
    code, key = store.open()
    for link in ({}, {"view": "projector"}, {"key": "wrong"}):
        found = app("room", room=code, **link)
        assert not found.exception
        assert code in said(found)
        assert [button.key for button in found.button] == []
        assert ("no key of room" in said(found)) == ("view" not in link)
    assert "not the key of room" in said(app("room", room=code, key="wrong"))
    found = app("room", room=code, key=key)
    assert "key" not in found.query_params
    assert "room.close" in [button.key for button in found.button]


def browser_keeps(monkeypatch, cookies):
    monkeypatch.setattr(type(st.context), "cookies", cookies)


def test_a_new_session_of_the_same_browser_has_the_room_again(store, monkeypatch):
    code, key = store.open()
    browser_keeps(monkeypatch, {f"dp_lecturer_{code}": key})
    found = app("room", room=code)
    assert "room.close" in [button.key for button in found.button]
    found = app("room")
    found.button(key=f"room.back.{code}").click().run()
    assert "room.close" in [button.key for button in found.button]
    found.button(key="room.close").click().run()
    assert not found.exception
    assert "is closed" in said(found)
    assert f"room.back.{code}" not in [button.key for button in found.button]


def test_a_cookie_of_another_room_opens_nothing(store, monkeypatch):
    code, key = store.open()[0], store.open()[1]
    browser_keeps(monkeypatch, {f"dp_lecturer_{code}": key})
    assert "no key of room" in said(app("room", room=code))
    found = app("room")
    assert [button.key for button in found.button] == ["room.open"]


@pytest.mark.parametrize("given", ["https://x.example/room?room=A&key={key}", " {key} "])
def test_a_lecturer_without_the_cookie_comes_back_by_the_link_or_its_key(store, given):
    code, key = store.open()
    found = app("room", room=code)
    found.text_input(key="room.given").set_value("https://x.example/room?key=no").run()
    assert "not the key of room" in said(found)
    found.text_input(key="room.given").set_value(given.format(key=key)).run()
    assert not found.exception
    assert "room.close" in [button.key for button in found.button]


@pytest.mark.parametrize(
    ("runs", "answers", "words"),
    [
        (prepared("poll"), [[5] * 7, [6] * 7], "Dashed: the truth"),
        (prepared("value"), [[8], [9]], "the truth: 69.7"),
        (Betting(1.0), [[0] * 20], "no attacker gets past 73.2 %"),
        (Together("laplace-scale"), [{"b": "1e9"}], "Other answers"),
        (Poll("?", 1.0), [1], "Too few answers came"),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)  # fmt: skip
def test_what_comes_out_is_shown_only_when_the_answers_have_ended(store, runs, answers, words):
    code, key = store.open()
    housekeeping.start_activity(code, key, runs)
    answer(store, code, 1, answers)
    found = app("room", room=code)
    assert not found.exception
    assert f"<strong>{len(answers)}</strong> answered" in said(found)
    early = said(found)
    store.show(code, key)
    found.run()
    assert not found.exception
    assert words in said(found)
    assert words not in early or runs.kind == "bets"  # whose bound is known before


def test_codes_cannot_be_tried_on_this_page_any_faster(store, monkeypatch):
    code, _ = store.open()
    monkeypatch.setattr(housekeeping, "attempts", lambda: Attempts(lambda: 0.0, one=(0, 0)))
    found = app("room", room=code)
    assert "Too many wrong codes" in said(found)
    assert "phones here" not in said(found)


def test_every_kind_can_be_started(store):
    found = app("room")
    found.button(key="room.open").click().run()
    code = "".join(found.query_params["room"])
    for kind in ("Predict, then see", "Can you tell?", "Exercise together"):
        found.selectbox(key="room.kind").set_value(kind).run()
        found.button(key="room.start").click().run()
        assert not found.exception
    assert (store.room(code).turn, store.room(code).activity["kind"]) == (3, "exercise")


def test_one_page_opens_five_rooms_an_hour(store):
    found = app("room")
    opened = set()
    for _ in range(6):
        found.query_params.clear()
        found.run()
        found.button(key="room.open").click().run()
        opened.add("".join(found.query_params.get("room", [])))
    assert len(opened - {""}) == 5
    assert "has opened 5 rooms within an hour" in said(found)
    assert "in 12 minutes" in said(found)
    assert not found.exception
    another = app("room")
    another.button(key="room.open").click().run()
    assert another.query_params["room"]


def away(store, monkeypatch, *names):
    """Let the store raise what it raises when its database is away."""

    def refuse(*given, **named):
        raise Away("The server cannot reach its rooms now.", 503)

    for name in names:
        monkeypatch.setattr(store, name, refuse)


ALL = ("open", "is_lecturer", "start", "show", "close", "room", "versions")


def test_while_the_store_is_away_the_lecturer_keeps_the_room_and_reads_why(store, monkeypatch):
    found = app("room")
    found.button(key="room.open").click().run()
    code = "".join(found.query_params["room"])
    found.text_input(key="room.question").set_value("Did you copy?").run()
    with monkeypatch.context() as patch:
        away(store, patch, *ALL)
        found.run()
        found.button(key="room.start").click().run()
        assert not found.exception
        assert not found.error
        assert code in said(found)
        assert "cannot reach its rooms" in said(found)
        assert found.text_input(key="room.question").value == "Did you copy?"
    found.button(key="room.start").click().run()
    assert store.room(code).phase == "open"
    assert "cannot reach its rooms" not in said(found)


def test_while_the_store_is_away_opening_is_refused_in_a_sentence_and_a_link_keeps_its_key(
    store, monkeypatch
):
    code, key = store.open()
    with monkeypatch.context() as patch:
        away(store, patch, *ALL)
        found = app("room")
        found.session_state["room.keys"] = {code: key}
        found.run()
        found.button(key="room.open").click().run()
        assert "cannot reach its rooms" in said(found)
        linked = app("room", room=code, key=key)
        assert "cannot reach its rooms" in said(linked)
        assert "is closed" not in said(linked)
        assert not found.exception
        assert not linked.exception
    linked.run()
    assert "room.close" in [button.key for button in linked.button]


def test_a_store_that_is_away_is_asked_once_for_many_rooms(store, monkeypatch):
    rooms = dict(store.open() for _ in range(3))
    browser_keeps(monkeypatch, {f"dp_lecturer_{code}": key for code, key in rooms.items()})
    asked = []

    def refuse(code, key):
        asked.append(code)
        raise Away("The server cannot reach its rooms now.", 503)

    with monkeypatch.context() as patch:
        patch.setattr(store, "is_lecturer", refuse)
        found = app("room")
    assert not found.exception
    assert [button.key for button in found.button] == ["room.open"]
    assert len(asked) == 1
    found.run()
    keys = [button.key for button in found.button if button.key.startswith("room.back")]
    assert keys == [f"room.back.{code}" for code in sorted(rooms)]


def test_a_key_that_is_typed_while_the_store_is_away_is_refused_in_a_sentence(store, monkeypatch):
    code, key = store.open()
    found = app("room", room=code)
    with monkeypatch.context() as patch:
        away(store, patch, *ALL)
        found.text_input(key="room.given").set_value(key).run()
        assert not found.exception
        assert "cannot reach its rooms" in said(found)
    found.text_input(key="room.given").set_value(key).run()
    assert "room.close" in [button.key for button in found.button]


def test_an_estimate_stands_with_its_interval_of_possible_shares():
    picture = pictures.estimate(1.0, 0.43, 1.57, pictures.Colours())
    (data,) = re.findall(r"base64,([\w+/=]+)", picture)
    drawn = base64.b64decode(data).decode()
    assert "Between 43 % and 100 % mean yes; the estimate is 100 %" in drawn
