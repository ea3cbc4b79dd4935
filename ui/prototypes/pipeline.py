"""Computations common to the prototype pages: noisy initializations, and previews of sliders."""

from __future__ import annotations

from dpcore.experiments.relevance import (
    START_KINDS,
    NoisyStart,
    Problem,
    RelevanceParams,
    noisy_start,
)
from ui.live.depth import Depth
from ui.runner import Context, Stage
from ui.words import text

__all__ = ["CURVE_TAB", "PERSON", "doing", "draw_starts", "is_quick", "starts_stage"]

T = text.load_text(__file__)
CURVE_TAB = T("panels.curve.tab")
_QUICK = 50_000  # numbers in the data
PERSON = ("person", "record", "person_dx", "person_dy")
"""Parameters of the record in which the two neighbouring data sets differ."""


def doing(key: str, **fields: object) -> str:
    """Return the progress message of a stage (computation), which both prototype pages share.

    The message is ``doing.<key>`` in the shared texts.
    """
    return T(f"doing.{key}", **fields)


def is_quick(problem: Problem) -> bool:
    """Return whether trainings on this problem are so quick that a page can wait for a few of them."""
    return problem.X.size < _QUICK


def draw_starts(problem: Problem, params: RelevanceParams) -> dict[str, NoisyStart]:
    """Draw Laplace noise and Gaussian noise on the initialization, many times at every noise level."""
    return {kind: noisy_start(problem, params, kind) for kind in START_KINDS}


def _starts(problem: Problem, params: RelevanceParams, context: Context) -> dict[str, NoisyStart]:
    return draw_starts(problem, params)


def starts_stage() -> Stage:
    """Return the stage (computation) that draws noisy initializations.

    The stage runs when the tab on initial prototypes is opened.
    """
    uses = "dataset", "init_share", "lots", "seed"
    tabs = (T("start.tab"),)
    return Stage("starts", _starts, uses=uses, behind=False, depth=Depth.CHECK, tabs=tabs)
