"""Form in which a lecturer edits the parts of a lesson, also by moving the controls of their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dpcore.exercises.receipts import is_name
from ui.embed.lesson import CLOSED, MOST_PARTS, Lesson, Pages, Shown
from ui.embed.query import FigureRequest, parse_request
from ui.embed.render_jobs import RenderedFigure, TooMany, make
from ui.frame import controls, guarantee_card, shell
from ui.frame.page_spec import PageSpec, shown
from ui.live import Figure, component
from ui.live.depth import Depth
from ui.words import text

__all__ = ["edit", "lesson", "load_lesson"]

T = text.load_text(__file__)
_HEIGHT = 520  # of a figure, in pixels
_LISTS = ("panel", "locked", "hidden")


def lesson() -> Lesson:
    """Return the lesson that this session is editing."""
    present: Lesson = st.session_state["teach.lesson"]
    return present


def load_lesson(other: Lesson) -> None:
    """Replace the lesson that this session is editing, and fill the form with the new one."""
    st.session_state["teach.lesson"] = other
    st.session_state["teach.times"] = st.session_state.get("teach.times", 0) + 1


def edit(pages: Pages, exercises: Mapping[str, str]) -> Lesson:
    """Draw the form for a lesson; return the lesson as it is filled in."""
    now = lesson()
    title = st.text_input(T("edit.title"), now.title, max_chars=200, key=_key("title"))
    place = _chosen_part(now, pages)
    part, look = _part(now.parts[place], pages, place)
    request = part.request(pages)
    if request is not None:  # the page has a figure
        if look is None or look.figure is None:
            _wait(request)
        else:
            with st.expander(T("edit.set"), key=_key(f"{place}.set")):
                _values(part, request, look.figure, look.problems, place)
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
    """Draw the fields for the course's name and for worked solutions; return the name.

    If students may not see worked solutions, a marker is appended to the name.
    """
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


def _chosen_part(now: Lesson, pages: Pages) -> int:
    """Draw the list of a lesson's parts, and buttons that add or remove a part; return the chosen part's index."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place: int = st.selectbox(
            T("edit.part"), range(len(now.parts)), key=_key("part"),
            format_func=lambda k: f"{k + 1}. {pages[now.parts[k].page].title if k < len(now.parts) else ''}",
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


def _part(part: Shown, pages: Pages, place: int) -> tuple[Shown, RenderedFigure | None]:
    """Draw the fields for the part at index ``place``; return the part as it is filled in, and its figure.

    The figure is None if the part's page has no figure, or if the figure is not computed yet.
    """
    key = f"{place}."
    left, right = st.columns([1.6, 1])
    page: str = left.selectbox(
        T("edit.page"), list(pages), list(pages).index(part.page), key=_key(key + "page"),
        format_func=lambda name: pages[name].title,
    )  # fmt: skip
    query_fields = dict(parse_qsl(part.link)) if page == part.page else {}
    key += f"{page}."
    spec = pages[page]
    if not isinstance(spec, PageSpec):
        state = _state(query_fields, key)
        return Shown(page=page, link=urlencode(state), text=_above(part, place)), None
    lists = {name: query_fields.pop(name, "").split(",") for name in _LISTS}
    depth: Any = right.selectbox(
        T("edit.depth"), list(Depth), _depth(query_fields.pop("depth", "look")), key=_key(key + "depth"),
        format_func=lambda request: request.words,
    )  # fmt: skip
    whole_request = parse_request(spec, _state(query_fields, key) | {"depth": depth.in_link})
    look = _render(whole_request)
    names = {item.name: item.label for item in spec.controls}
    above = _above(part, place)
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
    return shown_part, _render(request)


def _state(query: Mapping[str, str], key: str) -> dict[str, str]:
    """Draw the field for the link of a page; return the query of the link, with the page's parameters by name."""
    shown_query = urlencode({name: value for name, value in query.items() if name != "v"})
    text = st.text_input(T("edit.state"), shown_query, max_chars=1500, key=_key(key + "state"))
    version = {"v": query["v"]} if "v" in query else {}
    return version | dict(parse_qsl(text.rpartition("?")[2]))


def _above(part: Shown, place: int) -> str:
    """Draw the field for the text that a lesson shows above a part; return the text."""
    return st.text_input(T("edit.text"), part.text, max_chars=500, key=_key(f"{place}.text"))


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


def _render(request: FigureRequest) -> RenderedFigure | None:
    try:
        return make(request)
    except TooMany:
        return None


def _panels(look: RenderedFigure | None) -> dict[str, str]:
    if look is None or look.figure is None:
        return {}
    whole = shown(look.request.spec, look.state, look.request.depth)
    return {panel.key: panel.title for panel in whole.panels}


def _values(
    part: Shown, request: FigureRequest, figure: Figure, problems: Sequence[str], place: int
) -> None:
    """Draw the figure of a part, and a button that stores the current values of its controls in the lesson.

    The figure is sent when the user scrolls near it.
    """
    name = f"teach_{place}"
    if not component.is_seen(name):
        return component.show_later(key=name, height=_HEIGHT)
    drawn = component.with_user_values(figure, key=name)
    component.show(drawn, key=name)
    if request.params.draws_noise:
        guarantee_card.looking()
    if st.button(T("edit.keep"), key=_key(f"{place}.keep")):
        params, _ = controls.apply(request.params, drawn.values)
        link = urlencode(replace(request, params=params).query(), safe=",")
        now = lesson()
        kept = (*now.parts[:place], replace(part, link=link), *now.parts[place + 1 :])
        load_lesson(replace(now, parts=kept))
        st.session_state[_key("part")] = place
        st.rerun()
    shell.problems([one for one in problems if one not in request.problems])


@st.fragment(run_every=2)
def _wait(request: FigureRequest) -> None:
    """Wait until a part's figure is computed, then run the page again."""
    found = _render(request)
    if found is not None and found.figure is not None:
        shell.rerun_from_part()
    st.caption(T("computing"))
