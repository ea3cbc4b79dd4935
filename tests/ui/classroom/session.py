"""A session without a browser that presses buttons, fills in fields, and stores a lecturer's cookies."""

import json
import re
import urllib.request
from contextlib import contextmanager
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.browser.visitor import Visitor

__all__ = ["Session", "session"]
_WORDS = ("body", "code_text")


class Session(Visitor):
    """A visitor of one page who uses buttons and fields by their keys."""

    def __init__(self, socket, address, page, query, cookies):
        super().__init__(socket)
        self.address, self.page, self.query, self.cookies = address, page, query, cookies
        self.widgets, self.words, self._values = {}, [], {}
        self.run()

    def run(self, press=None):
        """Run the page once with the values filled in so far; ``press`` is the key of a button to press."""
        asked = BackMsg()
        asked.rerun_script.page_name = self.page
        asked.rerun_script.query_string = self.query
        states = asked.rerun_script.widget_states.widgets
        for name, text in self._values.items():
            states.add(id=name, string_value=text)
        if press:
            states.add(id=self._named(press), trigger_value=True)
        self.socket.send(asked.SerializeToString())
        self.widgets, self.words = {}, []
        self._listen()
        assert self.errors == []
        return self

    def fill(self, key, text):
        """Write a text into a field, or choose an option."""
        self._values[self._named(key)] = text
        return self

    def _named(self, key):
        assert key in self.widgets, (key, sorted(self.widgets), self.text[-2000:])
        return self.widgets[key]

    @property
    def text(self):
        """Return the text that the page displays."""
        return "\n".join(self.words)

    def found(self, pattern):
        """Return the first group of a regular expression that matches the page's text."""
        found = re.search(pattern, self.text)
        assert found, (pattern, self.text[-2000:])
        return found[1]

    def _take(self, element):
        super()._take(element)
        kind = element.WhichOneof("type")
        if kind is None:  # a container
            return
        inside = getattr(element, kind)
        name = getattr(inside, "id", "")
        if name:
            self.widgets[name.split("-", 2)[-1]] = name  # $$ID-digest-key
        self.words += [str(getattr(inside, field)) for field in _WORDS if hasattr(inside, field)]
        if kind == "bidi_component" and "key" in (data := json.loads(inside.json or "{}")):
            self._keep(data)

    def _keep(self, data):
        """Request the cookie from the server, as the page's component does in a browser."""
        body = json.dumps({name: data[name] for name in ("code", "key")}).encode()
        asked = urllib.request.Request(
            f"{self.address}{data['path']}", body, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(asked) as answer:
            for name, cookie in SimpleCookie(answer.headers["set-cookie"]).items():
                self.cookies[name] = cookie.value
                if not cookie.value:
                    del self.cookies[name]


@contextmanager
def session(address, page, cookies, **query):
    """Open a page with these cookies, which it may change."""
    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    head = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    with connect(
        url, subprotocols=[Subprotocol("streamlit")], max_size=None, open_timeout=60,
        additional_headers=head if cookies else None,
    ) as socket:  # fmt: skip
        yield Session(socket, address, page, urlencode(query), cookies)
