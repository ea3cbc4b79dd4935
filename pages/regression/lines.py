"""What the handles of n, d and δ draw while they move: the page at each of their values, made behind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import regression
from dpcore.experiments.regression import (
    METHODS,
    Comparison,
    Fits,
    Objective,
    Problem,
    RegressionParams,
    Setting,
    Shares,
    Worlds,
)
from pages.regression import figure_arrays as figure
from ui.jobs import Jobs, Snapshot, Stage, Work
from ui.live import Array

__all__ = ["NAMES", "Known", "Line", "line_keys", "lines", "trials"]

NAMES = ("n_samples", "n_features")
_FEW = 8  # draws of a descent through many records
_STILL: dict[str, Any] = {"epsilon": 1.0}
_SPLIT: dict[str, Any] = {
    **_STILL,
    "split": "equal",
    "person": 0,
    "person_dx": 0.0,
    "person_dy": 0.0,
}
_DESCENT: dict[str, Any] = {**_SPLIT, "repair": "none", "method": "descent"}


@dataclass(frozen=True, kw_only=True)
class Known:
    """What is known of the page at some parameters; None for what is not."""

    setting: Setting
    fits: Fits | None
    objective: Objective | None
    worlds: Worlds | None
    shares: Shares | None
    comparison: Comparison | None
    tried: NDArray[np.float64] | None


@dataclass(frozen=True, eq=False)
class Line:
    """Arrays of the page by value of one control; a value that is not there is still to come."""

    nodes: Mapping[float, Mapping[str, Array]]

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, for bounded caches; a value that stands for another counts once."""
        once = {id(node): node for node in self.nodes.values()}
        return sum(array.values.nbytes for node in once.values() for array in node.values())


def lines(
    jobs: Jobs, problem: Problem, params: RegressionParams, own: str
) -> tuple[dict[str, list[Line]], list[Snapshot]]:
    """Return the lines there are by name of their control, and how far the work on them is.

    The page at every value comes first; then what takes long: trials of splits, and descents through
    many records, which do not depend on the method chosen.
    """
    found: dict[str, list[Line]] = {name: [] for name in (*NAMES, "delta")}
    shots = []
    for kind, (make, fixed) in _KINDS.items():
        for name in _names(kind, problem, params):
            key = _key(kind, name, params, own, fixed)
            shot = jobs.poll(key, _work(problem, params, name, make))
            shots.append(shot)
            if shot.value is not None:
                found[name].append(shot.value)
    return {name: kept for name, kept in found.items() if kept}, shots


def line_keys(params: RegressionParams, own: str) -> list[Hashable]:
    """Return the keys of all work that `lines` may have begun at these parameters."""
    names = {kind: (*NAMES, "delta") if kind == "page" else NAMES for kind in _KINDS}
    return [
        _key(kind, name, params, own, fixed)
        for kind, (_, fixed) in _KINDS.items()
        for name in names[kind]
    ]


def _names(kind: str, problem: Problem, params: RegressionParams) -> tuple[str, ...]:
    """δ is drawn ahead where it matters and a value of it does not take seconds."""
    no_slack = params.pure or regression.is_heavy(problem.setting(params), params)
    return NAMES if kind != "page" or no_slack else (*NAMES, "delta")


def _key(
    kind: str, name: str, params: RegressionParams, own: str, fixed: Mapping[str, Any]
) -> Hashable:
    """A line holds all values of its own control: moving that one does not ask for it anew."""
    default = params.controls()[name].default
    same = dict(fixed)
    if kind == "trials":
        same["method"] = "tight" if params.method == "tight" else "printed"
    return "regression line", kind, name, own, params.but(**{**same, name: default})


_Make = Callable[[Problem, RegressionParams], Mapping[str, Array]]


def _work(problem: Problem, params: RegressionParams, name: str, make: _Make) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        nodes: dict[float, Mapping[str, Array]] = {}
        groups = list(_groups(problem, params, name))
        for done, values in enumerate(groups, start=1):
            if cancelled():
                return
            made = make(problem, params.but(**{name: values[0]}))
            nodes = {**nodes, **dict.fromkeys(values, made)}
            report(Stage(Line(nodes), done / len(groups), f"{done} of {len(groups)}"))

    return work


def _groups(problem: Problem, params: RegressionParams, name: str) -> Iterator[list[float]]:
    """Values of a grid that mean the same records and features, nearest to the present one first."""
    grid = list(params.controls()[name].grid or ())
    here = grid.index(getattr(params, name))
    same: dict[Hashable, list[float]] = {}
    for value in sorted(grid, key=lambda v: abs(grid.index(v) - here)):
        at = params.but(**{name: value})
        same.setdefault((problem.size(at), problem.columns(at), at.delta), []).append(value)
    yield from same.values()


def _page(problem: Problem, params: RegressionParams) -> Mapping[str, Array]:
    """Everything of the page that is not slow."""
    setting = problem.setting(params)
    kept = {
        name: [_fits(setting, params.but(method=name))]
        for name in METHODS
        if not _slow(setting, name)
    }
    own = kept[params.method][0] if params.method in kept else _fits(setting, params)
    known = Known(
        setting=setting,
        fits=own,
        objective=regression.objective(setting, params),
        worlds=regression.worlds(setting, params, own.coefficients),
        shares=regression.shares(setting, params),
        comparison=regression.compared(kept),
        tried=None,
    )
    return figure.arrays(params, known)


def _slow(setting: Setting, method: str) -> bool:
    return regression.is_heavy(setting, RegressionParams(method=method))


def _fits(setting: Setting, params: RegressionParams) -> Fits:
    n_draws = _FEW if regression.is_heavy(setting, params) else regression.N_DRAWS
    return regression.gathered(
        setting, *regression.draw(setting.train, params, setting, n_draws=n_draws)
    )


def _descents(problem: Problem, params: RegressionParams) -> Mapping[str, Array]:
    """Descents that go through many records, for the comparison of all methods."""
    setting = problem.setting(params)
    if not _slow(setting, "descent"):
        return {}
    found = regression.compared({"descent": [_fits(setting, params.but(method="descent"))]})
    return figure.of_method(setting, found, "descent")


def _trials(problem: Problem, params: RegressionParams) -> Mapping[str, Array]:
    return figure.of_trials(trials(problem.setting(params), params))


def trials(
    setting: Setting, params: RegressionParams, cancelled: Callable[[], bool] = lambda: False
) -> NDArray[np.float64] | None:
    """Return median test errors (E, 12) at the shares tried; None when cancelled before the end."""
    found = []
    for share in regression.TRIED:
        if cancelled():
            return None
        found.append(regression.tried(setting, params, float(share)))
    return np.stack(found, axis=1)


_KINDS: dict[str, tuple[_Make, Mapping[str, Any]]] = {
    "page": (_page, _STILL),
    "trials": (_trials, _SPLIT),
    "descents": (_descents, _DESCENT),
}
