"""Content of the Classroom page: a form that opens a room, the lecturer's view, and the projector's view."""

from __future__ import annotations

import secrets
import time
from typing import Literal, cast
from urllib.parse import parse_qsl

import streamlit as st

from pages.room import browser_key, setting, stage
from pages.room.figure import planning
from pages.room.pictures import Colours
from ui.classroom import codes, housekeeping, lecturer_key
from ui.classroom.models import Away, Refused, Room
from ui.frame import shell
from ui.live import component
from ui.words import text

__all__ = ["draw"]

T = text.load_text(__file__)
_EVERY = 3.0  # seconds until a room that cannot be shown is looked for again
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
.st-key-room_planning .dp-more {order: 9; border: 0; padding: 0;} /* the size of a class, for the curve alone */
.st-key-room_planning .dp-more[open] .dp-controls {max-width: 26rem; display: block !important;}
@media (min-width: 761px) {
  .st-key-room_planning .dp-controls {display: grid; grid-template-columns: 1fr 1fr 1fr; column-gap: 2rem;
    align-items: start;}
  .st-key-room_planning .dp-row {grid-template-columns: 2.2fr 1fr !important;}
  .st-key-room_planning .dp-plot {height: min(var(--height, 380px), max(14rem, 100vh - 33rem));}
  .st-key-room_planning .dp-label-row {min-height: 1.5rem; align-items: center;}
}
@media (max-width: 760px) { /* the picture and its numbers on the first screen */
  .st-key-room_planning :is(.dp-save, .dp-caption:not(.dp-words)) {display: none;}
  .st-key-room_planning .dp-plot {height: min(var(--height, 380px), 48vw);}
  .st-key-room_planning .dp-side .dp-slider:has(.dp-press) {display: grid !important;}
  .st-key-room_planning .dp-slider:has(.dp-press) > :is(input, .dp-ends) {display: none;}
}
</style>"""
_PROJECTOR_CSS = """<style>
html {font-size: 125%;}
[data-testid="stHeader"] {display: none !important;}
.dp-said {position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);}
.stMainBlockContainer {max-width: 100% !important; padding: 0.5rem 2rem !important;}
</style>"""


def draw() -> None:
    """Draw the Classroom page."""
    st.html(_CSS)
    code = codes.read(st.query_params.get("room", ""))
    try:
        room = _find_room(code) if code else None
        lectures = room is not None and _is_lecturer(code)
    except Refused as refusal:
        _wait(refusal)
        return
    if room is None:
        _door(code)
    elif st.query_params.get("view") == "projector":
        _projector(room)
    elif lectures:
        _lecturer(room)
    else:
        _visitor(room)


def _wait(refusal: Refused) -> None:
    """Display the reason why a room cannot be shown now, and run the page again every few seconds."""
    shell.header(T("title"), T("question"))
    st.info(str(refusal))
    _again()


@st.fragment(run_every=_EVERY)
def _again() -> None:
    shell.rerun_from_part()


def _keys() -> dict[str, str]:
    """Return the lecturer's keys that this session holds, by the code of the room."""
    keys: dict[str, str] = st.session_state.setdefault("room.keys", {})
    return keys


def _is_lecturer(code: str) -> bool:
    """Return whether this session holds the lecturer's key of a room.

    First, a valid key in the link or in a cookie is stored in the session. The key in the link is removed; if it is
    wrong, a message is shown.
    """
    key = st.query_params.get("key", "")
    if key:
        _take(code, key)
        del st.query_params["key"]  # not before: a database that is away is asked again
    cookie = "" if code in _keys() else lecturer_key.key_of(st.context.cookies, code)
    if cookie and housekeeping.store().is_lecturer(code, cookie):
        _keys()[code] = cookie
    return code in _keys()


def _take(code: str, text: str) -> None:
    """Store the lecturer's key of a room in the session, if the key is valid.

    ``text`` is the key, or a link that contains it. If the key is not valid, a message is shown when the page runs
    next.
    """
    key = dict(parse_qsl(text.partition("?")[2])).get("key", text.strip())
    if key.isascii() and housekeeping.store().is_lecturer(code, key):
        _keys()[code] = key
    else:
        st.session_state["room.problems"] = [T("lost.wrong", code=code)]


def _find_room(code: str) -> Room | None:
    """Return the room with this code, or None if there is none.

    The number of wrong codes that a visitor may try is limited, as on phones. If the database cannot be reached,
    the room is returned as it was last read; `Away` is raised if this session has not read it yet.
    """
    last = st.session_state.get("room.last")
    known = last is not None and last.code == code
    try:
        room = housekeeping.look(code, st.context.ip_address or "", known=known)
    except Away:
        if not known:
            raise
        return cast(Room, last)
    st.session_state["room.last"] = room
    return room


def _address() -> str:
    """Return the address of the page that phones open."""
    return f"{shell.address('room')}/join"


def _colours() -> Colours:
    return Colours(dark=st.context.theme.type == "dark")


def _door(code: str) -> None:
    shell.header(T("title"), T("question"), opening=T("opening"), action=_open_button)
    shell.problems(st.session_state.pop("room.refused", []))
    if code:
        st.info(T("door.closed", code=code))
        browser_key.forget(code)
    _way_back(code)
    with st.container(key="room_planning"):
        component.show(component.with_user_values(planning(), key="room"), key="room")
    with st.expander(T("door.kept_title"), key="room.kept"):
        st.markdown(T("door.kept"))


def _open_button() -> None:
    st.button(T("door.open"), type="primary", key="room.open", on_click=_open)


def _way_back(closed: str) -> None:
    """Draw a button for each open room whose lecturer's key this session or browser holds.

    If the database cannot be reached, no button is drawn.
    """
    cookies = st.context.cookies
    known = {code: lecturer_key.key_of(cookies, code) for code in lecturer_key.rooms_of(cookies)}
    known = {code: key for code, key in {**known, **_keys()}.items() if code != closed}
    try:
        codes_open = [c for c, key in known.items() if housekeeping.store().is_lecturer(c, key)]
    except Away:
        return
    for code in codes_open:
        st.button(T("door.back", code=code), key=f"room.back.{code}", on_click=_go_to, args=(code,))


def _go_to(code: str) -> None:
    st.query_params["room"] = code


def _open() -> None:
    session = st.session_state.setdefault("room.session", secrets.token_hex(8))
    try:
        code, key = housekeeping.open_room(session, st.context.ip_address or "")
    except Refused as refusal:
        st.session_state["room.refused"] = [str(refusal)]
        return
    _keys()[code] = key
    st.query_params["room"] = code


@st.fragment(run_every=1.0)
def _stage(code: str, phase: str) -> None:
    """Draw the current state of the room every second, and run the whole page again when its phase has changed."""
    try:
        room = st.session_state["room.last"] = housekeeping.store().room(code)
    except Away as refusal:
        room = st.session_state["room.last"]
        st.info(str(refusal))
    if room is None or f"{room.turn} {room.phase}" != phase:
        st.rerun()
    stage.draw(room, _address(), _colours())


def _projector(room: Room) -> None:
    st.html(_PROJECTOR_CSS)
    st.html(
        f'<h1 class="dp-title dp-said">{T("stage.heading")}</h1>'
    )  # heard; who looks sees the question
    _stage(room.code, f"{room.turn} {room.phase}")


def _visitor(room: Room) -> None:
    """Draw the room for a browser without the lecturer's key, with a field in which the key can be entered."""
    shell.header(T("title"), T("question"))
    shell.problems(st.session_state.pop("room.problems", []))
    st.info(T("lost.about", code=room.code))
    with st.expander(T("lost.title"), key="room.lost"):
        st.text_input(
            T("lost.label"), type="password", autocomplete="off", max_chars=500, key="room.given",
            on_change=_take_code, args=(room.code,),
        )  # fmt: skip
        st.caption(T("lost.else", until=time.strftime("%H:%M UTC", time.gmtime(room.expires))))
    _stage(room.code, f"{room.turn} {room.phase}")


def _take_code(code: str) -> None:
    try:
        _take(code, str(st.session_state.pop("room.given", "")))
    except Away as refusal:
        st.session_state["room.problems"] = [str(refusal)]


def _lecturer(room: Room) -> None:
    shell.header(T("title"), T("question"))
    shell.problems(st.session_state.pop("room.problems", []))
    left, right = st.columns([1, 2.2], gap="large")
    with left:
        st.header(T("lecturer.room", code=room.code))
        here = f"{shell.address('room')}/room?room={room.code}"
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
        browser_key.keep(room.code, _keys()[room.code])
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
