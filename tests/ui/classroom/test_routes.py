"""What phones send and are told: small, checked before it is read, refused in sentences."""

import asyncio
import json
import math
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import pytest
from starlette.requests import Request

from tests.ui.classroom.asking import ask, asks_to_join, events, join
from ui.classroom import event_stream, housekeeping, limits, routes
from ui.classroom.activities import Betting, Poll, Together
from ui.classroom.codes import Attempts
from ui.classroom.event_stream import Hub
from ui.classroom.limits import Seats
from ui.classroom.models import Refused
from ui.classroom.store import Store

CLOCK = [1000.0]
POLL = Poll("Did you ever copy homework?", 1.0986)


@pytest.fixture
def store(tmp_path, monkeypatch):
    found = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    attempts, hub = Attempts(lambda: 0.0), Hub(lambda: found)
    monkeypatch.setattr(housekeeping, "store", lambda: found)
    monkeypatch.setattr(housekeeping, "attempts", lambda: attempts)
    monkeypatch.setattr(housekeeping, "hub", lambda: hub)
    seats = Seats(lambda: CLOCK[0])
    monkeypatch.setattr(housekeeping, "seats", lambda: seats)
    yield found
    found.dispose()


@pytest.fixture
def room(store):
    code, key = store.open()
    housekeeping.start_activity(code, key, POLL)
    return code, key


def joined(code):
    return enters(code)["token"]


def enters(code):
    """Let a phone join; return its token, and what it was told."""
    asked = asks_to_join(code)
    return asked | ask("/join/enter", asked)[2]


def refused(answer, status, words):
    assert answer[0] == status
    assert words in answer[2]["refused"]


@pytest.mark.parametrize("prefix", ["", "/class/dp"])
def test_the_page_is_small_strict_and_knows_its_files(prefix):
    status, headers, page = ask(f"{prefix}/join")
    assert (status, headers["content-security-policy"]) == (200, routes.POLICY)
    assert "unsafe" not in routes.POLICY
    assert b"<script>" not in page
    assert b" style=" not in page
    assert sum(map(len, routes.files().values())) <= 50_000
    for name in set(routes.files()) - {"index.html"}:
        status, headers, body = ask(f"{prefix}/join/files-{routes.version()}/{name}")
        assert (status, body) == (200, routes.files()[name])
        assert "immutable" in headers["cache-control"]
        assert name.endswith(".css") or b"innerHTML" not in body
    assert ask(f"{prefix}/join/files-{routes.version()}/index.html")[0] == 404
    assert ask(f"{prefix}/join/files-000000000000/phone.js")[0] == 404


def test_a_phone_joins_and_its_bit_counts_once(store, room):
    code, _ = room
    token = joined(f" {code.lower()} ")
    body = {"token": token, "turn": 1, "answer": 1}
    status, headers, told = ask("/join/answer", body)
    assert (status, headers["cache-control"], list(told)) == (200, "no-store", ["box"])
    assert store.versions([code])[code].boxes == (told["box"],)
    again = ask("/join/answer", body)
    refused(again, 409, "has answered already")
    assert again[2]["box"] == told["box"]  # the phone may not have received the reply
    assert store.room(code).counts == {"no": 0, "yes": 1}


@pytest.mark.parametrize("answer", [True, 2, -1, "1", None, [1], {"bit": 1}, 0.5, 10**400])
def test_what_is_no_bit_is_refused(store, room, answer):
    token = joined(room[0])
    refused(ask("/join/answer", {"token": token, "turn": 1, "answer": answer}), 422, "no answer")
    assert store.room(room[0]).answered == 0


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ({"token": "a" * 20, "turn": 1, "answer": 1, "truth": 1}, "application/json", 422),
        ({"token": "a" * 20, "turn": 1}, "application/json", 422),
        ({"token": 7, "turn": 1, "answer": 1}, "application/json", 422),
        ({"token": "a" * 20, "turn": True, "answer": 1}, "application/json", 422),
        ({"token": "a" * 20, "turn": 1, "answer": 1}, "application/json", 401),
        ({"token": "a" * 20, "turn": 1, "answer": 1}, "text/plain", 415),
        (b"{" + b" " * 5000, "application/json", 413),
        (b"[" * 4000, "application/json", 422),
        (b"\xff", "application/json", 422),
        ({"token": "\ud800", "turn": 1, "answer": 1}, "application/json", 422),
        ({"token": "a" * 20, "turn": 1, "answer": {"\ud800": "1"}}, "application/json", 422),
        ({"token": "é" * 20, "turn": 1, "answer": 1}, "application/json", 401),
        (b'{"token": "a", "turn": ' + b"9" * 4000 + b', "answer": 1}', "application/json", 401),
    ],
)  # fmt: skip
def test_bodies_are_bounded_and_checked_before_they_are_read(room, body, kind, status):
    found = ask("/join/answer", body, kind=kind, part=1000)
    assert found[0] == status
    assert found[2]["refused"].endswith(".")


@pytest.mark.parametrize("path", ["/join/mine", "/join/enter"])
@pytest.mark.parametrize("sign", ["\ud800", "\udfff\ud800", "\0"])
def test_half_a_sign_is_refused_in_a_sentence(room, path, sign):
    body = asks_to_join(sign * 5) if path.endswith("enter") else {"token": sign, "turn": 1}
    status, _, told = ask(path, body)
    assert status in {401, 422}
    assert told["refused"].endswith(".")


def test_there_is_no_route_for_a_lecturer(room):
    paths = {(method, path) for method, path, _ in routes._PATHS}
    assert {path for method, path in paths if method == "POST"} == {
        "/join/enter", "/join/mine", "/join/answer",
    }  # fmt: skip


def test_wrong_codes_run_out_and_phones_that_are_in_go_on(room):
    code, _ = room
    token = joined(code)
    wrong = "22222" if code != "22222" else "33333"
    found = [ask("/join/enter", asks_to_join(wrong))[0] for _ in range(41)]
    assert found == [404] * 40 + [429]
    refused(ask("/join/enter", asks_to_join(code)), 429, "Wait a minute")
    refused(ask(f"/join/events/{code}"), 429, "Wait a minute")
    assert ask("/join/enter", asks_to_join(code), address="another")[0] == 200
    assert ask("/join/answer", {"token": token, "turn": 1, "answer": 0})[0] == 200


def test_a_flood_of_wrong_codes_from_eight_networks_shuts_out_no_ninth(room):
    code, _ = room
    wrong = "22222" if code != "22222" else "33333"
    found = [
        ask("/join/enter", asks_to_join(wrong), address=f"10.0.0.{k % 8}")[0] for k in range(218)
    ]
    assert set(found) == {404, 429}
    assert ask("/join/enter", asks_to_join(code), address="192.0.2.1")[0] == 200
    assert ask("/join/enter", asks_to_join(wrong), address="192.0.2.1")[0] == 404


def test_a_flood_of_joins_fills_no_room_for_others(store, room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(limits, "MOST_OF_NETWORK", 20)
    found = [ask("/join/enter", asks_to_join(code), address="10.0.0.1")[0] for _ in range(30)]
    assert found == [200] * 20 + [503] * 10
    assert ask("/join/enter", asks_to_join(code), address="192.0.2.1")[0] == 200
    CLOCK[0] += (
        20  # phones that never listened leave their places to others, also in their own network
    )
    assert ask("/join/enter", asks_to_join(code), address="10.0.0.1")[0] == 200
    assert store.room(code).joined == 1


def test_phones_that_listen_or_have_answered_keep_their_places(store, room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(limits, "MOST_OF_NETWORK", 3)
    idle, answered, listens = (enters(code) for _ in range(3))
    assert ask("/join/answer", {"token": answered["token"], "turn": 1, "answer": 1})[0] == 200
    with housekeeping.seats().listening(code, listens["seat"]):
        CLOCK[0] += 3600
        assert ask("/join/enter", asks_to_join(code))[0] == 200
        refused(ask("/join/enter", asks_to_join(code)), 503, "full")
    for told, status in ((idle, 401), (listens, 200)):
        body = {"token": told["token"], "turn": 1, "answer": 1}
        assert ask("/join/answer", body)[0] == status


def test_a_phone_that_lost_the_reply_asks_again_and_has_one_place(store, room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(limits, "MOST_OF_NETWORK", 2)
    asked = asks_to_join(code)
    assert ask("/join/enter", asked)[0] == 200
    joined(code)  # the network is full, and the phone has its place
    told = [ask("/join/enter", asked | {"code": code.lower()})[2] for _ in range(5)]
    assert told == [told[0]] * 5
    assert store.room(code).joined == 2
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: ask("/join/enter", asked)[0], range(40)))
    assert found == [200] * 40
    assert store.room(code).joined == 2
    CLOCK[0] += 20
    assert ask("/join/enter", asks_to_join(code))[0] == 200  # a silent phone's place


def test_threads_that_ask_at_once_with_one_token_take_one_place(store, room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(limits, "MOST_OF_NETWORK", 2)
    asked, together = asks_to_join(code), threading.Barrier(8)

    def first(_):
        together.wait()
        return ask("/join/enter", asked)[2]["seat"]

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(first, range(8)))) == 1
    joined(code)
    refused(ask("/join/enter", asks_to_join(code)), 503, "full")
    assert store.room(code).joined == 2


@pytest.mark.parametrize(
    "token", ["", "a" * 31, "a" * 33, "a" * 3000, "a" * 31 + "=", "a" * 31 + "\n", "é" * 32, 7, None, ["a" * 32]]
)  # fmt: skip
def test_a_token_that_no_phone_makes_is_refused(store, room, token):
    code, _ = room
    refused(ask("/join/enter", {"code": code, "token": token}), 422, "has 32 signs")
    assert store.room(code).joined == 0


def test_a_token_is_bound_to_its_room(store, room):
    other, _ = store.open()
    asked = asks_to_join(room[0])
    assert ask("/join/enter", asked)[0] == 200
    refused(ask("/join/enter", asked | {"code": other}), 409, "no phone of a room")
    assert other not in housekeeping.seats().rooms() or not housekeeping.seats().silent(other)
    assert ask("/join/answer", {"token": asked["token"], "turn": 1, "answer": 1})[0] == 200


def test_a_site_with_many_networks_leaves_others_their_part(store, room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(limits, "MOST_OF_NETWORK", 10)
    many = [f"2001:db8:0:{k:x}::{k + 1:x}" for k in range(50)]
    found = [ask("/join/enter", asks_to_join(code), address=one)[0] for one in many]
    assert found == [200] * 20 + [503] * 30
    assert ask("/join/enter", asks_to_join(code), address="2001:db8:1::1")[0] == 200
    wrong = "22222" if code != "22222" else "33333"
    many = [f"2001:db8:2:{k:x}::1" for k in range(100)]
    found = [ask("/join/enter", asks_to_join(wrong), address=one)[0] for one in many]
    assert found == [404] * 80 + [429] * 20
    assert ask("/join/enter", asks_to_join(code), address="192.0.2.1")[0] == 200


def test_a_class_of_400_of_one_address_joins_one_room(store, room):
    code, _ = room
    tokens = {joined(code) for _ in range(400)}
    assert len(tokens) == store.room(code).joined == 400


def test_streams_of_one_network_shut_out_no_other(room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(event_stream, "MOST_STREAMS_OF_NETWORK", 0)
    refused(ask(f"/join/events/{code}"), 503, "Too many phones listen")
    hub = housekeeping.hub()
    monkeypatch.setattr(event_stream, "MOST_STREAMS_OF_NETWORK", 2)

    async def flood():
        mine = [hub.listen(code, "10.0.0.1") for _ in range(2)]
        for stream in mine:
            await anext(stream)
        with pytest.raises(Refused):
            hub.check("10.0.0.1")
        hub.check("192.0.2.1")
        for stream in mine:
            await stream.aclose()
        hub.check("10.0.0.1")

    asyncio.run(flood())


def test_streams_of_one_site_shut_out_no_other(room, monkeypatch):
    code, _ = room
    monkeypatch.setattr(event_stream, "MOST_STREAMS_OF_NETWORK", 2)
    hub = housekeeping.hub()

    async def flood():
        mine = [hub.listen(code, f"2001:db8:0:{k}::1") for k in range(4)]
        for stream in mine:
            await anext(stream)
        with pytest.raises(Refused):
            hub.check("2001:db8:0:ffff::1")
        hub.check("2001:db8:1::1")
        for stream in mine:
            await stream.aclose()
        assert (hub._n_streams, dict(hub._networks)) == (0, {})

    asyncio.run(flood())


def test_what_a_stream_of_events_belongs_to_is_known_while_it_is_open(room):
    code, _ = room
    told = enters(code)
    CLOCK[0] += 3600
    silent = []

    def heard(news):
        silent.append(housekeeping.seats().silent(code))

    asyncio.run(events(f"/join/events/{code}?seat={told['seat']}", heard, lambda: True))
    assert silent == [[]]
    CLOCK[0] += 3600
    assert len(housekeeping.seats().silent(code)) == 1
    housekeeping.seats().forget(["22222" if code != "22222" else "33333"])
    assert housekeeping.seats().rooms() == [code]
    housekeeping.seats().forget([code])
    assert housekeeping.seats().rooms() == []


def test_whoever_listens_to_no_room_is_told_that_it_is_closed(store):
    heard = []
    asyncio.run(events("/join/events/22222", heard.append, lambda: True))
    assert heard == [{"phase": "closed"}]


def test_what_is_no_code_is_said(room):
    refused(ask("/join/enter", asks_to_join("AB0CD")), 422, "five signs")


def test_bets_are_read_by_the_server_alone(store, room):
    code, key = room
    housekeeping.start_activity(code, key, Betting(2.0))
    token = joined(code)
    mine = ask("/join/mine", {"token": token, "turn": 2})[2]
    assert list(mine) == ["published"]
    assert mine == ask("/join/mine", {"token": token, "turn": 2})[2]
    assert mine != ask("/join/mine", {"token": joined(code), "turn": 2})[2]
    bets = [int(count > 100.5) for count in mine["published"]]
    told = ask("/join/answer", {"token": token, "turn": 2, "answer": bets})[2]
    assert told["hits"] == sum(a == b for a, b in zip(bets, told["present"], strict=True))
    assert store.room(code).counts[f"right {told['hits']}"] == 1


def test_events_tell_every_change_and_nothing_below_ten_answers(store, room):
    code, key = room
    heard = []

    def listened(news):
        heard.append(news)
        if len(heard) == 1:
            for _ in range(9):
                store.answer(join(store, code), 1, ["yes"])
        elif news.get("answered") == 9 and news["phase"] == "open":
            store.show(code, key)
        elif news["phase"] == "shown":
            store.close(code, key)

    async def listen():
        await events(f"/join/events/{code}", listened, lambda: heard[-1]["phase"] == "closed")

    asyncio.run(listen())
    first = heard[0]
    assert first["runs"]["question"] == POLL.question
    assert 0 <= math.tanh(1.0986 / 2) * 2**32 - first["runs"]["own"] < 1  # rounded down
    assert "off by about 18 points" in first["runs"]["price"]
    assert all("result" not in news for news in heard if news["phase"] == "open")
    assert heard[-2]["result"] == {"few": True, "least": 10}
    assert heard[-1] == {"phase": "closed"}
    told = [{name: news[name] for name in news if name != "runs"} for news in heard]
    assert "yes" not in json.dumps(told), "no count goes out before ten answers"


def test_from_ten_answers_on_the_estimate_and_its_band_are_told():
    found = POLL.outcome({"no": 6, "yes": 4}, 10)
    assert found["estimate"] == pytest.approx(0.3, abs=1e-4)
    assert found["low"] < 0.3 < found["high"]
    assert POLL.outcome({"no": 5, "yes": 4}, 9) == {"few": True, "least": 10}


@pytest.mark.parametrize("wrong", ["", "  ", "x" * 201])
def test_a_question_is_bounded(wrong):
    with pytest.raises(ValueError, match="question"):
        Poll(wrong, 1.0)


def test_the_server_does_not_wait_for_the_truth_of_predictions():
    code = "import sys, ui.classroom.routes\nprint('dpcore.experiments.relevance' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(routes.__file__).resolve().parents[2], capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == "False"


def test_a_body_that_does_not_come_is_waited_for_so_long(room, monkeypatch):
    monkeypatch.setattr(routes, "_PATIENCE", 0.05)

    async def never():
        await asyncio.Event().wait()

    async def gone():
        return {"type": "http.disconnect"}

    for receive in (never, gone):
        request = Request(
            {"type": "http", "headers": [(b"content-type", b"application/json")]}, receive
        )
        with pytest.raises(Refused, match="did not arrive whole") as caught:
            asyncio.run(routes.body(request, "code"))
        assert caught.value.status == 408


def test_a_question_whose_exercise_is_gone_stops_no_other_room(store, room, monkeypatch):
    other, key = store.open()
    store.start(other, key, {"kind": "exercise", "key": "gone.one", "number": 0}, ["right"])
    assert event_stream.room_message(store, other)["phase"] == "waiting"
    token = joined(other)
    refused(ask("/join/mine", {"token": token, "turn": 1}), 409, "cannot read this question")
    instance = Together("laplace-scale").instance
    monkeypatch.setattr(housekeeping, "store", lru_cache(lambda: store))
    housekeeping.store()
    assert housekeeping.withheld(instance) == ""
    store.start(*room, {"kind": "exercise", "key": "laplace-scale", "number": 0}, ["right"])
    assert housekeeping.withheld(instance) == "waits"


def test_a_room_that_cannot_be_read_stops_no_other(store, room, monkeypatch):
    other, _ = store.open()
    message = event_stream.room_message

    def fails(of, code):
        return 1 / 0 if code == other else message(of, code)

    monkeypatch.setattr(event_stream, "room_message", fails)

    async def listen():
        hub, heard = Hub(lambda: store), asyncio.Queue()

        async def one(code):
            async for news in hub.listen(code):
                heard.put_nowait((code, news))

        tasks = [asyncio.create_task(one(code)) for code in (other, room[0])]
        found = await asyncio.wait_for(heard.get(), 10)
        for task in tasks:
            task.cancel()
        return found

    assert asyncio.run(listen())[0] == room[0]
