"""Simulated visitor without a browser: a real WebSocket to a real server, with Streamlit's messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

__all__ = ["Visitor", "visiting"]

_RUNS_AGAIN = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class Visitor:
    """One session that requests a page, sends events of its figure, and stores the messages that it receives."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.session = ""
        self.query = ""  # of the page's link, as the page has last set it
        self.texts: list[str] = []
        self.errors: list[str] = []
        self.live_figures: dict[str, str] = {}  # name of a live figure: id of its widget
        self.data: dict[str, Any] = {}  # name of a live figure: its last message
        self._sent: dict[str, ForwardMsg] = {}  # what the server may name by its hash from now on

    def open(self, page: str, query: str = "") -> None:
        """Request a page and wait until its script has run.

        Raises
        ------
        AssertionError
            When the page failed, with the page's message.
        """
        self._run(page, query)
        assert self.errors == [], self.errors

    def ask_for_a_part(self, page: str) -> None:
        """Request a run of a fragment that only an earlier server knew, and wait until a script has run."""
        asked = BackMsg()
        asked.rerun_script.page_name, asked.rerun_script.fragment_id = page, "0" * 32
        self.socket.send(asked.SerializeToString())
        self._listen()

    def tell(self, page: str, text: str, query: str = "") -> None:
        """Send the JSON ``text`` as the state of the page's figure, and wait until the script has run."""
        self._run(page, query, {self.live_figures[page]: text})

    def _run(self, page: str, query: str, states: dict[str, str] | None = None) -> None:
        asked = BackMsg()
        asked.rerun_script.page_name = page
        asked.rerun_script.query_string = query
        for name, text in (states or {}).items():
            widget = asked.rerun_script.widget_states.widgets.add()
            widget.id, widget.json_value = name, text
        self.socket.send(asked.SerializeToString())
        self._listen()

    def _listen(self) -> None:
        self.texts, self.errors = [], []
        while True:
            found = ForwardMsg()
            found.ParseFromString(self.socket.recv(timeout=120))
            if found.WhichOneof("type") == "ref_hash":
                found = self._sent[found.ref_hash]
            elif found.metadata.cacheable:
                self._sent[found.hash] = found
            kind = found.WhichOneof("type")
            if kind == "new_session":
                self.session = found.new_session.initialize.session_id
            if kind == "page_info_changed":
                self.query = found.page_info_changed.query_string
            elif kind == "delta":
                self._take(found.delta.new_element)
            elif kind == "script_finished" and found.script_finished != _RUNS_AGAIN:
                return

    def _take(self, element: Any) -> None:
        match element.WhichOneof("type"):
            case "bidi_component":
                # One that runs as a fragment's may travel as a reference: only whole ones are read.
                message = json.loads(element.bidi_component.json or "{}")
                if "name" in message:
                    self.live_figures[message["name"]] = element.bidi_component.id
                    self.data[message["name"]] = message
            case "exception":
                self.errors.append(element.exception.message)
            case "alert":
                self.texts.append(element.alert.body)


@contextmanager
def visiting(address: str) -> Iterator[Visitor]:
    """Yield a visitor of the server at ``address``, and close the connection afterwards."""
    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(
        url, subprotocols=[Subprotocol("streamlit")], max_size=None, open_timeout=30
    ) as socket:
        yield Visitor(socket)
