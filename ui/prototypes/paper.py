"""Texts on the sweep of Brinkrolf et al. over clipping norm C, epochs E and sampling rate q.

The texts state the spread of the error, the best settings, and the privacy cost of choosing a setting.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from dpcore.experiments.table1 import (
    AXES,
    CENTRE,
    DATA,
    MODELS,
    PRINTED_SPREAD,
    SWEEP_EPSILONS,
    Row,
    WholeCurve,
    best,
    break_counts,
    broken,
    read_means,
    read_whole,
    settings,
    spread,
)
from ui.words import text
from ui.words.numbers import short, show

__all__ = [
    "SWEEP",
    "WHOLE",
    "best_table",
    "extent",
    "spread_table",
    "sweep_words",
    "table",
    "whole_words",
]

Curve = tuple[str, str, str]
"""Names of a curve's data set, model and noise recipe."""
Curves = Mapping[Curve, WholeCurve]
T = text.load_text(__file__)
SWEEP = Path(__file__).resolve().parents[2] / "docs" / "sweep.csv"
WHOLE = Path(__file__).resolve().parents[2] / "docs" / "sweep_whole.npz"
_RECIPES = ("paper", "tight")
_SYMBOLS = {"clip_norm": "C", "epochs": "E", "sample_rate": "q"}


def table(head: str, rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table.

    ``head`` has the column titles, separated by "|".
    """
    rule = "|---" * (1 + head.count("|")) + "|"
    return "\n".join([f"| {head.strip()} |", rule, *(f"| {' | '.join(row)} |" for row in rows)])


def _model(data: str, model: str) -> str:
    return T("words.sweep.model", data=T(f"data.{data}"), model=model.upper())


def _models() -> Iterator[tuple[str, str]]:
    return ((data, model) for data in DATA for model in MODELS)


def _counts(counts: Iterable[int]) -> str:
    each = zip(counts, SWEEP_EPSILONS, strict=True)
    return ", ".join(T("words.sweep.count", n=n, epsilon=epsilon) for n, epsilon in each)


# One value at a time ------------------------------------------------------------------------------


def sweep_words() -> str:
    """Return the text on the sweep, based on the results stored by ``python -m dpcore sweep``."""
    rows, n = read_means(SWEEP), len(set(settings()))
    paragraphs = (
        _about(rows),
        T("words.sweep.spread"),
        spread_table(rows),
        _claims(rows, n),
        T("words.sweep.best", n=n),
        best_table(rows),
        whole_words(),
        T("words.sweep.leak", n=n, top=max(SWEEP_EPSILONS), sum=n * max(SWEEP_EPSILONS)),
    )
    return "\n\n".join(paragraphs)


def _about(rows: Sequence[Row]) -> str:
    values = ", ".join(
        T("words.sweep.values", symbol=_SYMBOLS[name], n=len(axis), low=axis[0], high=axis[-1])
        for name, axis in AXES.items()
    )
    folds = " and ".join(str(n) for n in sorted({row["runs"] for row in rows}))
    there = {(row["data"], row["model"], row["recipe"]) for row in rows}
    return " ".join(
        filter(None, (T("words.sweep.about", values=values, folds=folds), _missing(there)))
    )


def _missing(there: set[Curve]) -> str:
    """Return a sentence with the curves missing from the sweep, "" if none.

    A curve is a data set, a model and a kind of noise.
    """
    names = []
    for data, model in _models():
        lacking = [recipe for recipe in _RECIPES if (data, model, recipe) not in there]
        name = _model(data, model)
        if len(lacking) == 1:
            name = T(f"words.sweep.only_{lacking[0]}", model=name)
        names += [name] if lacking else []
    return T("words.sweep.missing", curves="; ".join(names)) if names else ""


def _claims(rows: Sequence[Row], n: int) -> str:
    """Return sentences on the number of settings that cost more ε than claimed, and on the worst one.

    There are ``n`` settings of clipping norm, epochs and sampling rate. The noise of each has the
    published σ.
    """
    faults = {epsilon: broken(rows, epsilon) for epsilon in SWEEP_EPSILONS}
    counts = T("words.sweep.broken", n=n, counts=_counts(map(len, faults.values())))
    worst = [(cost, setting, 0.8 * e) for e, some in faults.items() for setting, cost in some[:1]]
    if not worst:
        return counts
    cost, setting, claimed = max(worst)
    where = T(
        "words.sweep.worst", sample_rate=setting.sample_rate, epochs=setting.epochs, cost=cost,
        claimed=claimed,
    )  # fmt: skip
    return f"{counts} {where}"


def _spread_head() -> str:
    columns = (
        T("words.sweep.column", symbol=_SYMBOLS[name], epsilon=epsilon)
        for name in AXES
        for epsilon in SWEEP_EPSILONS
    )
    return f" | {' | '.join(columns)}"


def spread_table(rows: Sequence[Row]) -> str:
    """Return a Markdown table of the error's standard deviation over the settings, by data set and model.

    A setting is a clipping norm C, a number of epochs E and a sampling rate q.
    """
    lines = []
    for data, model in _models():
        deviations = spread(rows, data, model, "paper")
        cells = [
            show(value, ".4f") + _printed(data, printed)
            for name in AXES
            for value, printed in zip(deviations[name], PRINTED_SPREAD[name], strict=True)
        ]
        if not all(math.isnan(value) for values in deviations.values() for value in values):
            lines.append((_model(data, model), *cells))
    return table(_spread_head(), lines)


def _printed(data: str, value: float) -> str:
    """Return the published value of Brinkrolf et al. in parentheses, or "" for data sets other than Motion."""
    return f" ({show(value, '.4f')})" if data == "har" else ""


def best_table(rows: Sequence[Row]) -> str:
    """Return a Markdown table of the settings with the smallest mean error.

    A setting is a clipping norm C, a number of epochs E and a sampling rate q. The table has one row for each data
    set, model and ε.
    """
    least = (
        best(rows, data, model, "tight", epsilon)
        for data, model in _models()
        for epsilon in SWEEP_EPSILONS
    )
    return table(T("words.sweep.best_head"), [_best_line(rows, one) for one in least if one])


def _best_line(rows: Sequence[Row], least: Row) -> tuple[str, ...]:
    same = ("data", "model", "recipe", "epsilon")
    centre = next(
        row["error"] for row in rows
        if all(row[key] == least[key] for key in same)
        and (row["clip_norm"], row["epochs"], row["sample_rate"]) == (0.5, 50, 0.01)
    )  # fmt: skip
    return (
        _model(least["data"], least["model"]), short(least["epsilon"]),
        *(short(least[name]) for name in _SYMBOLS), show(least["error"], ".4f"), show(centre, ".4f"),
    )  # fmt: skip


# All combinations ---------------------------------------------------------------------------------


def whole_words() -> str:
    """Return the text on all 2,000 settings of the sweep, from the results of ``python -m dpcore sweep --whole``."""
    curves, costs = read_whole(WHOLE)
    counts = _counts(break_counts(costs))
    paragraphs = (
        T("words.whole.about", extent=extent()),
        T("words.whole.spread"),
        _whole_spread_table(curves),
        T("words.whole.best"),
        _whole_best_table(curves),
        T("words.whole.broken", counts=counts, worst=costs.max()),
    )
    return "\n\n".join(paragraphs)


def extent() -> str:
    """Return sentences on which of the sweep's 2,000 settings were run.

    There is one sentence for each curve (data set, model, noise).
    """
    curves, _ = read_whole(WHOLE)
    run = "; ".join(_run(curve, curves[curve]) for curve in _in_order(curves))
    return f"{run}. {_not_run(curves)}".rstrip()


def _curve(curve: Curve) -> str:
    data, model, recipe = curve
    return T(f"words.whole.curve_{recipe}", model=_model(data, model))


def _in_order(curves: Curves) -> list[Curve]:
    every = [(data, model, recipe) for data, model in _models() for recipe in _RECIPES]
    return [curve for curve in every if curve in curves]


def _run(curve: Curve, one: WholeCurve) -> str:
    """Return a phrase for one curve: its name and the number of folds.

    If not all settings were run, they are listed.
    """
    about = {"curve": _curve(curve), "folds": one.runs}
    if one.n_settings == one.errors[0].size:
        return T("words.whole.run", **about)
    epochs = [e for e, some in zip(AXES["epochs"], one.errors[0].swapaxes(0, 1), strict=True)
              if np.isfinite(some).any()]  # fmt: skip
    if epochs == list(AXES["epochs"][: len(epochs)]):
        return T("words.whole.run_some", **about, settings=one.n_settings, last=epochs[-1])
    listed = ", ".join(map(short, epochs))
    return T("words.whole.run_few", **about, settings=one.n_settings, epochs=listed)


def _not_run(curves: Curves) -> str:
    """Return a sentence with the curves missing from the sweep over all settings, or "" if no curve is missing."""
    missing = []
    for data in DATA:
        every = [(data, model, recipe) for model in MODELS for recipe in _RECIPES]
        lacking = [curve for curve in every if curve not in curves]
        missing += [T(f"data.{data}")] if lacking == every else [_curve(one) for one in lacking]
    return T("words.sweep.missing", curves="; ".join(missing)) if missing else ""


def _whole_spread_table(curves: Curves) -> str:
    lines = [
        (
            _curve(curve),
            *(
                _error(value) + _printed(curve[0], printed)
                for name in AXES
                for value, printed in zip(curves[curve].spread(name), PRINTED_SPREAD[name], strict=True)
            ),
        )
        for curve in _in_order(curves)
    ]  # fmt: skip
    return table(_spread_head(), lines)


def _whole_best_table(curves: Curves) -> str:
    lines = []
    for curve in _in_order(curves):
        for k, epsilon in enumerate(SWEEP_EPSILONS):
            setting, error = curves[curve].best(epsilon)
            nearest = curves[curve].errors[(k, *_nearest())]
            values = map(short, (epsilon, *setting))
            lines.append((_curve(curve), *values, _error(error), _error(nearest)))
    return table(T("words.whole.best_head"), lines)


def _error(value: float) -> str:
    return show(value, ".4f") if np.isfinite(value) else T("words.whole.no_value")


def _nearest() -> tuple[int, ...]:
    """Return the index of the grid value nearest to Brinkrolf et al.'s default.

    There is one index for each axis of the sweep.
    """
    return tuple(
        int(np.argmin(np.abs(np.array(axis) / centre - 1)))
        for axis, centre in zip(AXES.values(), CENTRE, strict=True)
    )
