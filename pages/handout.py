"""Content of a lesson's handout, an HTML file with interactive figures.

The command ``python -m pages handout`` writes this file.
"""

from __future__ import annotations

from collections.abc import Callable

from streamlit.logger import set_log_level

from dpcore._command import Progress
from pages import specs
from ui.embed.handout import Task, handout
from ui.embed.lesson import Lesson, LessonError, check, read
from ui.exercises.files import load_all
from ui.frame.page_spec import PageEntry

__all__ = ["lesson_pages", "tasks", "titles", "write"]


def lesson_pages() -> dict[str, PageEntry]:
    """Return the pages that a lesson may show, by their keys.

    If a page has no figure, a lesson shows a link to it.
    """
    return {page.key: page for page in specs()}


def write(text: str, address: str, tell: Callable[[str], None]) -> str:
    """Return the handout of a lesson as HTML.

    ``text`` is the content of the lesson's file, ``address`` the address of the application. The function ``tell``
    is called with a line of text after each finished part; the line also states the remaining time.

    Raises
    ------
    LessonError
        When the lesson cannot be used. The message states the reason.
    """
    lesson = read(text)
    pages = lesson_pages()
    set_log_level("error")  # pages ask for a session; here there is none, and none is needed
    problems = check(lesson, pages, tuple(load_all()))
    if problems:
        raise LessonError(" ".join(problems))
    progress = Progress(len(lesson.parts), tell)
    return handout(lesson, pages, address=address, tasks=tasks(lesson), tell=progress.step)


def tasks(lesson: Lesson) -> list[Task]:
    """Return the lesson's exercises as tuples (key, title, text, solution), with numbers drawn for this handout.

    The solution is "" unless the lesson asks for solutions.
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
