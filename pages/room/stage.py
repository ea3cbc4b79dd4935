"""What everybody in the room sees: the code, the question, the counts, and what comes out."""

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
from ui.classroom.models import Room
from ui.words.numbers import percent_at_most, short, show

__all__ = ["draw"]


def draw(room: Room, address: str, colours: Colours) -> None:
    """Draw the state of a room; ``address`` is that of the phones' page."""
    left, right = st.columns([2.4, 1], gap="large")
    with right:
        _way_in(room, address)
    with left, st.container(key="room_stage"):
        st.html(f'<p class="dp-room-count">{_counted(room)}</p>')
        if room.phase == "waiting":
            st.html("<h2>Take your phone, point its camera at the code</h2>")
            st.markdown(
                "Or type the address and the code. No account, no name, no cookie: the server keeps counts only, and "
                "deletes them when the room is closed, or after four hours. Taking part is "
                "voluntary, and never graded."
            )
            return
        runs = activities.read(room.activity)
        _SHOWN[type(runs)](runs, room, colours)


def _way_in(room: Room, address: str) -> None:
    st.html(
        f'{pictures.qr(f"{address}#{room.code}")}<p class="dp-room-code">{room.code}</p>'
        f'<p class="dp-room-address">{escape(address.partition("://")[2])}</p>'
    )


def _counted(room: Room) -> str:
    joined = f"<strong>{room.joined}</strong> {'phone' if room.joined == 1 else 'phones'} here"
    return (
        joined
        if room.phase == "waiting"
        else f"{joined} · <strong>{room.answered}</strong> answered"
    )


def _asked(words: str) -> None:
    st.html(f"<h2>{escape(words)}</h2>")


def _poll(runs: Poll, room: Room, colours: Colours) -> None:
    _asked(runs.question)
    st.markdown(f"{words.coin(runs.poll.own_answer)} {runs.price()}")
    found = runs.outcome(room.counts, room.answered)
    if found.get("few"):
        said = "Too few answers came" if room.phase == "shown" else "Answers come in"
        st.info(f"{said}: nothing is shown below {SMALLEST_CLASS}.")
        return
    st.html(pictures.estimate(found["estimate"], found["low"], found["high"], colours))
    beyond = (
        ""
        if 0 <= found["estimate"] <= 1
        else " An estimate outside of 0 to 100 % is the noise alone."
    )
    st.markdown(
        f"{found['yes']} of {found['n']} phones said yes. The band holds the true share in about 95 of 100 such "
        f"votes; the coins alone make ± {show(100 * found['coins'], 'd')} points.{beyond}"
    )
    if room.phase == "shown":
        _knows(runs.poll, room, colours)


def _knows(poll: PrivatePoll, room: Room, colours: Colours) -> None:
    st.html("<h3>What does the server know about you?</h3>")
    for column, sent in zip(st.columns(2), (True, False), strict=True):
        known = words.known(poll.guarantee, sent)
        column.html(pictures.people(known["marked"], known["heard"], colours))
        column.caption(f"{known['heard']}.")
    if room.spent > poll.epsilon * 1.001:
        st.caption(words.together(*poll.guarantee.tabulated([room.spent])))


def _predict(runs: Predict, room: Room, colours: Colours) -> None:
    asked, shown = runs.asked, room.phase == "shown"
    _asked(asked.question)
    found = runs.outcome(room.counts, room.answered)
    if not shown:
        del found["truth"]
    many = len(asked.places) > 1
    labels = [show(place, ".6g") for place in asked.places]
    if many:
        st.html(pictures.crowd(labels, asked.ends, found, colours))
        st.caption(
            f"Along {asked.along}: the line is the middle of the class, eight in ten lie in the band."
            + (" Dashed: the truth, computed." if shown else "")
        )
        return
    heights = runs.drawn(room.counts)[0].reshape(-1)
    words = [show(height, ".6g") if k % 4 == 0 else "" for k, height in enumerate(runs.heights)]
    step = float(runs.heights[1] - runs.heights[0])
    marks = (
        [((runs.truth[0] - asked.ends[0]) / step, f"the truth: {show(runs.truth[0], '.1f')}")]
        if shown
        else []
    )
    st.html(pictures.bars(words, heights.tolist(), colours, marks=marks))


def _bets(runs: Betting, room: Room, colours: Colours) -> None:
    _asked("Bet against privacy: was Ada counted?")
    st.markdown(
        "A count of 100 people, or 101 with Ada, is published with Laplace noise for ε\u00a0=\u00a0"
        f"{short(runs.guarantee.epsilon)}. Twenty bets on each phone; a fair coin decides each time whether Ada "
        "is in."
    )
    found = runs.outcome(room.counts, room.answered)
    best, bound = runs.guarantee.best_attack(), runs.guarantee.odds()
    marks = [(20 * bound, f"no attacker gets past {percent_at_most(bound)}")]
    if best is not None:
        marks.append((20 * best, f"best attacker: {show(best, '.1%')}"))
    st.html(
        pictures.bars(
            [str(k) if k % 2 == 0 else "" for k in range(21)], found["held"], colours, marks=marks
        )
    )
    st.caption("Students by the number of bets that were right, of twenty.")
    if found["rate"]:
        st.markdown(
            f"{found['rate']} {found['reach']} Luck can carry one student past the bound in twenty bets; the more "
            "bets, the less likely that is."
        )


def _exercise(runs: Together, room: Room, colours: Colours) -> None:
    st.html(f"<h2>{escape(runs.drawn.exercise.title)}</h2>")
    st.markdown(runs.drawn.text)
    found = runs.outcome(room.counts, room.answered)
    if room.phase != "shown":
        st.caption("How the class answered is shown when all are done.")
        return
    rows = [
        ("Right", found["right"]),
        *map(tuple, found["misconceptions"]),
        ("Other answers", found["other"]),
    ]
    top = max(max(n for _, n in rows), 1)
    lines = "".join(
        f'<tr><th scope="row">{escape(words)}</th><td>{n}</td><td>'
        f'<div style="width:{math.ceil(100 * n / top)}%"></div></td></tr>'
        for words, n in rows
    )
    st.html(f'<table class="dp-room-rows" style="--mine:{colours.mine}">{lines}</table>')
    with st.expander("The worked solution", expanded=True):
        st.markdown(runs.drawn.solution)


_SHOWN: dict[type, Callable[..., None]] = {
    Poll: _poll, Predict: _predict, Betting: _bets, Together: _exercise,
}  # fmt: skip
