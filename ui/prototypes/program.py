"""Downloadable program of a prototype page, with the user's parameters and table inserted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpcore.datasets import Dataset, own_code
from dpcore.experiments.relevance import RelevanceParams
from ui.program import filled

__all__ = ["prototype_program"]


def prototype_program(
    file: Path, params: RelevanceParams, data: Dataset, target: str, own_problem: str
) -> str:
    """Return the source code of a page's program with these parameters.

    Parameters
    ----------
    file : Path
        The page's ``program.py``, which assigns ``params`` and ``problem``.
    params : RelevanceParams
        The page's parameters.
    data : Dataset
        The data set. For a user's own table, the program contains the user's declarations.
    target : str
        Name of the column of a user's own table that contains the class.
    own_problem : str
        Python expression that builds the learning problem from a user's table, which is named ``data``.
    """
    values: dict[str, Any] = {"params": f"{file.parent.name}.{params.to_code()}"}
    if params.dataset != "own":
        return filled(file, **values)
    text = filled(file, **values, problem=own_problem)
    return text.replace("\nproblem = ", f"\n{_own_table(data, target)}problem = ", 1)


def _own_table(data: Dataset, target: str) -> str:
    """Return Python source code that reads the user's CSV file as ``data``."""
    return (
        "from dpcore.datasets import read_csv\n\n"
        "table = read_csv('your.csv')  # the file you gave\n"
        f"{own_code.remark(data)}"
        f"data = table.to_dataset({target!r}, {list(data.feature_names)!r}, {own_code.options(data)})\n"
    )
