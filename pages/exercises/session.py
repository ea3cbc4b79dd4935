"""Who works on which exercise: course, pseudonym, attempts; in the link and in the session."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from dpcore.exercises import Attempt, Drawn, Exercise, Receipt, Shown, load_all, server_key
from dpcore.exercises.receipts import is_name

__all__ = ["Student", "attempt_of", "drawn_of", "keep", "receipt", "receipts", "student"]

COURSE = "open"
_SHOWN = Shown()


@dataclass(frozen=True, kw_only=True)
class Student:
    """The course and the pseudonym of this link, the exercises it offers, and those marked as done in it."""

    course: str
    name: str
    offered: tuple[str, ...]
    done: frozenset[str]
    solutions: bool


def student() -> Student:
    """Return who works here: what the link says, else a pseudonym made for this session."""
    link, known = st.query_params, load_all()
    if "exercises.name" not in st.session_state:
        st.session_state["exercises.name"] = f"guest-{secrets.token_hex(3)}"
    name = _named("name", st.session_state["exercises.name"])
    st.query_params["name"] = st.session_state["exercises.name"] = name
    only = [key for key in link.get("only", "")[:2000].split(",") if key in known]
    return Student(
        course=_named("course", COURSE),
        name=name,
        offered=tuple(only or _in_order(known)),
        done=frozenset(link.get("done", "")[:2000].split(",")) & known.keys(),
        solutions=link.get("solutions") != "no",
    )


def _named(field: str, usual: str) -> str:
    given = st.query_params.get(field, "")
    return given if is_name(given) else usual


def _in_order(known: Mapping[str, Exercise]) -> list[str]:
    topics = ["mechanism", "attack", "budget", "learning", "proof"]
    first = [key for key in ("laplace-scale",) if key in known]
    rest = sorted(known, key=lambda key: topics.index(known[key].topic))
    return first + [key for key in rest if key not in first]


def _attempts() -> dict[tuple[str, str, str], Attempt]:
    found: dict[tuple[str, str, str], Attempt] = st.session_state.setdefault(
        "exercises.attempts", {}
    )
    return found


def attempt_of(who: Student, exercise: Exercise) -> Attempt:
    """Return how this session stands with an exercise, its numbers not yet shown to anybody."""
    place = who.course, who.name, exercise.key
    attempt = _attempts().get(place, Attempt())
    attempt = _SHOWN.fresh(exercise, who.course, who.name, attempt)
    _attempts()[place] = attempt
    return attempt


def drawn_of(who: Student, exercise: Exercise, attempt: Attempt) -> Drawn:
    """Return the student's own numbers."""
    return exercise.draw(who.course, who.name, attempt.number)


def keep(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    """Keep an attempt; what was shown counts for every session, what is done goes into the link."""
    if attempt.seen:
        _SHOWN.add(exercise, who.course, who.name, attempt.number)
    _attempts()[who.course, who.name, exercise.key] = attempt
    if attempt.score and exercise.key not in who.done:
        st.query_params["done"] = ",".join(sorted({*who.done, exercise.key}))


def receipt(who: Student, key: str) -> str:
    """Return the receipt of an exercise, "" where no point was reached in this session."""
    found = _attempts().get((who.course, who.name, key))
    if found is None or not found.score:
        return ""
    made = Receipt(course=who.course, pseudonym=who.name, exercise=key, score=found.score)
    return made.sign(server_key().secret)


def receipts(who: Student) -> list[str]:
    """Return all receipts of this session for this pseudonym."""
    return [text for key in who.offered if (text := receipt(who, key))]
