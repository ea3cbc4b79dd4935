"""Growing intervals between updates of a figure with partial results, and the token with which the browser polls."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from ui.jobs import job_status
from ui.live import component
from ui.runner import PageState

__all__ = ["can_wait", "news_of", "note_sent"]

_PAUSE, _SLOWER, _LONGEST = 1.0, 2.0, 16.0  # seconds between better pictures of one result


def can_wait(key: str, state: PageState[Any]) -> bool:
    """Return whether a new partial result can wait, since the last one was sent a short time ago."""
    milestone, at, pause = st.session_state.get(f"sent.{key}", (None, 0.0, 0.0))
    is_tick = component.event(key).phase == "tick" and state.milestone is not None
    return is_tick and milestone == state.milestone and time.monotonic() < at + pause


def note_sent(key: str, state: PageState[Any]) -> None:
    """Record that a result was sent.

    The interval before the next partial result of the same computation is doubled.
    """
    milestone, _, pause = st.session_state.get(f"sent.{key}", (None, 0.0, 0.0))
    again = milestone == state.milestone and component.event(key).phase == "tick"
    pause = min(pause * _SLOWER, _LONGEST) if again else _PAUSE
    st.session_state[f"sent.{key}"] = state.milestone, time.monotonic(), pause


def news_of(key: str, state: PageState[Any], *, anew: bool = True) -> str:
    """Return the token with which the browser polls the status route.

    The token is "" if the browser must poll the page. If ``anew``, the browser has just received all results so far.
    Otherwise the browser waits for changes since an earlier message.
    """
    if state.busy is None or state.look is None:
        return ""
    watch = job_status.watch(key)
    if anew:
        _, at, pause = st.session_state.get(f"sent.{key}", (None, 0.0, 0.0))
        return watch.token if watch.expect(state.look.awaited(), better_from=at + pause) else ""
    return watch.token
