"""What one WebSocket says: the end of a run only where it said the beginning."""

import asyncio

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui.server import connection

ENDED = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()
BEGUN = ForwardMsg()
BEGUN.new_session.main_script_path = "main.py"
BEGUN = BEGUN.SerializeToString()


def said(*messages):
    """What is left of the messages of one connection."""
    left = []

    async def send(message):
        left.append(message)

    async def talk():
        saying = connection.saying(send)
        for message in messages:
            await saying(message)

    asyncio.run(talk())
    return left


def sent(body):
    return {"type": "websocket.send", "bytes": body}


def test_the_end_of_a_run_that_another_connection_was_told_of_is_not_said():
    messages = [sent(body) for body in (ENDED, BEGUN, ENDED, ENDED)]
    assert said(*messages) == messages[1:]


@pytest.mark.parametrize(
    "message",
    [{"type": "websocket.accept"}, {"type": "websocket.send", "text": "a"}, sent(b"\xff")],
)
def test_everything_else_is_said_as_it_is(message):
    assert said(message, sent(ENDED)) == [message]
