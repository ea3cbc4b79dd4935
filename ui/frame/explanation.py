"""Explanation below the figure of every page: guarantee, formula, program, exports, tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from ui.export import downloads
from ui.frame import guarantee_card, shell
from ui.live.depth import Depth
from ui.words import text

__all__ = ["Explanation", "draw", "section"]

Drawing = Callable[[], object]
T = text.load_text(__file__)
_TASKS = T("explanation.tasks")


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Explanation below the figure of a page, for its current parameters.

    Parameters
    ----------
    shown : str
        Sentence on the joint privacy cost of all releases that the page draws, for the guarantee card;
        "" without noise.
    under_card : callable, optional
        Draws additional content below the guarantee card.
    formula : callable or str
        Function that draws the formula with the current numbers, or the formula in LaTeX.
    printed : callable, optional
        Draws the formula as published in a paper, below the formula, only at *Check the papers*.
    claims : callable, optional
        Draws full-width content above the sections, from the level of detail ``claims_from`` on.
    sections : mapping of str to callable
        Functions that draw further sections when these are opened, by title. They appear from *Understand* on.
    checks : mapping of str to callable
        Functions that draw the sections of *Check the papers*: printed and correct versions, tables,
        verdicts.
    bundle : Bundle
        The downloads of the page, with the guarantee for the card and the displayed program.
    tasks : str
        Tasks for the user. They are below the formula, or at *Look* in a section of their own.
    other : (str, str), optional
        Key of a page to visit next, and the text of the link.
    """

    formula: Drawing | str
    bundle: downloads.Bundle
    tasks: str
    shown: str
    under_card: Drawing | None = None
    printed: Drawing | None = None
    claims: Drawing | None = None
    claims_from: Depth = Depth.CHECK
    sections: Mapping[str, Drawing] = field(default_factory=dict)
    checks: Mapping[str, Drawing] = field(default_factory=dict)
    other: tuple[str, str] | None = None


def draw(words: Explanation, *, depth: Depth = Depth.CHECK) -> None:
    """Draw the parts of an explanation that a level of detail includes.

    The parts are in the same order on all pages.
    """
    if depth >= Depth.UNDERSTAND:
        _argument(words, depth)
    else:
        guarantee_card.summary(words.bundle.guarantee, draws=words.bundle.draws)
    if words.claims and depth >= words.claims_from:
        words.claims()
    for title, drawing in _sections(words, depth).items():
        section(title, drawing)
    if words.other:
        shell.page_link(*words.other)


def _argument(words: Explanation, depth: Depth) -> None:
    """Draw the guarantee card, with the formula and the tasks in a second column."""
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        guarantee_card.card(words.bundle.guarantee, shown=words.shown, draws=words.bundle.draws)
        if words.under_card:
            words.under_card()
    with right:
        st.latex(words.formula) if isinstance(words.formula, str) else words.formula()
        if words.printed and depth >= Depth.CHECK:
            words.printed()
        st.markdown(f"## {_TASKS}\n{words.tasks}")


def _sections(words: Explanation, depth: Depth) -> dict[str, Drawing]:
    bundle = words.bundle
    sections = {**words.sections} if depth >= Depth.UNDERSTAND else {}
    if depth >= Depth.CHECK:
        sections |= words.checks
    if depth >= Depth.UNDERSTAND:
        sections[T("explanation.code")] = lambda: downloads.show_code(bundle.code(bundle.params))
    sections[T("explanation.download")] = lambda: downloads.take_along(bundle)
    if depth < Depth.UNDERSTAND:
        sections[_TASKS] = lambda: st.markdown(words.tasks)
    return sections


def section(title: str, drawing: Drawing) -> None:
    """Draw a collapsed section, with content that is computed when a user opens the section."""

    @st.fragment
    def inside() -> None:
        with st.expander(title, key=f"open.{title}", on_change="rerun") as expander:
            if expander.open:
                drawing()

    inside()
