"""Results of large data sets kept on disk: found again after a restart, made again when damaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from dpcore import disk_cache
from dpcore.code_digest import code_digest
from dpcore.datasets import mark
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem, named_problem

__all__ = ["SLOW", "Hooks", "cached"]

R = TypeVar("R")
W = TypeVar("W")
SLOW = ("har", "mnist_dct", "mnist_pca")
Hooks = tuple[Callable[[Any], None] | None, Callable[[], None] | None]
"""Told of progress; called now and then, to raise when nobody wants the result."""


def cached(
    make: Callable[[W, MatrixParams, MatrixProblem, Hooks], R],
    what: W,
    params: MatrixParams,
    problem: MatrixProblem,
    hooks: Hooks,
) -> R:
    """Return ``make(what, params, problem, hooks)``.

    For the data sets of ``SLOW`` it is kept by `dpcore.disk_cache`: by ``what``, ``params``, the file that the
    data come from and the code that has a part in it. A person's own data are never among them.
    """
    where = mark(params.dataset) if params.dataset in SLOW else None
    if where is None:
        return make(what, params, problem, hooks)
    code = code_digest(make, MatrixParams, named_problem, disk_cache.read)
    name = f"matrix-{make.__name__.strip('_')}"
    file = disk_cache.result_file(name, (what, params, where), code=code)
    found = disk_cache.read(file)
    if found is None:
        found = make(what, params, problem, hooks)
        disk_cache.write(file, found)
        disk_cache.tidy()
    return cast(R, found)
