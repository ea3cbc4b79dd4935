"""Widget that shows an interactive figure in a notebook, based on anywidget."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpcore._missing import MissingPackage
from ui import live
from ui.embed.query import FigureRequest
from ui.live import Panel, Readout, Text, Value
from ui.live.array_files import Store
from ui.live.events import Event, identifiers, read
from ui.live.transport import Delivery, message
from ui.notebook.own_source import ArrayLikes, Compute, OwnSource
from ui.notebook.page_source import PageSource
from ui.notebook.source import Answer, Source
from ui.web.js_bundle import bundle
from ui.web.static_files import without_comments
from ui.words.text import load_text

T = load_text(__file__)

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise MissingPackage(T("widget.missing")) from error

__all__ = ["Figure", "LiveWidget", "page_figure", "script", "styles"]

_ASSETS = Path(__file__).resolve().parents[2] / "assets"
_PLACE = 64 * 2**20  # bytes of arrays of one figure, kept while views may still ask for them


@lru_cache(maxsize=1)
def script() -> str:
    """Return the widget's JavaScript: one module that contains everything that it imports."""
    text = bundle(_ASSETS / "notebook" / "widget.js", without_comments, alone=True).decode()
    return f"{text}export default widget;\n"


@lru_cache(maxsize=1)
def styles() -> str:
    """Return the widget's style sheet."""
    files = (_ASSETS / "live" / "live.css", _ASSETS / "notebook" / "notebook.css")
    return "".join(file.read_text("utf-8") for file in files)


class Values(dict[str, Value]):
    """Values of controls, a dictionary that cannot be changed.

    `LiveWidget.values` is changed by assigning a new dictionary; the controls in the browser then move.
    """

    def __setitem__(self, name: str, value: Value) -> None:
        raise TypeError(T("values.fixed", name=name))

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Raise TypeError, since values are changed by assigning a new dictionary."""
        raise TypeError(T("values.fixed", name="epsilon"))


class LiveWidget(anywidget.AnyWidget):
    """Interactive figure in a notebook.

    To some controls the browser reacts alone. To all others the kernel reacts.

    Parameters
    ----------
    source : Source
        Object that answers the events of the figure.
    theme : "auto", "light" or "dark"
        Colour theme; "auto" is that of the notebook.

    Attributes
    ----------
    values : dict
        Values of the controls, by name. They change when the user releases a control. Assigning a dictionary moves
        the controls; those that are missing in it keep their values.
    """

    values = traitlets.Dict().tag(sync=True)
    _opening = traitlets.Dict().tag(sync=True)

    def __init__(self, source: Source, *, theme: str = "auto") -> None:
        self._source, self._session = source, secrets.token_hex(4)
        self._store = Store(_PLACE)
        self._views: dict[
            str, tuple[Any, int]
        ] = {}  # the version and number of the figure that each shows
        first = source.answer(Event())
        opening = {
            "message": self._message(first, Event(), frozenset()),
            "notes": list(first.notes),
            "silent": T("widget.silent"),
            "theme": theme,
            "asks": source.asks,
        }
        self._esm, self._css = script(), styles()
        self._trusts = True
        super().__init__(values=Values(first.figure.values), _opening=opening)
        self._trusts = False
        self.on_msg(self._hear)

    @traitlets.validate("values")
    def _checked(self, proposal: Any) -> Values:
        given = proposal["value"]
        return given if self._trusts else Values(self._source.check(self.values, given))

    @traitlets.observe("values")
    def _moved(self, change: Any) -> None:
        if not self._trusts:
            self._source.take(change["new"])

    def _hear(self, _: object, content: Any, buffers: object) -> None:
        """Answer an event that a view of the widget in the browser has sent."""
        if not isinstance(content, Mapping) or not isinstance(content.get("view"), str):
            return
        view, raw = content["view"][:40], content.get("event")
        event = read(raw)
        try:
            answer = self._source.answer(event)
        except (ValueError, TypeError, MissingPackage) as error:
            return self._reply(view, self._same(view, event), [T("widget.failed", error=error)])
        if event.phase != "drag":
            self._set(answer.figure.values)
        version, _ = self._views.get(view, (None, -1))
        polls = event.phase in ("tick", "look")
        if polls and answer.version is not None and version == answer.version:
            return self._reply(view, self._same(view, event, answer), answer.notes)
        self._views[view] = answer.version, event.seq
        self._reply(view, self._message(answer, event, identifiers(raw, "held")), answer.notes)

    def _set(self, values: Mapping[str, Value]) -> None:
        """Set values that come from the source and therefore need no check."""
        self._trusts = True
        try:
            self.values = Values(values)
        finally:
            self._trusts = False

    def _reply(self, view: str, content: Mapping[str, Any], notes: Sequence[str]) -> None:
        files: list[dict[str, Any]] = []
        buffers: list[bytes] = []
        for file in content.get("files", ()):
            files.append({**file, "packed": len(buffers)})
            buffers.append(file["packed"])
        told = {**content, "files": files} if "files" in content else dict(content)
        self.send({"view": view, "notes": list(notes), "message": told}, buffers)

    def _message(self, answer: Answer, event: Event, held: frozenset[str]) -> dict[str, Any]:
        """Return the message for a figure; its files contain the bytes of the arrays that the browser lacks."""
        whole = message(answer.figure, Delivery(known=held, store=self._store, path=""))
        files = [
            {**file, "url": "", "packed": self._store.packed(file["url"])}
            for file in whole["files"]
        ]
        return {**whole, "files": files, **self._about(event.seq)}

    def _same(self, view: str, event: Event, answer: Answer | None = None) -> dict[str, Any]:
        busy = answer.figure.busy if answer else None
        return {
            "same": self._views.get(view, (None, 0))[1],
            "busy": vars(busy) if busy else None,
            **self._about(event.seq),
        }

    def _about(self, seq: int) -> dict[str, Any]:
        name = self._source.name
        return {"name": name, "seq": seq, "session": self._session, "modules": "", "news": ""}


class Figure(LiveWidget):
    """Interactive figure of the user's arrays.

    Parameters
    ----------
    controls : sequence of Control
        Sliders, choices, switches, numbers and buttons. If a control is a dimension of an array, the browser reacts
        to it alone, without the kernel.
    arrays : mapping
        Arrays by name. ``(array, ("C", "gamma"))`` is an array whose leading dimensions are the controls C and gamma.
        An array without such names has no controls as dimensions.
    panels : sequence of Panel
        Panels of the figure.
    values : mapping of str to Value, optional
        Values of the controls when the figure opens. A control that is missing here opens at its first value.
    compute : callable, optional
        Function of the values of all controls that returns further arrays by name. The kernel calls it when a
        control that is no dimension of an array moves.
    readouts, texts : sequence
        Numbers and sentences below the panels.
    coords : mapping of str to str
        For each coordinate, a dimension of arrays, the name of the scalar array with the fractional index along it.
    name : str
        Name of the figure in the file names of saved pictures.
    theme : "auto", "light" or "dark"
        Colour theme; "auto" is that of the notebook.

    Raises
    ------
    ValueError
        When a name is not defined, sizes differ, or a value is not allowed.
    """

    def __init__(
        self,
        *,
        controls: Sequence[live.Control],
        arrays: ArrayLikes,
        panels: Sequence[Panel],
        values: Mapping[str, Value] | None = None,
        compute: Compute | None = None,
        readouts: Sequence[Readout] = (),
        texts: Sequence[Text] = (),
        coords: Mapping[str, str] | None = None,
        name: str = "figure",
        theme: str = "auto",
    ) -> None:
        source = OwnSource(
            controls=controls, arrays=arrays, values=values or {}, compute=compute, name=name, panels=panels,
            readouts=readouts, texts=texts, coords=coords or {},
        )  # fmt: skip
        super().__init__(source, theme=theme)


def page_figure(request: FigureRequest) -> LiveWidget:
    """Return the figure of a page as a widget."""
    return LiveWidget(PageSource(request), theme=request.theme)
