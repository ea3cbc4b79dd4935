"""Replacement of the session that Streamlit's main loop has served last.

The loop keeps this session, its last messages and its connection in local variables until it serves another session.
On a quiet server that can take long.
"""

from __future__ import annotations

import asyncio
import contextlib

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.session_manager import ClientContext, SessionClient

__all__ = ["replace"]

_PATIENCE = 10.0  # seconds until a busy loop serves the session


class _NoBrowser(SessionClient):
    """Client that drops all messages."""

    def __init__(self) -> None:
        self.is_served = asyncio.Event()

    def write_forward_msg(self, msg: ForwardMsg) -> None:
        """Drop a message."""
        self.is_served.set()

    @property
    def client_context(self) -> ClientContext | None:
        """None, since there is no browser."""
        return None


async def replace(runtime: Runtime) -> None:
    """Let the main loop serve a new session without a browser, and close this new session.

    The function must be called on the event loop of the server.
    """
    client = _NoBrowser()
    key = runtime.connect_session(client, {})
    try:
        active = runtime._session_mgr.get_active_session_info(key)
        if active is not None:
            active.session._enqueue_forward_msg(ForwardMsg())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(client.is_served.wait(), _PATIENCE)
    finally:
        runtime.close_session(key)
