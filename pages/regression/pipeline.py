"""Computations of the Linear regression page.

Quick fits are computed at once, slow methods and previews in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.datasets import OwnTable, RegressionDataset
from dpcore.experiments import regression
from dpcore.experiments.regression import (
    METHODS,
    N_DRAWS,
    Comparison,
    Fits,
    NeighbouringRuns,
    Objective,
    OtherFits,
    Problem,
    RegressionParams,
    Setting,
    Shares,
)
from pages.regression.arrays import arrays, of_fits, of_method, of_trials
from ui.live import Array
from ui.live.depth import Depth
from ui.runner import Context, Data, Pipeline, Stage, previews
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)

_FEW = 8  # draws of a descent through many records
_AT_ONCE = 1_000  # numbers that all draws of a descent go through while a handle moves
_APART = ("epsilon", "answers")  # held by the browser
_PERSON = ("person", "record", "person_dx", "person_dy")
_STEPS = ("clip_norm", "sample_rate")
_SPLIT = (*_APART, "split", *_PERSON, *_STEPS)
_NO_MINIMUM, _ALL_METHODS = T("panels.valley.tab"), T("panels.ranking.tab")
_SPLITS = T("panels.variance.tab")
_Arrays = Mapping[str, Array]


def _problem(
    own: OwnTable[RegressionDataset] | None, params: RegressionParams, context: Context
) -> Problem:
    return (
        regression.named_problem(params.dataset)
        if own is None
        else Problem(own.under("replace_one").data)
    )


def _heavy(problem: Problem, params: RegressionParams) -> bool:
    return regression.is_heavy(problem.setting(params), params)


def _by_descent(params: RegressionParams) -> RegressionParams:
    """Return the parameters after those that the chosen method ignores are reset to fixed values.

    Gradient descent ignores the repair and the split of ε; other methods ignore C and q.
    """
    if params.stepwise:
        return params.but(repair="none", split="equal")
    return params.but(clip_norm=1.0, sample_rate=1.0)


def _by_objective(params: RegressionParams) -> RegressionParams:
    """Return the parameters with a method that splits ε: the chosen method if this is "tight", else "printed"."""
    return params if params.method == "tight" else params.but(method="printed")


def _draw_fits(
    setting: Setting, params: RegressionParams, n_draws: int = N_DRAWS, keep: int | None = None
) -> Fits:
    draws = regression.draw(setting.train, params, setting, n_draws=n_draws, keep=keep)
    return regression.gathered(setting, *draws)


def _fits(problem: Problem, params: RegressionParams, context: Context) -> Iterator[Fits]:
    setting = problem.setting(params)
    if not _heavy(problem, params):
        yield _draw_fits(setting, params, keep=N_DRAWS)
        return
    for fits in regression.grow(setting, params):
        context.progress(
            len(fits.test) / N_DRAWS, T("doing.draw", done=len(fits.test), all=N_DRAWS)
        )
        yield fits


def _while_moving(setting: Setting, params: RegressionParams) -> int:
    """Return the number of noise draws that can be computed quickly enough while a slider moves."""
    return N_DRAWS // (2 if params.objective and setting.n_features > 4 else 1)


def _draft_fits(problem: Problem, params: RegressionParams, context: Context) -> Fits | None:
    setting = problem.setting(params)
    if _heavy(problem, params):
        return None
    is_large = setting.n_samples * (setting.n_features + 1) > _AT_ONCE
    n_draws = _FEW if params.stepwise and is_large else N_DRAWS
    return _draw_fits(setting, params, n_draws, _while_moving(setting, params))


def _other_fits(problem: Problem, params: RegressionParams, context: Context) -> OtherFits | None:
    """Return fits on the neighbouring data set, with the same noise as the displayed fits.

    Return None until the displayed fits are computed, and if the fits of the method are slow.
    """
    if context.source is None or _heavy(problem, params):
        return None
    keep = len(context.source.coefficients)
    n_draws = N_DRAWS if params.objective else keep
    return regression.other_fits(problem.setting(params), params, n_draws, keep)


def _draft_other_fits(
    problem: Problem, params: RegressionParams, context: Context
) -> OtherFits | None:
    return None if params.stepwise else _other_fits(problem, params, context)


def _objective(problem: Problem, params: RegressionParams, context: Context) -> Objective | None:
    return regression.objective(problem.setting(params), params, N_DRAWS)


def _draft_objective(
    problem: Problem, params: RegressionParams, context: Context
) -> Objective | None:
    setting = problem.setting(params)
    return regression.objective(setting, params, _while_moving(setting, params))


def _runs(problem: Problem, params: RegressionParams, context: Context) -> NeighbouringRuns:
    """Return fits on both neighbouring data sets, from which an attack is computed.

    For all methods except gradient descent, there are four times as many fits as are displayed.
    """
    setting, here = problem.setting(params), context.source.coefficients
    if params.method != "descent":
        more = [
            regression.draw(setting.train, params, setting, block=block)[0][:, :-1]
            for block in (1, 2, 3)
        ]
        here = np.concatenate([here, *more])
    return regression.neighbouring_runs(setting, params, here)


def _draft_runs(problem: Problem, params: RegressionParams, context: Context) -> NeighbouringRuns:
    n_draws = N_DRAWS if params.objective else None
    return regression.neighbouring_runs(
        problem.setting(params), params, context.source.coefficients, n_draws
    )


def _shares(problem: Problem, params: RegressionParams, context: Context) -> Shares:
    return regression.shares(problem.setting(params), params, 400)


def _draft_shares(problem: Problem, params: RegressionParams, context: Context) -> Shares:
    return regression.shares(problem.setting(params), params, 60)


def _comparison(
    problem: Problem, params: RegressionParams, context: Context
) -> Iterator[Comparison]:
    for comparison, part in regression.compare(problem.setting(params), params):
        context.progress(part)
        yield comparison


def _tried(problem: Problem, params: RegressionParams, context: Context) -> NDArray[np.float64]:
    """Return the median test errors (E, 12) at E values of ε and twelve splits of ε."""
    setting, trials = problem.setting(params), []
    for share in regression.TRIED:
        context.check()
        trials.append(regression.tried(setting, params, float(share)))
    return np.stack(trials, axis=1)


def _page(problem: Problem, params: RegressionParams, context: Context) -> _Arrays:
    """Return the arrays of all results that are computed quickly, for a preview of a slider."""
    setting = problem.setting(params)

    def fits(method: str) -> Fits:
        at = params.but(method=method)
        return _draw_fits(setting, at, _FEW if _heavy(problem, at) else N_DRAWS)

    blocks = {
        name: [fits(name)] for name in METHODS if not _heavy(problem, RegressionParams(method=name))
    }
    own = blocks[params.method][0] if params.method in blocks else fits(params.method)
    known = {
        "fits": own,
        "objective": regression.objective(setting, params),
        "neighbouring_runs": regression.neighbouring_runs(setting, params, own.coefficients),
        "shares": regression.shares(setting, params),
        "comparison": regression.compared(blocks),
    }
    return arrays(params, setting, known)


def _steps(problem: Problem, params: RegressionParams, context: Context) -> _Arrays:
    """Return the arrays that change with the parameters of gradient descent, for a preview of a slider."""
    setting = problem.setting(params)
    own = _draw_fits(setting, params)
    runs = regression.neighbouring_runs(setting, params, own.coefficients)
    comparison = regression.compared({"descent": [own]})
    return of_fits(params, setting, own, runs) | of_method(setting, comparison, "descent")


def _descents(problem: Problem, params: RegressionParams, context: Context) -> _Arrays:
    """Return the arrays of gradient descent in the comparison of methods, for a preview of a slider.

    The result is empty if gradient descent is quick, since `_page` then computes these arrays.
    """
    setting, params = problem.setting(params), params.but(method="descent")
    if not _heavy(problem, params):
        return {}
    comparison = regression.compared({"descent": [_draw_fits(setting, params, _FEW)]})
    return of_method(setting, comparison, "descent")


def _trials(problem: Problem, params: RegressionParams, context: Context) -> _Arrays:
    return of_trials(_tried(problem, params, context))


_Make = Callable[[Problem, RegressionParams, Context], _Arrays]


def _along(make: _Make) -> Callable[..., Iterator[Mapping[float, _Arrays]]]:
    """Return a function that yields previews: the arrays that ``make`` returns at each value of a slider.

    After each call of ``make``, the function yields the arrays of all values so far, by value. The first value is
    the current value of the slider.
    """

    def run(
        problem: Problem, params: RegressionParams, context: Context
    ) -> Iterator[Mapping[float, _Arrays]]:
        nodes: dict[float, _Arrays] = {}
        groups = _groups(problem, params, context)
        for done, values in enumerate(groups, start=1):
            preview = make(problem, params.but(**{context.control: values[0]}), context)
            nodes = {**nodes, **dict.fromkeys(values, preview)}
            context.progress(done / len(groups), T("doing.part", done=done, all=len(groups)))
            yield nodes

    return run


def _groups(problem: Problem, params: RegressionParams, context: Context) -> list[list[float]]:
    """Return the values of a slider in groups; values in the same group need only one computation.

    The groups are sorted by their distance to the current value, the nearest first.
    """
    name = context.control
    grid = list(params.controls()[name].grid or ())
    here = grid.index(getattr(context.shown_params, name))
    same: dict[Hashable, list[float]] = {}
    for value in sorted(grid, key=lambda v: abs(grid.index(v) - here)):
        at = params.but(**{name: value})
        alike = problem.size(at), problem.columns(at), at.delta, at.clip_norm, at.sample_rate
        same.setdefault(alike, []).append(value)
    return list(same.values())


def _slack(problem: Problem, params: RegressionParams) -> bool:
    """Return whether the slider of δ has a preview, which needs a method with a δ and quick fits."""
    return not params.pure and not _heavy(problem, params)


def _stepwise(problem: Problem, params: RegressionParams) -> bool:
    """Return whether the sliders of C and q have previews, which need a method with C and q and quick fits."""
    return params.stepwise and not _heavy(problem, params)


_AT_HAND = ("own", "synth1d", "diabetes")  # data sets that are read at once
_AHEAD: dict[str, Any] = {"doing": T("doing.ahead")}
PIPELINE = Pipeline[RegressionParams](
    name="regression",
    tab=_NO_MINIMUM,
    data=Data(
        "data", _problem, uses=("dataset",), own="own_regression", wait=1.0,
        behind=lambda _, params: params.dataset not in _AT_HAND,
        instead={"dataset": "diabetes"}, shown=T("doing.instead"),
        doing=T("doing.data"),
    ),
    stages=[
        Stage("fits", _fits, ignores=(*_APART, *_PERSON), sees=_by_descent, behind=_heavy,
              draft=_draft_fits, wait=0.25, doing=T("doing.fits")),
        Stage("other_fits", _other_fits, ignores=_APART, sees=_by_descent, of="fits",
              behind=lambda _, params: params.stepwise, draft=_draft_other_fits),
        Stage("objective", _objective, ignores=(*_APART, *_PERSON, *_STEPS), behind=False,
              draft=_draft_objective, depth=Depth.UNDERSTAND),
        Stage("neighbouring_runs", _runs, ignores=_APART, of="fits", behind=False, draft=_draft_runs,
              depth=Depth.UNDERSTAND),
        Stage("shares", _shares, ignores=(*_APART, *_PERSON, *_STEPS), behind=False, draft=_draft_shares,
              depth=Depth.CHECK),
        Stage("comparison", _comparison, ignores=(*_APART, "method", *_PERSON), wait=0.25,
              depth=Depth.UNDERSTAND, tabs=(_NO_MINIMUM, _ALL_METHODS), doing=T("doing.comparison")),
        Stage("tried", _tried, ignores=(*_SPLIT, "delta"), sees=_by_objective,
              depth=Depth.CHECK, tabs=(_SPLITS,), doing=T("doing.tried")),
        *previews(_along(_page), "n_samples", kind="page", ignores=_APART, depth=Depth.UNDERSTAND,
                  doing=T("doing.people")),
        *previews(_along(_page), "n_features", kind="page", ignores=_APART, depth=Depth.UNDERSTAND,
                  **_AHEAD),
        *previews(_along(_page), "delta", kind="page", ignores=_APART, when=_slack, **_AHEAD),
        *previews(_along(_steps), "clip_norm", "sample_rate", kind="page", ignores=_APART,
                  sees=_by_descent, when=_stepwise, **_AHEAD),
        *previews(_along(_trials), "n_samples", "n_features", kind="trials", ignores=_SPLIT,
                  sees=_by_objective, depth=Depth.CHECK, tabs=(_SPLITS,), **_AHEAD),
        *previews(_along(_descents), "n_samples", "n_features", kind="descents",
                  ignores=(*_SPLIT, "repair", "method"), depth=Depth.UNDERSTAND,
                  tabs=(_ALL_METHODS,), **_AHEAD),
    ],
)  # fmt: skip
