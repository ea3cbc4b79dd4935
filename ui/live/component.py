"""Streamlit component that draws every interactive figure, and the events that it sends to Python."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from ui.live import array_files, tokens
from ui.live.events import Event, identifiers, read
from ui.live.figure import Busy, Figure
from ui.live.transport import Delivery, LaterMessage, Message, SameMessage, message
from ui.web import static_files
from ui.web.base_path import prefix

__all__ = [
    "Event",
    "event",
    "is_same",
    "is_seen",
    "read",
    "show",
    "show_later",
    "show_same",
    "with_user_values",
]

# Only this travels with a message; the modules behind it and their styles are cached by the browser.
_BOOT = """
export default function (component) {
  let clean = null;
  let gone = false;
  const url = new URL(component.data.modules, document.baseURI.split("/_")[0]).href;
  import(url).then((live) => live.styled(url).then(() => live)).then(
    (live) => { if (!gone) clean = live.render(component); },
    () => { component.parentElement.textContent = "The figure could not be loaded. Reload the page."; },
  );
  return () => { gone = true; if (clean) clean(); };
}
"""


@lru_cache(maxsize=1)
def _component() -> ComponentRenderer:
    return st.components.v2.component("dp_live", js=_BOOT, isolate_styles=False)


def event(key: str) -> Event:
    """Return the newest event that the figure ``key`` has sent."""
    return read(_raw(key))


def with_user_values(figure: Figure, *, key: str) -> Figure:
    """Return a figure with the control values that the user has set.

    The function is for figures outside of pages, where no page stores these values.

    Each control validates its value. Invalid values are ignored.
    """
    new_values = event(key).values
    values = {
        control.name: allowed
        for control in figure.controls
        if (allowed := control.allowed(new_values.get(control.name))) is not None
    }
    return replace(figure, values={**figure.values, **values})


def show(
    figure: Figure,
    *,
    key: str,
    on_event: Callable[[], None] | None = None,
    version: Hashable = None,
    news: str = "",
) -> None:
    """Draw a figure.

    On each event from the browser, ``on_event`` is called before the script runs.

    Parameters
    ----------
    figure : Figure
        The figure.
    key : str
        Name of the figure in the session and in the page.
    on_event : callable, optional
        Callback, which reads `event` with the same key.
    version : hashable, optional
        Value that changes with the figure's content, but not with the progress of jobs. While it is
        unchanged, `show_same` suffices.
    news : str
        Token for polling the status route (`ui.jobs.job_status`); "" if the browser polls the page.
    """
    seq = _heard(key)
    st.session_state[f"whole.{key}"] = version, seq
    data: Message = {
        **message(figure, _delivery(key)),
        "name": key,
        "seq": seq,
        "session": _session(),
        "modules": _modules(),
        "news": f"{prefix()}/news/{news}" if news else "",
    }
    _component()(key=key, data=data, on_event_change=_hearing(key, on_event))


def is_seen(key: str) -> bool:
    """Return whether the user has scrolled near the placeholder that `show_later` has drawn."""
    return bool(event(key).phase)


def show_later(key: str, *, height: int) -> None:
    """Draw a placeholder of a figure.

    The browser requests the figure when the user scrolls near it. ``height`` in pixels prevents a shift of the
    layout.
    """
    data: LaterMessage = {
        "later": height,
        "name": key,
        "session": _session(),
        "modules": _modules(),
    }
    _component()(key=key, data=data, on_event_change=_hearing(key, None))


def is_same(key: str, version: Hashable) -> bool:
    """Return whether the browser only polls, and the figure has not changed."""
    entry = st.session_state.get(f"whole.{key}")
    is_poll = version is not None and event(key).phase in ("tick", "look")
    return is_poll and entry is not None and entry[0] == version


def show_same(
    busy: Busy | None, *, key: str, on_event: Callable[[], None] | None = None, news: str = ""
) -> None:
    """Tell the browser that a figure is unchanged, and send it the progress of the job, if one is running."""
    data: SameMessage = {
        "same": st.session_state[f"whole.{key}"][1],
        "busy": asdict(busy) if busy else None,
        "name": key,
        "seq": _heard(key),
        "session": _session(),
        "modules": _modules(),
        "news": f"{prefix()}/news/{news}" if news else "",
    }
    _component()(key=key, data=data, on_event_change=_hearing(key, on_event))


def _hearing(key: str, on_event: Callable[[], None] | None) -> Callable[[], None]:
    """Return a callback that records the newest event's number and calls ``on_event``."""

    def hear() -> None:
        st.session_state[f"heard.{key}"] = event(key).seq
        if on_event:
            on_event()

    return hear


def _heard(key: str) -> int:
    """Return the number of the last event that was handled.

    The browser receives it as an acknowledgement.
    """
    seq = event(key).seq
    return min(seq, int(st.session_state.get(f"heard.{key}", 0)))


def _raw(key: str) -> object:
    """Return the last message of the browser for a figure, unparsed."""
    state = st.session_state.get(key) or {}
    return state.get("event") if hasattr(state, "get") else None


def _session() -> str:
    return str(st.session_state.setdefault("live.session", secrets.token_hex(4)))


def _modules() -> str:
    return f"{prefix()}/app/static/{static_files.entry()}"


def _delivery(key: str) -> Delivery:
    """Return the settings for sending arrays to this session's browser.

    If the session contains a user's own data, arrays are sent through a private store.
    """
    last_event, at = event(key), f"{prefix()}/arrays"
    how: dict[str, Any] = {
        "known": _named(key, "held"),
        "wanted": _named(key, "wanted"),
        "first": last_event.seq == 0,
        "dragging": last_event.phase == "drag",
    }
    if not tokens.is_there():
        return Delivery(**how, path=at)
    store = st.session_state.get("live.arrays")
    if store is None:
        store = st.session_state["live.arrays"] = array_files.private_store()
    return Delivery(**how, store=store, path=f"{at}/{store.token}")


def _named(key: str, what: str) -> frozenset[str]:
    """Return the identifiers of arrays that the browser lists under ``what``.

    "held" lists arrays that the browser has, "wanted" arrays that it could not fetch.
    """
    return identifiers(_raw(key), what)
