"""Words on the paper's sweep over C, E and q: how much the error varies, what is best, what choosing leaks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from dpcore.experiments.table1 import (
    AXES,
    DATA,
    MODELS,
    PRINTED_SPREAD,
    SWEEP_EPSILONS,
    best,
    broken,
    read_means,
    settings,
    spread,
)
from dpcore.experiments.table1.means import Row
from ui.prototypes.whole_sweep import whole_words
from ui.words.numbers import short, show

__all__ = ["SWEEP", "best_table", "spread_table", "sweep_words"]

SWEEP = Path(__file__).resolve().parents[2] / "docs" / "sweep.csv"
_NAMES = {"mnist": "MNIST", "har": "Motion", "segment": "Segment"}
_NOISES = {"paper": "printed", "tight": "tight"}
_SYMBOLS = {"clip_norm": "C", "epochs": "E", "sample_rate": "q"}


def sweep_words() -> str:
    """Return the whole text, from the rows that ``python -m dpcore sweep`` wrote."""
    rows = read_means(SWEEP)
    runs = sorted({row["runs"] for row in rows})
    names = ", ".join(
        f"{_SYMBOLS[name]}: {len(values)} values from {short(values[0])} to {short(values[-1])}"
        for name, values in AXES.items()
    )
    return (
        f"{names}; one of them varies, the others stay at C = 0.5, E = 50, q = 0.01. Cross-validated as Table 1 "
        f"({' and '.join(str(n) for n in runs)} folds each). "
        "`python -m dpcore sweep --data-dir DIR --out FILE` runs it again, goes on where it was stopped, and "
        f"with `--whole` trains every combination.{_not_run(rows)}\n\n"
        "**How much the test error varies**: standard deviation of the mean error over the values, with the σ they "
        f"print; in brackets what they report for Motion.\n\n{spread_table(rows)}\n\n{_claims(rows)}\n\n"
        f"**The best of the {len(set(settings()))} settings** by the mean test error, with the σ of a tight "
        f"accountant, so that each training costs its ε.\n\n{best_table(rows)}\n\n"
        f"{whole_words()}\n\n{_leak(len(set(settings())))}"
    )


def _not_run(rows: Sequence[Row]) -> str:
    """What of the sweep the file does not hold, as a sentence."""
    there = {(row["data"], row["model"], row["recipe"]) for row in rows}
    missing = []
    for data in DATA:
        for model in MODELS:
            lacking = [
                said for recipe, said in _NOISES.items() if (data, model, recipe) not in there
            ]
            name = f"{_NAMES[data]}, {model.upper()}"
            if lacking:
                missing.append(name if len(lacking) == 2 else f"{name} with the {lacking[0]} σ")
    return f" Not run: {'; '.join(missing)}." if missing else ""


def _claims(rows: Sequence[Row]) -> str:
    """In how many settings of the sweep the printed σ does not keep its claim, and where it is worst."""
    found = {epsilon: broken(rows, epsilon) for epsilon in SWEEP_EPSILONS}
    counts = ", ".join(f"{len(some)} at ε = {short(epsilon)}" for epsilon, some in found.items())
    text = (
        f"**Of the {len(set(settings()))} settings, the steps cost more than the 0.8 ε that is claimed** with the "
        f"printed σ and Poisson lots: {counts}."
    )
    worst = [(cost, setting, 0.8 * e) for e, some in found.items() for setting, cost in some[:1]]
    if not worst:
        return text
    cost, setting, claimed = max(worst)
    return (
        f"{text} Worst is q = {short(setting.sample_rate)}, E = {short(setting.epochs)}: ε₂ = {short(cost)} where "
        f"{short(claimed)} is claimed."
    )


def spread_table(rows: Sequence[Row]) -> str:
    """Return the standard deviations of the error over C, E and q, of each data set and model."""
    head = " | ".join(f"{_SYMBOLS[name]}, ε = {short(e)}" for name in AXES for e in SWEEP_EPSILONS)
    lines = [f"| | {head} |", "|---" * (1 + len(AXES) * len(SWEEP_EPSILONS)) + "|"]
    for data in DATA:
        for model in MODELS:
            found = spread(rows, data, model, "paper")
            cells = [
                show(value, ".4f") + (f" ({show(printed, '.4f')})" if data == "har" else "")
                for name in AXES
                for value, printed in zip(found[name], PRINTED_SPREAD[name], strict=True)
            ]
            if not all(math.isnan(value) for values in found.values() for value in values):
                lines.append(f"| {_NAMES[data]}, {model.upper()} | {' | '.join(cells)} |")
    return "\n".join(lines)


def best_table(rows: Sequence[Row]) -> str:
    """Return the setting of the smallest mean error, of each data set, model and ε."""
    lines = [
        "| | ε | C | E | q | error | at C = 0.5, E = 50, q = 0.01 |",
        "|---|---|---|---|---|---|---|",
    ]
    for data in DATA:
        for model in MODELS:
            for epsilon in SWEEP_EPSILONS:
                found = best(rows, data, model, "tight", epsilon)
                if found:
                    lines.append(_best_line(rows, found))
    return "\n".join(lines)


def _best_line(rows: Sequence[Row], found: Row) -> str:
    same = ("data", "model", "recipe", "epsilon")
    centre = next(
        row["error"] for row in rows
        if all(row[key] == found[key] for key in same)
        and (row["clip_norm"], row["epochs"], row["sample_rate"]) == (0.5, 50, 0.01)
    )  # fmt: skip
    values = " | ".join(short(found[name]) for name in _SYMBOLS)
    return (
        f"| {_NAMES[found['data']]}, {found['model'].upper()} | {short(found['epsilon'])} | {values} | "
        f"{show(found['error'], '.4f')} | {show(centre, '.4f')} |"
    )


def _leak(n: int) -> str:
    top = max(SWEEP_EPSILONS)
    return (
        f":orange[Choosing is a leak of its own.] To know which of {n} settings is best, all {n} are trained on the "
        f"private records and their errors compared on private test records. At ε = {short(top)} each, the trainings "
        f"alone add up to ε = {short(n * top)} by basic composition, and no ε above accounts for that, here or "
        "in 2018. The best error is also too good: it was chosen on the folds on which it is reported. Choose on "
        "public data of the same kind, or count the choice, too."
    )
