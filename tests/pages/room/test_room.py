"""The lecturer's view and the projector's through AppTest: opened, run, shown, closed; no key, no control."""

import base64
import re

import pytest

from tests.pages.visits import app
from ui.classroom import housekeeping
from ui.classroom.activities import Betting, Poll, Together
from ui.classroom.codes import Attempts
from ui.classroom.predicting import prepared
from ui.classroom.store import Store


@pytest.fixture
def store(tmp_path, monkeypatch):
    found = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    attempts = Attempts(lambda: 0.0)
    monkeypatch.setattr(housekeeping, "store", lambda: found)
    monkeypatch.setattr(housekeeping, "attempts", lambda: attempts)
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
        token = store.join(code)
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
    found = app("room", room=code, key=key)
    assert "key" not in found.query_params
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
    monkeypatch.setattr(housekeeping, "attempts", lambda: Attempts(lambda: 0.0, every=(0, 0)))
    found = app("room", room=code)
    assert "Too many wrong codes" in said(found)
    assert "phones here" not in said(found)


def test_every_kind_can_be_started(store):
    found = app("room")
    found.button(key="room.open").click().run()
    code = "".join(found.query_params["room"])
    for kind in ("Predict, then see", "Bet against privacy", "Exercise together"):
        found.selectbox(key="room.kind").set_value(kind).run()
        found.button(key="room.start").click().run()
        assert not found.exception
    assert (store.room(code).turn, store.room(code).activity["kind"]) == (3, "exercise")
