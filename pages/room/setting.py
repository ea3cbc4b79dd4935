"""Form in which the lecturer chooses the room's next activity."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from dpcore.experiments.classroom import PrivatePoll
from pages.room.figure import PEOPLE
from ui.classroom import predicting, shared_exercise, words
from ui.classroom.activities import LONGEST_QUESTION, Betting, Poll, Together
from ui.words import text
from ui.words.numbers import short

__all__ = ["KINDS", "chosen"]

T = text.load_text(__file__)
KINDS = tuple(T.group("setting.kinds").values())
_EPSILONS = (0.5, 1.0, math.log(3), 1.5, 2.0, 3.0, 4.0)


def chosen() -> Any:
    """Draw the form in which the lecturer sets up an activity; return the activity.

    Return None if the form is incomplete.
    """
    kind = st.selectbox(T("setting.next"), KINDS, key="room.kind")
    return {KINDS[0]: _poll, KINDS[1]: _predict, KINDS[2]: _bets, KINDS[3]: _exercise}[kind]()


def _epsilon(key: str) -> float:
    value: float = st.select_slider(
        T("setting.epsilon"),
        _EPSILONS,
        value=_EPSILONS[2],
        key=key,
        format_func=short,
    )
    return value


def _poll() -> Any:
    question = st.text_input(
        T("setting.question"),
        key="room.question",
        max_chars=LONGEST_QUESTION,
        placeholder=T("setting.question_placeholder"),
    )
    poll = PrivatePoll(epsilon=_epsilon("room.epsilon"))
    people = st.select_slider(T("setting.people"), PEOPLE, value=30, key="room.people")
    price = words.price(poll.guarantee, people, poll.standard_error(0.3, people))
    st.caption(T("setting.poll", truth=poll.response.truth, price=price))
    return Poll(question.strip(), poll.epsilon, people) if question.strip() else None


def _predict() -> Any:
    titles = {name: one.title for name, one in predicting.PREDICTIONS.items()}
    name = st.selectbox(
        T("setting.about"), list(titles), format_func=titles.__getitem__, key="room.figure"
    )
    return lambda: predicting.prepared(name)


def _bets() -> Any:
    betting = Betting(_epsilon("room.bets"))
    st.caption(words.bets(betting.guarantee))
    return betting


def _exercise() -> Any:
    titles = shared_exercise.offered(st.query_params.get("set", ""))
    key = st.selectbox(
        T("setting.exercise"), list(titles), format_func=titles.__getitem__, key="room.exercise"
    )
    number = st.number_input(
        T("setting.numbers"), 1, 50, key="room.number", help=T("setting.numbers_help")
    )
    return Together(key, int(number) - 1)
