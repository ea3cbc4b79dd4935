"""Errors in the reader's own unit, and the words for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.datasets import RegressionDataset
from dpcore.experiments.choose import ChooseParams, Problem
from ui.words.escape import tame
from ui.words.numbers import show

__all__ = ["Reading", "in_figure", "reading"]


_ROUND = str.maketrans("{}[]", "()()")  # in a figure's words braces hold values, brackets terms


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How an error is told: times ``factor``; ``axis`` title, ``label`` and ``note`` of a readout.

    ``sentence`` has a place for the number; records are counted in whole ones (``format``).
    """

    factor: float
    axis: str
    label: str
    note: str
    sentence: str
    format: str = ".3g"

    def number(self, error: Any) -> str:
        """Return an error as a reader meets it."""
        return show(float(error) * self.factor, self.format)


def reading(problem: Problem, params: ChooseParams) -> Reading:
    """Return how errors of a problem are told in the chosen unit."""
    counts, data = params.unit == "counts", problem.dataset
    if not isinstance(data, RegressionDataset):
        of = f"of 1000 {data.records}" if counts else f"per cent of {data.records}"
        return Reading(
            factor=1000 if counts else 100,
            axis=f"wrong out of 1000 {data.records}" if counts else "wrong answers, in %",
            label="get a wrong answer",
            note=of,
            sentence=f"{{}} {of} get a wrong answer",
            format="d" if counts else ".3g",
        )
    span = data.target_high - data.target_low
    what = in_figure(data.target_name)
    return Reading(
        factor=1.0 if counts else 100 / span,
        axis=f"typical error: {what}" if counts else "typical error, in % of the range",
        label="a prediction is off by",
        note=what if counts else "per cent of the range",
        sentence="a prediction is off by {}" if counts else "a prediction is off by {} per cent",
    )


def in_figure(name: str) -> str:
    """Return somebody's own name as a figure's words can hold it."""
    return tame(name, 40).translate(_ROUND)
