"""Lesson files: lists of figures with given parameters and of exercises, stored by lecturers with their slides."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import yaml

from dpcore.exercises.plain_yaml import LOADER, refuse_references
from dpcore.exercises.receipts import is_name
from ui.embed.query import FigureRequest, parse_request
from ui.frame.page_spec import PageEntry, PageSpec
from ui.words.text import load_text

__all__ = [
    "CLOSED", "MOST_PARTS", "MOST_SIGNS", "Lesson", "LessonError", "Pages", "Shown", "check",
    "lesson_of", "read", "written",
]  # fmt: skip

MOST_PARTS = 12
CLOSED = ".closed"  # ends a course without worked solutions: who takes it off has other numbers, and other receipts
MOST_SIGNS = 20_000
_KINDS = {
    "title": str, "parts": list, "exercises": list, "solutions": bool, "course": str, "version": int,
}  # fmt: skip
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair
T = load_text(__file__)
Pages = Mapping[str, PageEntry]
"""The application's pages, by their keys."""


class LessonError(ValueError):
    """Error in a lesson's file; its message states the place in the file and the reason."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One part of a lesson: a figure with a text, or a link to a page without a figure.

    ``page`` is the key of the page, ``link`` its query. For a page with a figure, ``link`` is the query
    of the embedded figure: the parameters of the page, and ``panel``, ``locked``, ``hidden`` and
    ``depth``.
    """

    page: str
    link: str = ""
    text: str = ""

    def request(self, pages: Pages) -> FigureRequest | None:
        """Return the request for this figure, with its query parsed.

        Return None if the page has no figure.
        """
        spec = pages[self.page]
        return (
            parse_request(spec, dict(parse_qsl(self.link))) if isinstance(spec, PageSpec) else None
        )

    def address(self, base: str) -> str:
        """Return the address of the full page in the application at the address ``base``."""
        return f"{base.rstrip('/')}/{self.page}?{self.link}".rstrip("?")


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson: its title, figures, exercises and course.

    - ``solutions``: whether a handout contains the solutions of the exercises.
    - ``course``: name of the course. In a course each student gets different numbers in the exercises,
      and signed receipts for solved exercises. If it is "", the exercises are open to everybody.
    """

    title: str = T("lesson.title")
    parts: tuple[Shown, ...] = ()
    exercises: tuple[str, ...] = ()
    solutions: bool = False
    course: str = ""
    version: int = field(default=1)

    def exercise(self, key: str) -> str:
        """Return the link to an exercise in this lesson's course."""
        return f"exercises?{urlencode({'exercise': key} | ({'course': self.course} if self.course else {}))}"


def written(lesson: Lesson) -> str:
    """Return a lesson as the text of a YAML file."""
    fields = asdict(lesson) | {
        "parts": [{k: v for k, v in asdict(part).items() if v} for part in lesson.parts],
        "exercises": list(lesson.exercises),
    }
    return str(yaml.safe_dump(fields, sort_keys=False, allow_unicode=True, width=100))


def read(text: str) -> Lesson:
    """Return the lesson in the text of a YAML or JSON file.

    Aliases are refused, since they could expand endlessly.

    Raises
    ------
    LessonError
        When the lesson is invalid. The message names the place in the file.
    """
    if len(text) > MOST_SIGNS:
        raise LessonError(T("file.long", n=len(text), most=MOST_SIGNS))
    try:
        fields = json.loads(text) if text.lstrip().startswith("{") else _yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:160]
        raise LessonError(T("file.no_format", error=reason)) from error
    return lesson_of(fields)


def lesson_of(fields: Any) -> Lesson:
    """Return the lesson that a parsed file or link specifies.

    Raises
    ------
    LessonError
        When the lesson is invalid. The message names the place in the lesson.
    """
    _no_surrogates(fields)
    _fields(fields, _KINDS, T("file.whole"))
    if fields.get("version", 1) != 1:
        raise LessonError(T("file.version", version=_brief(fields["version"])))
    parts = fields.get("parts", [])
    if not 1 <= len(parts) <= MOST_PARTS:
        raise LessonError(T("file.parts", n=len(parts), most=MOST_PARTS))
    for place, part in enumerate(parts, start=1):
        _fields(part, {"page": str, "link": str, "text": str}, T("file.part", place=place))
        if not part.get("page"):
            raise LessonError(T("file.no_page", place=place))
    wrong = [item for item in fields.get("exercises", []) if not isinstance(item, str)]
    if wrong:
        raise LessonError(T("file.exercise_name", exercise=_brief(wrong[0])))
    return Lesson(
        title=fields.get("title", Lesson.title)[:200],
        parts=tuple(Shown(**part) for part in parts),
        exercises=tuple(fields.get("exercises", [])),
        solutions=fields.get("solutions", False),
        course=_course(fields.get("course", "")),
    )


def _brief(value: Any) -> str:
    """Return the first 40 characters of a value, for an error message."""
    try:
        return str(value)[:40]
    except ValueError:  # Python writes no longer integer
        return T("file.huge", most=sys.get_int_max_str_digits())


def _no_surrogates(value: Any) -> None:
    """Raise `LessonError` if a text contains half of a surrogate pair.

    Such a text cannot be encoded in a page.
    """
    if isinstance(value, str) and not value.isascii() and _HALF.search(value):
        raise LessonError(T("file.half_sign", text=_HALF.sub("�", value)[:40]))
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for item in value:
            _no_surrogates(item)


def _course(name: str) -> str:
    if name and not is_name(name):
        raise LessonError(T("file.course", course=name[:40]))
    return name


def check(lesson: Lesson, pages: Pages, exercises: Sequence[str] = ()) -> list[str]:
    """Return an error message for every page, parameter or exercise of a lesson that is not allowed.

    A page or an exercise is not allowed if it does not exist.
    """
    problems = []
    for place, part in enumerate(lesson.parts, start=1):
        if part.page not in pages:
            known = ", ".join(pages)
            problems.append(T("file.page", place=place, page=part.page[:40], pages=known))
        elif request := part.request(pages):
            wrong = request.problems
            problems += [T("file.problem", place=place, problem=problem) for problem in wrong]
    problems += [
        T("file.exercise", exercise=key[:40]) for key in lesson.exercises if key not in exercises
    ]
    return problems


def _yaml(text: str) -> Any:
    refuse_references(text)
    return yaml.load(text, LOADER)


def _fields(fields: Any, known: Mapping[str, type], where: str) -> None:
    """Raise `LessonError` unless ``fields`` maps names to values of the types that ``known`` has for these names."""
    if not isinstance(fields, dict):
        raise LessonError(T("file.no_fields", where=where, form=T("file.form")))
    for name, value in fields.items():
        if name not in known:
            raise LessonError(
                T("file.unknown", where=where, name=_brief(name), form=T("file.form"))
            )
        if not isinstance(value, known[name]):
            raise LessonError(T("file.kind", where=where, name=name, kind=known[name].__name__))
