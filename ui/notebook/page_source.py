"""Figure of a page in a notebook: results of the page's pipeline, without a Streamlit server."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from streamlit import runtime

from ui import live
from ui.embed.query import MOST, FigureRequest, parse_request
from ui.embed.restrict_figure import part
from ui.frame.controls import apply
from ui.frame.page_spec import PageEntry, PageSpec, act, first_tab, shown
from ui.live import Figure, Value
from ui.live.depth import Depth
from ui.live.events import Event
from ui.notebook.source import Answer, changed, fields
from ui.runner import PageState
from ui.runner.session import Session, use_session
from ui.words.text import load_text

__all__ = ["PageSource", "request_of"]

T = load_text(__file__)
# Streamlit says at every use of its session that there is none: each figure has a record of its own here.
logging.getLogger("streamlit.runtime.state.session_state_proxy").addFilter(
    lambda _: runtime.exists()
)


def request_of(link: str, entries: Iterable[PageEntry]) -> FigureRequest:
    """Return the request for a figure from a link such as ``relevance?epsilon=1&depth=understand``.

    Invalid values are replaced by defaults, with a message in the request, as for links to pages.

    Raises
    ------
    TypeError
        When the link is no string.
    ValueError
        When the link is too long, or names no page with an interactive figure.
    """
    if not isinstance(link, str):
        raise TypeError(T("link.form", kind=type(link).__name__))
    if len(link) > MOST:
        raise ValueError(T("link.long", most=MOST, n=len(link)))
    key, _, query = link.partition("?")
    specs = {entry.key: entry for entry in entries if isinstance(entry, PageSpec)}
    spec = specs.get(key.strip().strip("/"))
    if spec is None:
        raise ValueError(T("link.no_page", page=key[:40], pages=", ".join(specs)))
    return parse_request(spec, dict(parse_qsl(query, keep_blank_values=True)))


class PageSource:
    """Source of a page's figure, computed as on the page: in background jobs, with partial results.

    Parameters
    ----------
    request : FigureRequest
        The requested state, panels and controls.
    """

    asks = True

    def __init__(self, request: FigureRequest) -> None:
        self._request, self._spec = request, request.spec
        self.name = request.spec.key
        self._params = request.params
        self._own: dict[
            str, Value
        ] = {}  # of controls that are no parameters, such as a slider that plays
        self._tab: str | None = None
        self._session = Session()
        self._notes: Sequence[str] = request.problems
        self._controls: Sequence[live.Control] = ()

    def check(self, values: Mapping[str, Value], changes: Mapping[str, Any]) -> dict[str, Value]:
        """Return ``values`` with the changed values of some controls, and with dependent parameters adjusted."""
        params = self._spec.params.controls()
        known = {name: params.get(name, item) for name, item in fields(self._controls).items()}
        new = changed(known, values, changes)
        if self._is_own(new):
            raise ValueError(T("values.own", name=self._choice))
        updates = {name: value for name, value in new.items() if name in params}
        after = self._params.but(**updates).following(self._params)
        return {**new, **{name: getattr(after, name) for name in updates}}

    def take(self, values: Mapping[str, Value]) -> None:
        """Set the values, already checked, that the next answer has."""
        self._params = self._after(Event(phase="commit", values=values))

    def answer(self, event: Event) -> Answer:
        """Return the figure after an event; jobs for better results are started or continued."""
        use_session(self._spec.pipeline.name, self._session)
        params, dragging = self._after(event), event.phase == "drag"
        self._tab = event.tab or self._tab
        state, figure = self._drawn(params, dragging, event)
        if not dragging:
            self._params, self._controls = params, figure.controls
        return Answer(
            figure=figure,
            notes=(*self._notes, *state.problems),
            version=None if dragging else (state.version, self._tab, *self._notes),
        )

    def _after(self, event: Event) -> Any:
        """Return the parameters after an event, and store a note on each invalid value."""
        if event.phase not in ("drag", "commit", "action"):
            return self._params
        params, problems = apply(self._params, event.values)
        if self._is_own(vars(params)):
            problems.append(T("values.own", name=self._choice))
            params = params.but(**{self._choice: getattr(self._params, self._choice)})
        if event.phase == "action":
            params = act(self._spec, event.action, params)
        if event.action == "reset":
            self._own = {}
        elif event.phase != "drag":
            self._own |= self._locals(event.values)
        self._notes = problems
        return params

    def _drawn(self, params: Any, dragging: bool, event: Event) -> tuple[PageState[Any], Figure]:
        """Return the current results of the page (`PageState`), and its figure with the requested panels."""
        spec, depth = self._spec, self._request.depth
        tab = self._tab if self._tab or depth is Depth.LOOK else ""
        look: dict[str, Any] = {"dragging": dragging, "depth": depth, "near": event.near}
        state = spec.pipeline.state(params, tab=tab, **look)
        figure = shown(spec, state, depth)
        first = None if self._tab else self._first_tab(figure)
        if first:
            state = spec.pipeline.state(params, tab=first, **look)
            figure = shown(spec, state, depth)
        figure = self._restricted(figure)
        values = {name: value for name, value in self._own.items() if name in figure.values}
        return state, replace(figure, values={**figure.values, **values})

    def _first_tab(self, figure: Figure) -> str | None:
        """Return the tab whose results are computed first: the tab of the requested panels, or else the first tab."""
        wanted = self._request.panel
        if not wanted:
            return first_tab(self._spec, figure)
        return next((panel.tab for panel in figure.panels if panel.key in wanted), None)

    def _restricted(self, figure: Figure) -> Figure:
        request = self._request
        figure = replace(figure, controls=[self._public(control) for control in figure.controls])
        if not (request.panel or request.locked or request.hidden):
            return figure
        how: dict[str, Any] = {
            "locked": request.locked, "hidden": request.hidden, "served": True,
        }  # fmt: skip
        busy = figure.busy
        try:
            figure = part(figure, panels=request.panel, **how)
        except ValueError as error:
            self._notes, figure = [*self._notes, str(error)], part(figure, **how)
        return replace(figure, busy=busy)

    def _public(self, control: live.Control) -> live.Control:
        """Return a control without the option of the user's own table, which only the application can read."""
        if not isinstance(control, live.Choice) or control.name != self._choice:
            return control
        return replace(control, options=[one for one in control.options if one[0] != "own"])

    @property
    def _choice(self) -> str:
        """Name of the parameter that chooses the data if these may be the user's own table, else ""."""
        data = self._spec.pipeline.data
        return data.choice if data is not None and data.own else ""

    def _is_own(self, values: Mapping[str, Any]) -> bool:
        return values.get(self._choice) == "own"

    def _locals(self, values: Mapping[str, object]) -> dict[str, Value]:
        """Return the allowed values of controls that are no parameters of the page."""
        params = self._spec.params.controls()
        found = {
            control.name: control.allowed(values.get(control.name))
            for control in self._controls
            if control.name not in params and not isinstance(control, live.Buttons)
        }
        return {name: value for name, value in found.items() if value is not None}
