"""What a figure sends: all of it, or that nothing is new."""

import json

import pytest
import streamlit as st

from ui import live
from ui.live import component


@pytest.fixture
def session(monkeypatch):
    """A session whose browser tells what a test says; ``sent``: what was sent, in order."""
    state, sent, hear = {}, [], []
    monkeypatch.setattr(st, "session_state", state)

    def drawn(*, key, data, on_event_change):
        sent.append(data)
        hear[:] = [on_event_change]

    monkeypatch.setattr(component, "_component", lambda: drawn)

    def tell(phase, seq, *, heard=True):
        state["page"] = {"event": {"phase": phase, "seq": seq}}
        for callback in hear if heard else ():  # as Streamlit does once the figure is there
            callback()

    state["sent"], state["tell"] = sent, tell
    return state


def figure(busy=None):
    slider = live.Slider(name="epsilon", label="privacy parameter", grid=[1.0, 2.0, 4.0])
    return live.Figure(controls=[slider], values={"epsilon": 2.0}, arrays={}, panels=[], busy=busy)


def test_a_tick_without_news_is_answered_in_few_bytes_and_names_the_message_that_holds(session):
    component.show(figure(), key="page")
    session["tell"]("commit", 4)
    component.show(figure(live.Busy(progress=0.1, text="on it")), key="page", version=("a", 1))
    session["tell"]("tick", 5)
    assert component.is_same("page", ("a", 1))
    component.show_same(live.Busy(progress=0.2, text="still on it"), key="page")
    whole, same = session["sent"][1:]
    assert (whole["seq"], same["same"], same["seq"]) == (4, 4, 5)
    assert same["busy"] == {"progress": 0.2, "text": "still on it"}
    assert {"name", "session", "modules"} <= set(same)
    assert len(json.dumps(same)) < 300


def test_an_event_that_nobody_heard_is_not_answered_and_so_it_is_sent_again(session):
    session["tell"]("commit", 7)  # a server that starts anew has it without any callback
    heard = []
    component.show(figure(), key="page", on_event=lambda: heard.append(component.event("page").seq))
    session["tell"]("commit", 8, heard=False)
    component.show(figure(), key="page", on_event=lambda: heard.append(component.event("page").seq))
    assert [message["seq"] for message in session["sent"]] == [0, 0]
    session["tell"]("commit", 9)
    component.show(figure(), key="page")
    assert session["sent"][-1]["seq"] == 9
    assert heard == [9]


@pytest.mark.parametrize(
    ("phase", "version"),
    [("tick", ("a", 2)), ("tick", None), ("commit", ("a", 1)), ("missing", ("a", 1))],
)
def test_news_and_whatever_else_is_asked_get_the_whole_figure(session, phase, version):
    session["tell"]("commit", 4)
    component.show(figure(), key="page", version=("a", 1))
    session["tell"](phase, 5)
    assert not component.is_same("page", version)


def test_what_was_drawn_while_a_handle_moved_is_never_taken_for_the_same(session):
    session["tell"]("commit", 4)
    component.show(figure(), key="page", version=("a", 1))
    session["tell"]("drag", 5)
    component.show(figure(), key="page")
    session["tell"]("tick", 6)
    assert not component.is_same("page", ("a", 1))


def test_a_session_that_has_drawn_nothing_has_nothing_that_holds(session):
    session["tell"]("tick", 1)
    assert not component.is_same("page", ("a", 1))
