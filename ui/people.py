"""The odds as a hundred people: what the live figure draws beside the odds sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ui import live
from ui.odds import odds_template

__all__ = ["people"]


def people(
    epsilons: ArrayLike,
    deltas: ArrayLike,
    *,
    dims: Sequence[str] = ("epsilon",),
    tails: Sequence[float | None] | None = None,
    neighbouring: str = "add_remove",
    before: str = "",
) -> live.Text:
    """Return the odds sentence that follows the controls ``dims``, drawn with a hundred people.

    Parameters
    ----------
    epsilons, deltas : array_like
        What a release really costs at every value of the controls, row-major; δ may be one number.
    dims : sequence of str
        Controls of the figure.
    tails : sequence of float or None, optional
        The probability of a result that gives away more, where it is known.
    neighbouring : "add_remove" or "replace_one"
        Which two data sets somebody has to tell apart.
    before : str
        Words before each sentence, where a page releases several things.
    """
    bounds = np.asarray(epsilons, float).ravel()
    slack = np.broadcast_to(np.asarray(deltas, float), np.shape(epsilons)).ravel()
    known = list(tails) if tails is not None else [None] * len(bounds)
    return live.Text(
        strings=[
            before + odds_template(float(d), tail=tail, neighbouring=neighbouring)
            for d, tail in zip(slack, known, strict=True)
        ],
        dims=dims,
        bounds=[float(bound) for bound in bounds],
    )
