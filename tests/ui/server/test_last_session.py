"""The main loop of a server lets go of the session that it served last."""

import asyncio
from types import SimpleNamespace

import pytest

from ui.server import last_session


class Runtime:
    """As much of Streamlit's runtime as is used: it serves a message when it comes to it."""

    def __init__(self, serves):
        self.serves, self.closed, self.served = serves, [], []
        self._session_mgr = SimpleNamespace(get_active_session_info=self._active)

    def connect_session(self, client, user_info):
        self._client = client
        return "new"

    def _active(self, key):
        return SimpleNamespace(session=SimpleNamespace(_enqueue_forward_msg=self._enqueue))

    def _enqueue(self, message):
        if self.serves:
            self.served.append(message)
            asyncio.get_running_loop().call_soon(self._client.write_forward_msg, message)

    def close_session(self, key):
        self.closed.append(key)


@pytest.mark.parametrize("serves", [True, False])
def test_a_session_without_browser_is_served_and_closed(serves, monkeypatch):
    monkeypatch.setattr(last_session, "_PATIENCE", 0.01)
    runtime = Runtime(serves)
    asyncio.run(last_session.replace(runtime))
    assert len(runtime.served) == serves
    assert runtime.closed == ["new"]
    assert runtime._client.client_context is None
