"""Filter for the messages on one WebSocket connection between a browser and Streamlit."""

from __future__ import annotations

from google.protobuf.message import DecodeError
from starlette.types import Message, Receive, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from ui.live import inbox

__all__ = ["hearing", "saying"]


def hearing(receive: Receive) -> Receive:
    """Return a receive function that limits the size of the browser's messages.

    The first request to rerun a part of the page becomes a request to rerun the whole page.
    """
    ran = False

    async def heard() -> Message:
        nonlocal ran
        message = await receive()
        if message["type"] == "websocket.receive" and message.get("bytes"):
            content = inbox.bounded(message["bytes"])
            whole = None if ran else inbox.whole(content)
            ran = ran or whole is not None
            message = {**message, "bytes": content if whole is None else whole}
        return message

    return heard


def saying(send: Send) -> Send:
    """Return a send function that drops "finished" messages of runs that began on an earlier connection.

    A broken connection stops its run. Streamlit then tells the next connection that the run has finished, and
    the browser removes all elements that have not been sent again, including a figure whose slider is being
    dragged. The page requests a new run as soon as it is connected.
    """
    begun = False

    async def said(message: Message) -> None:
        nonlocal begun
        if not begun and message["type"] == "websocket.send" and message.get("bytes"):
            kind = _kind(message["bytes"])
            begun = kind == "new_session"
            if kind == "script_finished":
                return
        await send(message)

    return said


def _kind(message: bytes) -> str | None:
    forward = ForwardMsg()
    try:
        forward.ParseFromString(message)
    except DecodeError:
        return None
    return forward.WhichOneof("type")
