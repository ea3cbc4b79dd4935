"""What the regression page computes and when: the fits at once, slow methods and trials behind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpcore.experiments import regression
from dpcore.experiments.regression import (
    Comparison,
    Fits,
    Problem,
    RegressionParams,
    Setting,
    Worlds,
)
from pages.regression.data import own_token
from pages.regression.lines import Known, Line, line_keys, trials
from pages.regression.lines import lines as lines_of
from ui import shell
from ui.jobs import Jobs, Snapshot, Stage, Work

__all__ = [
    "Answer",
    "answer",
    "cancel",
    "comparison_now",
    "fits_now",
]

FIRST_WAIT = 0.25  # seconds a committed value may take before the rest is shown without it
_KEPT = 20


@dataclass(frozen=True, kw_only=True)
class Answer(Known):
    """What is known now, the lines of n and d by control, and how far the rest is."""

    lines: Mapping[str, Sequence[Line]] = field(default_factory=dict)
    progress: float = 1.0
    text: str = ""
    busy: bool = False
    error: str = ""


@dataclass(frozen=True)
class _Trials:
    """Median test errors (E, 12) at the shares tried, with their size for the bounded cache."""

    values: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """Bytes of the values."""
        return self.values.nbytes


def answer(problem: Problem, params: RegressionParams, *, dragging: bool) -> Answer:
    """Return what is known now, and see to it that the rest is on its way."""
    setting = _kept(
        (
            "setting",
            own_token(params),
            params.dataset,
            problem.size(params),
            problem.columns(params),
        ),
        lambda: problem.setting(params),
    )
    jobs = _jobs(params)
    fits, first = _fits(jobs, setting, params, dragging)
    keep = _shown(setting, params, dragging)
    moved = (
        "worlds",
        dragging,
        None if fits is None else len(fits.test),
        _key(params, person=True),
    )
    known: dict[str, Any] = {
        "setting": setting,
        "fits": fits,
        "objective": _kept(
            ("objective", keep, _key(params)), lambda: regression.objective(setting, params, keep)
        ),
        "worlds": None
        if fits is None
        else _kept(moved, lambda: _worlds(setting, params, fits, dragging)),
        "shares": _kept(
            ("shares", dragging, _key(params)),
            lambda: regression.shares(setting, params, 60 if dragging else 400),
        ),
    }
    if dragging:
        late = jobs.peek(_compare_key(params)), jobs.peek(_tried_key(params))
        return Answer(**known, comparison=_value(late[0]), tried=_numbers(late[1]))
    compared = jobs.poll(_compare_key(params), _compare_work(setting, params), wait=FIRST_WAIT)
    tries = jobs.poll(_tried_key(params), _tried_work(setting, params), wait=0.02)
    lines, drawn = lines_of(jobs, problem, params, own_token(params))
    snapshots = [
        (first, "Descending the gradient"),
        (compared, "Fitting by every method"),
        (tries, "Trying other splits"),
        *((shot, "Drawing n and d ahead") for shot in drawn),
    ]
    waiting = [(shot, words) for shot, words in snapshots if shot is not None and not shot.done]
    errors = [shot.error for shot, _ in snapshots if shot is not None and shot.error]
    return Answer(
        **known,
        comparison=compared.value,
        tried=_numbers(tries),
        lines=lines,
        progress=min((shot.fraction for shot, _ in waiting), default=1.0),
        text=waiting[0][0].words(waiting[0][1]) if waiting else "",
        busy=bool(waiting),
        error=errors[0] if errors else "",
    )


def fits_now(problem: Problem, params: RegressionParams) -> Fits:
    """Return all fits, computed now if need be: for what is taken along."""
    if regression.is_heavy(problem.setting(params), params):
        snapshot = _jobs(params).peek(_fits_key(params))
        if snapshot and snapshot.done and snapshot.value is not None:
            return snapshot.value
    return regression.run(params, problem)


def comparison_now(problem: Problem, params: RegressionParams) -> Comparison:
    """Return the comparison of all methods, computed now if need be."""
    snapshot = _jobs(params).peek(_compare_key(params))
    if snapshot and snapshot.done and snapshot.value is not None:
        return snapshot.value
    return list(regression.compare(problem.setting(params), params))[-1][0]


def cancel(params: RegressionParams) -> None:
    """Stop the work behind these parameters; what is there stays."""
    keys = [_fits_key(params), _compare_key(params), _tried_key(params)]
    for key in [*keys, *line_keys(params, own_token(params))]:
        _jobs(params).cancel(key)


def _fits(
    jobs: Jobs, setting: Setting, params: RegressionParams, dragging: bool
) -> tuple[Fits | None, Snapshot | None]:
    if regression.is_heavy(setting, params):
        if dragging:
            return _value(jobs.peek(_fits_key(params))), None
        found = jobs.poll(_fits_key(params), _fits_work(setting, params), wait=FIRST_WAIT)
        return found.value, found
    # Descent goes through all records at each step: fewer draws while a handle moves.
    n_draws = 8 if dragging and params.method == "descent" else regression.N_DRAWS
    keep = _shown(setting, params, dragging)

    def make() -> Fits:
        found = regression.draw(setting.train, params, setting, n_draws=n_draws, keep=keep)
        return regression.gathered(setting, *found)

    return _kept(("fits", n_draws, keep, _key(params)), make), None


def _shown(setting: Setting, params: RegressionParams, dragging: bool) -> int:
    """How many draws of a noisy objective are solved: half of them while a large one is dragged."""
    slow = dragging and params.objective and setting.n_features > 4
    return regression.N_DRAWS // (2 if slow else 1)


def _worlds(setting: Setting, params: RegressionParams, fits: Fits, dragging: bool) -> Worlds:
    """With more draws for the spy once the handle is let go."""
    here = fits.coefficients
    if not dragging and params.method != "descent":
        more = [
            regression.draw(setting.train, params, setting, block=block)[0][:, :-1]
            for block in (1, 2, 3)
        ]
        here = np.concatenate([here, *more])
    n_draws = regression.N_DRAWS if dragging and params.objective else None
    return regression.worlds(setting, params, here, n_draws)


def _fits_work(setting: Setting, params: RegressionParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for fits in regression.grow(setting, params):
            part = len(fits.test) / regression.N_DRAWS
            report(Stage(fits, part, f"draw {len(fits.test)} of {regression.N_DRAWS}"))
            if cancelled():
                return

    return work


def _compare_work(setting: Setting, params: RegressionParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        for found, part in regression.compare(setting, params):
            report(Stage(found, part))
            if cancelled():
                return

    return work


def _tried_work(setting: Setting, params: RegressionParams) -> Work:
    def work(report: Callable[[Stage], None], cancelled: Callable[[], bool]) -> None:
        found = trials(setting, params, cancelled)
        if found is not None:
            report(Stage(_Trials(found), 1.0))

    return work


def _key(params: RegressionParams, *, person: bool = False, **same: Any) -> tuple[Any, ...]:
    """What a result depends on: ε is an axis, the person only part of the two worlds."""
    still = {} if person else {"person": 0, "person_dx": 0.0, "person_dy": 0.0}
    return own_token(params), params.but(epsilon=1.0, **still, **same)


def _fits_key(params: RegressionParams) -> Hashable:
    return "regression fits", _key(params, repair="none", split="equal")


def _compare_key(params: RegressionParams) -> Hashable:
    return "regression methods", _key(params, method="printed")


def _tried_key(params: RegressionParams) -> Hashable:
    kind = "tight" if params.method == "tight" else "printed"
    return "regression splits", _key(params, method=kind, split="equal", delta=1e-5)


def _jobs(params: RegressionParams) -> Jobs:
    return shell.own_jobs() if params.dataset == "own" else shell.jobs()


def _kept(key: Hashable, make: Callable[[], Any]) -> Any:
    """A result kept in this session, the least recently used of a few out first."""
    store: dict[Hashable, Any] = st.session_state.setdefault("regression_kept", {})
    found = store.pop(key) if key in store else make()
    store[key] = found
    while len(store) > _KEPT:
        del store[next(iter(store))]
    return found


def _value(snapshot: Snapshot | None) -> Any:
    return snapshot.value if snapshot else None


def _numbers(snapshot: Snapshot | None) -> Any:
    return snapshot.value.values if snapshot and snapshot.value is not None else None
