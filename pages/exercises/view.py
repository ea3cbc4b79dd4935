"""The page: choose an exercise, read, try in the figure, answer, and be told why."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from dpcore.exercises import TRIES, Attempt, Drawn, Exercise, FigureLink, server_key
from dpcore.exercises.receipts import is_name
from pages.exercises import answering, beside, session
from pages.exercises.session import Student
from pages.exercises.spec import PAGE
from ui.exercises.files import load_all
from ui.frame import guarantee_card, shell
from ui.live import Figure, component
from ui.words import escape

__all__ = ["draw"]

_CSS = """<style>
.st-key-verdict, .st-key-hints {max-width: 46rem;}
/* All controls stay in sight, also on a phone; those of a curve stand side by side. */
.st-key-exercise_figure .dp-side .dp-controls > .dp-control:not([hidden]) {display: grid !important;}
.st-key-exercise_figure .dp-readouts:empty {display: none;}
.st-key-exercise_figure .dp-side .dp-controls:has(> .dp-control:nth-child(4 of :not([hidden]))) {
  display: grid !important; grid-template-columns: 1fr 1fr; gap: 0.4rem 1.5rem;
}
.st-key-exercise_figure .dp-controls:has(> .dp-control:nth-child(4 of :not([hidden]))) > .dp-pin {
  position: static; padding: 0;
}
</style>"""


def draw() -> None:
    """Draw the page."""
    st.html(_CSS)
    shell.header(PAGE.title, PAGE.question, opening=PAGE.opening)
    who = session.student()
    exercise = _choose(who)
    attempt = session.attempt_of(who, exercise)
    drawn = session.drawn_of(who, exercise, attempt)
    left, right = st.columns([1, 1], gap="large")
    with right.container(key="exercise_figure"):
        values = _figure(drawn, f"exercise_{exercise.key}_{attempt.number}")
    with left:
        st.markdown(f"## {exercise.title}\n{drawn.text}")
        _work(who, exercise, attempt, drawn, values)
    _receipts(who)


def _choose(who: Student) -> Exercise:
    """Ask for an exercise; the link says which it is, and brings one."""
    known, asked = load_all(), st.query_params.get("exercise", "")
    if asked in who.offered and asked != st.session_state.get("exercises.linked"):
        st.session_state["exercises.chosen"] = asked
    if st.session_state.get("exercises.chosen") not in who.offered:
        st.session_state["exercises.chosen"] = who.offered[0]
    key = st.selectbox(
        f"Exercise ({len(who.points.keys() & set(who.offered))} of {len(who.offered)} done)",
        who.offered,
        key="exercises.chosen",
        format_func=lambda key: (
            f"{'✓ ' if key in who.points else ''}{known[key].title} ({known[key].topic})"
        ),
        persist_state="session",
        width=560,
    )
    st.session_state["exercises.linked"] = key
    if st.query_params.get("exercise") != key:
        st.query_params["exercise"] = key
    return known[key]


def _figure(drawn: Drawn, key: str) -> Mapping[str, Any]:
    """Draw the figure of an exercise, and return the values of its controls."""
    asked = [part for part in drawn.public()["parts"] if part["kind"] == "curve"]
    link, plotted = drawn.figure, drawn.curves
    shown = beside.own(plotted) if plotted else _of_page(link) if link else None
    shown = beside.curve(asked[0]) if asked else shown
    if shown:
        shown = component.kept(shown, key=key)
        st.fragment(_show)(shown, key)
    if link and link.panel and beside.draws(link):
        guarantee_card.looking()
    if link and link.page:
        _open(link)
    return shown.values if shown else {}


def _of_page(link: FigureLink) -> Figure | None:
    """The page's figure; until it is computed without what is missing, and looked for again."""
    try:
        return beside.computed(link)
    except beside.Waits:
        st.fragment(run_every=2)(_waits)(link)
        return beside.of_page(link)


def _waits(link: FigureLink) -> None:
    with suppress(beside.Waits):
        beside.computed(link)
        shell.rerun_from_part()
    st.caption("This figure is being computed. It follows by itself.")


def _show(figure: Figure, key: str) -> None:
    component.show(component.kept(figure, key=key), key=key)


def _open(link: FigureLink) -> None:
    label = "Open this state on its page" if link.panel else "Open the page to try it out"
    shell.page_link(link.page, label, icon="➡️", query_params=dict(link.state))


def _work(
    who: Student, exercise: Exercise, attempt: Attempt, drawn: Drawn, values: Mapping[str, Any]
) -> None:
    key = f"answer.{who.course}.{who.name}.{exercise.key}.{attempt.number}"
    with st.form(key, border=False, enter_to_submit=True):
        answer = {
            part["name"]: answering.ask(part, f"{key}.{part['name']}", values)
            for part in drawn.public()["parts"]
        }
        sent = st.form_submit_button("Check the answer", disabled=attempt.is_over(exercise))
    if sent:
        try:
            graded = attempt.after(drawn.grade(answer))
        except ValueError as error:
            st.warning(escape.plain(str(error)), icon="✏️")
        else:
            session.keep(who, exercise, graded.solution_shown() if graded.solved else graded)
            st.rerun()  # what stands above and below has changed as well: button, points, receipts
    _verdict(attempt)
    _hints(drawn, attempt)
    _solution(who, exercise, drawn, attempt)


def _verdict(attempt: Attempt) -> None:
    found = attempt.verdict
    if found is None:
        if attempt.seen:
            st.caption("The solution of these numbers was shown: they give no point any more.")
        return
    with st.container(border=True, key="verdict"):
        if found.right:
            points = "1 point" if found.score else "no point, as the solution was shown before"
            st.markdown(f"**Right: {points}.**")
            return
        half = " You get half a point, and may go on." if found.score else ""
        if found.title:
            st.markdown(
                f"**Not quite.**{half} The likely mistake: *{found.title}.*\n\n{found.feedback}"
            )
        else:
            st.markdown(found.feedback)


def _hints(drawn: Drawn, attempt: Attempt) -> None:
    """Show the hints that are earned, the newest last."""
    if not attempt.hints or attempt.solved:
        return
    with st.container(key="hints"):
        for place in range(attempt.hints):
            st.markdown(f"**Hint {place + 1}.** {drawn.hint(place)}")


def _solution(who: Student, exercise: Exercise, drawn: Drawn, attempt: Attempt) -> None:
    single = len(exercise.draws) == 1
    if not attempt.earned:
        then = "may see the solution" if who.solutions else "" if single else "get new numbers"
        if attempt.wrong and then:
            left = TRIES - attempt.wrong
            st.caption(f"After {left} more {'try' if left == 1 else 'tries'} you {then}.")
        return
    if not attempt.seen:
        _offer(who, exercise, attempt)
        return
    if who.solutions:
        with st.container(border=True, key="solution"):
            st.markdown(f"### Solution\n{drawn.solution}")
    if not single or not attempt.score:
        st.button("New numbers", key="new_numbers", on_click=_again, args=(who, exercise, attempt))


def _offer(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    """The solution is earned: it is shown when asked for, as it ends what these numbers give."""
    single = len(exercise.draws) == 1
    told = (
        "There is only one set of numbers: with the solution on the screen this exercise gives no point any more."
        if single
        else "Once you see the solution, these numbers earn no point; you will get new ones."
    )
    if who.solutions:
        st.caption(told)
        st.button(
            "Show the solution",
            key="show_solution",
            on_click=_reveal,
            args=(who, exercise, attempt),
        )
    if not single:
        st.button("New numbers", key="new_numbers", on_click=_again, args=(who, exercise, attempt))


def _reveal(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    session.keep(who, exercise, attempt.solution_shown())


def _again(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    session.keep(who, exercise, attempt.again())


def _receipts(who: Student) -> None:
    st.header("Receipts", anchor="receipts")
    found = session.receipts(who)
    lasting = server_key().lasting
    if found:
        st.markdown("Copy these lines into your course system. Each is for one exercise.")
        st.code("\n".join(found), language=None, wrap_lines=True)
        if not lasting:
            st.caption(
                "This server has no key of its own: it made one as it started. Nobody can check these lines "
                "after it stops."
            )
    else:
        st.markdown(
            "Solve an exercise, and a line of text stands here that you can hand in. No account, no name."
        )
    if refused := st.session_state.pop("exercises.refused", ""):
        st.warning(escape.plain(refused), icon="✏️")
    with st.expander("Your pseudonym", key="pseudonym"):
        st.text_input(
            "Pseudonym in your receipts; your numbers follow from it",
            value=who.name,
            key="exercises.wanted",
            max_chars=40,
            on_change=_rename,
            help="Letters, digits, dots and dashes. Take one that your course knows, not your name.",
        )
        st.caption(
            f"Course: {who.course}. Both stand in the link, so that a reload brings the same numbers."
        )


def _rename() -> None:
    wanted = str(st.session_state.get("exercises.wanted", "")).strip()
    if is_name(wanted):
        st.query_params["name"] = wanted
        st.query_params.pop("done", None)  # the marks of another pseudonym
    else:
        st.session_state["exercises.refused"] = (
            f"“{wanted[:40]}” cannot be a pseudonym: use letters, digits, . - and _, at most 40."
        )
