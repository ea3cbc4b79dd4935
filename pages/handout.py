"""Content of the file that ``python -m pages handout`` writes: a lesson's interactive figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.logger import set_log_level

from pages import specs
from ui.embed.handout import Task, handout
from ui.embed.lesson import Lesson, LessonError, check, read
from ui.exercises.files import load_all
from ui.frame.page_spec import PageSpec

__all__ = ["figures", "tasks", "titles", "write"]


def figures() -> dict[str, PageSpec[Any]]:
    """Return the pages that have an interactive figure, by their keys."""
    return {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}


def write(text: str, address: str, tell: Callable[[str], object]) -> str:
    """Return the handout, as HTML, for the text of a lesson's file.

    Raises
    ------
    LessonError
        When the lesson cannot be used; the message says why.
    """
    lesson = read(text)
    pages = figures()
    set_log_level("error")  # pages ask for a session; here there is none, and none is needed
    problems = check(lesson, pages, tuple(load_all()))
    if problems:
        raise LessonError(" ".join(problems))
    return handout(lesson, pages, address=address, tasks=tasks(lesson), tell=tell)


def tasks(lesson: Lesson) -> list[Task]:
    """Return the lesson's exercises as (key, title, text, solution), with numbers drawn for this handout.

    Solutions are empty unless the lesson requests them.
    """
    exercises = load_all()
    instances = [exercises[key].draw("handout", lesson.title) for key in lesson.exercises]
    return [
        (one.exercise.key, one.exercise.title, one.text, one.solution if lesson.solutions else "")
        for one in instances
    ]


def titles() -> dict[str, str]:
    """Return the titles of all exercises, by their keys."""
    return {key: exercise.title for key, exercise in load_all().items()}
