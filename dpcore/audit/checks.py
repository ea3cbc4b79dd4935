"""Deterministic checks of the library; each check detects faults that thousands of trainings might miss.

There are five kinds:

- The contribution of one record to every noisy sum is compared with the declared sensitivity.
- The scale of the noise is compared with the declared scale.
- The code of a release is run, and its noise scale and sampling rate are measured. The ε of these measurements is
  compared with the stated ε.
- No attribute of a fitted estimator may be a function of the data without noise.
- No valid input may give a non-finite result.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, get_args

import numpy as np

from dpcore._random_state import SeededNoiseWarning
from dpcore._warnings import unwarned
from dpcore.audit.check_result import Check, at_most
from dpcore.audit.contributions import contributions
from dpcore.audit.estimators import ESTIMATORS, neighbours
from dpcore.audit.leak_checks import attributes, stored_seeds, undeclared
from dpcore.audit.noise_accounting import noise_checks
from dpcore.audit.noise_scales import noise_scales
from dpcore.guarantee import Neighbouring

__all__ = [
    "ESTIMATORS",
    "Check",
    "all_checks",
    "as_text",
    "attributes",
    "run_all",
    "stored_seeds",
    "undeclared",
]


def _walk(name: str) -> Check:
    make, kind, declared = ESTIMATORS[name]
    paths = undeclared(make, *neighbours(kind), declared=declared)
    shown = f": {', '.join(paths[:3])}" if paths else ""
    return Check(
        name=f"{name}: attributes without noise{shown}", declared=0.0, measured=float(len(paths)),
        holds=not paths,
    )  # fmt: skip


def _seeds(name: str) -> Check:
    make, _, _ = ESTIMATORS[name]
    paths = stored_seeds(make, *neighbours("add")[:2])
    shown = f": {', '.join(paths[:3])}" if paths else ""
    return Check(
        name=f"{name}: seeds of noise in its pickle{shown}", declared=0.0,
        measured=float(len(paths)), holds=not paths,
    )  # fmt: skip


def _extremes() -> dict[str, Callable[[], Any]]:
    """Return computations with extremely large settings or invalid data, by name, as functions without arguments."""
    from dpcore import lvq, mechanisms, regression

    X, y, _, _ = neighbours("add")
    wide = (-1.79e308, 1.79e308)
    box: dict[str, Any] = {"bounds": (-1.0, 1.0), "target_bounds": (-1.0, 1.0)}
    lots: dict[str, Any] = {
        "bounds": (-1.0, 1.0),
        "sample_rate": 0.5,
        "epochs": 5,
        "random_state": 0,
    }

    def _noisy(mechanism: Any) -> Callable[[], Any]:
        return lambda: mechanism.sample(math.nan, np.random.default_rng(0))

    return {
        "DPGLVQ, bounds of 1.79e308": lambda: lvq.DPGLVQ(**{**lots, "bounds": wide}).fit(X, y),
        "DPGMLVQ, learning_rate = 1e30": lambda: lvq.DPGMLVQ(**lots, learning_rate=1e30).fit(X, y),
        "DPGradientDescentRegression, learning_rate = 1.7e308": lambda: (
            regression.DPGradientDescentRegression(epsilon=0.1, learning_rate=1.7e308, **box).fit(
                X, y
            )
        ),
        "Laplace, NaN": _noisy(mechanisms.Laplace(epsilon=1.0, bounds=(0, 1))),
        "Gaussian, NaN": _noisy(mechanisms.Gaussian(epsilon=1.0, bounds=(0, 1))),
        "Staircase, NaN": _noisy(mechanisms.Staircase(epsilon=1.0, bounds=(0, 1))),
    }


def _finite(name: str) -> Check:
    """Run the computation ``name`` of `_extremes`; return a check that all numbers in its result are finite.

    The check also passes if the computation raises a ValueError.
    """
    with unwarned(Warning), np.errstate(all="ignore"):
        try:
            values = [np.asarray(value) for _, value in attributes(_extremes()[name]())]
        except ValueError:
            values = []
    bad = sum(int((~np.isfinite(v)).sum()) for v in values if v.dtype.kind == "f")
    return at_most(f"{name}: numbers that are none", 0.0, float(bad))


def _choice(monotone: bool, relation: Neighbouring) -> Check:
    """Return a check that one record changes each log probability of the exponential mechanism by at most ε."""
    from dpcore.mechanisms import Exponential

    worst, epsilon = 0.0, 1.9
    try:
        mechanism = Exponential(epsilon=epsilon, monotone=monotone, neighbouring=relation)
    except ValueError:
        mechanism = None
    # Monotone and add_remove: one record raises scores together; else each may go either way.
    moves = (0.0, 1.0) if monotone and relation == "add_remove" else (-1.0, 0.0, 1.0)
    base = np.array([0.0, 8.0, 8.0])
    for move in itertools.product(moves, repeat=3):
        if mechanism is not None:
            p, q = (np.log(mechanism.probabilities(s)) for s in (base, base + np.array(move)))
            worst = max(worst, float(np.abs(p - q).max()))
    kind = "monotone" if monotone else "any scores"
    return at_most(f"Exponential, {kind}, {relation}: ln of ratios", epsilon, worst)


def _response(n_options: int) -> Check:
    """Return a check that all answers of randomized response are options, and no likelihood ratio exceeds e^ε."""
    from dpcore.mechanisms import RandomizedResponse

    mechanism = RandomizedResponse(epsilon=1.0, n_options=n_options)
    logs = np.log(mechanism.matrix)
    worst = float((logs.max(0) - logs.min(0)).max())
    for answer in (-1, n_options, 7):
        try:
            answers = mechanism.sample([answer], np.random.default_rng(0))
            worst = worst if ((answers >= 0) & (answers < n_options)).all() else math.inf
        except ValueError:
            pass
    return at_most(f"RandomizedResponse, {n_options} options: ln of ratios", 1.0, worst)


def all_checks() -> Iterator[tuple[str, Callable[[], Check]]]:
    """Yield every check as its name and a function without arguments that runs the check."""
    for check in itertools.chain(contributions(), noise_scales(), noise_checks()):
        yield getattr(check, "__name__", "check").strip("_"), check
    for name in ESTIMATORS:
        yield f"{name}: attributes without noise", partial(_walk, name)
        yield f"{name}: seeds of noise in its pickle", partial(_seeds, name)
    for name in _extremes():
        yield name, partial(_finite, name)
    for monotone, relation in itertools.product((False, True), get_args(Neighbouring)):
        yield "exponential", partial(_choice, monotone, relation)
    for n_options in (2, 5):
        yield "response", partial(_response, n_options)


def run_all(tell: Callable[[Check], None] = lambda check: None) -> tuple[Check, ...]:
    """Run every check and return the results; a check that raises an exception counts as failed.

    Parameters
    ----------
    tell : callable
        Function that is called with the result of every finished check.

    Returns
    -------
    tuple of Check
        One result for each check, in the order of `all_checks`.
    """
    results = []
    for name, check in all_checks():
        try:
            with unwarned(SeededNoiseWarning), np.errstate(all="ignore"):
                one = check()
        except Exception as error:  # a crash is a finding, and the others still run
            one = Check(
                name=f"{name}: {type(error).__name__}: {error}"[:120], declared=0.0,
                measured=math.nan, holds=False,
            )  # fmt: skip
        results.append(one)
        tell(one)
    return tuple(results)


def as_text(results: tuple[Check, ...]) -> str:
    """Return a Markdown table of the results of checks, in which failed checks are marked."""
    lines = ["| check | declared | measured | |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {one.name} | {one.declared:.6g} | {one.measured:.6g} | "
        f"{'holds' if one.holds else 'BROKEN'} |"
        for one in results
    ]
    return "\n".join(lines)
