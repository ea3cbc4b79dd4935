"""Parameters of the Budget page, the ε of T answers by every composition rule, and their guarantee.

``python -m dpcore.experiments.budget.curves`` recreates the file ``answers.npz`` in about half an
hour. The file has, for every slider value, the number of answers that each budget ε allows, by the
accountant and by basic, advanced and Rényi composition. It does not depend on any data set.

By the accountant, the number is first estimated from the accountant's ε of 1, 2, 5, 10 and so on
answers, by interpolation. Then the estimate is lowered until the accountant's ε of that number of
answers is within the budget. The largest number within the budget may be slightly larger than this
result, but not smaller. By the other rules the number is the largest one within the budget, up to the
last value of STEPS_GRID (`count_by_rule`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import (
    Event,
    GaussianEvent,
    LaplaceEvent,
    Repeated,
    composition,
    printed,
    rdp,
    sampled,
    spent,
)
from dpcore.experiments import composition_tables, epsilon_tables, shared
from dpcore.experiments.budget.ledger import canonical
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee, Part, from_event
from dpcore.mechanisms import gaussian_epsilons

__all__ = [
    "GROUP_GRID",
    "RULES",
    "WEIGHT_GRID",
    "BudgetParams",
    "Curves",
    "affordable",
    "count",
    "count_by_rule",
    "guarantee",
    "main",
    "place",
    "real_epsilon",
    "run",
    "step",
    "used_up",
    "whole",
]

Floats = NDArray[np.float64]
_FILE = Path(__file__).with_name("answers.npz")
_LESS = 0.99  # of a count whose account is above the budget
_COUNTED = ("basic", "advanced", "rdp")  # rules in closed form

GROUP_GRID: tuple[int, ...] = (1, 2, 3, 5, 10)
WEIGHT_GRID: tuple[int, ...] = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100)


@dataclass(frozen=True, kw_only=True)
class BudgetParams(Params):
    """Topic of the page, mechanism, number of answers, sampling rate, budget and weights.

    - ``noise_multiplier`` σ > 0 of one answer with Gaussian noise, or ``answer_epsilon`` ε₀ > 0 of one
      answer with Laplace noise.
    - ``sample_rate`` in (0, 1].
    - ``n_steps``: number of answers T ≥ 1.
    - ``epsilon`` and ``delta``: the budget.
    - ``ledger``: releases in the short form of `entries`.
    - ``topic``: equal answers ("same"), or four statistics that share the budget ("split").
    - ``weight_count``, ``weight_total``, ``weight_mean``, ``weight_histogram``: weights of the four
      statistics. Each statistic gets a share of ε in proportion to its weight.
    - ``seed``: seed of the noise of the statistics.

    Examples
    --------
    >>> BudgetParams(mechanism="laplace", n_steps=100).to_link()
    {'mechanism': 'laplace', 'n_steps': '100'}
    """

    former_defaults: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "1": {"n_steps": "1000"},
        **{version: {"n_steps": "20"} for version in ("2", "3", "4", "5")},
    }

    mechanism: str = control(
        "gaussian",
        choices=("gaussian", "laplace"),
    )
    epsilon: float = shared.epsilon(2.0)
    n_steps: int = control(500, grid=STEPS_GRID, symbol="T")
    noise_multiplier: float = control(1.0, grid=NOISE_GRID, symbol="σ")
    answer_epsilon: float = control(0.1, grid=ANSWER_GRID, symbol="ε₀")
    sample_rate: float = shared.sample_rate(0.01, grid=RATE_GRID)
    delta: float = shared.delta()
    group: int = control(1, grid=GROUP_GRID, symbol="k")
    ledger: str = control("", text=canonical)
    topic: str = control("same", choices=("same", "split"))
    weight_count: int = control(12, grid=WEIGHT_GRID)
    weight_total: int = control(12, grid=WEIGHT_GRID)
    weight_mean: int = control(12, grid=WEIGHT_GRID)
    weight_histogram: int = control(12, grid=WEIGHT_GRID)
    seed: int = shared.seed()

    @property
    def draws_noise(self) -> bool:
        """Whether noise is drawn. It is drawn for the topic "split" only; for equal answers only ε is computed."""
        return self.topic == "split"


def affordable(mechanism: str, rule: str = "pld") -> NDArray[np.int32]:
    """Return the number of answers (n_noise, n_rates, n_deltas, n_epsilons) that each budget ε allows.

    Axes: noise level (NOISE_GRID for the mechanism "gaussian", ANSWER_GRID for "laplace"), sampling
    rate, δ, and budget ε. ``rule`` names the composition rule by which the ε of this number of answers
    is at most the budget: "pld" (the accountant), "basic", "advanced" or "rdp". The number is at most
    the largest value of STEPS_GRID.
    """
    return _loaded()[mechanism if rule == "pld" else f"{mechanism}_{rule}"]


def count(mechanism: str, noise: float, rate: float, delta: float, costs: Floats) -> list[int]:
    """Return the number of answers that each budget ε of EPSILON_GRID allows, at one noise level, rate and δ.

    ``costs`` (n_steps,): total ε of each number of answers in STEPS_GRID.
    """
    event = GaussianEvent(noise) if mechanism == "gaussian" else LaplaceEvent(1 / noise)
    step, logs = sampled(event, rate), np.log(np.maximum(costs, 1e-12))
    counts = []
    for epsilon in EPSILON_GRID:
        fits = int(np.searchsorted(costs, epsilon, side="right"))
        least = STEPS_GRID[fits - 1] if fits else 0
        if fits in (0, len(STEPS_GRID)):
            counts.append(least)
            continue
        line = float(np.exp(np.interp(np.log(epsilon), logs, np.log(STEPS_GRID))))
        n = min(int(line + 1e-9), STEPS_GRID[fits] - 1)
        while n > least and spent(Repeated(step, n), delta) > epsilon:
            n = min(n - 1, int(_LESS * n))
        counts.append(max(n, least))
    return counts


def count_by_rule(mechanism: str, rule: str) -> NDArray[np.int32]:
    """Return the number of answers (n_noise, n_rates, n_deltas, n_epsilons) that each budget ε allows by one rule.

    The rules are "basic", "advanced" and "rdp" composition. Axes are those of `affordable`. By each
    rule ε increases with the number of answers. So bisection finds the largest number of answers, up to
    the last value of STEPS_GRID, whose ε is at most the budget.
    """
    costs = _gaussian if mechanism == "gaussian" else _laplace
    noises = NOISE_GRID if mechanism == "gaussian" else ANSWER_GRID
    shape = (len(noises), len(RATE_GRID), len(DELTA_GRID), len(EPSILON_GRID))
    least, most = np.zeros(shape, int), np.full(shape, STEPS_GRID[-1])
    while (least < most).any():
        middle = (least + most + 1) // 2
        fits = costs(np.maximum(middle, 1.0))[rule] <= np.array(EPSILON_GRID)
        least, most = np.where(fits, middle, least), np.where(fits, most, middle - 1)
    return least.astype(np.int32)


@lru_cache(maxsize=1)
def _loaded() -> dict[str, NDArray[np.int32]]:
    with np.load(_FILE) as file:
        tables = {name: file[name] for name in file.files}
    for counts in tables.values():
        counts.setflags(write=False)
    return tables


def main() -> None:
    """Compute the number of answers that each budget allows and write it to ``answers.npz``."""
    from joblib import Parallel, delayed

    tables: dict[str, Any] = {}
    for mechanism, grid in (("gaussian", NOISE_GRID), ("laplace", ANSWER_GRID)):
        costs = composition_tables.exact(mechanism)
        rows = Parallel(n_jobs=-1, verbose=5)(
            delayed(count)(mechanism, grid[i], RATE_GRID[j], DELTA_GRID[k], costs[i, j, k])
            for i, j, k in np.ndindex(costs.shape[:3])
        )
        tables[mechanism] = np.array(rows, np.int32).reshape(*costs.shape[:3], len(EPSILON_GRID))
        tables |= {f"{mechanism}_{rule}": count_by_rule(mechanism, rule) for rule in _COUNTED}
    np.savez_compressed(_FILE, **tables)


RULES = {
    "pld": "true cost", "exact": "exact formula", "rdp": "Rényi", "basic": "adding up",
    "advanced": "advanced composition", "optimal": "optimal composition",
    "printed_sum": "Sarkar's qTε", "printed_root": "Sarkar's qε√T",
}  # fmt: skip
"""Displayed names of the composition rules, by the rule's field in `Curves`."""
_RATES = np.array(RATE_GRID)[None, :, None, None]
_DELTAS = np.array(DELTA_GRID)[None, None, :, None]
_STEPS = np.array(STEPS_GRID, float)[None, None, None, :]


@dataclass(frozen=True, kw_only=True)
class Curves:
    """ε of T answers by each composition rule.

    Unless stated otherwise arrays have the shape (n_noise, n_rates, n_deltas, n_steps), with the
    axes noise level, sampling rate q, δ and number of answers T.

    - ``pld``: the accountant's ε by privacy loss distributions, not below the exact value.
    - ``exact``: a closed form if there is one, else NaN.
    - ``rdp``: ε by Rényi DP; a sampled Laplace answer is treated as the worst pure ε-DP mechanism.
    - ``basic``, ``advanced``: ε by basic and by advanced composition.
    - ``optimal``: ε by optimal composition, for pure ε-DP mechanisms; NaN for Gaussian noise.
    - ``printed_sum``, ``printed_root``: ε by two rules in Sarkar's lecture: T answers of (ε, δ)
      each cost (qTε, qTδ), or (qε√T, δ).
    - ``one`` (n_noise, n_deltas): ε of a single answer on all records.
    - ``affordable`` (n_noise, n_rates, n_deltas, n_epsilons): number of answers within a budget ε by
      the accountant. ``affordable_basic``, ``affordable_advanced`` and ``affordable_rdp`` are the
      numbers by the named rule.
    - ``needed`` (n_rates, n_deltas, n_steps, n_epsilons): noise level at which T answers cost at
      most the budget ε; NaN if no level suffices.

    ``needed`` for Laplace noise is the ε₀ of one answer. For Gaussian noise it is a σ within 2 % of the
    smallest one if there is a table for T, q and δ, otherwise the smallest sufficient slider value. All
    values are rounded to three digits such that the cost stays within the budget.
    """

    pld: Floats
    exact: Floats
    rdp: Floats
    basic: Floats
    advanced: Floats
    optimal: Floats
    printed_sum: Floats
    printed_root: Floats
    one: Floats
    affordable: Floats
    affordable_basic: Floats
    affordable_advanced: Floats
    affordable_rdp: Floats
    needed: Floats


def run(mechanism: str) -> Curves:
    """Return the ε of T answers by every composition rule.

    Neighbours add or remove a record. Each answer is computed on a Poisson sample.

    Parameters
    ----------
    mechanism : "gaussian" or "laplace"
        Noise of the answers. The first axis of the result is the noise multiplier σ, or the ε₀ of
        one answer.

    Returns
    -------
    Curves

    Examples
    --------
    >>> found = run("laplace")
    >>> float(found.basic[3, -1, 3, 6].round(3))   # 100 answers of ε₀ = 0.1
    10.0
    """
    pld = composition_tables.exact(mechanism)
    costs = _gaussian if mechanism == "gaussian" else _laplace
    rules = costs(_STEPS) | {
        "optimal": np.full(pld.shape, np.nan)
        if mechanism == "gaussian"
        else composition_tables.optimal()
    }
    needed = _noise_needed(pld) if mechanism == "gaussian" else _answer_allowed(pld)
    counts = {f"affordable_{rule}": affordable(mechanism, rule).astype(float) for rule in _COUNTED}
    return Curves(
        pld=pld, affordable=affordable(mechanism).astype(float), needed=needed, **rules, **counts
    )


def _gaussian(steps: Floats) -> dict[str, Floats]:
    """Return the ε of ``steps`` answers with Gaussian noise by every rule, as arrays for the fields of `Curves`.

    ``steps`` is broadcast against the other axes of `Curves`: noise level, sampling rate and δ.
    """
    sigma = np.array(NOISE_GRID)[:, None, None, None]
    once = np.minimum(_DELTAS / (_RATES * steps), 0.5)  # the δ of a step: q T δ_step = δ
    half = once / 2
    each = composition.amplified(gaussian_epsilons(sigma, once), _RATES)
    slim = composition.amplified(gaussian_epsilons(sigma, half), _RATES)
    per_step = np.stack([rdp.subsampled_gaussian(sigma[:, 0, 0, 0], q) for q in RATE_GRID], 1)
    curve = per_step[:, :, None, None] * steps[..., None]
    exact = gaussian_epsilons(sigma / np.sqrt(steps), _DELTAS)
    return {
        "exact": np.where(_RATES == 1, exact, np.nan),
        "rdp": rdp.to_epsilon(np.broadcast_to(curve, (*each.shape, curve.shape[-1])), _DELTAS),
        "basic": composition.basic(each, steps),
        "advanced": composition.advanced(slim, steps, slack=_DELTAS / 2),
        "printed_sum": printed.printed_sum(
            printed.printed_epsilon(noise_multiplier=sigma, delta=once), _RATES, n_steps=steps
        ),
        "printed_root": printed.printed_root(
            printed.printed_epsilon(noise_multiplier=sigma, delta=_DELTAS), _RATES, n_steps=steps
        ),
        "one": gaussian_epsilons(sigma, _DELTAS)[:, 0, :, 0],
    }


def _laplace(steps: Floats) -> dict[str, Floats]:
    """Return the ε of ``steps`` answers with Laplace noise by every rule, as arrays for the fields of `Curves`.

    ``steps`` is broadcast against the other axes of `Curves`: noise level, sampling rate and δ.
    """
    answer = np.array(ANSWER_GRID)[:, None, None, None]
    each = composition.amplified(answer, _RATES)
    shape = np.broadcast_shapes(answer.shape, _RATES.shape, _DELTAS.shape, steps.shape)
    once = np.array(
        [[rdp.curve(sampled(LaplaceEvent(1 / a), q)) for q in RATE_GRID] for a in ANSWER_GRID]
    )
    curve = once[:, :, None, None] * steps[..., None]
    return {
        "exact": np.full(shape, np.nan),
        "rdp": rdp.to_epsilon(np.broadcast_to(curve, (*shape, curve.shape[-1])), _DELTAS),
        "basic": np.broadcast_to(composition.basic(each, steps), shape),
        "advanced": composition.advanced(each, steps, slack=_DELTAS),
        "printed_sum": np.broadcast_to(printed.printed_sum(answer, _RATES, n_steps=steps), shape),
        "printed_root": np.broadcast_to(printed.printed_root(answer, _RATES, n_steps=steps), shape),
        "one": np.broadcast_to(answer[:, 0, 0], (len(ANSWER_GRID), len(DELTA_GRID))),
    }


def _answer_allowed(pld: Floats) -> Floats:
    """Return the ε₀ (n_rates, n_deltas, n_steps, n_epsilons) of one answer for which T answers cost at most ε.

    Axes: sampling rate, δ, number of answers T, total ε. The result is the larger one of two
    values:

    - the largest slider value for which T answers cost at most ε;
    - the value that follows from basic composition of sampled answers.
    """
    wanted = np.array(EPSILON_GRID)
    fits = pld[..., None] <= wanted  # the handle's ε₀ rise, and so does ε
    last = fits.shape[0] - 1 - fits[::-1].argmax(0)
    handle = np.where(fits.any(0), np.array(ANSWER_GRID)[last], 0.0)
    each = wanted / _STEPS[0, ..., None]
    added = np.log1p(np.expm1(each) / _RATES[0, ..., None])
    return _three_digits(np.maximum(handle, np.broadcast_to(added, handle.shape)), np.floor)


def _three_digits(values: Floats, rounding: Callable[[Floats], Floats]) -> Floats:
    """Return values rounded to the three digits that are displayed.

    ``rounding`` is numpy's floor or ceil.
    """
    unit = 10.0 ** (np.floor(np.log10(values)) - 2)
    whole = values / unit
    near = np.rint(whole)  # what has three digits already stays as it is
    return unit * np.where(np.abs(whole - near) < 1e-9 * near, near, rounding(whole))


def _noise_needed(pld: Floats) -> Floats:
    """Return the σ (n_rates, n_deltas, n_steps, n_epsilons) of one answer for which T answers cost at most ε.

    Axes: sampling rate, δ, number of answers T, total ε. σ is read from the accountant's table if
    there is one for this sampling rate and T. Otherwise it is the smallest sufficient slider value.
    """
    wanted = np.array(EPSILON_GRID)
    sigmas = np.full((*pld.shape[1:], len(wanted)), np.nan)
    for q, delta, steps in np.ndindex(sigmas.shape[:3]):
        enough = pld[:, q, delta, steps, None] <= wanted  # the handle's σ rise, and ε falls
        sigmas[q, delta, steps] = np.where(
            enough.any(0), np.array(NOISE_GRID)[enough.argmax(0)], np.nan
        )
        table = epsilon_tables.steps_curve(RATE_GRID[q], STEPS_GRID[steps])
        if table is not None:
            near = table.noise_multiplier(delta, wanted)
            sigmas[q, delta, steps] = np.fmin(sigmas[q, delta, steps], near)
    return _three_digits(sigmas, np.ceil)


def step(params: BudgetParams) -> Event:
    """Return the event of one answer on a Poisson sample, for the accountants."""
    one = (
        GaussianEvent(params.noise_multiplier)
        if params.mechanism == "gaussian"
        else LaplaceEvent(1 / params.answer_epsilon)
    )
    return sampled(one, params.sample_rate)


def whole(params: BudgetParams) -> Event:
    """Return the event of all T answers together, for the accountants."""
    return Repeated(step(params), params.n_steps)


def guarantee(params: BudgetParams) -> Guarantee:
    """Return the guarantee of all T answers together.

    Its ε is the one that the page displays.
    """
    epsilon = real_epsilon(params)
    noise = (
        f"Gaussian, σ = {params.noise_multiplier:g}"
        if params.mechanism == "gaussian"
        else f"Laplace, ε₀ = {params.answer_epsilon:g}"
    )
    sampled = f" on a Poisson sample of rate {params.sample_rate:g}" * (params.sample_rate < 1)
    return from_event(
        whole(params),
        params.delta,
        at_most=epsilon,
        neighbouring="add_remove",
        argument="The privacy loss distributions of all answers are composed, also when later questions "
        "depend on earlier answers."
        + " Each answer uses a Poisson sample, and who is in it stays secret." * bool(sampled),
        public=(
            "the number of answers T, the sampling rate q, the questions and "
            "the size of the noise",
            "the bounds from which each answer has its sensitivity",
        ),
        not_protected=(
            "groups: k people together have k times the loss",
            "anything else released from the same data: enter it in the ledger",
        ),
        parts=(
            Part(
                name=f"{params.n_steps} answer{'' if params.n_steps == 1 else 's'}",
                epsilon=epsilon, delta=params.delta,
                mechanism=noise + sampled,
            ),
        ),
    )  # fmt: skip


def used_up(params: BudgetParams) -> list[Guarantee]:
    """Return the guarantee of answers that together use up the budget ε, for each ε of the grid."""
    return guarantee(params).tabulated(EPSILON_GRID)


def place(params: BudgetParams) -> tuple[int, int, int]:
    """Return the indices of the parameters' noise, sampling rate and δ in the first three axes of `Curves`."""
    noise = (
        NOISE_GRID.index(params.noise_multiplier)
        if params.mechanism == "gaussian"
        else ANSWER_GRID.index(params.answer_epsilon)
    )
    return noise, RATE_GRID.index(params.sample_rate), DELTA_GRID.index(params.delta)


def real_epsilon(params: BudgetParams) -> float:
    """Return the ε of all T answers from the accountant's precomputed table, for add-or-remove neighbours."""
    table = composition_tables.exact(params.mechanism)
    return float(table[(*place(params), STEPS_GRID.index(params.n_steps))])


if __name__ == "__main__":
    main()
