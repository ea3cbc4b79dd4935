"""Ready-made lessons: single steps of the ninety-minute plan, and the whole plan.

Each lesson is drawn in the frame of a phone. The phone of the whole plan plays the steps as slides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from html import escape

import streamlit as st

from pages import specs
from pages.teach import editing, ninety
from ui.embed.lesson import Lesson, Pages, Shown
from ui.figure_kit import thumbnail
from ui.figure_kit.controls import moving_once
from ui.frame.page_spec import PageEntry, miniature
from ui.live import Figure, Slider, component
from ui.live.depth import Depth
from ui.words import text

__all__ = ["CSS", "READY", "draw", "lesson_of_step"]

T = text.load_text(__file__)
READY = ("mechanism", "budget", "learning")
"""Names of the steps of the plan that are offered as lessons of their own."""
_HEIGHT = 300  # of a picture, in pixels
_SECONDS = 4  # that a slide is seen
_CSS = """<style>
[class*="st-key-ready_phone"] {border: 0.45rem solid light-dark(#1c2030, #5b6478); border-radius: 1.6rem;
  padding: 0.9rem 0.8rem;
  outline: 1px solid color-mix(in srgb, currentColor 30%, transparent); min-height: 32.8rem;
  box-shadow: 0 0.3rem 1.2rem rgb(0 0 0 / 18%); gap: 0.4rem;}
[class*="st-key-ready_phone"] .dp-figure {min-height: 0;}
[class*="st-key-ready_phone"] .dp-figure
  :is(.dp-readouts, .dp-people, .dp-full, .dp-panel-head, .dp-ends) {display: none;}
.dp-plan {list-style: none; margin: 0 !important; padding: 0 !important; display: flex; flex-direction: column;
  gap: 0.2rem; height: 24.4rem;}
.dp-plan li {border-radius: 0.4rem; padding: 0 0.6rem; margin: 0; color: #fff; background: #4f46e5;
  display: flex; align-items: center; justify-content: space-between;}
.dp-plan li:nth-child(even) {background: #4338ca;}
.st-key-teach_slides, .st-key-teach_play {display: none;} /* without motion the steps are a list */
@media screen and (prefers-reduced-motion: no-preference) {
  .st-key-teach_play {display: block; align-self: end;}
  .st-key-teach_slides {display: grid; min-height: 23.2rem;}
  .st-key-teach_slides > * {grid-area: 1 / 1; visibility: hidden; animation: dp-slide @all@s infinite both;}
  .st-key-teach_slides p {margin: 0;}
  .st-key-teach_slides [class*="st-key-teach_slide_"] > div:first-child {font-weight: 600;
    color: light-dark(#4338ca, #a5b4fc);}
  .st-key-teach_slide_problem > div:last-child p {font-size: 1.5rem; line-height: 1.4;}
  .dp-plan {flex-direction: row; height: 1.6rem;}
  .dp-plan li, .dp-plan li:nth-child(even) {padding: 0; font-size: 0; background: light-dark(#d5d8e0, #3d4456);
    animation: dp-step @all@s infinite both;}
@delays@
  [class*="st-key-ready_phone"]:is(:hover, :focus-within, :has(.st-key-teach_play input:not(:checked)))
    :is(.st-key-teach_slides > *, .dp-plan li) {animation-play-state: paused;}
  @keyframes dp-slide {
    0% {visibility: visible; opacity: 0;} 1.5% {visibility: visible; opacity: 1;}
    @seen@% {visibility: visible; opacity: 1;} @gone@%, to {visibility: hidden; opacity: 0;}
  }
  @keyframes dp-step {
    0%, @seen@% {background: #4f46e5;} @gone@%, to {background: light-dark(#d5d8e0, #3d4456);}
  }
}
@media print {
  [class*="st-key-ready_phone"] {min-height: 0; margin-bottom: 1rem; break-inside: avoid; box-shadow: none;}
}
@media screen and (max-width: 760px) { /* beside each other, to be pushed along */
  .st-key-teach_ready .stHorizontalBlock {flex-wrap: nowrap; overflow-x: auto; padding-bottom: 0.5rem;}
  .st-key-teach_ready .stColumn {flex: 0 0 16.5rem; min-width: 16.5rem;}
}
</style>"""


def _css() -> str:
    """Return the style sheet, which shows each slide for the same time."""
    n = len(ninety.PLAN)
    delays = "\n".join(
        f"  :is(.st-key-teach_slides > :nth-child({k + 1}), .dp-plan li:nth-child({k + 1}))"
        f" {{animation-delay: {(k - n) * _SECONDS}s;}}"
        for k in range(n)
    )
    share = 100 / n
    about = {
        "all": str(n * _SECONDS), "delays": delays, "seen": str(round(share - 1, 2)), "gone": str(round(share, 2)),
    }  # fmt: skip
    css = _CSS
    for name, value in about.items():
        css = css.replace(f"@{name}@", value)
    return css


CSS = _css()


def draw(pages: Pages, exercises: Mapping[str, str]) -> None:
    """Draw the ready-made lessons in a row, each with a button that loads it as the lesson of this session."""
    steps = [step for step in ninety.PLAN if step.name in READY and step.page in pages]
    with st.container(key="teach_ready"):
        columns = st.columns(len(steps) + 1)
        for step, column in zip(steps, columns, strict=False):
            with column:
                with st.container(key=f"ready_phone_{step.name}"):
                    st.markdown(f"**{T(f'ready.{step.name}')}**")
                    st.fragment(_picture)(pages[step.page])
                    st.caption(step.ask)
                lesson = lesson_of_step(step, tuple(exercises))
                _take(step.name, T("ready.take", minutes=step.minutes), lesson)
        with columns[-1]:
            with st.container(key="ready_phone_plan"):
                st.markdown(f"**{T('plan.lesson')}**")
                _slides(pages)
                st.html(_timeline())
            minutes = sum(step.minutes for step in ninety.PLAN)
            _take(
                "plan",
                T("ready.take", minutes=minutes),
                ninety.lesson(tuple(pages), tuple(exercises)),
            )


def _slides(pages: Pages) -> None:
    """Draw the steps of the plan as slides in one place; the style sheet shows them one after the other."""
    with st.container(key="teach_slides"):
        for step in ninety.PLAN:
            with st.container(key=f"teach_slide_{step.name}"):
                st.markdown(T("ready.slide", title=step.title, minutes=step.minutes))
                page = pages.get(step.page)
                if page and page.card:
                    name = f"slide_{page.key}"
                    component.show(_slide(page.key), key=name)
                st.markdown(step.ask)
    st.toggle(T("ready.play"), value=True, key="teach_play")


def lesson_of_step(step: ninety.Step, exercises: tuple[str, ...]) -> Lesson:
    """Return a lesson of one step of the plan, with the figure, the question and, if it exists, the exercise."""
    return Lesson(
        title=T(f"ready.{step.name}"),
        parts=(Shown(page=step.page, link=step.link, text=step.ask),),
        exercises=(step.exercise,) if step.exercise in exercises else (),
    )


def _take(name: str, label: str, lesson: Lesson) -> None:
    st.button(
        label,
        key=f"teach.take.{name}",
        on_click=editing.load_lesson,
        args=(lesson,),
        width="stretch",
    )


@lru_cache(maxsize=8)
def _small(key: str) -> Figure:
    """Return the small figure on a page's card, with a slider that moves by itself once; cached for all sessions."""
    spec = next(spec for spec in specs() if spec.key == key)
    whole, panel = _at_look(key)
    card = spec.card
    if card is None:
        raise AssertionError("a page with a miniature has a card")
    if panel == card.panel:
        return moving_once(
            thumbnail.shrink(whole, panel, card.keep[:1], height=_HEIGHT), card.keep[0]
        )
    played = next(one for one in whole.controls if isinstance(one, Slider) and one.play)
    still = replace(
        whole,
        controls=[replace(one, play=False) if one is played else one for one in whole.controls],
    )
    small = thumbnail.shrink(still, panel, (played.name,), height=_HEIGHT)
    return moving_once(small, played.name, "rises")


@lru_cache(maxsize=8)
def _slide(key: str) -> Figure:
    """Return the small figure of a page without a slider; cached for all sessions."""
    whole, panel = _at_look(key)
    return thumbnail.shrink(whole, panel, (), height=_HEIGHT - 60)


def _at_look(key: str) -> tuple[Figure, str]:
    """Return the figure for a page's card at the level *Look*, and the key of one of its panels.

    This is the panel that the card names, if the level *Look* shows it, else the first panel.
    """
    spec = next(spec for spec in specs() if spec.key == key)
    whole = miniature(spec)
    shown = [panel.key for panel in whole.panels if panel.depth == Depth.LOOK]
    wanted = spec.card.panel if spec.card else ""
    panels = [panel.at(Depth.LOOK) for panel in whole.panels]
    return replace(whole, panels=panels), wanted if wanted in shown else shown[0]


def _picture(page: PageEntry) -> None:
    name = f"ready_{page.key}"
    component.show(component.with_user_values(_small(page.key), key=name), key=name)


def _timeline() -> str:
    """Return the steps of the plan as a list in HTML, in which a step's height is proportional to its minutes."""
    steps = "".join(
        f'<li style="flex: {step.minutes}"><span>{escape(step.title)}</span><span>{step.minutes}</span></li>'
        for step in ninety.PLAN
    )
    return f'<ol class="dp-plan">{steps}</ol>'
