"""Parts that the figures of all pages have in common: axes, buttons, values, arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.params import Params
from ui import live
from ui.figure_kit.controls import PageControl, live_controls
from ui.live import Axis
from ui.words import text

if TYPE_CHECKING:
    from ui.runner import PageState

__all__ = [
    "DENSITY_TOP",
    "EPSILONS",
    "array",
    "buttons",
    "density_axis",
    "epsilon_axis",
    "figure",
    "in_bytes",
    "interleave",
    "values",
]

T = text.load_text(__file__)
EPSILONS = [float(e) for e in EPSILON_GRID]
DENSITY_TOP = 1.12  # of a density, relative to its highest place


def epsilon_axis(title: str = "") -> Axis:
    """Return the logarithmic axis of ε that all pages use."""
    return Axis(
        range=(0.045, 22.0),
        title=title or T("axes.epsilon"),
        log=True,
        ticks=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20),
    )


def density_axis(low: float = 0.0) -> Axis:
    """Return the axis of a density divided by its maximum, with space below 0 for dots of random draws."""
    return Axis(range=(low, DENSITY_TOP), title=T("axes.density"), ticks=(0.0, 0.5, 1.0))


def buttons(*more: tuple[str, str, str], redraw: bool = True, pin: bool = True) -> live.Buttons:
    """Return a page's row of buttons.

    The buttons are, in this order: draw new noise if ``redraw``, pin if ``pin``, the buttons ``more``, and reset.
    """
    own = [name for name, wanted in (("redraw", redraw), ("pin", pin)) if wanted]
    chosen = [*map(_button, own), *more, _button("reset")]
    return live.Buttons(name="actions", actions=chosen)


def _button(name: str) -> tuple[str, str, str]:
    return name, T(f"buttons.{name}"), T(f"buttons.{name}_help")


def values(params: Params, **more: live.Value) -> dict[str, live.Value]:
    """Return the current values of all controls, by parameter name."""
    return {name: getattr(params, name) for name in params.controls()} | more


def array(data: ArrayLike, *dims: str | None) -> live.Array:
    """Return data as a float32 array of a figure, with the leading dimensions named ``dims``.

    All other dimensions are unnamed.
    """
    numbers = np.asarray(data, np.float32)
    return live.Array(numbers, (*dims, *[None] * (numbers.ndim - len(dims))))


def interleave(heights: ArrayLike) -> NDArray[np.float64]:
    """Return bar heights (..., n) with an empty bar after each, (..., 2n).

    Two sets of bars can then alternate.
    """
    values = np.asarray(heights, float)
    return np.stack([values, np.zeros_like(values)], -1).reshape(*values.shape[:-1], -1)


def in_bytes(data: ArrayLike, *dims: str, low: float = 0.0, high: float = 1.0) -> live.Array:
    """Return values in [low, high], encoded as bytes.

    The leading dimensions have the names ``dims``.
    """
    shares = (np.clip(data, low, high) - low) / (high - low)
    levels = np.rint(255 * shares).astype(np.uint8)
    return live.Array(levels, (*dims, *[None] * (levels.ndim - len(dims))), scale=(low, high))


def figure(
    state: PageState[Any],
    controls: Sequence[PageControl],
    *,
    arrays: Mapping[str, live.Array],
    actions: Sequence[tuple[str, str, str]] = (),
    **parts: Any,
) -> live.Figure:
    """Return a figure with all controls of a page, the buttons that every page has, and the page's ``actions``."""
    row = buttons(*actions, redraw=state.params.draws_noise)
    return live.Figure(
        controls=[*live_controls(controls, state.params), row],
        values=values(state.params),
        arrays=arrays,
        busy=state.busy,
        **parts,
    )
