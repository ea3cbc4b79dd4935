"""Content of the Teach page: a ninety-minute plan, a form for a lesson, and downloads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from html import escape
from urllib.parse import parse_qsl

import segno
import streamlit as st

from pages.handout import lesson_pages, tasks, titles
from pages.teach import editing, ninety, phone, ready
from ui.classroom import housekeeping
from ui.classroom.models import Refused
from ui.embed.class_page import snippet
from ui.embed.handout import handout
from ui.embed.lesson import Lesson, LessonError, Pages, check, read, written
from ui.embed.lesson_link import MOST_LINK, packed, unpacked
from ui.exercises.files import in_set
from ui.frame import shell
from ui.upload.files import release
from ui.words import text

__all__ = ["draw"]

T = text.load_text(__file__)
_CSS = """<style>
.stMainBlockContainer {max-width: 92rem;}
.dp-lesson-code {display: block; width: min(100%, 72vh); margin: 0 auto; border-radius: 0.6rem;}
.dp-lesson-address {font-size: 1.2rem; text-align: center; overflow-wrap: anywhere; margin: 0;}
</style>"""


def draw() -> None:
    """Draw the Teach page."""
    st.html(_CSS + ready.CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    pages = lesson_pages()
    exercises = titles()
    _begin(pages, exercises)
    ready.draw(pages, exercises)
    st.header(T("yours"), anchor="yours")
    left, right = st.columns([1, 1.5], gap="large")
    with right:
        keys = in_set(exercises, st.query_params.get("set", ""))
        keys += [key for key in editing.lesson().exercises if key in exercises and key not in keys]
        lesson = editing.edit(pages, {key: exercises[key] for key in keys})
    problems = check(lesson, pages, tuple(exercises))
    code = "" if problems else packed(lesson)
    with left.container(key="teach_preview"):
        if code:
            _preview(code)
    _more(pages, exercises)
    st.header(T("take.title"), anchor="take")
    shell.problems(problems)
    if code:
        _take(lesson, code, pages)


def _preview(code: str) -> None:
    """Draw a lesson, packed as the text ``code``, on a phone, and write the lesson into the address of this page.

    A lesson that is too long for the address is not written.
    """
    phone.show(phone.link(code, shell.address("teach")))
    fits = len(code) <= MOST_LINK
    if fits and st.query_params.get("lesson") != code:
        st.query_params["lesson"] = code
    st.caption(T("phone.saved" if fits else "phone.not_saved"))


def _more(pages: Pages, exercises: Mapping[str, str]) -> None:
    """Draw two ways to begin another lesson: the ninety-minute plan, and a field to upload the file of a lesson."""
    with st.expander(T("plan.open"), key="teach.plan"):
        _ninety(pages, exercises)
    with st.expander(T("upload.open"), key="teach.open"):
        _upload(pages, exercises)


def _begin(pages: Pages, exercises: Mapping[str, str]) -> None:
    """Load the first lesson of a session: the lesson in the link or, without one, a lesson with a single figure."""
    if "teach.lesson" in st.session_state:
        return
    plan = ninety.lesson(tuple(pages), tuple(exercises))
    first = Lesson(parts=(next(part for part in plan.parts if part.request(pages)),))
    link = st.query_params.get("lesson", "")
    if link:
        try:
            first = _checked(unpacked(link), pages, exercises)
        except LessonError as error:
            shell.problems([str(error)])
    editing.load_lesson(first)


def _checked(lesson: Lesson, pages: Pages, exercises: Mapping[str, str]) -> Lesson:
    problems = check(lesson, pages, tuple(exercises))
    if problems:
        raise LessonError(" ".join(problems))
    return lesson


def _ninety(pages: Pages, exercises: Mapping[str, str]) -> None:
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
        editing.load_lesson(ninety.lesson(tuple(pages), tuple(exercises)))
        st.rerun()


def _upload(pages: Pages, exercises: Mapping[str, str]) -> None:
    file = st.file_uploader(
        T("upload.label"),
        type=["yaml", "yml", "json"],
        key="teach.file",
        max_upload_size=1,
    )
    if file is None or st.session_state.get("teach.taken") == file.file_id:
        return
    st.session_state["teach.taken"] = file.file_id
    release(file.file_id)
    try:
        content = file.getvalue()[:100_000].decode("utf-8")
        editing.load_lesson(_checked(read(content), pages, exercises))
        st.rerun()  # the form and the phone stand above
    except UnicodeDecodeError:
        shell.problems([T("upload.encoding")])
    except LessonError as error:
        shell.problems([str(error), T("upload.kept")])


def _take(lesson: Lesson, code: str, pages: Pages) -> None:
    base = shell.address("teach")
    link = phone.link(_short_keys().get(code, code), base)
    left, right = st.columns([1.6, 1], gap="large")
    with left:
        st.markdown(T("take.link"))
        st.code(link, language=None, wrap_lines=True)
        slide = st.toggle(T("take.slide"), key="teach.slide")
        st.markdown(T("take.figures"))
        st.code(
            "\n".join(snippet(part, pages, base, slide=slide) for part in lesson.parts),
            language="html", wrap_lines=True,
        )  # fmt: skip
        st.caption(T("take.ancestors"))
    with right:
        st.markdown(T("take.short"))
        if st.button(T("take.show_code"), key="teach.code", on_click=_keep, args=(code,)):
            _large(link)
    with st.container(horizontal=True):
        name = "lesson"
        st.download_button(
            T("take.yaml"), written(lesson), f"{name}.yaml", "application/yaml", on_click="ignore"
        )
        st.download_button(
            T("take.handout"),
            partial(_for_everybody, lesson, pages, base),
            f"{name}.html", "text/html", on_click="ignore",
        )  # fmt: skip
    st.caption(T("take.about"))


def _for_everybody(lesson: Lesson, pages: Pages, base: str) -> str:
    """Return the handout of a lesson as HTML, without solutions, since students can also open this page."""
    return handout(lesson, pages, address=base, tasks=tasks(replace(lesson, solutions=False)))


def _short_keys() -> dict[str, str]:
    """Return the short keys of the lessons that this session has stored, by the lesson packed as a text."""
    keys: dict[str, str] = st.session_state.setdefault("teach.keys", {})
    return keys


def _keep(code: str) -> None:
    """Store a lesson, packed as the text ``code``, on the server, and remember its short key.

    If the server refuses, the reason is shown later.
    """
    try:
        _short_keys()[code] = housekeeping.lessons().keep(code, st.context.ip_address or "")
    except Refused as refusal:
        st.session_state["teach.refused"] = str(refusal)


@st.dialog(T("take.code_title"), width="large")
def _large(link: str) -> None:
    """Display the QR code of a link in the largest size that the window allows, and the link below it."""
    shell.problems([refused] if (refused := st.session_state.pop("teach.refused", "")) else [])
    st.html(f'<img class="dp-lesson-code" alt="{T("take.qr")}" src="{_code(link)}">')
    st.html(f'<p class="dp-lesson-address">{escape(link.partition("://")[2])}</p>')


@lru_cache(maxsize=32)
def _code(link: str) -> str:
    """Return the QR code of a link as a data URI."""
    return str(segno.make(link, error="m", micro=False).svg_data_uri(border=4, light="#fff"))
