"""Uploaded table of a user, with the declarations of the user and the data set that is prepared from both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.datasets._empty_cells import EmptyCells
from dpcore.datasets._limits import DataError
from dpcore.datasets._parse import short
from dpcore.datasets._sides import named
from dpcore.datasets.dataset import Dataset
from dpcore.datasets.preparation import SHARES, Prepared, labels, part_size, prepared
from dpcore.datasets.regression import RegressionDataset
from dpcore.units import Neighbouring, Unit

if TYPE_CHECKING:
    from dpcore.datasets.csv import Table

__all__ = [
    "GROUPS",
    "Groups",
    "OwnChoices",
    "OwnTable",
    "Task",
    "left_out",
    "own_classification",
    "own_fields",
    "own_regression",
    "own_table",
    "own_unit",
    "regression_parts",
    "status_of",
    "undeclared",
    "without_n",
]


Task = Literal["classification", "regression"]


@dataclass(frozen=True, kw_only=True)
class OwnChoices:
    """Declarations of a user about an uploaded table, such as target, features, and public facts.

    Parameters
    ----------
    task : "classification" or "regression"
        Whether a class or a number is predicted.
    target : str
        Name of the column that is predicted.
    features : tuple of str
        Names of the numeric columns from which the target is predicted.
    group : str
        Name of a column with groups of people to compare, or "" for none. This column is not used for training.
    bounds : mapping of str to (float, float), or None
        Declared public bounds of the features, and of a regression target. If it is None, the bounds are estimated
        from the data.
    public : tuple of str
        Facts that are declared public, among "n" (the number of rows) and "classes".
    empty_cells : "refuse", "leave_out" or "middle"
        Handling of rows with an empty cell. "refuse" raises an error, and "leave_out" leaves out these rows. "middle"
        fills an empty feature with the middle of its bounds, and assigns one of the declared classes to a row without
        a class.
    classes : tuple of str
        The declared classes. If it is () and ``public`` contains "classes", the classes in the table are declared.
    n_rows : int or None
        The declared number of rows. If it is None and ``public`` contains "n", the number of rows in the table is
        declared.
    rows_per_person : int
        Maximum number of rows per person, ≥ 1.
    """

    task: Task
    target: str
    features: tuple[str, ...]
    group: str = ""
    bounds: Mapping[str, tuple[float, float]] | None = None
    public: tuple[str, ...] = ()
    empty_cells: EmptyCells = "middle"
    classes: tuple[str, ...] = ()
    n_rows: int | None = None
    rows_per_person: int = 1

    @property
    def undeclared(self) -> tuple[str, ...]:
        """Facts that the user did not declare public, among "n" (the number of rows) and "classes"."""
        return undeclared(self.task, self.public)


def undeclared(task: Task, public: tuple[str, ...]) -> tuple[str, ...]:
    """Return the facts that the user did not declare public, among "n" (the number of rows) and "classes".

    ``public`` lists the facts that the user declared public. A regression has no classes.
    """
    facts = ("n", "classes") if task == "classification" else ("n",)
    return tuple(fact for fact in facts if fact not in public)


def without_n(
    undeclared: tuple[str, ...], empty_cells: EmptyCells, neighbouring: Neighbouring
) -> tuple[str, ...]:
    """Return the undeclared facts, and add "n" if a guarantee assumes a number of rows that depends on the data.

    Under replace_one the number of used rows depends on the data if rows with an empty cell are left out, because a
    replaced row may have an empty cell. Under add_remove no guarantee assumes that this number is public.
    """
    reads = empty_cells == "leave_out" and neighbouring == "replace_one"
    return ("n", *undeclared) if reads and "n" not in undeclared else undeclared


def status_of(estimated: tuple[str, ...]) -> str:
    """Return a note on ε that names the facts that were estimated from the data, or "" if there are none."""
    if not estimated:
        return ""
    words = {"bounds": "the bounds", "n": "the number of rows", "classes": "the classes"}
    *first, last = (words[fact] for fact in estimated)
    text = f"{', '.join(first)} and {last}" if first else last
    return f"nominal: {text} {'was' if estimated == ('n',) else 'were'} estimated from the data"


def own_unit(rows_per_person: int) -> Unit:
    """Return the privacy unit of a user's table, which is a row if a person may have several rows, else a person."""
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
    """Return a user's table as a classification data set, and the prepared records.

    The data set is the result of `Table.to_dataset`, which also describes the arguments. ``low`` and ``high`` are the
    declared bounds (d,) of the d features.
    """
    names = table.features(target, features)
    known = labels(table, target, classes, empty_cells)
    preparation = prepared(
        table, names, target, known, low=low, high=high, estimate_bounds=estimate_bounds,
        empty_cells=empty_cells, neighbouring=neighbouring,
    )  # fmt: skip
    data = Dataset(
        **own_fields(preparation, names, estimate_bounds, empty_cells, rows_per_person), classes=known.names,
        undeclared=without_n(tuple(undeclared), empty_cells, neighbouring),
        expected_n=expected_n, neighbouring=neighbouring,
    )  # fmt: skip
    return data, preparation


def own_fields(
    preparation: Prepared,
    names: tuple[str, ...],
    estimate_bounds: bool,
    empty_cells: EmptyCells,
    rows_per_person: int,
) -> dict[str, Any]:
    """Return the fields that classification and regression data sets from a user's table have in common."""
    return {
        "name": "own", "title": "Uploaded table", "source": "an uploaded CSV",
        "description": f"{len(preparation.rows)} rows of an uploaded CSV.", **preparation.parts(),
        "feature_names": names, "low": preparation.low, "high": preparation.high, "empty_cells": empty_cells,
        "bounds_status": "estimated" if estimate_bounds else "declared",
        "unit": own_unit(rows_per_person),
    }  # fmt: skip


_FEWEST = 25


def own_regression(
    table: Table,
    target: str,
    *,
    features: Sequence[str] | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    target_low: float | None = None,
    target_high: float | None = None,
    estimate_bounds: bool = False,
    empty_cells: EmptyCells = "refuse",
    undeclared: Sequence[str] = (),
    expected_n: int | None = None,
    rows_per_person: int = 1,
    neighbouring: Neighbouring = "replace_one",
) -> RegressionDataset:
    """Return a user's table as a data set for regression, with about a fifth of its rows for testing.

    Parameters
    ----------
    table : Table
        The parsed table, as returned by `read_csv`.
    target : str
        Name of the numeric column to predict.
    features : sequence of str, optional
        Names of the numeric columns to use; by default all except the target.
    low, high : array (d,), optional
        Public bounds of the features, declared without looking at the data.
    target_low, target_high : float, optional
        Public bounds of the target.
    estimate_bounds : bool
        Whether to read all bounds from the data instead. The bounds then reveal data, and ``bounds_status`` of the
        data set is "estimated".
    empty_cells : "refuse", "leave_out" or "middle"
        Handling of empty cells. "refuse" raises an error, and "leave_out" leaves out rows with an empty cell.
        "middle" fills an empty cell with the middle of the bounds of its column.
    undeclared : sequence of str
        ("n",) if the number of rows was not declared public. ε is then nominal.
    expected_n : int, optional
        Declared size of the training part, ≥ 1; by default the actual size.
    rows_per_person : int
        Declared maximum number of rows per person, ≥ 1.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation, which determines how rows are divided into a training and a test part.

    Returns
    -------
    RegressionDataset
        The data set. The training parts of neighbouring tables differ in at most one record. If rows are left out
        under replace_one, the number of records depends on the data, so "n" is added to ``undeclared``.

    Raises
    ------
    DataError
        When an argument is missing or invalid, or a column cannot be used.
    """
    return regression_parts(
        table, target, features, low=low, high=high, target_low=target_low, target_high=target_high,
        estimate_bounds=estimate_bounds, empty_cells=empty_cells, undeclared=undeclared,
        expected_n=expected_n, rows_per_person=rows_per_person, neighbouring=neighbouring,
    )[0]  # fmt: skip


def regression_parts(
    table: Table,
    target: str,
    features: Sequence[str] | None,
    *,
    estimate_bounds: bool,
    empty_cells: EmptyCells,
    undeclared: Sequence[str],
    expected_n: int | None,
    rows_per_person: int,
    neighbouring: Neighbouring,
    **bounds: Any,
) -> tuple[RegressionDataset, Prepared]:
    """Return a user's table as a regression data set, and the prepared records.

    The data set is the result of `own_regression`, which also describes the arguments.
    """
    names = table.features(target, features)
    if len(table.frame) < _FEWEST:
        raise DataError(
            f"The table has {len(table.frame)} rows; at least {_FEWEST} are needed for a fit."
        )
    preparation = prepared(
        table, names, target, None, estimate_bounds=estimate_bounds, empty_cells=empty_cells,
        neighbouring=neighbouring, **bounds,
    )  # fmt: skip
    assert preparation.outer is not None  # a number is predicted
    data = RegressionDataset(
        **own_fields(preparation, names, estimate_bounds, empty_cells, rows_per_person), target_name=target,
        target_low=preparation.outer[0], target_high=preparation.outer[1],
        undeclared=without_n(tuple(undeclared), empty_cells, neighbouring),
        expected_n=expected_n, neighbouring=neighbouring,
    )  # fmt: skip
    return data, preparation


D = TypeVar("D", Dataset, RegressionDataset)

GROUPS = 12  # most groups that a column may have


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of the training and test records, read from the column ``name``.

    ``names`` holds the names of the groups. ``train`` (n,) and ``test`` (n_test,) hold the index in ``names`` of the
    group of each training record and of each test record.
    """

    name: str
    names: tuple[str, ...]
    train: NDArray[np.int64]
    test: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class OwnTable(Generic[D]):
    """Uploaded table of a user, with the declarations of the user and the data set that is prepared from both.

    Parameters
    ----------
    data : Dataset or RegressionDataset
        The prepared data set.
    choices : OwnChoices
        Declarations of the user about the table.
    dropped : tuple of (str, str)
        Names of the columns that are not used, each with the reason.
    n_rows, n_used : int
        Number of rows in the table, and number of rows that are used.
    n_filled, n_labelled : int
        Number of empty cells that were filled with the middle of the bounds, and number of rows without a class that
        were assigned a class.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation, which determines how rows are divided into a training and a test part.
    groups : Groups or None
        Groups of the training and test records, if groups are compared.
    table : Table
        The parsed source table.
    """

    data: D
    choices: OwnChoices
    dropped: tuple[tuple[str, str], ...]
    n_rows: int
    n_used: int
    n_filled: int
    n_labelled: int
    neighbouring: Neighbouring
    groups: Groups | None = None
    table: Table = field(repr=False)

    def under(self, neighbouring: Neighbouring) -> OwnTable[D]:
        """Return the table prepared for the given neighbouring relation."""
        return self if neighbouring == self.neighbouring else self._others

    @cached_property
    def _others(self) -> OwnTable[D]:
        other: Neighbouring = "add_remove" if self.neighbouring == "replace_one" else "replace_one"
        return own_table(self.table, self.choices, neighbouring=other)

    @property
    def estimated(self) -> tuple[str, ...]:
        """Facts that were read from the data, among "bounds", "n" and "classes"; ε does not cover them."""
        return self.data.estimated

    @property
    def status(self) -> str:
        """Note on ε, which is "" if everything was declared, and "nominal: ... estimated ..." otherwise."""
        return status_of(self.estimated)

    @property
    def gaps(self) -> str:
        """Sentences that tell the user how empty cells were handled."""
        gone = self.n_rows - self.n_used
        said = (
            f"{gone} of {self.n_rows} rows with an empty cell were left out." * bool(gone),
            f"{self.n_filled} empty cells hold the middle of their bounds." * bool(self.n_filled),
            f"{self.n_labelled} rows without a class got one of the classes in turn."
            * bool(self.n_labelled),
        )
        return " ".join(filter(None, said)) or "There was no empty cell."


def own_table(
    table: Table, choices: OwnChoices, *, neighbouring: Neighbouring = "replace_one"
) -> OwnTable[Any]:
    r"""Return a user's table, prepared for training according to the declarations of the user.

    Every row is processed independently of all others, so the training parts of neighbouring tables differ in at most
    one record.

    Parameters
    ----------
    table : Table
        The parsed table, as returned by `read_csv`.
    choices : OwnChoices
        Declarations of the user about the table.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation. Whether a row is for training depends on its keyed hash under add_remove, and on its
        position in the table under replace_one.

    Returns
    -------
    OwnTable
        The prepared table.

    Raises
    ------
    DataError
        When a declaration is missing or invalid, or a column cannot be used.

    Examples
    --------
    >>> from dpcore.datasets import read_csv
    >>> table = read_csv(b"height,name,kind\n" + b"1.5,x,a\n1.7,y,b\n" * 9)
    >>> said = OwnChoices(task="classification", target="kind", features=("height",))
    >>> made = own_table(table, said)
    >>> made.status
    'nominal: the bounds, the number of rows and the classes were estimated from the data'
    >>> made.dropped
    (('name', 'text'),)
    """
    _checks.one_of("task", choices.task, get_args(Task))
    if not choices.features:
        raise DataError("No column to learn from is chosen: choose at least one column of numbers.")
    ends = _ends(choices, choices.features)
    options: dict[str, Any] = {
        "low": ends[0], "high": ends[1], "estimate_bounds": choices.bounds is None,
        "empty_cells": choices.empty_cells, "undeclared": choices.undeclared,
        "expected_n": _expected(table, choices) if neighbouring == "add_remove" else None,
        "rows_per_person": choices.rows_per_person,
        "neighbouring": neighbouring,
    }  # fmt: skip
    data: Dataset | RegressionDataset
    if choices.task == "classification":
        options["classes"] = choices.classes or None
        data, preparation = own_classification(table, choices.target, choices.features, **options)
    else:
        low, high = _ends(choices, (choices.target,))
        outer = {"target_low": low and low[0], "target_high": high and high[0]}
        data, preparation = regression_parts(
            table, choices.target, choices.features, **options, **outer
        )
    return OwnTable(
        data=data, choices=choices, dropped=left_out(table, choices), n_rows=len(table.frame),
        n_used=len(preparation.rows), n_filled=preparation.n_filled, n_labelled=preparation.n_labelled,
        neighbouring=neighbouring, groups=_groups(table, choices, preparation), table=table,
    )  # fmt: skip


def _expected(table: Table, choices: OwnChoices) -> int | None:
    """Return the size of the training part for the declared number of rows, or None if no number was declared."""
    if "n" not in choices.public:
        return None
    n = len(table.frame) if choices.n_rows is None else choices.n_rows
    return part_size(n, SHARES[choices.task])


def left_out(table: Table, choices: OwnChoices) -> tuple[tuple[str, str], ...]:
    """Return the name of every unused column with the reason, which is "empty", "text" or "your choice"."""
    used = {choices.target, choices.group, *choices.features}
    return tuple((str(name), _why(table, name)) for name in table.frame if name not in used)


def _why(table: Table, name: str) -> str:
    if name in table.numeric:
        return "your choice"
    return "empty" if table.frame[name].isna().all() else "text"


def _ends(choices: OwnChoices, names: tuple[str, ...]) -> tuple[Any, Any]:
    if choices.bounds is None:
        return None, None
    missing = [name for name in names if name not in choices.bounds]
    if missing:
        raise DataError(
            f"The bounds of “{short(missing[0])}” are not given: give its lowest and highest possible "
            "value, or choose to estimate all bounds."
        )
    pairs = [choices.bounds[name] for name in names]
    return [low for low, _ in pairs], [high for _, high in pairs]


def _groups(table: Table, choices: OwnChoices, preparation: Prepared) -> Groups | None:
    if not choices.group:
        return None
    if choices.group not in table.frame:
        raise DataError(f"There is no column “{short(choices.group)}”: choose one of the table's.")
    full = named(table.frame[choices.group])[preparation.rows]
    full[full == None] = "(empty)"  # noqa: E711  (cell by cell)
    names, codes = np.unique(full.astype(str), return_inverse=True)
    if not 2 <= len(names) <= GROUPS:
        raise DataError(
            f"Column “{short(choices.group)}” has {len(names)} different groups: choose one with 2 to "
            f"{GROUPS}, or none."
        )
    codes = codes.astype(np.int64)
    return Groups(
        choices.group, tuple(map(str, names)), codes[preparation.train], codes[preparation.test]
    )
