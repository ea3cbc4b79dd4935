"""Content of the page Teach: a ninety-minute plan, a form for a lesson, and downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any
from urllib.parse import parse_qsl

import segno
import streamlit as st

from pages.handout import figures, tasks, titles
from pages.teach import editing, ninety, phone
from ui.embed.class_page import snippet
from ui.embed.handout import handout
from ui.embed.lesson import Lesson, LessonError, check, read, written
from ui.embed.lesson_link import packed, unpacked
from ui.frame import shell
from ui.frame.page_spec import PageSpec
from ui.words import text

__all__ = ["draw"]

T = text.beside(__file__)
_CSS = "<style>.stMainBlockContainer {max-width: 84rem;}</style>"
_MOST_CODE = 4000  # characters of a lesson in the address of this page
_LONG = 900  # characters of a link whose QR code a phone reads badly from the last row
Specs = Mapping[str, PageSpec[Any]]


def draw() -> None:
    """Draw the page Teach."""
    st.html(_CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    specs = figures()
    exercises = titles()
    _begin(specs, exercises)
    left, right = st.columns([1, 1.5], gap="large")
    with right:
        lesson = editing.edit(specs, exercises)
    problems = check(lesson, specs, tuple(exercises))
    with left.container(key="teach_preview"):
        if not problems:
            _preview(lesson)
    _more(specs, exercises)
    st.header(T("take.title"), anchor="take")
    shell.problems(problems)
    if not problems:
        _take(lesson, specs)


def _preview(found: Lesson) -> None:
    """Draw the class's page as a phone shows it, and write the lesson into the address of this page."""
    address = phone.link(found, shell.address("teach"))
    phone.show(address)
    code = packed(found)
    fits = len(code) <= _MOST_CODE
    if fits and st.query_params.get("lesson") != code:
        st.query_params["lesson"] = code
    st.caption(T("phone.saved" if fits else "phone.not_saved"))


def _more(specs: Specs, exercises: Mapping[str, str]) -> None:
    """Draw two ways to begin another lesson: the ninety-minute plan, and the upload of a lesson's file."""
    with st.expander(T("plan.open"), key="teach.plan"):
        _ninety(specs, exercises)
    with st.expander(T("upload.open"), key="teach.open"):
        _upload(specs, exercises)


def _begin(specs: Specs, exercises: Mapping[str, str]) -> None:
    """Load the lesson that the link contains, or a lesson with a single figure, unless the session already has
    one.
    """
    if "teach.lesson" in st.session_state:
        return
    first = Lesson(parts=(ninety.lesson(tuple(specs), tuple(exercises)).parts[0],))
    link = st.query_params.get("lesson", "")
    if link:
        try:
            first = _checked(unpacked(link[:_MOST_CODE]), specs, exercises)
        except LessonError as error:
            shell.problems([str(error)])
    editing.load_lesson(first)


def _checked(lesson: Lesson, specs: Specs, exercises: Mapping[str, str]) -> Lesson:
    problems = check(lesson, specs, tuple(exercises))
    if problems:
        raise LessonError(" ".join(problems))
    return lesson


def _ninety(specs: Specs, exercises: Mapping[str, str]) -> None:
    for step in ninety.PLAN:
        st.markdown(T("plan.step", title=step.title, minutes=step.minutes, ask=step.ask))
        with st.container(horizontal=True):
            shell.page_link(
                step.page, T("plan.figure"), icon="➡️", query_params=dict(parse_qsl(step.link))
            )
            if step.exercise in exercises:
                params = {"exercise": step.exercise}
                label = exercises[step.exercise]
                shell.page_link("exercises", label, icon="✏️", query_params=params)
    if st.button(T("plan.take"), key="teach.ninety"):
        editing.load_lesson(ninety.lesson(tuple(specs), tuple(exercises)))
        st.rerun()


def _upload(specs: Specs, exercises: Mapping[str, str]) -> None:
    file = st.file_uploader(
        T("upload.label"),
        type=["yaml", "yml", "json"],
        key="teach.file",
        max_upload_size=1,
    )
    if file is None or st.session_state.get("teach.taken") == file.file_id:
        return
    st.session_state["teach.taken"] = file.file_id
    try:
        content = file.getvalue()[:100_000].decode("utf-8")
        editing.load_lesson(_checked(read(content), specs, exercises))
        st.rerun()  # the form and the phone stand above
    except UnicodeDecodeError:
        shell.problems([T("upload.encoding")])
    except LessonError as error:
        shell.problems([str(error), T("upload.kept")])


def _take(lesson: Lesson, specs: Specs) -> None:
    base = shell.address("teach")
    link = phone.link(lesson, base)
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        st.markdown(T("take.link"))
        st.code(link, language=None, wrap_lines=True)
        slide = st.toggle(T("take.slide"), key="teach.slide")
        st.markdown(T("take.figures"))
        st.code(
            "\n".join(snippet(part, specs, base, slide=slide) for part in lesson.parts),
            language="html", wrap_lines=True,
        )  # fmt: skip
        st.caption(T("take.ancestors"))
    with right:
        st.html(f'<img alt="{T("take.qr")}" width="280" src="{_code(link)}">')
        if len(link) > _LONG:
            st.caption(T("take.long"))
    with st.container(horizontal=True):
        name = "lesson"
        st.download_button(
            T("take.yaml"), written(lesson), f"{name}.yaml", "application/yaml", on_click="ignore"
        )
        st.download_button(
            T("take.handout"),
            partial(_for_everybody, lesson, specs, base),
            f"{name}.html", "text/html", on_click="ignore",
        )  # fmt: skip
    st.caption(T("take.about"))


def _for_everybody(lesson: Lesson, specs: Specs, base: str) -> str:
    """Return the handout of a lesson as HTML, without solutions, since students can open this page too."""
    return handout(lesson, specs, address=base, tasks=tasks(replace(lesson, solutions=False)))


@lru_cache(maxsize=32)
def _code(link: str) -> str:
    """Return the QR code of a link as a data URI."""
    return str(segno.make(link, error="l", micro=False).png_data_uri(scale=6, border=3))
