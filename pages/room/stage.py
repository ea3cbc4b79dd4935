"""View of a room on the projector: the room's code, the question, the number of answers, and the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape

import streamlit as st

from dpcore.experiments.classroom import SMALLEST_CLASS, PrivatePoll
from pages.room import pictures
from pages.room.pictures import Colours
from ui.classroom import activities, words
from ui.classroom.activities import Betting, Poll, Predict, Together
from ui.classroom.models import Refused, Room
from ui.words import text
from ui.words.numbers import percent_at_most, show
from ui.words.typeset import typeset

__all__ = ["draw"]

T = text.load_text(__file__)


def draw(room: Room, address: str, colours: Colours) -> None:
    """Draw a room on the projector, with the ``address`` of the page that phones open."""
    left, right = st.columns([2.4, 1], gap="large")
    with right:
        _way_in(room, address)
    with left, st.container(key="room_stage"):
        st.html(f'<p class="dp-room-count">{_counted(room)}</p>')
        if room.phase == "waiting":
            st.html(f"<h2>{escape(T('stage.come'))}</h2>")
            st.markdown(T("stage.about"))
            return
        try:
            runs = activities.read(room.activity)
        except Refused as refusal:
            st.info(str(refusal))
            return
        _SHOWN[type(runs)](runs, room, colours)


def _way_in(room: Room, address: str) -> None:
    st.html(
        f'{pictures.qr(f"{address}#{room.code}")}<p class="dp-room-code">{room.code}</p>'
        f'<p class="dp-room-address">{escape(address.partition("://")[2])}</p>'
    )


def _counted(room: Room) -> str:
    joined = T("stage.joined_one") if room.joined == 1 else T("stage.joined", n=room.joined)
    return (
        joined if room.phase == "waiting" else T("stage.answered", joined=joined, n=room.answered)
    )


def _question(words: str) -> None:
    st.html(f"<h2>{escape(words)}</h2>")


def _poll(runs: Poll, room: Room, colours: Colours) -> None:
    _question(runs.question)
    st.markdown(f"{words.coin(runs.poll.own_answer)} {runs.price()}")
    outcome = runs.outcome(room.counts, room.answered)
    if outcome.get("few"):
        is_over = room.phase == "shown"
        st.info(T("stage.poll.few" if is_over else "stage.poll.few_yet", least=SMALLEST_CLASS))
        return
    st.html(pictures.estimate(outcome["estimate"], outcome["low"], outcome["high"], colours))
    result = T(
        "stage.poll.result", yes=outcome["yes"], n=outcome["n"], coins=100 * outcome["coins"]
    )
    beyond = "" if 0 <= outcome["estimate"] <= 1 else f" {T('stage.poll.beyond')}"
    st.markdown(result + beyond)
    if room.phase == "shown":
        _knows(runs.poll, room, colours)


def _knows(poll: PrivatePoll, room: Room, colours: Colours) -> None:
    st.html(f"<h3>{escape(T('stage.poll.knows'))}</h3>")
    for column, sent in zip(st.columns(2), (True, False), strict=True):
        known = words.known(poll.guarantee, sent)
        column.html(pictures.people(known["marked"], known["heard"], colours))
        column.caption(f"{known['heard']}.")
    if room.spent > poll.epsilon * 1.001:
        st.caption(words.together(*poll.guarantee.tabulated([room.spent])))


def _predict(runs: Predict, room: Room, colours: Colours) -> None:
    task, shown = runs.prediction, room.phase == "shown"
    _question(task.question)
    outcome = runs.outcome(room.counts, room.answered)
    if not shown:
        del outcome["truth"]
    many = len(task.places) > 1
    labels = [show(place, ".6g") for place in task.places]
    if many:
        st.html(pictures.crowd(labels, task.ends, outcome, colours))
        st.caption(
            T("stage.predict.along_shown" if shown else "stage.predict.along", along=task.along)
        )
        return
    heights = runs.height_counts(room.counts)[0].reshape(-1)
    words = [show(height, ".6g") if k % 4 == 0 else "" for k, height in enumerate(runs.heights)]
    step = float(runs.heights[1] - runs.heights[0])
    marks = (
        [((runs.truth[0] - task.ends[0]) / step, T("stage.predict.truth", truth=runs.truth[0]))]
        if shown
        else []
    )
    st.html(pictures.bars(words, heights.tolist(), colours, marks=marks))


def _bets(runs: Betting, room: Room, colours: Colours) -> None:
    _question(T("stage.bets.question"))
    st.markdown(T("stage.bets.about", epsilon=runs.guarantee.epsilon))
    outcome = runs.outcome(room.counts, room.answered)
    best, bound = runs.guarantee.best_attack(), runs.guarantee.odds()
    marks = [(20 * bound, T("stage.bets.bound", bound=percent_at_most(bound)))]
    if best is not None:
        marks.append((20 * best, T("stage.bets.best", best=best)))
    st.html(
        pictures.bars(
            [str(k) if k % 2 == 0 else "" for k in range(21)], outcome["held"], colours, marks=marks
        )
    )
    st.caption(T("stage.bets.caption"))
    if outcome["rate"]:
        st.markdown(T("stage.bets.luck", rate=outcome["rate"], reach=outcome["reach"]))


def _exercise(runs: Together, room: Room, colours: Colours) -> None:
    st.html(f"<h2>{escape(runs.instance.exercise.title)}</h2>")
    st.markdown(typeset(runs.instance.text))
    outcome = runs.outcome(room.counts, room.answered)
    if room.phase != "shown":
        st.caption(T("stage.exercise.waits"))
        return
    rows = [
        (T("stage.exercise.right"), outcome["right"]),
        *map(tuple, outcome["misconceptions"]),
        (T("stage.exercise.other"), outcome["other"]),
    ]
    top = max(max(n for _, n in rows), 1)
    lines = "".join(
        f'<tr><th scope="row">{escape(words)}</th><td>{n}</td><td>'
        f'<div style="width:{math.ceil(100 * n / top)}%"></div></td></tr>'
        for words, n in rows
    )
    st.html(f'<table class="dp-room-rows" style="--mine:{colours.mine}">{lines}</table>')
    with st.expander(T("stage.exercise.solution"), expanded=True):
        st.markdown(typeset(runs.instance.solution))


_SHOWN: dict[type, Callable[..., None]] = {
    Poll: _poll, Predict: _predict, Betting: _bets, Together: _exercise,
}  # fmt: skip
