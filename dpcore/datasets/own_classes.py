"""A person's own table as a data set for classification, and what a regression says alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from dpcore import _checks
from dpcore.datasets._gaps import EmptyCells
from dpcore.datasets.dataset import Dataset
from dpcore.datasets.own_choices import without_n
from dpcore.datasets.preparation import Prepared, labels, prepared
from dpcore.units import Neighbouring, Unit

if TYPE_CHECKING:
    from dpcore.datasets.csv import Table

__all__ = ["own_classification", "own_fields", "own_unit"]


def own_unit(rows_per_person: int) -> Unit:
    """Return what a row of an own table is: a person, or one of several rows that a person may have."""
    k = _checks.integer("rows_per_person", rows_per_person, low=1)
    if k == 1:
        return Unit(singular="person", plural="people")
    return Unit(singular="row", plural="rows", records_per_person=k)


def own_classification(
    table: Table,
    target: str,
    features: Sequence[str] | None = None,
    *,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    estimate_bounds: bool = False,
    empty_cells: EmptyCells = "refuse",
    undeclared: Sequence[str] = (),
    classes: Sequence[str] | None = None,
    expected_n: int | None = None,
    rows_per_person: int = 1,
    neighbouring: Neighbouring = "add_remove",
) -> tuple[Dataset, Prepared]:
    """Return the data set of `Table.to_dataset` with bounds (d,), and the rows that it was made of."""
    names = table.features(target, features)
    known = labels(table, target, classes, empty_cells)
    found = prepared(
        table, names, target, known, low=low, high=high, estimate_bounds=estimate_bounds,
        empty_cells=empty_cells, neighbouring=neighbouring,
    )  # fmt: skip
    data = Dataset(
        **own_fields(found, names, estimate_bounds, empty_cells, rows_per_person), classes=known.names,
        undeclared=without_n(tuple(undeclared), empty_cells, neighbouring),
        expected_n=expected_n, neighbouring=neighbouring,
    )  # fmt: skip
    return data, found


def own_fields(
    found: Prepared,
    names: tuple[str, ...],
    estimate_bounds: bool,
    empty_cells: EmptyCells,
    rows_per_person: int,
) -> dict[str, Any]:
    """Return what both kinds of data sets say of an own table."""
    return {
        "name": "own", "title": "Your own data", "source": "your own CSV",
        "description": f"{len(found.rows)} rows of your own CSV.", **found.parts(),
        "feature_names": names, "low": found.low, "high": found.high, "empty_cells": empty_cells,
        "bounds_status": "estimated" if estimate_bounds else "declared",
        "unit": own_unit(rows_per_person),
    }  # fmt: skip
