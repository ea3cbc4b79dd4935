"""Form in which a lecturer edits a lesson, one part at a time, and sets its values in the figure itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dpcore.exercises.receipts import is_name
from ui.embed.lesson import CLOSED, MOST_PARTS, Lesson, Shown
from ui.embed.query import Asked
from ui.embed.render_jobs import Made, TooMany, make
from ui.frame import controls, guarantee_card, shell
from ui.frame.page_spec import PageSpec, shown
from ui.live import Figure, component
from ui.live.depth import Depth
from ui.words import text

__all__ = ["edit", "lesson", "load_lesson"]

T = text.beside(__file__)
Specs = Mapping[str, PageSpec[Any]]
_HEIGHT = 520  # of a figure, in pixels
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
    """Draw the fields of the form, and return the lesson that they describe."""
    now = lesson()
    title = st.text_input(T("edit.title"), now.title, max_chars=200, key=_key("title"))
    place = _chosen_part(now, specs)
    part, look = _part(now.parts[place], specs, place)
    if look is None or look.figure is None:
        _wait(part.asked(specs))
    else:
        with st.expander(T("edit.set"), key=_key(f"{place}.set")):
            _values(part, part.asked(specs), look.figure, look.problems, place)
    parts = (*now.parts[:place], part, *now.parts[place + 1 :])
    chosen = st.multiselect(
        T("edit.exercises"), list(exercises), [key for key in now.exercises if key in exercises],
        format_func=lambda key: exercises[key], key=_key("exercises"),
    )  # fmt: skip
    with st.expander(T("edit.course_title"), key=_key("about_course")):
        course = _course(now)
        solutions = st.toggle(
            T("edit.solutions"), now.solutions, key=_key("solutions"),
            help=T("edit.solutions_help"),
        )  # fmt: skip
    draft = Lesson(
        title=title, parts=parts, exercises=tuple(chosen), solutions=solutions, course=course
    )
    st.session_state["teach.lesson"] = draft
    return draft


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
        shell.problems([T("edit.course_refused", name=name)])
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
    """Draw the fields of the part at index ``place``; return the part, and its figure if that is computed."""
    key = f"{place}."
    left, right = st.columns([1.6, 1])
    page: str = left.selectbox(
        T("edit.page"), list(specs), list(specs).index(part.page), key=_key(key + "page"),
        format_func=lambda name: specs[name].title,
    )  # fmt: skip
    query_fields = dict(parse_qsl(part.link)) if page == part.page else {}
    key += f"{page}."
    lists = {name: query_fields.pop(name, "").split(",") for name in _LISTS}
    depth: Any = right.selectbox(
        T("edit.depth"), list(Depth), _depth(query_fields.pop("depth", "look")), key=_key(key + "depth"),
        format_func=lambda request: request.words,
    )  # fmt: skip
    state = st.text_input(
        T("edit.state"), urlencode(query_fields), max_chars=1500,
        key=_key(key + "state"),
    )  # fmt: skip
    query = dict(parse_qsl(state.rpartition("?")[2]))
    whole_request = Shown(page=page, link=urlencode(query | {"depth": depth.in_link})).asked(specs)
    look = _made(whole_request)
    names = {item.name: item.label for item in specs[page].controls}
    above = st.text_input(T("edit.text"), part.text, max_chars=500, key=_key(f"{place}.text"))
    panels, locked, hidden = st.columns(3)
    chosen: dict[str, Any] = {}
    with panels:
        known = _panels(look)
        chosen["panel"] = _several(
            T("edit.panels"), known, lists["panel"], key + "panel", T("edit.panels_help")
        )
    with locked:
        chosen["locked"] = _several(T("edit.locked"), names, lists["locked"], key + "locked")
    with hidden:
        chosen["hidden"] = _several(T("edit.hidden"), names, lists["hidden"], key + "hidden")
    request = replace(whole_request, **chosen)
    shown_part = Shown(page=page, link=urlencode(request.query(), safe=","), text=above)
    shell.problems(list(whole_request.problems))
    return shown_part, _made(request)


def _several(
    words: str, known: Mapping[str, str], default: list[str], name: str, about: str = ""
) -> tuple[str, ...]:
    chosen = st.multiselect(
        words, list(known), [key for key in default if key in known], key=_key(name),
        format_func=lambda key: known.get(key, key) or key, help=about or None, placeholder=T("edit.none"),
    )  # fmt: skip
    return tuple(chosen)


def _depth(name: str) -> int:
    try:
        return int(Depth.from_link(name))
    except ValueError:
        return 0


def _made(request: Asked) -> Made | None:
    try:
        return make(request)
    except TooMany:
        return None


def _panels(look: Made | None) -> dict[str, str]:
    if look is None or look.figure is None:
        return {}
    whole = shown(look.asked.spec, look.state, look.asked.depth)
    return {panel.key: panel.title for panel in whole.panels}


def _values(part: Shown, asked: Asked, figure: Figure, problems: Sequence[str], place: int) -> None:
    """Draw the figure of a part of the lesson, and a button that stores its control values in the lesson.

    The figure is sent when the user scrolls near it.
    """
    name = f"teach_{place}"
    if not component.is_seen(name):
        return component.show_later(key=name, height=_HEIGHT)
    drawn = component.kept(figure, key=name)
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
    shell.problems([one for one in problems if one not in asked.problems])


@st.fragment(run_every=2)
def _wait(asked: Asked) -> None:
    """Run the page again when the figure is computed."""
    found = _made(asked)
    if found is not None and found.figure is not None:
        shell.rerun_from_part()
    st.caption(T("computing"))
