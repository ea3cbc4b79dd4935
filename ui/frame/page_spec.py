"""Specification of a page, and what all pages do in the same way.

A page reads its parameters, computes, draws, and handles events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from dpcore.audit.claims import NoiseDraw
from dpcore.datasets.own_table import Task
from dpcore.experiments.params import Params
from dpcore.units import Neighbouring
from ui import live
from ui.figure_kit.controls import PageControl, check_complete
from ui.frame import controls, explanation, guarantee_card, shell
from ui.frame.depth_filter import shown
from ui.frame.explanation import Explanation
from ui.frame.lattice import Lattice
from ui.jobs import render_queue
from ui.live import component, inbox
from ui.live.depth import Depth
from ui.runner import PageState, Pipeline, poll_backoff
from ui.upload import wizard
from ui.words import text

__all__ = [
    "Card", "PageEntry", "PageSpec", "act", "declare", "first_tab", "miniature", "open_page", "shown",
]  # fmt: skip

T = text.load_text(__file__)
P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class Card:
    """Card of a page on the start page (Home): one panel of the page's figure, with at most two sliders.

    A card needs no server. Its figure has the page's default parameters.

    - ``stages``: names of the stages (computations) that are run for the figure.
    - ``stored``: names of the stages whose results are shown if they are on disk.
    - ``keep``: names of the sliders to keep; these sliders must not need a computation.
    - ``first``: whether the card is at the top of Home, larger than others and with sentences.
    """

    panel: str
    keep: tuple[str, ...]
    stages: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()
    first: bool = False


@dataclass(frozen=True, kw_only=True)
class PageEntry:
    """Description of a page for other parts of the application.

    - ``key``: name of the page's folder, and its address.
    - ``group``: the page's heading in the navigation.
    - ``opening``: two plain sentences on what was done to the data and what to try first.
    - ``looks``: link queries of the page states in additional screenshots, by name of the screenshot.
    - ``first``: function that returns the figures at the top of a page without a pipeline.
    """

    key: str
    title: str
    question: str
    group: str
    opening: str = ""
    card: Card | None = None
    looks: Mapping[str, str] = field(default_factory=dict)
    first: Callable[[], Sequence[live.Figure]] | None = None


@dataclass(frozen=True, kw_only=True)
class PageSpec(PageEntry, Generic[P]):
    """Specification of a page: texts, parameters, computations, figure and explanation.

    - ``controls``: how each parameter is set.
    - ``pipeline``: the computations.
    - ``figure(state)`` returns the interactive figure of the available results.
    - ``words(state)`` returns the explanation below the figure, or draws it. It is called when a control is released
      and when there are new results.
    - ``meaning(state)`` returns the sentence that summarizes the figure.
    - ``noise(params)`` runs the page's computations for ``make audit``. It yields the measured noise, with the
      promised guarantee. A text instead of a function is the reason why the page draws no noise.
    - ``act(action, params)`` handles the page's own buttons.
    - ``sways``: name of the slider that once moves to its ends and back when a reader opens the page.
    - ``rises``: name of the slider that instead once moves from its first value to its value.
    - ``own_task``: what is predicted in a user's table; ``own_either``: the user may predict a class or a number.
    - ``own_groups``: whether to ask for a column whose groups are compared.
    - ``own_in_tabs``: whether the user's table is shown only in the tabs.
    - ``task(params)`` returns the opening for the current parameters, if it is not always the same.
    - ``own_neighbouring(params)``: the neighbouring relation of the page's guarantee.
    - ``site``: the states that the static site has as files. None if the page needs the server.
    """

    params: type[P]
    controls: Sequence[PageControl]
    pipeline: Pipeline[P]
    figure: Callable[[PageState[P]], live.Figure]
    words: Callable[[PageState[P]], Explanation | None]
    meaning: Callable[[PageState[P]], str | live.Text]
    noise: Callable[[P], Iterable[NoiseDraw]] | str
    act: Callable[[str, P], P] | None = None
    sways: str = ""
    rises: str = ""
    task: Callable[[P], str] | None = None
    own_task: Task | None = None
    own_either: bool = False
    own_groups: bool = False
    own_in_tabs: bool = False
    own_neighbouring: Callable[[P], Neighbouring] = lambda params: "replace_one"
    site: Lattice | None = None

    def __post_init__(self) -> None:
        check_complete(self.controls, self.params)

    def opening_at(self, params: P) -> str:
        """Return the opening sentences for the current parameters."""
        return self.task(params) if self.task else self.opening


def miniature(spec: PageEntry) -> live.Figure:
    """Return the figure from which a page's card on Home is made.

    Raises
    ------
    ValueError
        When the page has no card, or no figure.
    """
    if spec.card and isinstance(spec, PageSpec):
        return spec.figure(
            spec.pipeline.still(spec.params(), *spec.card.stages, stored=spec.card.stored)
        )
    raise ValueError(f"The page {spec.key} has nothing to show on a card.")


_DECLARED: dict[str, PageSpec[Any]] = {}


def declare(entries: Iterable[PageEntry]) -> None:
    """Register the page specifications of the pages' modules, for `open_page`."""
    _DECLARED.update({spec.key: spec for spec in entries if isinstance(spec, PageSpec)})


def open_page(spec: PageSpec[Any]) -> None:
    """Run a page with its registered specification.

    Streamlit executes the page's script anew at each run, but the registered specification stays
    the same object.
    """
    spec = _DECLARED.get(spec.key, spec)
    controls.current(spec.params, spec.key)
    opening = spec.opening_at(st.session_state[f"params.{spec.key}"])
    shell.header(spec.title, spec.question, opening=opening, depths=True)
    st.session_state.pop(f"words_version.{spec.key}", None)

    @st.fragment(key="figure")
    def live_figure() -> None:
        shell.problems(st.session_state[f"problems.{spec.key}"])
        with render_queue.turn(
            soon=shell.runs_partly()
        ):  # somebody has the page, and waits for an answer
            _draw(spec, st.session_state[f"params.{spec.key}"])

    @st.fragment(key="words")
    def words() -> None:
        st.session_state[f"words_version.{spec.key}"] = _words_version(spec)
        sections = spec.words(spec.pipeline.known(st.session_state[f"params.{spec.key}"]))
        if sections:
            explanation.draw(sections, depth=controls.depth())
            guarantee_card.written_for(spec.key, st.session_state[f"params.{spec.key}"])

    @st.fragment(key="own")
    def own() -> None:
        _own_table(spec)

    with st.container(key="stage"):
        with st.container(key="picture"):
            live_figure()
        with st.container(key="own_table"):
            own()
    words()


def _own_table(spec: PageSpec[Any]) -> None:
    """Draw the form for a user's own table if that data set is chosen."""
    data = spec.pipeline.data
    if spec.own_task is None or data is None or not data.own:
        return
    params = st.session_state[f"params.{spec.key}"]
    if getattr(params, data.choice) == "own":
        wizard.wizard(
            data.own, task=spec.own_task, either=spec.own_either, groups=spec.own_groups,
            neighbouring=spec.own_neighbouring(params),
            leave=lambda: _leave_own(spec),
        )  # fmt: skip


def _leave_own(spec: PageSpec[Any]) -> None:
    """Switch from the user's own table to the page's default public data set."""
    instead = spec.pipeline.data.instead if spec.pipeline.data else {}
    controls.store(st.session_state[f"params.{spec.key}"].but(**instead), spec.key)


def _draw(spec: PageSpec[Any], params: Any) -> None:
    """Draw the figure of the available results.

    If the browser only polls and nothing has changed, send it a short message instead.
    """
    key, event, depth = spec.key, component.event(spec.key), controls.depth()
    dragging = event.phase == "drag"
    look: dict[str, Any] = {"dragging": dragging, "depth": depth, "near": event.near}
    told = event.tab or None
    tab = told if told or depth is Depth.LOOK else ""  # the main panels are the first tab there
    state = spec.pipeline.state(params, tab=tab, **look)
    shell.problems(state.problems)
    same = shell.runs_partly() and component.is_same(key, state.version)
    if same or (shell.runs_partly() and poll_backoff.can_wait(key, state)):
        busy, where = state.busy or _writing(spec), poll_backoff.news_of(key, state, anew=same)
        return component.show_same(busy, key=key, news=where, on_event=lambda: _on_event(spec))
    figure = shown(spec, state, depth)
    first = None if told else first_tab(spec, figure)
    if first:  # the browser opens the first there is, and has not told yet
        state = spec.pipeline.state(params, tab=first, **look)
        figure = shown(spec, state, depth)
    if not dragging and not figure.busy:
        figure = replace(figure, busy=_writing(spec))
    version = None if dragging else state.version
    poll_backoff.note_sent(key, state)
    where = "" if dragging else poll_backoff.news_of(key, state)
    component.show(figure, key=key, on_event=lambda: _on_event(spec), version=version, news=where)


def first_tab(spec: PageSpec[Any], figure: live.Figure) -> str | None:
    """Return the name of a figure's first tab if the results of this tab were not requested yet, else None."""
    tabs = [panel.tab for panel in figure.panels]
    first = next(filter(None, tabs), "")
    served = any(first in stage.tabs for stage in spec.pipeline.stages)
    if figure.main_tab:
        return first if served and "" not in tabs else None
    return first if served and first != spec.pipeline.tab else None


def _writing(spec: PageSpec[Any]) -> live.Busy | None:
    """Return a busy state while the texts below the figure are outdated, else None.

    The browser polls again in a busy state.
    """
    return live.Busy(progress=1.0, text=T("event.writing")) if _late(spec) else None


def _words_version(spec: PageSpec[Any]) -> Any:
    return spec.pipeline.words_version(st.session_state[f"params.{spec.key}"])


def _late(spec: PageSpec[Any]) -> bool:
    """Return whether the texts below the figure are older than the available results."""
    shown = f"words_version.{spec.key}"
    return shown in st.session_state and st.session_state[shown] != _words_version(spec)


def _on_event(spec: PageSpec[Any]) -> None:
    """Handle an event from the browser; its values are validated like those of a link."""
    event = component.event(spec.key)
    params = before = st.session_state[f"params.{spec.key}"]
    if event.phase in ("drag", "commit", "action"):
        params, problems = controls.apply(params, event.values)
        st.session_state[f"problems.{spec.key}"] = problems
    elif event.phase == "refused":
        why = inbox.REFUSED.get(event.action, T("event.out_of_bounds"))
        st.session_state[f"problems.{spec.key}"] = [T("event.refused", why=why)]
    if event.phase == "action":
        params = act(spec, event.action, params)
    controls.store(params, spec.key, link=event.phase != "drag")
    rewrites = event.phase in ("commit", "action") or (event.phase == "tick" and _late(spec))
    if rewrites and shell.runs_partly():
        if spec.opening_at(before) != spec.opening_at(params):
            st.rerun()
        st.rerun(["figure", "own", "words"])


def act(spec: PageSpec[Any], action: str, params: Any) -> Any:
    """Return the parameters after a button was pressed."""
    match action:
        case "redraw":
            return params.but(seed=(params.seed + 1) % 1_000_000)
        case "reset":
            return spec.params()
        case "cancel":
            return spec.pipeline.cancel(params)
    return spec.act(action, params) if spec.act else params
