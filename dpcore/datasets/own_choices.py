"""What a person says of their own table: what is predicted, what is public, what of empty cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dpcore.datasets._gaps import EmptyCells
from dpcore.guarantee import Neighbouring

__all__ = ["OwnChoices", "Task", "status_of", "undeclared", "without_n"]

Task = Literal["classification", "regression"]


@dataclass(frozen=True, kw_only=True)
class OwnChoices:
    """What a person says of their table.

    Parameters
    ----------
    task : "classification" or "regression"
        Whether a class or a number is predicted.
    target : str
        The column that is predicted.
    features : tuple of str
        The columns of numbers it is predicted from.
    group : str
        A column whose groups are compared, "" for none; nothing is learned from it.
    bounds : mapping of str to (float, float), or None
        Declared public bounds of each feature, and of a number to predict; None: estimated.
    public : tuple of str
        Of "n" and "classes", what is declared public.
    empty_cells : "refuse", "leave_out" or "middle"
        Of rows with an empty cell: an error, leave them out, or put the middle of the bounds there and a
        declared class in turn.
    classes : tuple of str
        The classes that are declared public; () for those in the table, with "classes" among ``public``.
    n_rows : int or None
        The number of rows that is declared public; None for that of the table, with "n" among ``public``.
    rows_per_person : int
        How many rows one person may have at most, ≥ 1.
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
        """What nobody has declared public, beside the bounds."""
        return undeclared(self.task, self.public)


def undeclared(task: Task, public: tuple[str, ...]) -> tuple[str, ...]:
    """Return which facts beside the bounds nobody has declared public: of "n" and "classes"."""
    facts = ("n", "classes") if task == "classification" else ("n",)
    return tuple(fact for fact in facts if fact not in public)


def without_n(
    undeclared: tuple[str, ...], empty_cells: EmptyCells, neighbouring: Neighbouring
) -> tuple[str, ...]:
    """Return the undeclared facts, with "n" where rows are left out and one may be replaced by any other.

    An emptied cell then makes the number of used rows smaller by one, so that this number is read from the
    table and not declared. Under add_remove neighbours differ in their number of rows anyway.
    """
    reads = empty_cells == "leave_out" and neighbouring == "replace_one"
    return ("n", *undeclared) if reads and "n" not in undeclared else undeclared


def status_of(estimated: tuple[str, ...]) -> str:
    """Say what an ε is worth when these facts were read from the data; "" for none."""
    if not estimated:
        return ""
    words = {"bounds": "the bounds", "n": "the number of rows", "classes": "the classes"}
    *first, last = (words[fact] for fact in estimated)
    text = f"{', '.join(first)} and {last}" if first else last
    return f"nominal: {text} {'was' if estimated == ('n',) else 'were'} estimated from the data"
