"""Results of large data sets kept on disk: found again after a restart, made again when damaged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import dpcore
from dpcore.autoencoder import store
from dpcore.experiments.matrix.params import MatrixParams
from dpcore.experiments.matrix.problem import MatrixProblem

__all__ = ["SLOW", "Hooks", "cached"]

R = TypeVar("R")
W = TypeVar("W")
SLOW = ("har", "mnist_dct")
Hooks = tuple[Callable[[Any], None] | None, Callable[[], None] | None]
"""Told of progress; called now and then, to raise when nobody wants the result."""


def cached(
    make: Callable[[str, W, MatrixParams, MatrixProblem, Hooks], R],
    what: W,
    params: MatrixParams,
    problem: MatrixProblem,
    hooks: Hooks,
) -> R:
    """Return ``make(version, what, params, problem, hooks)``.

    For the data sets of ``SLOW`` it is kept in the folder that DPCORE_CACHE names, or else in the
    user's cache folder, by ``what``, ``params`` and the version of the package's source. A person's own
    data are never among them. A folder that cannot be written to costs only the next start.
    """
    if params.dataset not in SLOW:
        return make("", what, params, problem, hooks)
    from joblib import Memory

    place = store.folder() / "matrix"
    memory = Memory(place, verbose=0, compress=1)  # compressed files carry a checksum
    remembered = memory.cache(make, ignore=["problem", "hooks"])
    return cast(R, remembered(_version(), what, params, problem, hooks))


@lru_cache(maxsize=1)
def _version() -> str:
    """A digest of the package's source: what other code has made is not found."""
    found = hashlib.sha256()
    for path in sorted(Path(dpcore.__file__).parent.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
