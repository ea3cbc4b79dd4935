"""Parameters of experiments: one frozen dataclass defines links, code and cache keys.

Each field is declared once, by `control`, with its allowed values. The page that shows a field
defines its label and its input widget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, ClassVar, Self

__all__ = ["Control", "Params", "control", "inherited"]


@dataclass(frozen=True, kw_only=True)
class Control:
    """The allowed values of one parameter, and how they are written in links.

    Parameters
    ----------
    name, symbol : str
        The field's name and its symbol in formulas.
    default : object
        The value when none is given.
    grid : tuple of float or int, optional
        The allowed numbers, increasing.
    choices : tuple, optional
        The allowed values.
    low, high : int, optional
        Bounds of a whole number that has no grid.
    text : callable, optional
        For free text: function that returns the canonical form, or raises a ValueError with a message.
    """

    name: str = ""
    symbol: str = ""
    default: Any = None
    grid: tuple[float, ...] | None = None
    choices: tuple[Any, ...] | None = None
    low: int | None = None
    high: int | None = None
    text: Callable[[str], str] | None = None

    @property
    def allowed(self) -> str:
        """Description of the allowed values in words."""
        if self.choices is not None:
            return "one of " + ", ".join(map(str, self.choices))
        if self.grid is not None:
            return f"a value of the grid from {self.grid[0]:g} to {self.grid[-1]:g}"
        return f"a whole number from {self.low} to {self.high}"

    def check(self, value: Any) -> Any:
        """Return the allowed value that equals ``value``; numbers may differ by rounding.

        If no allowed value equals it, raise a ValueError that says what is allowed.
        """
        if self.text is not None:
            if not isinstance(value, str):
                raise ValueError(f"{self.name}={_brief(value)} is not allowed: give text.")
            return self.text(value)
        for candidate in self._candidates(value):
            if isinstance(candidate, bool | str) or isinstance(value, bool | str):
                same = value == candidate and type(value) is type(candidate)
            else:
                same = math.isclose(_number(value), _number(candidate), rel_tol=1e-9, abs_tol=1e-15)
            if same:
                return candidate
        raise ValueError(self._refusal(value))

    def parse(self, text: str) -> Any:
        """Return the value of the parameter that a link writes as ``text``.

        If ``text`` stands for no allowed value, raise a ValueError that says what is allowed.
        """
        if self.text is not None:
            return self.text(text)
        if self.choices is not None:
            for value in self.choices:
                if text == self.show(value):
                    return value
            raise ValueError(self._refusal(text))
        try:
            value = float(text)
            return self.check(int(value) if value.is_integer() and abs(value) < 2**53 else value)
        except ValueError:
            raise ValueError(self._refusal(text)) from None

    def refused(self, text: str, error: ValueError, label: str = "") -> str:
        """Return the message that a value in a link is not allowed.

        The message names the allowed values and the value that is used instead.
        """
        if self.text is not None:
            return f"{error} We use what the page begins with."
        named = " ".join(part for part in (label or self.name, self.symbol) if part)
        said = f"The link sets “{named}” to “{_brief(text)}”."
        return (
            f"{said} It can be {self._possible(_number(text))}; we use {self.show(self.default)}."
        )

    def _possible(self, near: float) -> str:
        if self.choices is not None:
            *others, last = [self.show(value) for value in self.choices]
            return f"{', '.join(others)} or {last}" if others else last
        if self.grid is None:
            return f"any whole number from {self.low} to {self.high}"
        ends = f"any step of the slider, from {self.grid[0]:g} to {self.grid[-1]:g}"
        return f"{ends} (the nearest is {self._nearest(near):g})" if math.isfinite(near) else ends

    def show(self, value: Any) -> str:
        """Return a value as text for a link."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:.12g}" if isinstance(value, float) else str(value)

    def _candidates(self, value: Any) -> Iterator[Any]:
        if self.choices is not None:
            yield from self.choices
        elif self.grid is not None:
            yield from self.grid
        elif isinstance(value, int) and not isinstance(value, bool):
            low = -math.inf if self.low is None else self.low
            high = math.inf if self.high is None else self.high
            if low <= value <= high:
                yield value

    def _refusal(self, value: Any) -> str:
        near = _number(value)
        nearest = ""
        if self.grid is not None and math.isfinite(near):
            nearest = f" The nearest is {self._nearest(near):g}."
        return f"{self.name}={_brief(value)} is not allowed: give {self.allowed}.{nearest}"

    def _nearest(self, near: float) -> float:
        return min(self.grid or (), key=lambda value: abs(value - near))


def _brief(value: object) -> str:
    """Return a value from a link as text for a message, at most 40 characters long.

    Very long numbers and structures are only described.
    """
    if (
        isinstance(value, int) and value.bit_length() > 128
    ):  # Python refuses to print very long ones
        return "a number of very many digits"
    return (
        str(value)[:40] if value is None or isinstance(value, int | float | str) else "a structure"
    )


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def control(default: Any, **domain: Any) -> Any:
    """Declare a field of a `Params` class with a default.

    The keyword arguments are passed to the field's `Control`.
    """
    return field(default=default, metadata={"control": domain})


def inherited(parent: type[Params], name: str, **changes: Any) -> Any:
    """Declare the field ``name`` of the class ``parent`` again, with changes.

    The keyword arguments replace allowed values or the default.
    """
    known = next(item for item in fields(parent) if item.name == name)
    words = {"default": known.default, **known.metadata["control"], **changes}
    return control(words.pop("default"), **words)


@dataclass(frozen=True, kw_only=True)
class Params:
    """Base class of an experiment's parameters, which are validated on creation and can be read from a link."""

    _controls: ClassVar[dict[str, Control]]
    former: ClassVar[Mapping[str, str]] = {}
    """For each renamed field, its name in older links."""
    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Default values of older versions, by version and field.

    Links of these versions leave out fields that have these values.
    """

    def __post_init__(self) -> None:
        for name, item in self.controls().items():
            object.__setattr__(self, name, item.check(getattr(self, name)))

    @classmethod
    def controls(cls) -> dict[str, Control]:
        """Return the `Control` of each field, by the field's name."""
        if "_controls" not in cls.__dict__:
            cls._controls = {
                item.name: Control(name=item.name, default=item.default, **item.metadata["control"])
                for item in fields(cls)
                if item.default is not MISSING
            }
        return cls._controls

    @property
    def draws_noise(self) -> bool:
        """Whether noise is drawn with these parameters, which then have a seed."""
        return "seed" in self.controls()

    @classmethod
    def from_link(
        cls, link: Mapping[str, str], labels: Mapping[str, str] | None = None
    ) -> tuple[Self, list[str]]:
        """Return the parameters of a link, and a message for each value that is not allowed.

        - A field with a refused value keeps its default, and the message names the default.
        - ``labels``: names of fields in messages.
        - A renamed field may have its old name, see `former`.
        - A field missing in a link of an older version (``v``) has the default in
          `former_defaults`.
        - Names that are not fields are ignored.
        """
        labels = labels or {}
        link = {**cls.former_defaults.get(link.get("v", ""), {}), **link}
        values, problems = {}, []
        for name, item in cls.controls().items():
            text = link.get(name, link.get(cls.former.get(name, name)))
            if text is None:
                continue
            try:
                values[name] = item.parse(text)
            except ValueError as error:
                problems.append(item.refused(text, error, labels.get(name, "")))
        return cls(**values), problems

    def to_link(self) -> dict[str, str]:
        """Return the fields that differ from their defaults, as texts for a link."""
        return {
            name: item.show(getattr(self, name))
            for name, item in self.controls().items()
            if getattr(self, name) != item.default
        }

    def to_code(self) -> str:
        """Return Python code that creates these parameters."""
        inside = ", ".join(
            f"{name}={getattr(self, name)!r}"
            for name, item in self.controls().items()
            if getattr(self, name) != item.default
        )
        return f"{type(self).__name__}({inside})"

    def following(self, before: Self) -> Self:
        """Return these parameters with dependent fields updated after a change from ``before``."""
        return self

    def but(self, **changes: Any) -> Self:
        """Return a copy of the parameters with some fields changed."""
        return replace(self, **changes)
