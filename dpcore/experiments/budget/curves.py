"""ε spent against the number of answers, by every rule, for all values of the sliders at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import LaplaceEvent, composition, printed, rdp, sampled
from dpcore.experiments import composition_tables, epsilon_tables
from dpcore.experiments.budget import answers
from dpcore.experiments.composition_tables import ANSWER_GRID, NOISE_GRID, RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.mechanisms import gaussian_epsilons

__all__ = ["RULES", "Curves", "run"]

Floats = NDArray[np.float64]
RULES = {
    "pld": "true cost", "exact": "exact formula", "rdp": "Rényi", "basic": "adding up",
    "advanced": "advanced composition", "optimal": "optimal composition",
    "printed_sum": "Sarkar's qTε", "printed_root": "Sarkar's qε√T",
}  # fmt: skip
"""The rules, by their field of `Curves`, and what they are called."""
_RATES = np.array(RATE_GRID)[None, :, None, None]
_DELTAS = np.array(DELTA_GRID)[None, None, :, None]
_STEPS = np.array(STEPS_GRID, float)[None, None, None, :]


@dataclass(frozen=True, kw_only=True)
class Curves:
    """ε of T answers by each rule: (n_noise, n_rates, n_deltas, n_steps).

    ``pld`` the account, never below the true value; ``exact`` a closed form where there is one (else
    nan), ``rdp`` (sampled Laplace as the worst pure mechanism), ``basic``, ``advanced``, ``optimal``
    (pure mechanisms alone, else nan); ``printed_sum`` (qTε, qTδ) and ``printed_root`` (qε√T, δ) as in
    Sarkar's lecture. ``one`` (n_noise, n_deltas): ε of a single answer on all records; ``affordable``
    (n_noise, n_rates, n_deltas, n_epsilons): how many answers the budget is enough for (see `answers`);
    ``needed`` (n_rates, n_deltas, n_steps, n_epsilons): a σ that is enough, within 2 % of the least where T, q and δ
    have a table and otherwise of the handle's, or an ε₀ that is small enough: in three digits, and the account of T
    such answers is at most ε; nan where there is none.
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
    needed: Floats


def run(mechanism: str) -> Curves:
    """Return what T answers cost by every rule, add-or-remove neighbours, Poisson sampling.

    Parameters
    ----------
    mechanism : "gaussian" or "laplace"
        The first axis is the noise multiplier σ, or the ε₀ of one answer.

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
    rules = _gaussian() if mechanism == "gaussian" else _laplace()
    needed = _noise_needed(pld) if mechanism == "gaussian" else _answer_allowed(pld)
    return Curves(
        pld=pld, affordable=answers.affordable(mechanism).astype(float), needed=needed, **rules
    )


def _gaussian() -> dict[str, Floats]:
    sigma = np.array(NOISE_GRID)[:, None, None, None]
    once = np.minimum(_DELTAS / (_RATES * _STEPS), 0.5)  # the δ of a step: q T δ_step = δ
    half = once / 2
    each = composition.amplified(gaussian_epsilons(sigma, once), _RATES)
    slim = composition.amplified(gaussian_epsilons(sigma, half), _RATES)
    per_step = np.stack([rdp.subsampled_gaussian(sigma[:, 0, 0, 0], q) for q in RATE_GRID], 1)
    curve = per_step[:, :, None, None] * _STEPS[..., None]
    exact = gaussian_epsilons(sigma / np.sqrt(_STEPS), _DELTAS)
    return {
        "exact": np.where(_RATES == 1, exact, np.nan),
        "rdp": rdp.to_epsilon(np.broadcast_to(curve, (*each.shape, curve.shape[-1])), _DELTAS),
        "basic": composition.basic(each, _STEPS),
        "advanced": composition.advanced(slim, _STEPS, slack=_DELTAS / 2),
        "optimal": np.full(each.shape, np.nan),
        "printed_sum": printed.printed_sum(
            printed.printed_epsilon(noise_multiplier=sigma, delta=once), _RATES, n_steps=_STEPS
        ),
        "printed_root": printed.printed_root(
            printed.printed_epsilon(noise_multiplier=sigma, delta=_DELTAS), _RATES, n_steps=_STEPS
        ),
        "one": gaussian_epsilons(sigma, _DELTAS)[:, 0, :, 0],
    }


def _laplace() -> dict[str, Floats]:
    answer = np.array(ANSWER_GRID)[:, None, None, None]
    each = composition.amplified(answer, _RATES)
    shape = np.broadcast_shapes(answer.shape, _RATES.shape, _DELTAS.shape, _STEPS.shape)
    once = np.array(
        [[rdp.curve(sampled(LaplaceEvent(1 / a), q)) for q in RATE_GRID] for a in ANSWER_GRID]
    )
    curve = once[:, :, None, None] * _STEPS[..., None]
    return {
        "exact": np.full(shape, np.nan),
        "rdp": rdp.to_epsilon(np.broadcast_to(curve, (*shape, curve.shape[-1])), _DELTAS),
        "basic": np.broadcast_to(composition.basic(each, _STEPS), shape),
        "advanced": composition.advanced(each, _STEPS, slack=_DELTAS),
        "optimal": composition_tables.optimal(),
        "printed_sum": np.broadcast_to(printed.printed_sum(answer, _RATES, n_steps=_STEPS), shape),
        "printed_root": np.broadcast_to(
            printed.printed_root(answer, _RATES, n_steps=_STEPS), shape
        ),
        "one": np.broadcast_to(answer[:, 0, 0], (len(ANSWER_GRID), len(DELTA_GRID))),
    }


def _answer_allowed(pld: Floats) -> Floats:
    """An ε₀ at which T answers cost no more than ε: the largest of the handle, or what adding up allows if more."""
    wanted = np.array(EPSILON_GRID)
    fits = pld[..., None] <= wanted  # the handle's ε₀ rise, and so does ε
    last = fits.shape[0] - 1 - fits[::-1].argmax(0)
    handle = np.where(fits.any(0), np.array(ANSWER_GRID)[last], 0.0)
    each = wanted / _STEPS[0, ..., None]
    added = np.log1p(np.expm1(each) / _RATES[0, ..., None])
    return _three_digits(np.maximum(handle, np.broadcast_to(added, handle.shape)), np.floor)


def _three_digits(values: Floats, rounding: Callable[[Floats], Floats]) -> Floats:
    """Numbers with the three digits that are shown, so that what is read off is what is meant."""
    unit = 10.0 ** (np.floor(np.log10(values)) - 2)
    whole = values / unit
    near = np.rint(whole)  # what has three digits already stays as it is
    return unit * np.where(np.abs(whole - near) < 1e-9 * near, near, rounding(whole))


def _noise_needed(pld: Floats) -> Floats:
    """A σ at which T answers cost no more than ε: of the account's own table, or the next one of the handle."""
    wanted = np.array(EPSILON_GRID)
    found = np.full((*pld.shape[1:], len(wanted)), np.nan)
    for q, delta, steps in np.ndindex(found.shape[:3]):
        enough = pld[:, q, delta, steps, None] <= wanted  # the handle's σ rise, and ε falls
        found[q, delta, steps] = np.where(
            enough.any(0), np.array(NOISE_GRID)[enough.argmax(0)], np.nan
        )
        table = epsilon_tables.steps_curve(RATE_GRID[q], STEPS_GRID[steps])
        if table is not None:
            near = table.noise_multiplier(delta, wanted)
            found[q, delta, steps] = np.fmin(found[q, delta, steps], near)
    return _three_digits(found, np.ceil)
