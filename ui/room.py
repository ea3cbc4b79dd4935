"""What every page does the same way: ask, run, draw, explain, and take in what the browser told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from dpcore.experiments.params import Params
from ui import controls, house, live

__all__ = ["Room", "open_room"]

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class Room(Generic[P]):
    """One page: its words, its parameters, how it draws and explains them.

    ``lab(params, dragging)`` returns the live figure; ``explain(params)`` draws what stands under it
    and runs only when a handle is let go; ``act(action, params)`` answers buttons of its own.
    """

    key: str
    title: str
    question: str
    params: type[P]
    lab: Callable[[P, bool], live.Lab]
    explain: Callable[[P], None]
    act: Callable[[str, P], P] | None = None


def open_room(room: Room[Any]) -> None:
    """Run a page."""
    house.enter()
    house.header(room.title, room.question)
    controls.current(room.params, room.key)

    @st.fragment(key="laboratory")
    def laboratory() -> None:
        house.problems(st.session_state[f"problems.{room.key}"])
        dragging = live.event(room.key).phase == "drag"
        lab = room.lab(st.session_state[f"params.{room.key}"], dragging)
        live.show(lab, key=room.key, on_event=lambda: _on_event(room))

    @st.fragment(key="words")
    def words() -> None:
        room.explain(st.session_state[f"params.{room.key}"])

    laboratory()
    words()


def _on_event(room: Room[Any]) -> None:
    """Take in what the browser told: values are checked like those of a link."""
    event = live.event(room.key)
    params = st.session_state[f"params.{room.key}"]
    if event.phase in ("drag", "commit", "action"):
        params, problems = controls.apply(params, event.values)
        st.session_state[f"problems.{room.key}"] = problems
    if event.phase == "action":
        params = _act(room, event.action, params)
    controls.store(params, room.key, link=event.phase != "drag")
    if event.phase in ("commit", "action"):
        st.rerun(["laboratory", "words"])


def _act(room: Room[Any], action: str, params: Any) -> Any:
    match action:
        case "redraw":
            return params.but(seed=(params.seed + 1) % 1_000_000)
        case "reset":
            return room.params()
        case "pin":
            st.session_state[f"pin_next.{room.key}"] = True
            return params
    return room.act(action, params) if room.act else params


def pinned(key: str, lab_values: Callable[[], Any]) -> Any:
    """Return what was pinned on the page ``key``, pinning ``lab_values()`` now when asked to."""
    if st.session_state.pop(f"pin_next.{key}", False):
        st.session_state[f"pinned.{key}"] = lab_values()
    return st.session_state.get(f"pinned.{key}")
