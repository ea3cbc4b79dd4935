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
    reached: ArrayLike = (),
    also: Sequence[str] = (),
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
    reached : array_like, optional
        What an attack of today makes of a result, as log odds: drawn among the hundred people.
    also : sequence of str, optional
        Words behind each sentence; ``{sure:x}`` is the belief after a result that is worth the odds eˣ.
    """
    bounds = np.asarray(epsilons, float).ravel()
    slack = np.broadcast_to(np.asarray(deltas, float), np.shape(epsilons)).ravel()
    known = list(tails) if tails is not None else [None] * len(bounds)
    behind = list(also) if also else [""] * len(bounds)
    return live.Text(
        strings=[
            before + odds_template(float(d), tail=tail, neighbouring=neighbouring)
            + (f"{{also}} {more}" if more else "")
            for d, tail, more in zip(slack, known, behind, strict=True)
        ],
        dims=dims,
        bounds=[float(bound) for bound in bounds],
        reached=[float(odds) for odds in np.asarray(reached, float).ravel()],
    )  # fmt: skip
