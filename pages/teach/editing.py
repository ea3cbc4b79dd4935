"""A lesson in a lecturer's hands: one part at a time is edited, beside what the class will see."""

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

__all__ = ["edited", "lesson", "put"]

Specs = Mapping[str, PageSpec[Any]]
_LISTS = ("panel", "locked", "hidden")


def lesson() -> Lesson:
    """Return the lesson as it is."""
    found: Lesson = st.session_state["teach.lesson"]
    return found


def put(found: Lesson) -> None:
    """Take another lesson: what stands in the fields is that of the new one."""
    st.session_state["teach.lesson"] = found
    st.session_state["teach.times"] = st.session_state.get("teach.times", 0) + 1


def edited(specs: Specs, exercises: Mapping[str, str]) -> Lesson:
    """Draw the fields and the preview; return the lesson as it is now."""
    now = lesson()
    title = st.text_input("Title", now.title, max_chars=200, key=_key("title"))
    place = _chosen_part(now, specs)
    left, right = st.columns([1, 1.7], gap="large")
    with left:
        part, look = _part(now.parts[place], specs, place)
    with right:
        _preview(part, part.asked(specs), look, place)
    parts = (*now.parts[:place], part, *now.parts[place + 1 :])
    chosen = st.multiselect(
        "Exercises", list(exercises), [key for key in now.exercises if key in exercises],
        format_func=lambda key: exercises[key], key=_key("exercises"),
    )  # fmt: skip
    course = _course(now)
    solutions = st.toggle(
        "Solutions in the handout that the command writes", now.solutions, key=_key("solutions"),
        help="Students can open this page as well, so nothing that is made here has solutions. Download the lesson "
        "(YAML) and run `python -m pages handout lesson.yaml` on a computer of your own.",
    )  # fmt: skip
    made = Lesson(
        title=title, parts=parts, exercises=tuple(chosen), solutions=solutions, course=course
    )
    st.session_state["teach.lesson"] = made
    return made


def _course(now: Lesson) -> str:
    """Ask for the course of the exercises, and whether it shows worked solutions."""
    name = st.text_input(
        "Course", now.course.removesuffix(CLOSED), max_chars=30, key=_key("course"),
        help="Part of everybody’s numbers and of the receipts. Without one they are those that are open to all.",
    ).strip()  # fmt: skip
    shows = st.toggle(
        "Worked solutions in the app, after three tries", not now.course.endswith(CLOSED), key=_key("shows"),
        help="Without them the course’s name ends in “.closed”. Whoever takes that off the link has other numbers "
        "and receipts.",
    )  # fmt: skip
    if name and not is_name(name):
        problems([f"“{name}” cannot be a course: use letters, digits, . - and _."])
        name = ""
    return name if shows else f"{name or 'class'}{CLOSED}"


def _key(name: str) -> str:
    return f"teach.{st.session_state.get('teach.times', 0)}.{name}"


def _chosen_part(now: Lesson, specs: Specs) -> int:
    """Ask which part is edited; parts come and go."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place: int = st.selectbox(
            "Figure", range(len(now.parts)), key=_key("part"),
            format_func=lambda k: f"{k + 1}. {specs[now.parts[k].page].title if k < len(now.parts) else ''}",
        )  # fmt: skip
        full = len(now.parts) >= MOST_PARTS
        if st.button("Add a figure", disabled=full, key=_key("add")):
            put(replace(now, parts=(*now.parts, now.parts[place])))
            st.session_state[_key("part")] = len(now.parts)
            st.rerun()
        if st.button("Remove it", disabled=len(now.parts) < 2, key=_key("remove")):
            put(replace(now, parts=now.parts[:place] + now.parts[place + 1 :]))
            st.rerun()
    return place


def _part(part: Shown, specs: Specs, place: int) -> tuple[Shown, Made | None]:
    """Draw the fields of a part; return what they say, and its figure when it is known."""
    key = f"{place}."
    page: str = st.selectbox(
        "Page", list(specs), list(specs).index(part.page), key=_key(key + "page"),
        format_func=lambda name: specs[name].title,
    )  # fmt: skip
    given = dict(parse_qsl(part.link)) if page == part.page else {}
    key += f"{page}."
    lists = {name: given.pop(name, "").split(",") for name in _LISTS}
    depth: Any = st.selectbox(
        "Depth", list(Depth), _depth(given.pop("depth", "look")), key=_key(key + "depth"),
        format_func=lambda found: found.words,
    )  # fmt: skip
    state = st.text_input(
        "State: paste the link of a page, or write epsilon=0.5", urlencode(given), max_chars=1500,
        key=_key(key + "state"),
    )  # fmt: skip
    query = dict(parse_qsl(state.rpartition("?")[2]))
    asked = Shown(page=page, link=urlencode(query | {"depth": depth.in_link})).asked(specs)
    look = _made(asked)
    names = {item.name: item.label for item in specs[page].controls}
    panels = _panels(look)
    chosen: dict[str, Any] = {
        "panel": _several(
            "Panels (without a choice: those outside of tabs)",
            panels,
            lists["panel"],
            key + "panel",
        ),
        "locked": _several("Locked controls", names, lists["locked"], key + "locked"),
        "hidden": _several("Hidden controls", names, lists["hidden"], key + "hidden"),
    }
    text = st.text_input("Words above it", part.text, max_chars=500, key=_key(f"{place}.text"))
    found = replace(asked, **chosen)
    shown_part = Shown(page=page, link=urlencode(found.query(), safe=","), text=text)
    problems(list(asked.problems))
    return shown_part, _made(found)


def _several(words: str, known: Mapping[str, str], given: list[str], name: str) -> tuple[str, ...]:
    chosen = st.multiselect(
        words, list(known), [key for key in given if key in known], key=_key(name),
        format_func=lambda key: known.get(key, key) or key,
    )  # fmt: skip
    return tuple(chosen)


def _depth(text: str) -> int:
    try:
        return int(Depth.from_link(text))
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
    """Draw what the class will see, as soon as it is computed."""
    if look is not None and look.figure is not None:
        name = f"teach_{place}"
        drawn = component.kept(look.figure, key=name)
        component.show(drawn, key=name)
        if "seed" in asked.params.controls():  # its figure draws noise
            guarantee_card.looking()
        if st.button("Begin with the values shown here", key=_key(f"{place}.keep")):
            params, _ = controls.apply(asked.params, drawn.values)
            link = urlencode(replace(asked, params=params).query(), safe=",")
            now = lesson()
            kept = (*now.parts[:place], replace(part, link=link), *now.parts[place + 1 :])
            put(replace(now, parts=kept))
            st.session_state[_key("part")] = place
            st.rerun()
        problems([text for text in look.problems if text not in asked.problems])
        return

    @st.fragment(run_every=2)
    def waits() -> None:
        found = _made(asked)
        if found is not None and found.figure is not None:
            st.rerun()
        st.caption("This figure is being computed. It follows by itself.")

    waits()
