"""Lesson files, which list figures in given states and exercises, to be stored with a lecturer's slides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import yaml

from dpcore.exercises.plain_yaml import refuse_references
from dpcore.exercises.receipts import is_name
from ui.embed.query import Asked, asked
from ui.frame.page_spec import PageSpec
from ui.words.text import beside

__all__ = ["CLOSED", "MOST_PARTS", "Lesson", "LessonError", "Shown", "check", "read", "written"]

MOST_PARTS = 12
CLOSED = ".closed"  # ends a course without worked solutions: who takes it off has other numbers, and other receipts
_MOST_SIGNS = 20_000
_KINDS = {
    "title": str, "parts": list, "exercises": list, "solutions": bool, "course": str, "version": int,
}  # fmt: skip
T = beside(__file__)


class LessonError(ValueError):
    """Error in a lesson's file; its message names the place and the reason."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One figure of a lesson, with an introductory text.

    ``page`` is the key of the figure's page. ``link`` is the query of an embedded figure: the page's parameters with
    ``panel``, ``locked``, ``hidden`` and ``depth``.
    """

    page: str
    link: str = ""
    text: str = ""

    def asked(self, specs: Mapping[str, PageSpec[Any]]) -> Asked:
        """Return the request for this figure, with its query parsed."""
        return asked(specs[self.page], dict(parse_qsl(self.link)))


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson: title, figures, exercises and their course, and whether a handout contains solutions.

    A student's numbers and receipts belong to the course; "" is the course that is open to everybody.
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
    """Return the lesson in the text of a YAML or JSON file; aliases, which could expand endlessly, are refused.

    Raises
    ------
    LessonError
        When the lesson is invalid; the message says where.
    """
    if len(text) > _MOST_SIGNS:
        raise LessonError(T("file.long", n=len(text), most=_MOST_SIGNS))
    try:
        fields = json.loads(text) if text.lstrip().startswith("{") else _yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise LessonError(T("file.no_format", error=str(error)[:120])) from error
    _fields(fields, _KINDS, T("file.whole"))
    if fields.get("version", 1) != 1:
        raise LessonError(T("file.version", version=fields["version"]))
    parts = fields.get("parts", [])
    if not 1 <= len(parts) <= MOST_PARTS:
        raise LessonError(T("file.parts", n=len(parts), most=MOST_PARTS))
    for place, part in enumerate(parts, start=1):
        _fields(part, {"page": str, "link": str, "text": str}, T("file.part", place=place))
        if not part.get("page"):
            raise LessonError(T("file.no_page", place=place))
    wrong = [item for item in fields.get("exercises", []) if not isinstance(item, str)]
    if wrong:
        raise LessonError(T("file.exercise_name", exercise=repr(wrong[0])))
    return Lesson(
        title=fields.get("title", Lesson.title)[:200],
        parts=tuple(Shown(**part) for part in parts),
        exercises=tuple(fields.get("exercises", [])),
        solutions=fields.get("solutions", False),
        course=_course(fields.get("course", "")),
    )


def _course(name: str) -> str:
    if name and not is_name(name):
        raise LessonError(T("file.course", course=name[:40]))
    return name


def check(
    lesson: Lesson, specs: Mapping[str, PageSpec[Any]], exercises: Sequence[str] = ()
) -> list[str]:
    """Return a sentence for every page, state or exercise of a lesson that does not exist or is not allowed."""
    problems = []
    for place, part in enumerate(lesson.parts, start=1):
        if part.page not in specs:
            known = ", ".join(specs)
            problems.append(T("file.page", place=place, page=part.page[:40], pages=known))
        else:
            wrong = part.asked(specs).problems
            problems += [T("file.problem", place=place, problem=problem) for problem in wrong]
    problems += [
        T("file.exercise", exercise=key[:40]) for key in lesson.exercises if key not in exercises
    ]
    return problems


def _yaml(text: str) -> Any:
    refuse_references(text)
    return yaml.safe_load(text)


def _fields(fields: Any, known: Mapping[str, type], where: str) -> None:
    """Raise `LessonError` unless ``fields`` maps names in ``known`` to values of the types given there."""
    if not isinstance(fields, dict):
        raise LessonError(T("file.no_fields", where=where, form=T("file.form")))
    for name, value in fields.items():
        if name not in known:
            raise LessonError(
                T("file.unknown", where=where, name=str(name)[:40], form=T("file.form"))
            )
        if not isinstance(value, known[name]):
            raise LessonError(T("file.kind", where=where, name=name, kind=known[name].__name__))
