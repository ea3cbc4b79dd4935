"""Stored models that the Relevance matrix page shows until its trainings are known: the last epoch at every ε."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from dpcore import disk_cache
from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams, Study
from ui.prototypes.pipeline import PERSON
from ui.runner.prepared_result import opening_file

__all__ = ["OPENING", "last_epoch", "stored_study", "write_opening"]

OPENING = opening_file("matrix", "draft")
V = TypeVar("V")


def stored_study(params: MatrixParams) -> Study | None:
    """Return the stored models, or None if ``params`` are not those with which the page opens."""
    usual = MatrixParams()
    free = {name: getattr(usual, name) for name in ("epsilon", "matrix_noise_std", *PERSON)}
    return _read() if params.but(**free) == usual else None


@cache
def _read() -> Study | None:
    study: Study | None = disk_cache.read(OPENING)
    return study


def last_epoch(study: Study) -> Study:
    """Return a study with the models at the end of the trainings alone."""

    def last(value: V, axis: int) -> V:
        """Return a dataclass whose arrays, except coordinates, have only their last entry along an axis."""
        cut: dict[str, Any] = {
            one.name: getattr(value, one.name).take([-1], axis)
            for one in fields(value)  # type: ignore[arg-type]
            if one.name not in ("params", "nodes", "epochs", "clipped", "method_errors", "plain_errors")
        }  # fmt: skip
        return replace(value, **cut)  # type: ignore[type-var]

    sweep = last(study.sweep, 1)
    along = {
        name: getattr(sweep, name)[-1:] for name in ("epochs", "method_errors", "plain_errors")
    }
    return replace(study, sweep=replace(sweep, **along), views=last(study.views, 1))


def write_opening(file: Path = OPENING) -> None:
    """Train with the page's default parameters, and write the models to a file."""
    usual = MatrixParams()
    disk_cache.write(file, last_epoch(matrix.run_study(matrix.problem_of(usual), usual)))
