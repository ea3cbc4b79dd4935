"""Figures of the notebook user's arrays, with a function that computes further arrays when a control moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ui import live
from ui.live import Array, Figure, Value
from ui.live.events import Event
from ui.notebook.source import Answer, changed, fields
from ui.words.text import load_text

__all__ = ["ArrayLikes", "Compute", "OwnSource"]

T = load_text(__file__)
ArrayLikes = Mapping[str, "Array | ArrayLike | tuple[ArrayLike, Sequence[str]]"]
"""Arrays by name: an `ui.live.Array`, an array, or an array with the names of its leading dimensions."""
Compute = Callable[[Mapping[str, Value]], ArrayLikes]
"""Function of the values of all controls that returns arrays by name."""
_KEPT = 32  # results of `compute`, so that going back asks for nothing


class OwnSource:
    """Source of a figure of the notebook user's arrays.

    Parameters
    ----------
    controls : sequence of Control
        The controls. The browser reacts without Python to those that are a dimension of an array, and to all
        controls if there is no ``compute``.
    arrays : mapping
        The fixed arrays.
    values : mapping of str to Value
        Values of the controls when the figure opens. A control that is missing here opens at its first value.
    compute : callable, optional
        Function that returns further arrays for the values of the controls.
    name : str
        Name of the figure in the file names of saved pictures.
    others : object
        The other fields of `ui.live.Figure`.
    """

    def __init__(
        self,
        *,
        controls: Sequence[live.Control],
        arrays: ArrayLikes,
        values: Mapping[str, Value],
        compute: Compute | None,
        name: str,
        **others: Any,
    ) -> None:
        self.name, self.asks = name, compute is not None
        self._compute = compute
        self._fields = fields(controls)
        usual = {one.name: _first(one) for one in controls if not isinstance(one, live.Buttons)}
        self._usual = changed(self._fields, usual, values)
        self._values = dict(self._usual)
        self._fixed = {key: _array(key, one) for key, one in arrays.items()}
        self._results: dict[tuple[Value, ...], dict[str, Array]] = {}
        self._asked: list[str] = [] if compute is None else [*self._usual]
        first = self._computed(self._usual)
        drawn = _dimensions({**self._fixed, **first}, others)
        self._asked = [key for key in self._asked if key not in drawn]
        self._results.clear()
        self._remember(self._usual, first)
        controls = [self._with_mode(control) for control in controls]
        self._figure = Figure(
            controls=controls, values=self._usual, arrays={**self._fixed, **first}, **others
        )

    def check(self, values: Mapping[str, Value], changes: Mapping[str, Any]) -> dict[str, Value]:
        """Return ``values`` with the changed values of some controls, after checking the changes."""
        return changed(self._fields, values, changes)

    def take(self, values: Mapping[str, Value]) -> None:
        """Set the values, already checked, that the next answer has."""
        self._values = dict(values)

    def answer(self, event: Event) -> Answer:
        """Return the figure after an event.

        Invalid values from the browser are ignored, except those of a number field, which raise ValueError.
        """
        values = dict(self._values)
        if event.action == "reset":
            values = dict(self._usual)
        elif event.phase in ("drag", "commit", "action"):
            for control in self._figure.controls:
                allowed = control.allowed(event.values.get(control.name))
                if isinstance(control, live.Number):
                    allowed = event.values.get(control.name)  # type: ignore[assignment]
                if allowed is not None:
                    values[control.name] = self._fields[control.name].check(allowed)
        arrays = {**self._fixed, **self._computed(values)}
        figure = replace(self._figure, values=values, arrays=arrays)
        if event.phase != "drag":
            self._values = values
        return Answer(figure=figure, version=tuple(values.items()))

    def _with_mode(self, control: live.Control) -> live.Control:
        if isinstance(control, live.Buttons):
            return control
        return replace(control, mode="server" if control.name in self._asked else "local")

    def _computed(self, values: Mapping[str, Value]) -> dict[str, Array]:
        if self._compute is None:
            return {}
        key = tuple(values[name] for name in self._asked)
        if key not in self._results:
            found = self._compute(dict(values))
            if not isinstance(found, Mapping):
                raise TypeError(T("own.computed", kind=type(found).__name__))
            self._remember(values, {name: _array(name, one) for name, one in found.items()})
        return self._results[key]

    def _remember(self, values: Mapping[str, Value], arrays: dict[str, Array]) -> None:
        self._results[tuple(values[name] for name in self._asked)] = arrays
        for old in list(self._results)[:-_KEPT]:
            del self._results[old]


def _first(control: live.Control) -> Value:
    if isinstance(control, live.Slider):
        return control.grid[0]
    if isinstance(control, live.Choice):
        return control.options[0][0]
    if isinstance(control, live.Number):
        return control.low or 0
    return False


def _array(name: str, given: Any) -> Array:
    """Convert a given array, with or without names of its leading dimensions, to an `ui.live.Array`."""
    if isinstance(given, Array):
        return given
    content, dims = given if isinstance(given, tuple) and len(given) == 2 else (given, ())
    names = (dims,) if isinstance(dims, str) else tuple(dims)
    numbers = np.asarray(content)
    if len(names) > numbers.ndim:
        raise ValueError(T("own.size", name=name, n=numbers.ndim, named=len(names)))
    if numbers.dtype.kind in "iu" and numbers.dtype.name != "uint8":
        numbers = numbers.astype(np.int32)
    return Array(numbers, (*names, *(None,) * (numbers.ndim - len(names))))


def _dimensions(arrays: Mapping[str, Array], others: Mapping[str, Any]) -> set[str]:
    """Return the names of all dimensions of arrays and sentences."""
    texts = [dim for text in others.get("texts", ()) for dim in text.dims]
    return {dim for array in arrays.values() for dim in array.dims if dim} | {*texts}
