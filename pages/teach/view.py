"""The page Teach: a plan of ninety minutes, a lesson of one's own, and what to download."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any
from urllib.parse import parse_qsl

import segno
import streamlit as st

from pages.handout import figures, tasks, titles
from pages.teach import editing, ninety
from pages.teach.spec import PAGE
from ui.embed.class_page import snippet
from ui.embed.handout import handout
from ui.embed.lesson import Lesson, LessonError, check, read, written
from ui.embed.lesson_link import packed, unpacked
from ui.frame import shell
from ui.frame.page_spec import PageSpec

__all__ = ["draw"]

_CSS = "<style>.stMainBlockContainer {max-width: 84rem;}</style>"
_LONG = 900  # signs of a link whose QR code a phone reads badly from the last row
Specs = Mapping[str, PageSpec[Any]]


def draw() -> None:
    """Draw the page."""
    st.html(_CSS)
    shell.header(PAGE.title, PAGE.question, opening=PAGE.opening)
    specs = figures()
    exercises = titles()
    _begin(specs, exercises)
    _ninety(specs, exercises)
    st.header("Your lesson", anchor="lesson")
    _upload(specs, exercises)
    found = editing.edited(specs, exercises)
    st.header("Download or share", anchor="take")
    problems = check(found, specs, tuple(exercises))
    shell.problems(problems)
    if not problems:
        _take(found, specs)


def _begin(specs: Specs, exercises: Mapping[str, str]) -> None:
    """Start with the lesson of the link, or with one figure."""
    if "teach.lesson" in st.session_state:
        return
    first = Lesson(parts=(ninety.lesson(tuple(specs), tuple(exercises)).parts[0],))
    given = st.query_params.get("lesson", "")
    if given:
        try:
            first = _checked(unpacked(given[:4000]), specs, exercises)
        except LessonError as error:
            shell.problems([str(error)])
    editing.put(first)


def _checked(found: Lesson, specs: Specs, exercises: Mapping[str, str]) -> Lesson:
    problems = check(found, specs, tuple(exercises))
    if problems:
        raise LessonError(" ".join(problems))
    return found


def _ninety(specs: Specs, exercises: Mapping[str, str]) -> None:
    st.header("A plan for ninety minutes", anchor="plan")
    with st.expander("Six steps, each with its figure and its question", key="teach.plan"):
        for step in ninety.PLAN:
            st.markdown(f"**{step.title}**, {step.minutes} minutes. {step.ask}")
            with st.container(horizontal=True):
                shell.page_link(
                    step.page, "Figure", icon="➡️", query_params=dict(parse_qsl(step.link))
                )
                if step.exercise in exercises:
                    asked = {"exercise": step.exercise}
                    label = exercises[step.exercise]
                    shell.page_link("exercises", label, icon="✏️", query_params=asked)
        if st.button("Make it my lesson", key="teach.ninety"):
            editing.put(ninety.lesson(tuple(specs), tuple(exercises)))
            st.rerun()


def _upload(specs: Specs, exercises: Mapping[str, str]) -> None:
    given = st.file_uploader(
        "A lesson's file (YAML or JSON)",
        type=["yaml", "yml", "json"],
        key="teach.file",
        max_upload_size=1,
    )
    if given is None or st.session_state.get("teach.taken") == given.file_id:
        return
    st.session_state["teach.taken"] = given.file_id
    try:
        text = given.getvalue()[:100_000].decode("utf-8")
        editing.put(_checked(read(text), specs, exercises))
    except UnicodeDecodeError:
        shell.problems(["The file is not UTF-8: save it as such."])
    except LessonError as error:
        shell.problems([str(error), "The lesson below is as it was."])


def _take(found: Lesson, specs: Specs) -> None:
    base = shell.address(PAGE.key)
    link = f"{base}/handout/{packed(found)}"
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        st.markdown("**One link for everybody**: the figures and exercises, no solutions.")
        st.code(link, language=None, wrap_lines=True)
        slide = st.toggle("For a slide of reveal.js", key="teach.slide")
        st.markdown("**Figures for your slides or your course page**")
        st.code(
            "\n".join(snippet(part, specs, base, slide=slide) for part in found.parts),
            language="html", wrap_lines=True,
        )  # fmt: skip
        st.caption(
            "Another site may show them when the server's setting DPCORE_FRAME_ANCESTORS names it."
        )
    with right:
        st.html(f'<img alt="QR code of the link for everybody" width="280" src="{_code(link)}">')
        if len(link) > _LONG:
            st.caption("This lesson is long, and so is its code: show it large.")
    with st.container(horizontal=True):
        name = "lesson"
        st.download_button(
            "Lesson (YAML)", written(found), f"{name}.yaml", "application/yaml", on_click="ignore"
        )
        st.download_button(
            "Live handout (HTML)",
            partial(_for_everybody, found, specs, base),
            f"{name}.html", "text/html", on_click="ignore",
        )  # fmt: skip
    st.caption(
        "The handout is interactive and needs no server. It runs from a disk, a stick or any website, and prints "
        "with its pictures. Keep the lesson's file in version control: upload it here again, or run "
        "`python -m pages handout lesson.yaml`."
    )


def _for_everybody(found: Lesson, specs: Specs, base: str) -> str:
    """The live handout that this page gives: students can open the page too, so no solution is in it."""
    return handout(found, specs, address=base, tasks=tasks(replace(found, solutions=False)))


@lru_cache(maxsize=32)
def _code(link: str) -> str:
    """The QR code of a link as an address that holds the picture."""
    return str(segno.make(link, error="l", micro=False).png_data_uri(scale=6, border=3))
