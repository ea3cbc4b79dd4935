"""State of a student (course, pseudonym, attempts), stored in the link and in the session."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dpcore.exercises import Attempt, Drawn, Exercise, Receipt, Shown, server_key
from dpcore.exercises.receipts import is_name
from ui.embed.lesson import CLOSED
from ui.exercises.files import load_all

__all__ = ["SOLUTIONS", "Student", "attempt_of", "drawn_of", "keep", "receipts", "student"]

COURSE = "open"
SOLUTIONS = "DPCORE_SOLUTIONS"  # "no": this server shows no worked solution in any course
_DONE = "done"  # in the link: a mark for each point
_SHOWN = Shown()


@dataclass(frozen=True, kw_only=True)
class Student:
    """A student's course, pseudonym, offered exercises, and best score per exercise as proved by signed receipts."""

    course: str
    name: str
    offered: tuple[str, ...]
    points: Mapping[str, float]
    solutions: bool


def student() -> Student:
    """Return the student named in the link, or one with a new pseudonym for this session."""
    link, known = st.query_params, load_all()
    if "exercises.name" not in st.session_state:
        st.session_state["exercises.name"] = f"guest-{secrets.token_hex(3)}"
    name = _named("name", st.session_state["exercises.name"])
    st.query_params["name"] = st.session_state["exercises.name"] = name
    only = [key for key in link.get("only", "")[:2000].split(",") if key in known]
    course = _named("course", COURSE)
    return Student(
        course=course,
        name=name,
        offered=tuple(only or _in_order(known)),
        points=_points(course, name),
        solutions=_shows(course),
    )


def _shows(course: str) -> bool:
    """Return whether worked solutions may be shown: server, course and link must all allow it."""
    closed = os.environ.get(SOLUTIONS, "").lower() == "no" or course.endswith(CLOSED)
    return not closed and st.query_params.get("solutions") != "no"


def _points(course: str, name: str) -> dict[str, float]:
    """Return the best score per exercise, from this session and from the signed receipts in the link."""
    key = server_key().secret
    marks = st.query_params.get(_DONE, "")[:8000].split(",")
    signed = (Receipt.of_mark(mark, course, name, key) for mark in marks)
    scores = [(receipt.exercise, receipt.score) for receipt in signed if receipt]
    scores += [
        (exercise, attempt.score)
        for (of, who, exercise), attempt in _attempts().items()
        if (of, who) == (course, name) and attempt.score
    ]
    return dict(sorted(scores, key=lambda score: score[1]))  # the best one comes last, and stays


def _named(field: str, usual: str) -> str:
    name = st.query_params.get(field, "")
    return name if is_name(name) else usual


def _in_order(known: Mapping[str, Exercise]) -> list[str]:
    topics = ["mechanism", "attack", "budget", "learning", "proof"]
    first = [key for key in ("laplace-scale",) if key in known]
    rest = sorted(known, key=lambda key: topics.index(known[key].topic))
    return first + [key for key in rest if key not in first]


def _attempts() -> dict[tuple[str, str, str], Attempt]:
    attempts: dict[tuple[str, str, str], Attempt] = st.session_state.setdefault(
        "exercises.attempts", {}
    )
    return attempts


def attempt_of(who: Student, exercise: Exercise) -> Attempt:
    """Return the student's attempt at an exercise; with new numbers if its solution was already shown."""
    place = who.course, who.name, exercise.key
    attempt = _attempts().get(place, Attempt())
    attempt = _SHOWN.fresh(exercise, who.course, who.name, attempt)
    _attempts()[place] = attempt
    return attempt


def drawn_of(who: Student, exercise: Exercise, attempt: Attempt) -> Drawn:
    """Return the exercise with the numbers that are drawn for this student and attempt."""
    return exercise.draw(who.course, who.name, attempt.number)


def keep(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    """Store an attempt: shown solutions in the memory of the process, earned points in the link."""
    if attempt.seen:
        _SHOWN.add(exercise, who.course, who.name, attempt.number)
    _attempts()[who.course, who.name, exercise.key] = attempt
    points = {**who.points, exercise.key: max(attempt.score, who.points.get(exercise.key, 0.0))}
    key = server_key().secret
    marks = [receipt.mark(key) for receipt in _made(who, points)]
    if marks:
        st.query_params[_DONE] = ",".join(marks)


def receipts(who: Student) -> list[str]:
    """Return signed receipts for all points that the student has earned."""
    return [receipt.sign(server_key().secret) for receipt in _made(who, who.points)]


def _made(who: Student, points: Mapping[str, float]) -> list[Receipt]:
    return [
        Receipt(course=who.course, pseudonym=who.name, exercise=key, score=score)
        for key, score in sorted(points.items())
        if score
    ]
