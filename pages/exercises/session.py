"""Data of a student that the link and the session keep: course, pseudonym, and attempts."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dpcore.exercises import Attempt, Exercise, ExerciseInstance, Receipt, Shown, server_key
from dpcore.exercises.paths import LearningPath
from dpcore.exercises.receipts import is_name
from ui.embed.lesson import CLOSED
from ui.exercises.files import load_all, load_all_paths, load_sets, set_of
from ui.words import text

T = text.load_text(__file__)
__all__ = [
    "ALL", "SOLUTIONS", "Student", "attempt_of", "count_all", "instance_of", "keep", "key_in", "paths", "receipts",
    "student",
]  # fmt: skip

COURSE = "open"
SOLUTIONS = "DPCORE_SOLUTIONS"  # "no": this server shows no worked solution in any course
ALL = "all"  # in the link: every exercise instead of a learning path
_DONE = "done"  # in the link: a mark for each point
_LONGEST = 24_000  # characters of all marks in a link: 200 exercises with the longest keys
_SHOWN = Shown()


@dataclass(frozen=True, kw_only=True)
class Student:
    """Course, pseudonym, offered exercises and best scores of a student.

    - ``points``: best score from 0 to 1, by key of the exercise.
    - ``solutions``: whether worked solutions may be shown.
    - ``path``: key of the learning path, or "" if every exercise is offered.
    - ``problems``: messages about names in the link that do not exist.
    """

    course: str
    name: str
    offered: tuple[str, ...]
    points: Mapping[str, float]
    solutions: bool
    path: str = ""
    problems: tuple[str, ...] = ()

    @property
    def solved(self) -> set[str]:
        """Keys of the exercises with full score."""
        return {key for key, score in self.points.items() if score >= 1}

    @property
    def progress(self) -> dict[str, int]:
        """Numbers of solved exercises (``done``) and of offered exercises (``all``)."""
        return {"done": len(self.solved & {*self.offered}), "all": len(self.offered)}


def student() -> Student:
    """Return the student of this session, with the name, the course and the offered exercises from the link.

    If the link has no name, the student gets a random pseudonym.
    """
    link, known = st.query_params, load_all()
    if "exercises.name" not in st.session_state:
        st.session_state["exercises.name"] = f"guest-{secrets.token_hex(3)}"
    name = _named("name", st.session_state["exercises.name"])
    st.query_params["name"] = st.session_state["exercises.name"] = name
    own, problems = _set()
    wanted = [key.strip() for key in link.get("only", "")[:2000].split(",") if key.strip()]
    only = [key_in(own, key) for key in wanted]
    in_own = {key: exercise for key, exercise in known.items() if set_of(key) == own}
    offered = tuple(dict.fromkeys(key for key in only if key in known)) or tuple(_in_order(in_own))
    gone = [key for key, found in zip(wanted, only, strict=True) if found not in known]
    if gone:
        path = "link.only_some" if len(gone) < len(wanted) else "link.only_none"
        problems.append(T(path, names=", ".join(f"“{key[:40]}”" for key in gone[:5])))
    course = _named("course", COURSE)
    points, n_unsigned = _points(course, name)
    if n_unsigned:
        problems.append(T("link.unsigned", n=n_unsigned, name=name, course=course))
    asked = "" if only else link.get("path", "") or _usual_path(own)
    way = load_all_paths(own).get(asked)
    if asked not in ("", ALL) and way is None:
        problems.append(T("link.path", name=asked[:40]))
    return Student(
        course=course, name=name, offered=way.exercises if way else offered, points=points,
        solutions=_shows(course), path=way.key if way else "", problems=tuple(problems),
    )  # fmt: skip


def _usual_path(own: str) -> str:
    """Return the key of the learning path that is used if the link names no path, or "" for no path.

    It is the first path in the set ``own`` that contains the link's exercise. If the link names no known exercise,
    it is the first path of the set.
    """
    ways, key = load_all_paths(own), key_in(own, st.query_params.get("exercise", ""))
    with_it = [way.key for way in ways.values() if key in way.exercises or key not in load_all()]
    return with_it[0] if with_it else ""


def _set() -> tuple[str, list[str]]:
    """Return the name of the set of exercises that the link names, and messages if this set cannot be used.

    The name is "" for the exercises that come with the application. The link has the name as a separate value, or
    as a part of the key of an exercise.
    """
    sets, link = load_sets(), st.query_params
    name = link.get("set", "") or set_of(link.get("exercise", ""))
    if not name or name in sets.exercises:
        return name, []
    if name in sets.faults:
        return "", [T("link.set_broken", name=name, why=sets.faults[name])]
    return "", [T("link.set", name=name[:40])]


def key_in(own: str, key: str) -> str:
    """Return the full key of an exercise that a link names.

    If the exercise is in the set ``own``, the name of this set is put before the key. Other keys are returned
    unchanged.
    """
    whole = f"{own}.{key}"
    return whole if own and whole in load_all() else key


def paths(who: Student) -> list[LearningPath]:
    """Return the learning paths from which a student may choose.

    The list is empty if the link offers only some of the exercises.
    """
    own = set_of(who.offered[0])
    single = not who.path and {*who.offered} != {key for key in load_all() if set_of(key) == own}
    return [] if single else [*load_all_paths(own).values()]


def count_all(who: Student) -> int:
    """Return the number of all exercises in the student's set, whether they are in a learning path or not."""
    own = set_of(who.offered[0])
    return sum(set_of(key) == own for key in load_all())


def _shows(course: str) -> bool:
    """Return whether worked solutions may be shown.

    The server, the course and the link must all allow it.
    """
    closed = os.environ.get(SOLUTIONS, "").lower() == "no" or course.endswith(CLOSED)
    return not closed and st.query_params.get("solutions") != "no"


def _points(course: str, name: str) -> tuple[dict[str, float], int]:
    """Return the best score of each exercise, and the number of receipts in the link without a valid signature.

    Scores come from the attempts in this session, and from receipts (signed scores) in the link.
    """
    key = server_key().secret
    marks = [mark for mark in st.query_params.get(_DONE, "")[:_LONGEST].split(",") if mark]
    signed = [Receipt.of_mark(mark, course, name, key) for mark in marks]
    scores = [(receipt.exercise, receipt.score) for receipt in signed if receipt]
    scores += [
        (exercise, attempt.score)
        for (of, who, exercise), attempt in _attempts().items()
        if (of, who) == (course, name) and attempt.score
    ]
    best = dict(sorted(scores, key=lambda score: score[1]))  # the best one comes last, and stays
    return best, signed.count(None)


def _named(field: str, usual: str) -> str:
    name = st.query_params.get(field, "")
    return name if is_name(name) else usual


def _in_order(known: Mapping[str, Exercise]) -> list[str]:
    topics = ["mechanism", "attack", "budget", "learning", "proof"]
    first = [key for key in ("laplace-scale",) if key in known]
    rest = sorted(known, key=lambda key: (topics.index(known[key].topic), known[key].level))
    return first + [key for key in rest if key not in first]


def _attempts() -> dict[tuple[str, str, str], Attempt]:
    attempts: dict[tuple[str, str, str], Attempt] = st.session_state.setdefault(
        "exercises.attempts", {}
    )
    return attempts


def attempt_of(who: Student, exercise: Exercise) -> Attempt:
    """Return the student's attempt at an exercise.

    If the solution was already shown for the numbers of this attempt, the attempt starts again with new numbers.
    """
    place = who.course, who.name, exercise.key
    attempt = _attempts().get(place, Attempt())
    attempt = _SHOWN.fresh(exercise, who.course, who.name, attempt)
    _attempts()[place] = attempt
    return attempt


def instance_of(who: Student, exercise: Exercise, attempt: Attempt) -> ExerciseInstance:
    """Return the exercise with the numbers that are drawn for this student and this attempt."""
    return exercise.draw(who.course, who.name, attempt.number)


def keep(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    """Store an attempt in the session, and its points in the link.

    If the solution was shown, the server process remembers it, so that a new session cannot use the same numbers.
    """
    if attempt.seen:
        _SHOWN.add(exercise, who.course, who.name, attempt.number)
    _attempts()[who.course, who.name, exercise.key] = attempt
    points = {**who.points, exercise.key: max(attempt.score, who.points.get(exercise.key, 0.0))}
    key = server_key().secret
    marks = [receipt.mark(key) for receipt in _receipts(who, points)]
    if marks:
        st.query_params[_DONE] = ",".join(marks)


def receipts(who: Student) -> list[str]:
    """Return signed receipts for all points that the student has earned."""
    return [receipt.sign(server_key().secret) for receipt in _receipts(who, who.points)]


def _receipts(who: Student, points: Mapping[str, float]) -> list[Receipt]:
    return [
        Receipt(course=who.course, pseudonym=who.name, exercise=key, score=score)
        for key, score in sorted(points.items())
        if score
    ]
