"""Pictogram of an attacker's odds: a hundred people, next to the sentence on the odds in a figure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dpcore.guarantee import Guarantee
from ui import live
from ui.words.odds import bound_shown, odds_brief, odds_template

__all__ = ["people"]


def people(
    guarantees: Sequence[Guarantee],
    *,
    dims: Sequence[str] = ("epsilon",),
    before: str = "",
    condition: str = "",
    whose: str = "",
    reached: ArrayLike = (),
    also: Sequence[str] = (),
) -> live.Text:
    """Return the sentence on an attacker's odds, with a pictogram of a hundred people, for all values of ``dims``.

    Parameters
    ----------
    guarantees : sequence of Guarantee
        Guarantee of the release at every combination of values of the controls ``dims``, in row-major order.
    dims : sequence of str
        Names of controls of the figure.
    before : str
        Text before each sentence, for pages with several releases. It is left out where an attack has refuted ε.
    condition : str
        ``before`` as a short clause, for the short form of the sentence.
    whose : str
        Words for the record that the attacker wants to know about; "" for Ada, or for "one certain" record.
    reached : array_like, optional
        For each guarantee, the log odds that a present-day attack achieves. They are marked in the pictogram.
    also : sequence of str, optional
        Text after each sentence. In it ``{sure:x}`` is replaced by the attacker's belief after a result with odds eˣ.
    """
    behind = list(also) if also else [""] * len(guarantees)
    return live.Text(
        strings=[
            ("" if one.refuted else before) + odds_template(one, whose) + (f"{{also}} {more}" if more else "")
            for one, more in zip(guarantees, behind, strict=True)
        ],
        brief=[odds_brief(one, whose, condition) for one in guarantees],
        dims=dims,
        bounds=[bound_shown(one) for one in guarantees],
        refuted=[one.refuted for one in guarantees] if any(one.refuted for one in guarantees) else [],
        reached=[float(odds) for odds in np.asarray(reached, float).ravel()],
    )  # fmt: skip
