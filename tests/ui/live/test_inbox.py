"""What is out of bounds is refused under the number it came with, so that the browser hears the answer."""

import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from ui.live import component, inbox


def kept(text):
    """The event that is left of a widget's JSON."""
    message = BackMsg()
    widget = message.rerun_script.widget_states.widgets.add()
    widget.id, widget.json_value = "figure", text
    found = BackMsg()
    found.ParseFromString(inbox.bounded(message.SerializeToString()))
    (widget,) = found.rerun_script.widget_states.widgets
    return component.read(json.loads(widget.json_value)["event"])


def event(**more):
    return json.dumps({"event": {"seq": 41, "phase": "commit", "values": {}, **more}})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (event(values={"ledger": "G1," * 200_000}), "length"),
        (event(held=[str(k) for k in range(30_000)]), "items"),
        (event(values={"epsilon": 10**40}), "digits"),
    ],
    ids=["length", "items", "digits"],
)
def test_a_refusal_answers_the_event_it_refuses(text, why):
    found = kept(text)
    assert (found.phase, found.action, found.seq) == ("refused", why, 41)


@pytest.mark.parametrize(
    "start", ['{"event": {"seq": %s, ' % ("9" * 400), '{"event": {"seq": -1, ', '{"event": {', ""]
)
def test_a_number_that_is_none_counts_as_no_number(start):
    found = kept(start + '"values": "' + "x" * inbox.MAX_LENGTH)
    assert (found.phase, found.seq) == ("refused", 0)


def test_a_number_in_words_is_not_taken_for_the_events_own():
    words = 'a "seq": 7 of words' + "x" * inbox.MAX_LENGTH
    assert kept(json.dumps({"event": {"values": {"ledger": words}, "seq": 5}})).seq == 5


def test_what_is_within_bounds_is_left_alone():
    assert kept(event()).phase == "commit"


def test_the_wish_for_a_part_becomes_one_for_the_page_and_other_messages_are_no_wish():
    message = BackMsg()
    message.rerun_script.fragment_id = "a part"
    message.rerun_script.page_name = "budget"
    found = BackMsg()
    found.ParseFromString(inbox.whole(message.SerializeToString()))
    assert (found.rerun_script.fragment_id, found.rerun_script.page_name) == ("", "budget")
    assert inbox.whole(BackMsg(load_git_info=True).SerializeToString()) is None
    assert inbox.whole(b"\xff") is None
