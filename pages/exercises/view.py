"""Content of the Exercises page: list of exercises, text, figure, answer fields, and feedback."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from html import escape as escape_html
from typing import Any

import streamlit as st

from dpcore.exercises import (
    TRIES,
    Attempt,
    Exercise,
    ExerciseInstance,
    FigureLink,
    Verdict,
    server_key,
)
from dpcore.exercises.receipts import is_name
from pages.exercises import answering, beside, session
from pages.exercises.session import Student
from ui.classroom import housekeeping
from ui.exercises.files import load_all, set_of
from ui.frame import guarantee_card, shell
from ui.live import Figure, component
from ui.words import escape, text
from ui.words.typeset import typeset

__all__ = ["draw"]

T = text.load_text(__file__)
_MANY = 16  # stars that a phone shows in one line
_CSS = """<style>
.stMainBlockContainer {max-width: 92rem;}
@media (min-width: 1000px) {
  .st-key-exercise {display: grid; grid-template: auto 1fr / minmax(0, 1fr) minmax(0, 1.9fr); column-gap: 3rem;
    row-gap: 0.5rem;}
  .st-key-exercise > :has(> .st-key-exercise_figure) {grid-area: 1 / 2 / 3 / 3;}
  .st-key-exercise_figure .dp-plot {height: min(var(--height, 440px), max(18rem, 100vh - 26rem));}
}
.st-key-verdict, .st-key-hints {max-width: 46rem;}
.dp-stars {margin: 0; font-size: 1.3rem; line-height: 1.2; display: flex; flex-wrap: wrap; align-items: center;
  gap: 0 0.4em;}
.stMainBlockContainer .katex {font-size: 1.08em;} /* as the words around it */
@media (max-width: 760px) { /* many stars as one line, so that the question comes sooner */
  .dp-stars-many span {display: none;}
  .dp-stars-many::before {
    content: "☆ " attr(data-done); flex: 1; font-size: 1rem; padding-bottom: 0.2rem;
    background: linear-gradient(90deg, light-dark(#b45309, #fbbf24) var(--share),
      light-dark(#d5d8e0, #3d4456) var(--share)) bottom/100% 0.2rem no-repeat;
  }
}
@media (max-width: 760px) {.dp-stars-many.dp-stars-begun::before {content: "★ " attr(data-done);}}
/* What is still to come is a dot; the exercise that is shown is lit. */
.dp-star-none:not(.dp-star-now) {width: 0.4em; height: 0.4em; border-radius: 50%; overflow: hidden;
  color: transparent; background: light-dark(#c3c8d4, #4a5268);}
.dp-star-none.dp-star-now {color: light-dark(#4f46e5, #a5b4fc); font-size: 1.2em;}
.dp-stars .dp-star-full {color: light-dark(#b45309, #fbbf24);}
.dp-stars .dp-star-half {background: linear-gradient(90deg, light-dark(#b45309, #fbbf24) 42%,
  light-dark(#d5d8e0, #3d4456) 42%); background-clip: text; color: transparent;}
.dp-star-now:not(.dp-star-none) {border-bottom: 0.16rem solid currentColor;}
@keyframes dp-star {from {transform: scale(0); opacity: 0;} 60% {transform: scale(2.2);} to {transform: none;}}
@media (prefers-reduced-motion: no-preference) {
  .dp-star-pop {display: inline-block; animation: dp-star 0.7s ease-out;}
}
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
    """Draw the Exercises page."""
    st.html(_CSS)
    shell.header(T("title"), T("question"), opening=T("opening"))
    who = session.student()
    shell.problems(list(who.problems))
    _take_link(who)
    with st.container(key="way", horizontal=True, vertical_alignment="center"):
        with st.popover(T("others")):
            _path(who)
            exercise = _choose(who)
        with st.container():
            _stars(who)
    _replaced(exercise)
    attempt = session.attempt_of(who, exercise)
    instance = session.instance_of(who, exercise, attempt)
    with st.container(key="exercise"):  # on a phone in this order, else the figure at the right
        with st.container(key="exercise_text"):
            st.markdown(f"## {exercise.title}\n{typeset(instance.text)}")
            st.caption(T(f"level.{exercise.level}"))
        with st.container(key="exercise_figure"):
            name = f"exercise_{exercise.key}_{attempt.number}".replace(".", "-")
            values = _figure(instance, name, tried=attempt.verdict is not None or attempt.seen)
        with st.container(key="exercise_answer"):
            _work(who, exercise, attempt, instance, values)
    _receipts(who)


def _take_link(who: Student) -> None:
    """Choose the exercise that a new link names, or the first one if no offered exercise is chosen."""
    link = session.key_in(set_of(who.offered[0]), st.query_params.get("exercise", ""))
    if link and link not in who.offered:
        st.session_state["exercises.gone"] = link
    if link in who.offered and link != st.session_state.get("exercises.linked"):
        st.session_state["exercises.chosen"] = link
    if st.session_state.get("exercises.chosen") not in who.offered:
        st.session_state["exercises.chosen"] = who.offered[0]


def _stars(who: Student) -> None:
    """Draw one star for each offered exercise, filled in proportion to the student's best score."""
    known, chosen = load_all(), st.session_state["exercises.chosen"]
    popped = st.session_state.pop("exercises.earned", None)
    stars = "".join(
        _star(known[key].title, who.points.get(key, 0.0), now=key == chosen, earned=key == popped)
        for key in who.offered
    )
    label = T("stars", **who.progress)
    n = len(who.offered)
    many = " dp-stars-many" if n > _MANY else ""
    share = sum(who.points.get(key, 0.0) for key in who.offered) / n
    many += " dp-stars-begun" if share else ""
    st.html(
        f'<p class="dp-stars{many}" role="img" aria-label="{label}" data-done="{label}" '
        f'style="--share: {share:.1%}">{stars}</p>'
    )


def _star(title: str, share: float, *, now: bool, earned: bool) -> str:
    """Return the star of one exercise in HTML.

    ``now`` marks the star of the displayed exercise. ``earned`` animates the star once, after a right answer.
    """
    kind = "full" if share >= 1 else "half" if share > 0 else "none"
    marked = (" dp-star-now" if now else "") + (" dp-star-pop" if earned else "")
    sign = "☆" if kind == "none" else "★"
    return f'<span class="dp-star-{kind}{marked}" title="{escape_html(title)}">{sign}</span>'


def _choose(who: Student) -> Exercise:
    """Draw the list of exercises; return the chosen exercise, and write its key into the link."""
    known = load_all()
    key = st.selectbox(
        T("choose", **who.progress),
        who.offered,
        key="exercises.chosen",
        format_func=lambda key: _option(who, known[key]),
        persist_state="session",
        label_visibility="collapsed",
        on_change=_chosen,
    )
    st.session_state["exercises.linked"] = key
    if st.query_params.get("exercise") != key:
        st.query_params["exercise"] = key
    return known[key]


def _replaced(shown: Exercise) -> None:
    """Display which exercise the link asked for, if another exercise is shown instead."""
    if gone := st.session_state.get("exercises.gone"):
        path = "link.not_offered" if gone in load_all() else "link.gone"
        shell.problems([T(path, exercise=gone[:40], shown=shown.title)])


def _option(who: Student, exercise: Exercise) -> str:
    """Return the label of an exercise in the list, with a mark if it is solved or partly solved."""
    part = exercise.key in who.points
    path = "option_solved" if exercise.key in who.solved else "option_part" if part else "option"
    return T(path, title=exercise.title, topic=exercise.topic, level=exercise.level)


def _path(who: Student) -> None:
    """Draw the list of learning paths, or nothing if there is no choice for the student."""
    paths = {path.key: path.title for path in session.paths(who)}
    if not paths:
        return
    if st.session_state.get("exercises.path") != who.path:
        st.session_state["exercises.path"] = who.path
    st.selectbox(
        T("path.label"),
        [*paths, ""],
        key="exercises.path",
        format_func=lambda key: paths.get(key, T("path.all", n=session.count_all(who))),
        on_change=_take_path,
        label_visibility="collapsed",
    )


def _take_path() -> None:
    chosen = st.session_state.get("exercises.path", "")
    # The exercise leaves the link now; if its key alone named the set, the link has to name it.
    if own := set_of(st.query_params.get("exercise", "")):
        st.query_params["set"] = own
    st.query_params["path"] = chosen or session.ALL
    st.session_state.pop("exercises.chosen", None)
    st.query_params.pop("exercise", None)


def _next(who: Student, exercise: Exercise) -> None:
    """Draw a button that opens the next exercise in the list that is not solved."""
    place = who.offered.index(exercise.key)
    later = [*who.offered[place + 1 :], *who.offered[:place]]
    key = next((key for key in later if key not in who.solved), None)
    if key is not None:
        label = T("next", title=load_all()[key].title)
        st.button(label, key="next_exercise", icon="➡️", on_click=_go, args=(key,))


def _go(key: str) -> None:
    _chosen()
    st.session_state["exercises.chosen"] = st.session_state["exercises.linked"] = key
    st.query_params["exercise"] = key


def _chosen() -> None:
    st.session_state.pop("exercises.gone", None)


def _figure(instance: ExerciseInstance, key: str, *, tried: bool) -> Mapping[str, Any]:
    """Draw the figure of an exercise, and return the values of its controls by name.

    ``tried`` says whether the student has answered; only then the figure marks the right values.
    """
    parts = [part for part in instance.public()["parts"] if part["kind"] == "curve"]
    link, plotted = instance.figure, instance.curves
    shown = beside.own(plotted, tried=tried) if plotted else _of_page(link) if link else None
    shown = beside.curve(parts[0]) if parts else shown
    if shown:
        shown = component.with_user_values(shown, key=key)
        st.fragment(_show)(shown, key)
    if link and link.panel and beside.draws(link):
        guarantee_card.looking()
    if link and link.page:
        _open(link)
    return shown.values if shown else {}


def _of_page(link: FigureLink) -> Figure | None:
    """Return the panel of a page that an exercise names, as a figure.

    Results that are still being computed are left out of the figure.
    """
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
    component.show(component.with_user_values(figure, key=key), key=key)


def _open(link: FigureLink) -> None:
    label = T("figure.open_state" if link.panel else "figure.open_page")
    shell.page_link(link.page, label, icon="➡️", query_params=dict(link.state))


def _work(
    who: Student,
    exercise: Exercise,
    attempt: Attempt,
    instance: ExerciseInstance,
    values: Mapping[str, Any],
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
            if graded.solved and graded.score:
                st.session_state["exercises.earned"] = exercise.key
            st.rerun()  # what stands above and below has changed as well: button, points, receipts
    _verdict(attempt)
    if attempt.solved:
        _next(who, exercise)
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
        elif verdict.took or verdict.title:
            st.markdown(_mistake(verdict))
        else:
            st.markdown(typeset(verdict.feedback))
        if verdict.score and not verdict.right:
            st.markdown(T("verdict.so_far", score=verdict.score))


def _mistake(verdict: Verdict) -> str:
    """Return the explanation of a recognised mistake.

    If the exercise has several parts, the explanation names the part with the mistake.
    """
    head = (
        T("verdict.wrong_at", about=typeset(verdict.about)) if verdict.about else T("verdict.wrong")
    )
    if verdict.took:
        told = T("verdict.took", took=typeset(verdict.took))
    else:
        told = T("verdict.mistake", title=verdict.title)
    return f"{head} {told}\n\n{typeset(verdict.feedback)}"


def _hints(instance: ExerciseInstance, attempt: Attempt) -> None:
    """Display the hints that the student has unlocked, in the order in which they were unlocked."""
    if not attempt.hints or attempt.solved:
        return
    with st.container(key="hints"):
        for place in range(attempt.hints):
            kind = instance.exercise.hints[place].kind or "any"
            st.markdown(T(f"hint.{kind}", n=place + 1, hint=typeset(instance.hint(place))))


def _solution(
    who: Student, exercise: Exercise, instance: ExerciseInstance, attempt: Attempt
) -> None:
    single = len(exercise.draws) == 1
    if not attempt.earned:
        if attempt.wrong and (who.solutions or not single):
            st.caption(_tries_left(TRIES - attempt.wrong, solution=who.solutions))
        return
    waits = housekeeping.withheld(instance) if who.solutions else ""
    if waits:
        st.info(T(f"solution.{waits}"))
    if not attempt.seen:
        _offer(who, exercise, attempt, solution=who.solutions and not waits)
        return
    if who.solutions and not waits:
        with st.container(border=True, key="solution"):
            st.markdown(f"### {T('solution.title')}\n{typeset(instance.solution)}")
    if not single or not attempt.score:
        st.button(
            T("solution.new"), key="new_numbers", on_click=_again, args=(who, exercise, attempt)
        )


def _tries_left(n: int, *, solution: bool) -> str:
    """Return a sentence that says that n more tries unlock the solution or, if it is not shown, new numbers."""
    path = "solution.after_show" if solution else "solution.after_new"
    return T(f"{path}_one") if n == 1 else T(path, n=n)


def _offer(who: Student, exercise: Exercise, attempt: Attempt, *, solution: bool) -> None:
    """Draw a button that shows the solution, and a button that gives new numbers.

    The first is drawn if ``solution`` is true, with a text that a student who sees the solution earns no points with
    these numbers. The second is drawn unless the exercise has only one set of numbers.
    """
    single = len(exercise.draws) == 1
    if solution:
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
