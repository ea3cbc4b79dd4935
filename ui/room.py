"""What every page does the same way: ask, run, draw, explain, and take in what the browser told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpcore.experiments.params import Params
from ui import controls, house, live
from ui.live import inbox

__all__ = ["Room", "open_room"]

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class Room(Generic[P]):
    """One page: its words, its parameters, how it draws and explains them.

    ``lab(params, dragging)`` returns the live figure; ``explain(params)`` draws what stands under it
    and runs only when a handle is let go; ``act(action, params)`` answers buttons of its own.
    ``news(params)``: what the words tell besides the parameters; they are drawn anew when it changes.
    """

    key: str
    title: str
    question: str
    params: type[P]
    lab: Callable[[P, bool], live.Lab]
    explain: Callable[[P], None]
    act: Callable[[str, P], P] | None = None
    news: Callable[[P], Any] | None = None


def open_room(room: Room[Any]) -> None:
    """Run a page."""
    house.enter()
    house.header(room.title, room.question)
    controls.current(room.params, room.key)
    st.session_state.pop(f"told.{room.key}", None)

    @st.fragment(key="laboratory")
    def laboratory() -> None:
        house.problems(st.session_state[f"problems.{room.key}"])
        dragging = live.event(room.key).phase == "drag"
        lab = room.lab(st.session_state[f"params.{room.key}"], dragging)
        if not dragging and not lab.busy and _late(room):
            # The last answer of all: once more asked for, so that the words follow.
            lab = replace(lab, busy=live.Busy(progress=1.0, text="Writing it down"))
        live.show(lab, key=room.key, on_event=lambda: _on_event(room))

    @st.fragment(key="words")
    def words() -> None:
        st.session_state[f"told.{room.key}"] = _news(room)
        room.explain(st.session_state[f"params.{room.key}"])

    laboratory()
    words()


def _news(room: Room[Any]) -> Any:
    return room.news(st.session_state[f"params.{room.key}"]) if room.news else None


def _late(room: Room[Any]) -> bool:
    """Whether the words on the screen tell less than what is known."""
    told = f"told.{room.key}"
    return told in st.session_state and st.session_state[told] != _news(room)


def _partly() -> bool:
    """Whether fragments alone run now. A whole run draws everything, and asking for two fragments would
    end it: a file that was just given would be lost.
    """
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)


def _on_event(room: Room[Any]) -> None:
    """Take in what the browser told: values are checked like those of a link."""
    event = live.event(room.key)
    params = st.session_state[f"params.{room.key}"]
    if event.phase in ("drag", "commit", "action"):
        params, problems = controls.apply(params, event.values)
        st.session_state[f"problems.{room.key}"] = problems
    elif event.phase == "refused":
        why = inbox.REFUSED.get(event.action, "it is out of bounds")
        problem = f"What the browser sent was refused: {why}. Nothing has changed; go on."
        st.session_state[f"problems.{room.key}"] = [problem]
    if event.phase == "action":
        params = _act(room, event.action, params)
    controls.store(params, room.key, link=event.phase != "drag")
    told = event.phase in ("commit", "action") or (event.phase == "tick" and _late(room))
    if told and _partly():
        st.rerun(["laboratory", "words"])


def _act(room: Room[Any], action: str, params: Any) -> Any:
    match action:
        case "redraw":
            return params.but(seed=(params.seed + 1) % 1_000_000)
        case "reset":
            return room.params()
    return room.act(action, params) if room.act else params
