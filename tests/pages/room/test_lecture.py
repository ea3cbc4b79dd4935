"""A lecture with forty phones in which the server is killed twice: every vote counts once, and nothing is lost."""

import re
import urllib.request
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from pages.room.setting import KINDS
from tests.browser.serving import free_port, started
from tests.ui.classroom.phones import NODE, phones, until
from tests.ui.classroom.session import session
from ui.classroom.activities import Together
from ui.exercises.files import load_all

APP = Path(__file__).resolve().parents[3] / "app.py"
CLASS = range(40)
EXERCISE = "laplace-scale"
STUDENT = {"course": "dp26", "name": "otter", "exercise": EXERCISE}
POLL, _, BETS, TOGETHER = KINDS


class Lecture:
    """A room with the lecturer's browser, and a server that is killed and started again on the same files."""

    def __init__(self, folder, stack):
        self._stack, self._port = stack, free_port()
        self._environment = {
            "DPCORE_ROOMS": f"sqlite:///{folder / 'rooms.sqlite'}", "DPCORE_AHEAD": "",
            "DPCORE_CACHE": str(folder / "cache"), "DPCORE_PREPARE": "",
        }  # fmt: skip
        self.cookies = {}
        self.serve()
        with session(self.address, "room", self.cookies) as page:
            page.run("room.open")
            self.code = dict(parse_qsl(page.query))["room"]

    def serve(self):
        run = started(APP, environment=self._environment, port=self._port)
        self.address, self._process = self._stack.enter_context(run)

    def kill(self):
        """Kill the server: it writes nothing any more."""
        self._process.kill()
        self._process.wait(60)

    def acts(self, button, kind="", **fields):
        """Load the page of the room in a new tab, which has the lecturer's cookie alone, and press a button."""
        with session(self.address, "room", self.cookies, room=self.code) as page:
            if kind:
                page.fill("room.kind", kind).run()
            for name, text in fields.items():
                page.fill(f"room.{name}", text).run()
            page.run(f"room.{button}")
            return page.text

    def fetched(self, path):
        with urllib.request.urlopen(f"{self.address}/{path}") as answer:
            return answer.read()


@pytest.fixture
def lecture(tmp_path):
    with ExitStack() as stack:
        yield Lecture(tmp_path, stack)


def asks(turn):
    """Return whether a phone shows the question and waits for an answer."""
    return lambda phone: (
        state(phone) == (turn, "open") and phone["memory"]["turn"] < turn and phone["buttons"]
    )


def is_over(turn):
    """Return whether a phone shows the result."""
    return lambda phone: state(phone) == (turn, "shown")


def state(phone):
    return phone["news"].get("turn"), phone["news"]["phase"]


def was_sent(phone):
    """Return whether the server has replied to a phone, which may not have heard it."""
    return phone["memory"]["arrived"] or phone["unheard"]


def is_held(phone):
    """Return whether a phone knows the living process that holds its answer, and those of the whole class."""
    news, memory = phone["news"], phone["memory"]
    whole = state(phone)[1] == "open" and news["answered"] == len(CLASS)
    return whole and memory["arrived"] and news["boxes"] == [memory["box"]]


def answers(seen):
    return [phone["memory"]["answer"] for phone in seen]


def box(seen):
    """Return the name of the process that holds the answers."""
    (name,) = {phone["memory"]["box"] for phone in seen} - {""}
    return name


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="no Node: pip install -r requirements-dev.txt")
def test_nobody_loses_anything_in_a_lecture_with_two_killed_servers(lecture, tmp_path):
    link, handout = kept_lesson(lecture)
    receipt, done = solved_exercise(lecture)
    with phones(lecture.address, lecture.code, len(CLASS), tmp_path) as room:
        room.until(lambda phone: (phone["news"] or {}).get("joined") == len(CLASS))
        votes_while_the_server_is_killed(lecture, room)
        bets(lecture, room)
        exercise_of_a_server_that_is_killed_before_it_ends(lecture, room)
        with session(lecture.address, "room", lecture.cookies) as page:
            page.run(f"room.back.{lecture.code}").run("room.close")
        seen = room.until(lambda phone: phone["main"].startswith("This room is closed"))
        assert [phone["memory"] for phone in seen] == [None] * len(CLASS)
    assert lecture.cookies == {}
    assert lecture.fetched(link) == handout
    with session(lecture.address, "exercises", {}, **dict(parse_qsl(done))) as page:
        assert receipt in page.text
        assert page.texts == []  # a mark that this server has not signed would be told here


def kept_lesson(lecture):
    """Return the short link of a lesson, and what a student's browser gets under it."""
    with session(lecture.address, "teach", {}) as page:
        page.run("teach.code")
        link = page.found(r"/(handout/\w+)<")
    return link, lecture.fetched(link)


def solved_exercise(lecture):
    """Return the receipt of a student for an exercise, and the link that has it."""
    answer = load_all()[EXERCISE].draw(STUDENT["course"], STUDENT["name"]).right_answer()
    with session(lecture.address, "exercises", {}, **STUDENT) as page:
        form = f"answer.dp26.otter.{EXERCISE}.0"
        page.fill(f"{form}.b", f"{answer['b']}").run(f"FormSubmitter:{form}-Check the answer")
        return page.found(r"(dpx1:dp26:otter:\S+)"), page.query


def votes_while_the_server_is_killed(lecture, room):
    """Let five phones vote and never hear of it, fifteen vote, and twenty vote as the server is killed."""
    lecture.acts("start", POLL, question="Did you ever copy homework?")
    room.until(asks(1))
    truths = {k: ("Yes", "No")[k % 3 == 0] for k in CLASS}
    room.deafen(CLASS[:5])
    room.give({k: truths[k] for k in CLASS[:20]})
    before = until(room.look, lambda seen: all(map(was_sent, seen[:20])))
    room.give({k: truths[k] for k in CLASS[20:]})
    lecture.kill()
    sent = answers(room.look())
    assert answers(before[:20]) == sent[:20]
    lecture.serve()
    after = room.until(is_held)
    assert box(after) != box(before)
    assert answers(after) == sent  # the coins are not tossed again
    assert f"<strong>{len(CLASS)}</strong> answered" in lecture.acts("show")
    for phone in room.until(is_over(1)):
        assert (phone["news"]["result"]["n"], phone["news"]["result"]["yes"]) == (40, sum(sent))


def bets(lecture, room):
    lecture.acts("start", BETS)
    room.until(asks(2))
    room.give({k: ["With Ada", "Without"] * 10 if k % 2 else ["With Ada"] * 20 for k in CLASS})
    hits = [int(re.search(r"(\d+) of 20", phone["main"])[1]) for phone in room.until(is_held)]
    lecture.acts("show")
    held = [Counter(hits)[k] for k in range(21)]
    assert [phone["news"]["result"]["held"] for phone in room.until(is_over(2))] == [held] * len(
        CLASS
    )


def exercise_of_a_server_that_is_killed_before_it_ends(lecture, room):
    instance = Together(EXERCISE).instance
    known = instance.parameters
    given = [f"{instance.right_answer()['b']}"] * 23 + [f"{known['C'] * known['epsilon']}"] * 12
    given += ["7777"] * 5
    lecture.acts("start", TOGETHER, exercise=load_all()[EXERCISE].title)
    room.until(asks(3))
    room.deafen(CLASS[:5])  # the answers arrive, and the replies are lost
    room.give({k: {"b": given[k]} for k in CLASS})
    room.until(was_sent)
    room.disconnect(CLASS[:5])
    before = box(room.until(is_held))
    lecture.kill()
    lecture.serve()
    assert (
        box(room.until(lambda phone: is_held(phone) and phone["memory"]["box"] != before)) != before
    )
    lecture.acts("show")
    for phone in room.until(is_over(3)):
        result = phone["news"]["result"]
        assert (result["answered"], result["right"], result["other"]) == (40, 23, 5)
        assert result["misconceptions"] == [["More ε, more noise", 12]]
