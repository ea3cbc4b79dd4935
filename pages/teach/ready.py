"""Ready-made lessons, each a picture in the frame of a phone: steps of the plan with their figures, and the plan."""

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
from ui.live import Figure, component
from ui.live.depth import Depth
from ui.words import text

__all__ = ["CSS", "READY", "draw", "lesson_of_step"]

T = text.load_text(__file__)
READY = ("mechanism", "budget", "learning")
"""Names of the steps of the plan that are offered as lessons of their own."""
_HEIGHT = 300  # of a picture, in pixels
CSS = """<style>
[class*="st-key-ready_phone"] {border: 0.45rem solid #1c2030; border-radius: 1.6rem; padding: 0.9rem 0.8rem;
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
@media print {
  [class*="st-key-ready_phone"] {min-height: 0; margin-bottom: 1rem; break-inside: avoid; box-shadow: none;}
}
@media screen and (max-width: 760px) { /* beside each other, to be pushed along */
  .st-key-teach_ready .stHorizontalBlock {flex-wrap: nowrap; overflow-x: auto; padding-bottom: 0.5rem;}
  .st-key-teach_ready .stColumn {flex: 0 0 16.5rem; min-width: 16.5rem;}
}
</style>"""


def draw(pages: Pages, exercises: Mapping[str, str]) -> None:
    """Draw the ready-made lessons beside each other, each with a button that makes it the lesson of this session."""
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
                st.html(_timeline())
            minutes = sum(step.minutes for step in ninety.PLAN)
            _take(
                "plan",
                T("ready.take", minutes=minutes),
                ninety.lesson(tuple(pages), tuple(exercises)),
            )


def lesson_of_step(step: ninety.Step, exercises: tuple[str, ...]) -> Lesson:
    """Return a lesson of one step of the plan: its figure, its question and its exercise if this exercise exists."""
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
    """Return the picture of a page's card, whose handle moves once by itself; cached for all sessions."""
    spec = next(spec for spec in specs() if spec.key == key)
    whole = miniature(spec)
    card = spec.card
    if card is None:
        raise AssertionError("a page with a miniature has a card")
    panels = [panel.at(Depth.LOOK) for panel in whole.panels]
    seen = replace(whole, panels=panels)
    small = thumbnail.shrink(seen, card.panel, card.keep[:1], height=_HEIGHT)
    return moving_once(small, card.keep[0])


def _picture(page: PageEntry) -> None:
    name = f"ready_{page.key}"
    component.show(component.with_user_values(_small(page.key), key=name), key=name)


def _timeline() -> str:
    """Return the steps of the plan as a list in HTML, each as high as it is long."""
    steps = "".join(
        f'<li style="flex: {step.minutes}"><span>{escape(step.title)}</span><span>{step.minutes}</span></li>'
        for step in ninety.PLAN
    )
    return f'<ol class="dp-plan">{steps}</ol>'
