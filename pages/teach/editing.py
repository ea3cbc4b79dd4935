"""Form in which a lecturer edits a lesson, one part at a time, with a preview of what the class sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dpcore.exercises.receipts import is_name
from ui.embed.lesson import CLOSED, MOST_PARTS, Lesson, Shown
from ui.embed.query import Asked
from ui.embed.render_jobs import Made, TooMany, make
from ui.frame import controls, guarantee_card
from ui.frame.depth import Depth
from ui.frame.page_spec import PageSpec, shown
from ui.frame.shell import problems
from ui.live import component
from ui.words import text

__all__ = ["edit", "lesson", "load_lesson"]

T = text.beside(__file__)
Specs = Mapping[str, PageSpec[Any]]
_LISTS = ("panel", "locked", "hidden")


def lesson() -> Lesson:
    """Return the lesson that this session is editing."""
    present: Lesson = st.session_state["teach.lesson"]
    return present


def load_lesson(other: Lesson) -> None:
    """Replace the lesson that is being edited, and reset the fields of the form."""
    st.session_state["teach.lesson"] = other
    st.session_state["teach.times"] = st.session_state.get("teach.times", 0) + 1


def edit(specs: Specs, exercises: Mapping[str, str]) -> Lesson:
    """Draw the fields of the form and the preview; return the lesson as edited."""
    now = lesson()
    title = st.text_input(T("edit.title"), now.title, max_chars=200, key=_key("title"))
    place = _chosen_part(now, specs)
    left, right = st.columns([1, 1.7], gap="large")
    with left:
        part, look = _part(now.parts[place], specs, place)
    with right:
        _preview(part, part.asked(specs), look, place)
    parts = (*now.parts[:place], part, *now.parts[place + 1 :])
    chosen = st.multiselect(
        T("edit.exercises"), list(exercises), [key for key in now.exercises if key in exercises],
        format_func=lambda key: exercises[key], key=_key("exercises"),
    )  # fmt: skip
    course = _course(now)
    solutions = st.toggle(
        T("edit.solutions"), now.solutions, key=_key("solutions"),
        help=T("edit.solutions_help"),
    )  # fmt: skip
    made = Lesson(
        title=title, parts=parts, exercises=tuple(chosen), solutions=solutions, course=course
    )
    st.session_state["teach.lesson"] = made
    return made


def _course(now: Lesson) -> str:
    """Draw the fields for the course of the exercises and for worked solutions; return the name of the course."""
    name = st.text_input(
        T("edit.course"), now.course.removesuffix(CLOSED), max_chars=30, key=_key("course"),
        help=T("edit.course_help"),
    ).strip()  # fmt: skip
    shows = st.toggle(
        T("edit.shows"), not now.course.endswith(CLOSED), key=_key("shows"),
        help=T("edit.shows_help"),
    )  # fmt: skip
    if name and not is_name(name):
        problems([T("edit.course_refused", name=name)])
        name = ""
    return name if shows else f"{name or 'class'}{CLOSED}"


def _key(name: str) -> str:
    return f"teach.{st.session_state.get('teach.times', 0)}.{name}"


def _chosen_part(now: Lesson, specs: Specs) -> int:
    """Draw the list of parts with buttons to add and remove one; return the index of the chosen part."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place: int = st.selectbox(
            T("edit.part"), range(len(now.parts)), key=_key("part"),
            format_func=lambda k: f"{k + 1}. {specs[now.parts[k].page].title if k < len(now.parts) else ''}",
        )  # fmt: skip
        full = len(now.parts) >= MOST_PARTS
        if st.button(T("edit.add"), disabled=full, key=_key("add")):
            load_lesson(replace(now, parts=(*now.parts, now.parts[place])))
            st.session_state[_key("part")] = len(now.parts)
            st.rerun()
        if st.button(T("edit.remove"), disabled=len(now.parts) < 2, key=_key("remove")):
            load_lesson(replace(now, parts=now.parts[:place] + now.parts[place + 1 :]))
            st.rerun()
    return place


def _part(part: Shown, specs: Specs, place: int) -> tuple[Shown, Made | None]:
    """Draw the fields of the part at index ``place``; return the part and, if it is computed, its figure."""
    key = f"{place}."
    page: str = st.selectbox(
        T("edit.page"), list(specs), list(specs).index(part.page), key=_key(key + "page"),
        format_func=lambda name: specs[name].title,
    )  # fmt: skip
    given = dict(parse_qsl(part.link)) if page == part.page else {}
    key += f"{page}."
    lists = {name: given.pop(name, "").split(",") for name in _LISTS}
    depth: Any = st.selectbox(
        T("edit.depth"), list(Depth), _depth(given.pop("depth", "look")), key=_key(key + "depth"),
        format_func=lambda found: found.words,
    )  # fmt: skip
    state = st.text_input(
        T("edit.state"), urlencode(given), max_chars=1500,
        key=_key(key + "state"),
    )  # fmt: skip
    query = dict(parse_qsl(state.rpartition("?")[2]))
    asked = Shown(page=page, link=urlencode(query | {"depth": depth.in_link})).asked(specs)
    look = _made(asked)
    names = {item.name: item.label for item in specs[page].controls}
    panels = _panels(look)
    chosen: dict[str, Any] = {
        "panel": _several(
            T("edit.panels"),
            panels,
            lists["panel"],
            key + "panel",
        ),
        "locked": _several(T("edit.locked"), names, lists["locked"], key + "locked"),
        "hidden": _several(T("edit.hidden"), names, lists["hidden"], key + "hidden"),
    }
    above = st.text_input(T("edit.text"), part.text, max_chars=500, key=_key(f"{place}.text"))
    found = replace(asked, **chosen)
    shown_part = Shown(page=page, link=urlencode(found.query(), safe=","), text=above)
    problems(list(asked.problems))
    return shown_part, _made(found)


def _several(words: str, known: Mapping[str, str], given: list[str], name: str) -> tuple[str, ...]:
    chosen = st.multiselect(
        words, list(known), [key for key in given if key in known], key=_key(name),
        format_func=lambda key: known.get(key, key) or key,
    )  # fmt: skip
    return tuple(chosen)


def _depth(name: str) -> int:
    try:
        return int(Depth.from_link(name))
    except ValueError:
        return 0


def _made(asked: Asked) -> Made | None:
    try:
        return make(asked)
    except TooMany:
        return None


def _panels(look: Made | None) -> dict[str, str]:
    if look is None or look.figure is None:
        return {}
    whole = shown(look.asked.spec, look.state, look.asked.depth)
    return {panel.key: panel.title for panel in whole.panels}


def _preview(part: Shown, asked: Asked, look: Made | None, place: int) -> None:
    """Draw what the class sees of a part; until its figure is computed, a note."""
    if look is not None and look.figure is not None:
        name = f"teach_{place}"
        drawn = component.kept(look.figure, key=name)
        component.show(drawn, key=name)
        if "seed" in asked.params.controls():  # its figure draws noise
            guarantee_card.looking()
        if st.button(T("edit.keep"), key=_key(f"{place}.keep")):
            params, _ = controls.apply(asked.params, drawn.values)
            link = urlencode(replace(asked, params=params).query(), safe=",")
            now = lesson()
            kept = (*now.parts[:place], replace(part, link=link), *now.parts[place + 1 :])
            load_lesson(replace(now, parts=kept))
            st.session_state[_key("part")] = place
            st.rerun()
        problems([one for one in look.problems if one not in asked.problems])
        return

    @st.fragment(run_every=2)
    def waits() -> None:
        found = _made(asked)
        if found is not None and found.figure is not None:
            st.rerun()
        st.caption(T("computing"))

    waits()
