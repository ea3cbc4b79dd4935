"""Content of the page Classroom: a form to open a room, the lecturer's view of a room (with its key), the
projector's view.
"""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pages.room import setting, stage
from pages.room.figure import planning
from pages.room.pictures import Colours
from ui.classroom import codes, housekeeping
from ui.classroom.models import Refused, Room
from ui.frame import shell
from ui.live import component
from ui.words import text

__all__ = ["draw"]

T = text.beside(__file__)
_CSS = """<style>
.dp-qr {max-width: 22rem; margin: 0 auto; background: #fff; border-radius: 0.6rem; line-height: 0;}
.dp-room-picture {width: 100%; height: auto;}
.dp-room-code {font: 700 2.9rem/1.1 ui-monospace, monospace; letter-spacing: 0.2em;
  text-align: center; margin: 0.6rem 0 0;}
.dp-room-address {text-align: center; font-size: 1.1rem; overflow-wrap: anywhere; margin: 0;}
.dp-room-count {font-size: 1.3rem; margin: 0; font-variant-numeric: tabular-nums;}
.st-key-room_stage, .st-key-room_stage .stVerticalBlock {gap: 0.4rem;} /* all of a result on one screen */
.st-key-room_stage :is(h2, h3) {margin: 0; padding: 0.3rem 0 0;}
.dp-room-rows {width: 100%; border-collapse: collapse;}
.dp-room-rows th {text-align: left; font-weight: 500; width: 45%; padding: 0.3rem 0.6rem 0.3rem 0;}
.dp-room-rows td:nth-child(2) {text-align: right; font-weight: 700; padding-right: 0.8rem;}
.dp-room-rows td div {height: 1.1rem; background: var(--mine); border-radius: 0.2rem;}
@media (min-width: 761px) {
  .st-key-room_planning .dp-controls {display: grid; grid-template-columns: 1fr 1fr 1fr; column-gap: 2rem;
    align-items: start;}
  .st-key-room_planning .dp-row {grid-template-columns: 2fr 1fr !important;}
  .st-key-room_planning .dp-label-row {min-height: 1.5rem; align-items: center;}
}
@media (max-width: 760px) { /* the picture and its numbers on the first screen */
  .st-key-room_planning :is(.dp-save, .dp-caption:not(.dp-words)) {display: none;}
  .st-key-room_planning .dp-plot {height: min(var(--height, 380px), 50vw);}
}
</style>"""
_PROJECTOR_CSS = """<style>
html {font-size: 125%;}
[data-testid="stHeader"] {display: none !important;}
.dp-said {position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);}
.stMainBlockContainer {max-width: 100% !important; padding: 0.5rem 2rem !important;}
</style>"""


def draw() -> None:
    """Draw the page Classroom."""
    st.html(_CSS)
    code = codes.read(st.query_params.get("room", ""))
    try:
        room = _found(code) if code else None
    except Refused as refusal:
        room = None
        shell.problems([str(refusal)])
    if room is None:
        _door(code)
    elif _is_lecturer(code) and st.query_params.get("view") != "projector":
        _lecturer(room)
    else:
        _projector(room)


def _keys() -> dict[str, str]:
    """Return the lecturer's keys of the rooms that this session has opened, by room code."""
    keys: dict[str, str] = st.session_state.setdefault("room.keys", {})
    return keys


def _is_lecturer(code: str) -> bool:
    """Return whether this session has the lecturer's key of a room.

    A valid key in the link is stored in the session and removed from the link.
    """
    key = st.query_params.get("key", "")
    if key:
        del st.query_params["key"]
        if housekeeping.store().is_lecturer(code, key):
            _keys()[code] = key
    return code in _keys()


def _found(code: str) -> Room | None:
    """Return the room with this code, or None; wrong codes are rate-limited, as they are on phones."""
    seen: set[str] = st.session_state.setdefault("room.seen", set())
    room = housekeeping.look(code, st.context.ip_address or "", known=code in seen)
    (seen.add if room else seen.discard)(code)
    return room


def _address() -> str:
    """Return the address of the page that phones open."""
    return f"{shell.address('room')}/join"


def _colours() -> Colours:
    return Colours(dark=st.context.theme.type == "dark")


def _door(code: str) -> None:
    shell.header(T("title"), T("question"), opening=T("opening"))
    if code:
        st.info(T("door.closed", code=code))
    if st.button(T("door.open"), type="primary", key="room.open", on_click=_open):
        shell.problems(st.session_state.pop("room.refused", []))
    with st.container(key="room_planning"):
        component.show(component.kept(planning(), key="room"), key="room")
    with st.expander(T("door.kept_title"), key="room.kept"):
        st.markdown(T("door.kept"))


def _open() -> None:
    try:
        code, key = housekeeping.store().open()
    except Refused as refusal:
        st.session_state["room.refused"] = [str(refusal)]
        return
    _keys()[code] = key
    st.query_params["room"] = code


@st.fragment(run_every=1.0)
def _stage(code: str, phase: str) -> None:
    """Draw the current state of the room; when its phase has changed, run the whole page again."""
    room = housekeeping.store().room(code)
    if room is None or f"{room.turn} {room.phase}" != phase:
        st.rerun()
    stage.draw(room, _address(), _colours())


def _projector(room: Room) -> None:
    st.html(_PROJECTOR_CSS)
    st.html(
        f'<h1 class="dp-title dp-said">{T("stage.heading")}</h1>'
    )  # heard; who looks sees the question
    _stage(room.code, f"{room.turn} {room.phase}")


def _lecturer(room: Room) -> None:
    shell.header(T("title"), T("question"))
    problems = st.session_state.pop("room.problems", [])
    shell.problems(problems)
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        st.header(T("lecturer.room", code=room.code))
        here = f"{_address().removesuffix('/join')}/room?room={room.code}"
        st.link_button(T("lecturer.projector"), f"{here}&view=projector", icon="➡️")
        running = room.phase == "open"
        if running:
            _button(T("lecturer.show"), "show", room, primary=True)
        activity = setting.chosen()
        _button(
            T("lecturer.start"), "start", room, activity, primary=not running, off=activity is None
        )
        _button(T("lecturer.close"), "close", room)
        with st.expander(T("lecturer.back_title"), key="room.back"):
            st.caption(T("lecturer.back"))
            st.code(f"{here}&key={_keys()[room.code]}", language=None, wrap_lines=True)
    with right:
        _stage(room.code, f"{room.turn} {room.phase}")


def _button(
    label: str,
    act: str,
    room: Room,
    activity: object = None,
    *,
    primary: bool = False,
    off: bool = False,
) -> None:
    kind: Literal["primary", "secondary"] = "primary" if primary else "secondary"
    st.button(
        label, key=f"room.{act}", type=kind, disabled=off, on_click=_act, args=(act, room.code, activity),
        width="stretch",
    )  # fmt: skip


def _act(act: str, code: str, activity: object) -> None:
    key = _keys()[code]
    try:
        if act == "start":
            housekeeping.start_activity(code, key, activity() if callable(activity) else activity)
        elif act == "show":
            housekeeping.store().show(code, key)
        else:
            housekeeping.store().close(code, key)
            _keys().pop(code)
    except Refused as refusal:
        st.session_state["room.problems"] = [str(refusal)]
