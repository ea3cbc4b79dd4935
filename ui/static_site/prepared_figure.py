"""Restriction of a page's figure to what a browser shows without a server but with prepared states.

Controls that the browser follows by itself move as in the application. Controls with prepared values move between
these. All other controls are fixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ui import live
from ui.embed.restrict_figure import fixed, pruned, without_handles
from ui.live import Breathing, Figure
from ui.live.depth import Depth
from ui.words.text import load_text

__all__ = ["LOCKED", "SEED", "prepared_figure"]

T = load_text(__file__)
LOCKED = T("control.locked")
SEED = "seed"
"""Parameter that the button *redraw* changes."""


def prepared_figure(
    figure: Figure, values: Mapping[str, Sequence[Any]], depth: Depth, tabs: Sequence[str] = ()
) -> Figure:
    """Return a page's figure in one prepared state.

    Parameters
    ----------
    figure : Figure
        The page's figure in this state, at the level of detail ``depth``.
    values : mapping of str to sequence
        Prepared values of the controls that the server answers, by name.
    depth : Depth
        The level of detail. Local controls of deeper levels are fixed.
    tabs : sequence of str
        Names of tabs that are left out.
    """
    controls = [
        one for control in figure.controls if (one := _control(control, values, figure)) is not None
    ]
    still = [control.name for control in figure.controls if _is_still(control, values, depth)]
    locked = [control.name for control in controls if control.disabled]
    panels = [
        without_handles(panel, locked) for panel in figure.panels if panel.tab not in {*tabs} - {""}
    ]
    breathing = _breathing(figure.breathing, values)
    return pruned(replace(fixed(figure, still), breathing=breathing), controls, panels)


def _is_still(control: live.Control, values: Mapping[str, Sequence[Any]], depth: Depth) -> bool:
    """Return whether a state has arrays at only one value of the control."""
    if isinstance(control, live.Buttons):
        return False
    return control.mode == "server" or control.depth > depth


def _control(
    control: live.Control, values: Mapping[str, Sequence[Any]], figure: Figure
) -> live.Control | None:
    """Return a control with its prepared values, or locked; None for buttons that nothing answers."""
    if isinstance(control, live.Buttons):
        return _buttons(control, values)
    if control.mode != "server" or control.hidden or control.disabled:
        return control
    known = values.get(control.name, ())
    if len(known) < 2:
        return replace(control, disabled=True, why=LOCKED)
    if isinstance(control, live.Slider):
        return _slider(control, known)
    if isinstance(control, live.Choice):
        options = [option for option in control.options if option[0] in known]
        return replace(control, options=options)
    if isinstance(control, live.Number):
        return replace(control, low=int(min(known)), high=int(max(known)))
    return control


def _slider(control: live.Slider, known: Sequence[Any]) -> live.Slider:
    places = sorted({control.index(value) for value in known})
    words = [control.words[place] for place in places] if control.words else ()
    return replace(control, grid=[control.grid[place] for place in places], words=words)


def _buttons(control: live.Buttons, values: Mapping[str, Sequence[Any]]) -> live.Buttons | None:
    answered = {"pin", "reset"} | ({"redraw"} if len(values.get(SEED, ())) > 1 else set())
    actions = [action for action in control.actions if action[0] in answered]
    return replace(control, actions=actions) if actions else None


def _breathing(
    breathing: Breathing | None, values: Mapping[str, Sequence[Any]]
) -> Breathing | None:
    """Return the animation without the choice of another person, unless the persons are prepared."""
    if breathing is None or len(values.get(breathing.record, ())) > 1:
        return breathing
    return breathing.alone()
