"""Generator of Python code that reads a user's table with the declarations of the user."""

from __future__ import annotations

from dpcore.datasets import Dataset, RegressionDataset
from dpcore.datasets.own_table import status_of

__all__ = ["options", "remark"]


def options(data: Dataset | RegressionDataset) -> str:
    """Return Python source of the declarations, as keyword arguments of the call that converts a user's table."""
    said = [f"low={data.low.tolist()}, high={data.high.tolist()}"]
    if isinstance(data, RegressionDataset):
        said += [f"target_low={data.target_low!r}, target_high={data.target_high!r}"]
    if data.bounds_status == "estimated":
        said = ["estimate_bounds=True"]
    if data.empty_cells != "refuse":
        said.append(f"empty_cells={data.empty_cells!r}")
    return ", ".join([*said, *_facts(data)])


def _facts(data: Dataset | RegressionDataset) -> list[str]:
    """Return Python source of the arguments that declare public facts and the neighbouring relation of a table.

    Each item of the list is one keyword argument.
    """
    lists = isinstance(data, Dataset) and "classes" not in data.undeclared
    k = data.unit.records_per_person
    said = {
        "undeclared": list(data.undeclared) or None,
        "classes": list(data.classes) if isinstance(data, Dataset) and lists else None,
        "expected_n": data.expected_n,
        "rows_per_person": k if k > 1 else None,
        "neighbouring": data.neighbouring,
    }
    return [f"{name}={value!r}" for name, value in said.items() if value is not None]


def remark(data: Dataset | RegressionDataset) -> str:
    """Return a Python comment which says that ε is nominal, or "" if all facts were declared."""
    status = status_of(data.estimated)
    return f"# ε is {status}: nothing is proved\n" if status else ""
