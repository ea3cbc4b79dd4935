"""Histograms of scores on two neighbouring data sets, with axes that stay fixed while a slider moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ui.live import Array, Axis, layers
from ui.words import text
from ui.words.numbers import round_step

__all__ = ["both_worlds", "score_edges", "share_axis", "shares"]

T = text.load_text(__file__)
Floats = NDArray[np.float64]
_TOPS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0)
_BARS = 21  # fewer stand beside each other


def score_edges(*scores: ArrayLike) -> Floats:
    """Return round bin edges for histograms of scores on several data sets.

    ``scores``: an array (n, V) for each data set, with n scores at V slider values. At most slider
    values the bins cover nearly all scores. Bins that covered the noisiest slider values as well
    would compress the histograms at all others.

    >>> score_edges([[-1.9], [0.1]], [[0.3], [2.1]]).tolist()[:3]
    [-2.0, -1.8, -1.6]
    """
    ends = np.quantile(
        np.concatenate([np.asarray(one, float) for one in scores]), [0.01, 0.99], axis=0
    )
    low, high = np.quantile(ends[0], 0.3), np.quantile(ends[1], 0.7)
    step = round_step(max(high - low, 1e-9), _BARS)
    first, last = np.floor(low / step), np.ceil(high / step)
    whole = np.arange(first, max(last, first + 1) + 1)
    return np.asarray(np.round(whole * step, 12))


def shares(scores: ArrayLike, edges: Floats) -> Floats:
    """Return the fraction of scores (..., n) in each bin, (..., bins).

    Outliers are counted in the outer bins.
    """
    clipped_scores = np.clip(np.asarray(scores, float), edges[0], edges[-1])
    rows = clipped_scores.reshape(-1, clipped_scores.shape[-1])
    counts = [np.histogram(row, edges)[0] / len(row) for row in rows]
    return np.array(counts).reshape(*clipped_scores.shape[:-1], len(edges) - 1)


def share_axis(title: str, *counts: ArrayLike) -> Axis:
    """Return a vertical axis for histograms (V, bins) at V slider values.

    The axis is high enough for the highest bar at nearly every slider value.
    """
    tallest = np.concatenate([[0.0], *(np.asarray(one, float).max(-1).ravel() for one in counts)])
    most = 1.04 * float(np.nanquantile(tallest, 0.9))
    return Axis(
        range=(0.0, next((top for top in _TOPS if top >= most), 1.0)), title=title, format=".0%"
    )


def both_worlds(
    arrays: Mapping[str, Array], edges: str, without_record: str, with_record: str, *, title: str
) -> dict[str, Any]:
    """Return arguments of ``Panel`` for two histograms of scores: axes, and bars with and without one record.

    ``edges``, ``without_record`` and ``with_record`` are names of arrays. While these arrays are not
    yet computed, there are axes but no bars. ``title`` is the title of the score axis.
    """
    known = with_record in arrays
    ends = arrays[edges].values[[0, -1]] if known else (-1.0, 1.0)
    counts = [arrays[name].values for name in (with_record, without_record)] if known else []
    look: dict[str, Any] = {"edges": edges, "alpha": 0.55}
    bars = [
        layers.Bars(heights=without_record, role="other",
                    label=T("worlds.without"), label_short=T("worlds.without_short"), **look),
        layers.Bars(heights=with_record, role="private",
                    label=T("worlds.with"), label_short=T("worlds.with_short"), **look),
    ]  # fmt: skip
    return {
        "x": Axis(range=(float(ends[0]), float(ends[1])), title=title),
        "y": share_axis(T("axes.trainings"), *counts),
        "layers": bars if known else [],
    }
