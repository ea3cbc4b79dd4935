"""Interface to Python of a figure in a notebook: checks of values, and answers to events."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dpcore.experiments.params import Control
from ui import live
from ui.live import Figure, Value
from ui.live.events import Event
from ui.words.text import load_text

__all__ = ["Answer", "Source", "changed", "fields"]

T = load_text(__file__)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Figure to draw after an event, and sentences above it.

    ``version`` changes with the content of the figure, but not with the progress of jobs. If it is None, the figure
    counts as changed at every event.
    """

    figure: Figure
    notes: Sequence[str] = ()
    version: Hashable = None


class Source(Protocol):
    """Python's side of one figure in a notebook."""

    name: str
    """Name of the figure, in names of saved pictures."""
    asks: bool
    """Whether Python draws anything after the first view."""

    def check(self, values: Mapping[str, Value], changes: Mapping[str, Any]) -> dict[str, Value]:
        """Return ``values`` with the changed values of some controls, after checking the changes.

        Raises
        ------
        ValueError
            When there is no control with a given name, or a value is not allowed. The message states what is allowed.
        """

    def take(self, values: Mapping[str, Value]) -> None:
        """Set the values, already checked, that the next answer has."""

    def answer(self, event: Event) -> Answer:
        """Return the figure after an event of the browser, or its first view after an `Event` without a phase."""


def fields(controls: Sequence[live.Control]) -> dict[str, Control]:
    """Return the allowed values of controls, by the name of the control."""
    return {
        control.name: _field(control)
        for control in controls
        if not isinstance(control, live.Buttons)
    }


def _field(control: live.Control) -> Control:
    if isinstance(control, live.Slider):
        return Control(name=control.name, grid=tuple(control.grid))
    if isinstance(control, live.Choice):
        return Control(name=control.name, choices=tuple(value for value, _ in control.options))
    if isinstance(control, live.Number):
        return Control(name=control.name, low=control.low, high=control.high)
    return Control(name=control.name, choices=(False, True))


def changed(
    known: Mapping[str, Control], values: Mapping[str, Value], changes: Mapping[str, Any]
) -> dict[str, Value]:
    """Return ``values`` with the new values in ``changes``, after checking these.

    Examples
    --------
    >>> known = {"C": Control(name="C", grid=(0.1, 1.0, 10.0))}
    >>> changed(known, {"C": 1.0}, {"C": 10})
    {'C': 10.0}
    >>> changed(known, {"C": 1.0}, {"C": 3})
    Traceback (most recent call last):
    ...
    ValueError: C=3 is not allowed: give a value of the grid from 0.1 to 10. The nearest is 1.
    """
    if not isinstance(changes, Mapping):
        raise TypeError(T("values.whole", kind=type(changes).__name__))
    for name in changes:
        if name not in known:
            raise ValueError(T("values.unknown", name=str(name)[:40], names=", ".join(known)))
    return {**values, **{name: known[name].check(value) for name, value in changes.items()}}
