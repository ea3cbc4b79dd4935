"""The large figure at the top of the start page: a map that steps through noise draws, with labelled numbers."""

from __future__ import annotations

from dataclasses import replace

from dpcore._types import AnyArray
from dpcore.experiments import relevance
from ui.figure_kit.common import array
from ui.live import Axis, Figure, Panel, Readout
from ui.words import text
from ui.words.numbers import one_in
from ui.words.odds import belief_shown

__all__ = ["hero"]

T = text.load_text(__file__)
_ROOM = 1.12  # around the records, so that a prototype moved by noise stays in view


def hero(small: Figure) -> Figure:
    """Return the figure at the top of the start page: a map of the Relevance learning page in full width.

    Parameters
    ----------
    small : Figure
        Figure on the card of the Relevance learning page, with one map and two readouts, for the default parameters.

    Returns
    -------
    Figure
        The figure of the card with a wider map and a third readout: how sure somebody can be that a person took
        part, at most.
    """
    (panel,) = small.panels
    wide = _wide(panel, small.arrays["points"].values[:, :2])
    params = relevance.RelevanceParams()
    promised = relevance.guarantees(params, relevance.problem_of(params))
    right, plain = small.readouts
    sure = T.readout(Readout(value="sure", format="bound in 100"), rare=one_in(params.delta))
    return replace(
        small,
        panels=[wide],
        arrays={
            **small.arrays,
            "sure": array([belief_shown(one) / 100 for one in promised], "epsilon"),
        },
        readouts=[right, replace(plain, note=""), sure],
        texts=[],
    )


def _wide(panel: Panel, points: AnyArray) -> Panel:
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = (low + high) / 2, _ROOM * (high - low) / 2
    x, y = (Axis(range=(float(m - h), float(m + h))) for m, h in zip(middle, half, strict=True))
    return replace(panel, x=x, y=y, fills=True)
