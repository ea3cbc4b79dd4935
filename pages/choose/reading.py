"""Conversion of errors into the unit that the user chose, with the words for this unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpcore.datasets import RegressionDataset
from dpcore.experiments.choose import ChooseParams, Problem
from ui.words import text
from ui.words.escape import tame
from ui.words.numbers import show

__all__ = ["Reading", "in_figure", "reading"]

T = text.load_text(__file__)
_ROUND = str.maketrans("{}[]", "()()")  # in a figure's words braces hold values, brackets terms


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Unit in which errors are displayed, and the words for it.

    - ``factor``: number of displayed units in one unit of a stored error.
    - ``axis``: title of an error axis.
    - ``label`` and ``note``: words beside a displayed error.
    - ``sentence``: template of a sentence, with a field for the displayed error.
    - ``format``: number format of displayed errors; "d" rounds to whole records.
    """

    factor: float
    axis: str
    label: str
    note: str
    sentence: str
    format: str = ".3g"

    def number(self, error: Any) -> str:
        """Return a stored error as text in the displayed unit."""
        return show(float(error) * self.factor, self.format)


def reading(problem: Problem, params: ChooseParams) -> Reading:
    """Return the unit in which the errors of a problem are displayed, with the words for this unit."""
    counts, data = params.unit == "counts", problem.dataset
    if not isinstance(data, RegressionDataset):
        kind = "counts" if counts else "percent"
        of_records = {"records": data.records}
        return Reading(
            factor=1000 if counts else 100,
            axis=T("reading.counts.axis", **of_records) if counts else T("reading.percent.axis"),
            label=T("reading.label"),
            note=T(f"reading.{kind}.note", **of_records),
            sentence=T(f"reading.{kind}.sentence", number="{}", **of_records),
            format="d" if counts else ".3g",
        )
    kind, target = "own_unit" if counts else "of_range", in_figure(data.target_name)
    span = data.target_high - data.target_low
    return Reading(
        factor=1.0 if counts else 100 / span,
        axis=T("reading.own_unit.axis", target=target) if counts else T("reading.of_range.axis"),
        label=T("reading.label_number"),
        note=target if counts else T("reading.of_range.note"),
        sentence=T(f"reading.{kind}.sentence", number="{}"),
    )


def in_figure(name: str) -> str:
    """Return a name entered by a user, shortened and escaped for the texts of a figure."""
    return tame(name, 40).translate(_ROUND)
