"""View of the page Exercises: list, text, figure, answer fields and feedback."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape as escape_html
from typing import Any

import streamlit as st

from dpcore.exercises import TRIES, Attempt, Drawn, Exercise, FigureLink, server_key
from dpcore.exercises.receipts import is_name
from pages.exercises import answering, beside, session
from pages.exercises.session import Student
from ui.exercises.files import load_all
from ui.frame import guarantee_card, shell
from ui.live import Figure, component
from ui.words import escape, text
from ui.words.typeset import typeset

__all__ = ["draw"]

T = text.beside(__file__)
_CSS = """<style>
.st-key-verdict, .st-key-hints {max-width: 46rem;}
.dp-stars {margin: 0; font-size: 1.3rem; line-height: 1.2; display: flex; flex-wrap: wrap; gap: 0 0.12em;}
.stMainBlockContainer .katex {font-size: 1.08em;} /* as the words around it */
.dp-stars span {color: color-mix(in srgb, currentColor 22%, transparent);}
.dp-stars .dp-star-full {color: light-dark(#b45309, #fbbf24);}
.dp-stars .dp-star-half {background: linear-gradient(90deg, light-dark(#b45309, #fbbf24) 42%,
  light-dark(#d5d8e0, #3d4456) 42%); background-clip: text; color: transparent;}
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
    """Draw the page Exercises."""
    st.html(_CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    who = session.student()
    left, right = st.columns([1, 1], gap="large")
    with left:
        _stars(who)
        exercise = _choose(who)
    attempt = session.attempt_of(who, exercise)
    instance = session.drawn_of(who, exercise, attempt)
    with right.container(key="exercise_figure"):
        values = _figure(instance, f"exercise_{exercise.key}_{attempt.number}")
    with left:
        st.markdown(f"## {exercise.title}\n{typeset(instance.text)}")
        _work(who, exercise, attempt, instance, values)
    _receipts(who)


def _stars(who: Student) -> None:
    """Draw one star for each exercise, filled in proportion to the score that is proved by a receipt."""
    known = load_all()
    done = len(who.points.keys() & set(who.offered))
    stars = "".join(_star(known[key].title, who.points.get(key, 0.0)) for key in who.offered)
    label = T("stars", done=done, all=len(who.offered))
    st.html(f'<p class="dp-stars" role="img" aria-label="{label}">{stars}</p>')


def _star(title: str, share: float) -> str:
    kind = "full" if share >= 1 else "half" if share > 0 else "none"
    return f'<span class="dp-star-{kind}" title="{escape_html(title)}">★</span>'


def _choose(who: Student) -> Exercise:
    """Return the exercise chosen in the list or by the link, and write it to the link."""
    known, link = load_all(), st.query_params.get("exercise", "")
    if link in who.offered and link != st.session_state.get("exercises.linked"):
        st.session_state["exercises.chosen"] = link
    if st.session_state.get("exercises.chosen") not in who.offered:
        st.session_state["exercises.chosen"] = who.offered[0]
    key = st.selectbox(
        T("choose", done=len(who.points.keys() & set(who.offered)), all=len(who.offered)),
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


def _figure(instance: Drawn, key: str) -> Mapping[str, Any]:
    """Draw the figure of an exercise, and return the values of its controls by name."""
    parts = [part for part in instance.public()["parts"] if part["kind"] == "curve"]
    link, plotted = instance.figure, instance.curves
    shown = beside.own(plotted) if plotted else _of_page(link) if link else None
    shown = beside.curve(parts[0]) if parts else shown
    if shown:
        shown = component.kept(shown, key=key)
        st.fragment(_show)(shown, key)
    if link and link.panel and beside.draws(link):
        guarantee_card.looking()
    if link and link.page:
        _open(link)
    return shown.values if shown else {}


def _of_page(link: FigureLink) -> Figure | None:
    """Return the page's figure that an exercise names, without results that are still being computed."""
    try:
        return beside.computed(link)
    except beside.Waits:
        st.fragment(run_every=2)(_waits)(link)
        return beside.of_page(link)


def _waits(link: FigureLink) -> None:
    with suppress(beside.Waits):
        beside.computed(link)
        shell.rerun_from_part()
    st.caption(T("figure.computing"))


def _show(figure: Figure, key: str) -> None:
    component.show(component.kept(figure, key=key), key=key)


def _open(link: FigureLink) -> None:
    label = T("figure.open_state" if link.panel else "figure.open_page")
    shell.page_link(link.page, label, icon="➡️", query_params=dict(link.state))


def _work(
    who: Student, exercise: Exercise, attempt: Attempt, instance: Drawn, values: Mapping[str, Any]
) -> None:
    key = f"answer.{who.course}.{who.name}.{exercise.key}.{attempt.number}"
    with st.form(key, border=False, enter_to_submit=True):
        answer = {
            part["name"]: answering.ask(part, f"{key}.{part['name']}", values)
            for part in instance.public()["parts"]
        }
        sent = st.form_submit_button(T("answer.check"), disabled=attempt.is_over(exercise))
    if sent:
        try:
            graded = attempt.after(instance.grade(answer))
        except ValueError as error:
            st.warning(escape.plain(str(error)), icon="✏️")
        else:
            session.keep(who, exercise, graded.solution_shown() if graded.solved else graded)
            st.rerun()  # what stands above and below has changed as well: button, points, receipts
    _verdict(attempt)
    _hints(instance, attempt)
    _solution(who, exercise, instance, attempt)


def _verdict(attempt: Attempt) -> None:
    verdict = attempt.verdict
    if verdict is None:
        if attempt.seen:
            st.caption(T("verdict.seen"))
        return
    with st.container(border=True, key="verdict"):
        if verdict.right:
            st.markdown(T("verdict.right" if verdict.score else "verdict.right_after_solution"))
        elif verdict.title:
            path = "verdict.mistake_half" if verdict.score else "verdict.mistake"
            told = typeset(verdict.feedback)
            st.markdown(T(path, title=verdict.title, feedback=told))
        else:
            st.markdown(typeset(verdict.feedback))


def _hints(instance: Drawn, attempt: Attempt) -> None:
    """Draw the hints unlocked so far, the newest last."""
    if not attempt.hints or attempt.solved:
        return
    with st.container(key="hints"):
        for place in range(attempt.hints):
            st.markdown(T("verdict.hint", n=place + 1, hint=typeset(instance.hint(place))))


def _solution(who: Student, exercise: Exercise, instance: Drawn, attempt: Attempt) -> None:
    single = len(exercise.draws) == 1
    if not attempt.earned:
        if attempt.wrong and (who.solutions or not single):
            st.caption(_tries_left(TRIES - attempt.wrong, solution=who.solutions))
        return
    if not attempt.seen:
        _offer(who, exercise, attempt)
        return
    if who.solutions:
        with st.container(border=True, key="solution"):
            st.markdown(f"### {T('solution.title')}\n{typeset(instance.solution)}")
    if not single or not attempt.score:
        st.button(
            T("solution.new"), key="new_numbers", on_click=_again, args=(who, exercise, attempt)
        )


def _tries_left(n: int, *, solution: bool) -> str:
    """Return a sentence on the n tries left until the solution or new numbers become available."""
    path = "solution.after_show" if solution else "solution.after_new"
    return T(f"{path}_one") if n == 1 else T(path, n=n)


def _offer(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    """Draw the buttons for the solution, with its cost in points, and for new numbers."""
    single = len(exercise.draws) == 1
    if who.solutions:
        st.caption(T("solution.costs_single" if single else "solution.costs"))
        st.button(
            T("solution.show"),
            key="show_solution",
            on_click=_reveal,
            args=(who, exercise, attempt),
        )
    if not single:
        st.button(
            T("solution.new"), key="new_numbers", on_click=_again, args=(who, exercise, attempt)
        )


def _reveal(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    session.keep(who, exercise, attempt.solution_shown())


def _again(who: Student, exercise: Exercise, attempt: Attempt) -> None:
    session.keep(who, exercise, attempt.again())


def _receipts(who: Student) -> None:
    st.header(T("receipts.title"), anchor="receipts")
    receipts = session.receipts(who)
    if receipts:
        st.markdown(T("receipts.copy"))
        st.code("\n".join(receipts), language=None, wrap_lines=True)
        if not server_key().lasting:
            st.caption(T("receipts.no_key"))
    else:
        st.markdown(T("receipts.none"))
    if refused := st.session_state.pop("exercises.refused", ""):
        st.warning(escape.plain(refused), icon="✏️")
    with st.expander(T("pseudonym.title"), key="pseudonym"):
        st.text_input(
            T("pseudonym.label"),
            value=who.name,
            key="exercises.wanted",
            max_chars=40,
            on_change=_rename,
            help=T("pseudonym.help"),
        )
        st.caption(T("pseudonym.course", course=who.course))


def _rename() -> None:
    wanted = str(st.session_state.get("exercises.wanted", "")).strip()
    if is_name(wanted):
        st.query_params["name"] = wanted
        st.query_params.pop("done", None)  # the marks of another pseudonym
    else:
        st.session_state["exercises.refused"] = T("pseudonym.refused", name=wanted[:40])
