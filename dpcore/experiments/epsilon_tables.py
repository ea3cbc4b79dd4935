"""Precomputed ε of private gradient descent at the slider values; the files contain no data.

Each table has, for T Gaussian steps at a sampling rate q, the ε at many noise multipliers σ and every
δ. ε decreases with σ. So a look-up at any σ returns the ε of the next smaller σ in the table. The
returned ε is an upper bound, less than 1 % above the exact ε, since the table is dense.

The accountant computes ε on another grid of privacy losses than the table. So each tabulated ε is
increased by the factor 1 + 2·10⁻⁴, which is more than the observed difference. The tabulated ε is
then not below the accountant's ε. For arguments outside of a table the accountant is called.

``python -m dpcore.experiments.epsilon_tables`` recreates the files (about half an hour). With ``--check
N`` it verifies N random points of each file.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.accounting.accountant import LOTS, steps_event
from dpcore.accounting.accountant import epsilon as exact_epsilon
from dpcore.accounting.accountant import noise_multiplier as exact_noise_multiplier
from dpcore.experiments.composition_tables import RATE_GRID, STEPS_GRID
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, SAMPLE_RATE_GRID
from dpcore.units import Neighbouring

__all__ = [
    "NEIGHBOURING",
    "REPLACED_RATES",
    "TABLES",
    "Curve",
    "check",
    "curve",
    "epsilons",
    "load",
    "main",
    "make_curve",
    "noise_multipliers",
    "replaced_noise_multipliers",
    "steps_curve",
    "steps_epsilons",
    "steps_noise_multipliers",
]  # fmt: skip

NEIGHBOURING: dict[str, Neighbouring] = {"poisson": "add_remove", "fixed": "replace_one"}
"""Neighbouring relation of the tabulated ε, by how batches are sampled."""

DELTAS = tuple(sorted({*DELTA_GRID, *(delta / 2 for delta in DELTA_GRID)}))
LOWEST, HIGHEST = 0.02, 24.0
"""Range of ε in which a look-up returns a value."""
LARGEST_DROP = 0.0088
"""Largest decrease of ln ε from one node of a curve to the next, for ε in the range of look-ups."""
_WANTED_DROP = 0.008
_SIGMA_UNIT, _EPSILON_UNIT = 2e-4, 2e-4  # ln σ and ln ε are whole multiples
_ROOM = 1  # units of ln ε: the account, itself a bound on its own grid, may be so much above a node's bound
_FINE, _SMOOTH = 2e-3, 0.1  # width of the grid of losses: of ε, and of one step's deviation
_OUTSIDE = 1.5  # so far beyond the ends a node's ε is written down


class Table(NamedTuple):
    """Definition of a file with a curve ε(σ) for every sampling rate and training length.

    - ``lengths``: training lengths, in epochs if ``in_epochs``, else in steps T.
    - ``deltas``: the δ at which each curve has ε.
    - ``neighbouring``: the neighbouring relation.
    - ``lots``: how the batches are sampled, by a name that `accounting.steps_event` accepts.
    """

    file: str
    rates: tuple[float, ...]
    lengths: tuple[int, ...]
    deltas: tuple[float, ...]
    lots: str
    in_epochs: bool
    neighbouring: Neighbouring = "add_remove"

    def n_steps(self, rate: float, length: float) -> int:
        """Return the number of steps T for one of the table's lengths."""
        return max(1, round(length / rate)) if self.in_epochs else round(length)


REPLACED_RATES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7)
"""Sampling rates q in the table for twenty steps on Poisson samples under replace_one.

The rate q = 1 is not tabulated, since its account is exact.
"""
_EPOCHS = (SAMPLE_RATE_GRID, EPOCHS_GRID, DELTAS)
TABLES: dict[str, Table] = {
    "poisson": Table("epsilon_table.npz", *_EPOCHS, "poisson", in_epochs=True),
    "fixed": Table(
        "fixed_epsilon_table.npz", *_EPOCHS, "fixed", in_epochs=True, neighbouring="replace_one"
    ),
    "steps": Table(
        "steps_epsilon_table.npz", RATE_GRID[1:], STEPS_GRID, DELTA_GRID, "poisson", in_epochs=False
    ),
    "replaced": Table(
        "replaced_epsilon_table.npz",
        REPLACED_RATES,
        (20,),
        DELTA_GRID,
        "poisson",
        in_epochs=False,
        neighbouring="replace_one",
    ),
}


class Curve(NamedTuple):
    """Curves ε(σ) of one training, one for each δ of a table.

    - ``sigmas`` (n,): increasing noise multipliers σ.
    - ``epsilons`` (n, n_deltas): decreasing ε at each σ and δ.

    Outside of the tabulated range ε is inf or 0.
    """

    sigmas: NDArray[np.float64]
    epsilons: NDArray[np.float64]

    def noise_multiplier(self, k: int, epsilons: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return, for each ε, the smallest tabulated σ that costs at most ε at the k-th δ.

        The result is NaN for an ε without such a σ.
        """
        at = np.searchsorted(-self.epsilons[:, k], -epsilons)
        there = (at > 0) & (at < len(self.sigmas)) & (epsilons >= LOWEST)
        before = self.epsilons[np.clip(at - 1, 0, len(self.sigmas) - 1), k]
        there &= (epsilons <= HIGHEST) & (before <= HIGHEST * (1 + LARGEST_DROP))
        return np.where(there, self.sigmas[np.minimum(at, len(self.sigmas) - 1)], np.nan)

    def epsilon(self, k: int, sigmas: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return, for each σ, the ε of the next smaller tabulated σ at the k-th δ.

        The result is NaN for a σ outside of the table.
        """
        at = np.searchsorted(self.sigmas, sigmas, side="right") - 1
        costs = self.epsilons[np.maximum(at, 0), k]
        there = (at >= 0) & (sigmas <= self.sigmas[-1]) & (costs >= LOWEST) & (costs <= HIGHEST)
        return np.where(there, costs, np.nan)


def noise_multipliers(
    epsilons: ArrayLike, delta: float, sample_rate: float, epochs: float, lots: str = "poisson"
) -> NDArray[np.float64]:
    """Return, for each of n values of ε, a noise multiplier σ at which a training costs at most ε.

    The cost is at least 0.99 ε. σ is looked up in a table if all arguments are on the grids of the
    table. Otherwise it is computed.

    Parameters
    ----------
    epsilons : array (n,)
        ε in [0.02, 24] for a look-up.
    delta : float
        A value of ``DELTA_GRID`` or half of one for a look-up.
    sample_rate : float
        A value of ``SAMPLE_RATE_GRID`` for a look-up.
    epochs : float
        A value of ``EPOCHS_GRID`` for a look-up. E epochs at sampling rate q are T = round(E/q)
        steps.
    lots : "poisson" or "fixed"
        Type of batches: Poisson samples (add_remove neighbours), or subsets of a fixed size
        (replace_one neighbours).

    Returns
    -------
    ndarray (n,)
        Values of σ. If an argument is not on the grids, `accounting.noise_multiplier` computes each σ
        in about half a second.

    Examples
    --------
    >>> noise_multipliers([0.6], 1e-5, 0.01, 50).round(1).tolist()
    [4.3]
    """
    _checks.one_of("lots", lots, LOTS)
    return _noise(TABLES[lots], epsilons, delta, sample_rate, epochs)


def epsilons(
    noise_multipliers: ArrayLike,
    delta: float,
    sample_rate: float,
    epochs: float,
    lots: str = "poisson",
) -> NDArray[np.float64]:
    """Return an upper bound on the ε of a training for each of n values of σ.

    The bound is less than 1 % above the exact ε. It is looked up in a table if all arguments are on
    the grids of `noise_multipliers`.

    Parameters
    ----------
    noise_multipliers : array (n,)
        σ > 0. Outside the tabulated range `accounting.epsilon` computes ε.
    delta, sample_rate, epochs, lots
        δ, sampling rate q, number of epochs and type of batches, as in `noise_multipliers`.

    Returns
    -------
    ndarray (n,)
    """
    _checks.one_of("lots", lots, LOTS)
    return _costs(TABLES[lots], noise_multipliers, delta, sample_rate, epochs)


def steps_noise_multipliers(
    epsilons: ArrayLike, delta: float, sample_rate: float, n_steps: int
) -> NDArray[np.float64]:
    """Return, for each of n values of ε, a noise multiplier σ at which T Poisson-sampled steps cost at most ε.

    The cost is at least 0.99 ε. σ is looked up in a table if all arguments are on its grids.
    Otherwise it is computed.

    Parameters
    ----------
    epsilons : array (n,)
        ε in [0.02, 24] for a look-up.
    delta, sample_rate, n_steps : float, float, int
        For a look-up: δ in ``DELTA_GRID``, sampling rate in ``RATE_GRID`` without its first value,
        and T in ``STEPS_GRID``.

    Returns
    -------
    ndarray (n,)
    """
    return _noise(TABLES["steps"], epsilons, delta, sample_rate, n_steps)


def replaced_noise_multipliers(
    epsilons: ArrayLike, delta: float, sample_rate: float, n_steps: int
) -> NDArray[np.float64]:
    """Return, for each of n values of ε, a noise multiplier σ at which T steps cost at most ε under replace_one.

    The batches of the steps are Poisson samples. The cost is at least 0.99 ε. σ is looked up in a
    table if all arguments are on its grids. Otherwise it is computed.

    Parameters
    ----------
    epsilons : array (n,)
        ε in [0.02, 24] for a look-up.
    delta, sample_rate, n_steps : float, float, int
        For a look-up: δ in ``DELTA_GRID``, sampling rate in ``REPLACED_RATES``, and T = 20 steps.

    Returns
    -------
    ndarray (n,)
    """
    return _noise(TABLES["replaced"], epsilons, delta, sample_rate, n_steps)


def steps_epsilons(
    noise_multipliers: ArrayLike, delta: float, sample_rate: float, n_steps: int
) -> NDArray[np.float64]:
    """Return an upper bound on the ε of T Poisson-sampled steps, for each of n values of σ.

    The bound is less than 1 % above the exact ε, see `epsilons`.

    Parameters
    ----------
    noise_multipliers : array (n,)
        σ > 0.
    delta, sample_rate, n_steps : float, float, int
        δ, sampling rate and number of steps T. `steps_noise_multipliers` lists their grids for a
        look-up.

    Returns
    -------
    ndarray (n,)
    """
    return _costs(TABLES["steps"], noise_multipliers, delta, sample_rate, n_steps)


def steps_curve(sample_rate: float, n_steps: int) -> Curve | None:
    """Return the tabulated curves ε(σ) of T Poisson-sampled steps, one for each δ of ``DELTA_GRID``.

    The result is None if the table has no curves for this sampling rate and T = ``n_steps``.
    """
    table = TABLES["steps"]
    i, j = _find(sample_rate, table.rates), _find(n_steps, table.lengths)
    return None if i is None or j is None else curve(table, i, j)


def _noise(
    table: Table, epsilons: ArrayLike, delta: float, rate: float, length: float
) -> NDArray[np.float64]:
    wanted = np.atleast_1d(np.asarray(epsilons, float))
    place = _place(table, delta, rate, length)
    if place is None:
        multipliers = np.full(len(wanted), np.nan)
    else:
        i, j, k = place
        multipliers = curve(table, i, j).noise_multiplier(k, wanted)
    for n in np.flatnonzero(np.isnan(multipliers)):
        multipliers[n] = exact_noise_multiplier(
            float(wanted[n]), delta, sample_rate=rate, n_steps=table.n_steps(rate, length),
            neighbouring=table.neighbouring, lots=table.lots,
        )  # fmt: skip
    return multipliers


def _costs(
    table: Table, noise_multipliers: ArrayLike, delta: float, rate: float, length: float
) -> NDArray[np.float64]:
    sigmas = np.atleast_1d(np.asarray(noise_multipliers, float))
    place = _place(table, delta, rate, length)
    if place is None:
        costs = np.full(len(sigmas), np.nan)
    else:
        i, j, k = place
        costs = curve(table, i, j).epsilon(k, sigmas)
    for n in np.flatnonzero(np.isnan(costs)):
        costs[n] = _exact(table, float(sigmas[n]), delta, rate, length)
    return costs


def _exact(table: Table, sigma: float, delta: float, rate: float, length: float) -> float:
    relation = table.neighbouring
    steps = table.n_steps(rate, length)
    return exact_epsilon(
        noise_multiplier=sigma,
        sample_rate=rate,
        n_steps=steps,
        delta=delta,
        neighbouring=relation,
        lots=table.lots,
    )


def _place(table: Table, delta: float, rate: float, length: float) -> tuple[int, int, int] | None:
    i, j = _find(rate, table.rates), _find(length, table.lengths)
    k = _find(delta, table.deltas)
    return None if i is None or j is None or k is None else (i, j, k)


def _find(value: float, grid: Sequence[float]) -> int | None:
    near = [i for i, g in enumerate(grid) if abs(g - value) <= 1e-9 * g]
    return near[0] if near else None


@lru_cache(maxsize=1024)
def curve(table: Table, i: int, j: int) -> Curve:
    """Return the curves ε(σ) at the i-th sampling rate and j-th length of a table, one for each δ."""
    loaded = _loaded(table.file)
    one = i * len(table.lengths) + j
    start, end = int(loaded["start"][one]), int(loaded["start"][one + 1])
    logs = np.cumsum(loaded["sigma"][start:end].astype(np.int64))
    twice = loaded["epsilon"][:, start:end].astype(np.int64)
    costs = np.cumsum(np.cumsum(twice, axis=1), axis=1)
    epsilon_nodes = np.exp((costs + _ROOM) * _EPSILON_UNIT).T
    epsilon_nodes[_most() <= costs.T] = np.inf
    epsilon_nodes[-_most() >= costs.T] = 0.0
    return Curve(np.exp(logs * _SIGMA_UNIT), np.ascontiguousarray(epsilon_nodes))


def _most() -> int:
    """Return the integer that a file stores for ε = inf.

    A file stores ln ε in units of ``_EPSILON_UNIT``, rounded to an integer. The integer for ε = inf is
    the largest one, and its negative stands for ε = 0.
    """
    return math.ceil(math.log(_OUTSIDE / LOWEST) / _EPSILON_UNIT)


def load() -> None:
    """Load all tables into memory, so that the first look-up is fast."""
    for lots in LOTS:
        table = TABLES[lots]
        for i in range(len(table.rates)):
            for j in range(len(table.lengths)):
                curve(table, i, j)


@lru_cache(maxsize=len(TABLES))
def _loaded(file: str) -> dict[str, NDArray[Any]]:
    with resources.files("dpcore.experiments").joinpath(file).open("rb") as opened:
        loaded = np.load(opened)
        return {name: loaded[name] for name in loaded.files}


def make_curve(
    table: Table, rate: float, length: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Compute one curve of a table by PLD, as n values of ln σ and the ln ε (n, n_deltas) at these values.

    Both are integers, in units of ``_SIGMA_UNIT`` and ``_EPSILON_UNIT``. The points are so close that
    from one point to the next ln ε decreases at every δ by no more than ``LARGEST_DROP``, unless ln σ
    increases by only one unit.
    """
    steps = table.n_steps(rate, length)
    at, stride = _first(table, rate, steps), 4
    sigmas, costs = [at], [_all_costs(table, at, rate, steps, np.full(2, HIGHEST))]
    while (costs[-1] > LOWEST).any():
        for _ in range(12):
            there = _all_costs(table, at + stride, rate, steps, costs[-1])
            inside = _answers(costs[-1])
            with np.errstate(divide="ignore"):
                drop = np.log(costs[-1][inside] / there[inside]).max(initial=0.0)
            if drop <= LARGEST_DROP or stride == 1:
                break
            stride = max(1, int(stride * 0.7))
        at += stride
        sigmas.append(at)
        costs.append(np.minimum(there, costs[-1]))  # ε falls with σ
        stride = int(np.clip(stride * _WANTED_DROP / max(drop, 1e-9), 1, 1.5 * stride + 1))
    whole = np.array(costs)
    with np.errstate(divide="ignore"):
        codes = np.clip(np.ceil(np.log(whole) / _EPSILON_UNIT - 1e-9), -_most(), _most())
    codes[whole > _OUTSIDE * HIGHEST] = _most()
    return np.array(sigmas), codes.astype(np.int64)


def _answers(costs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return, for each δ, whether the ε of a point on a curve is in the range for which the table is used.

    ``costs``: ε of the point at every δ.
    """
    return (costs >= LOWEST) & (costs <= HIGHEST * (1 + LARGEST_DROP))


def _first(table: Table, rate: float, steps: int) -> int:
    """Return ln σ of the first point of a curve, where σ is smallest.

    The ε at this point is larger, at every δ, than any ε that look-ups use. The result is in units
    of ``_SIGMA_UNIT``.
    """
    # The instant account does not compare Poisson lots of which one record is replaced.
    instant = table.lots == "fixed" or table.neighbouring == "add_remove"
    accountant = "rdp" if instant else "pld"
    guess = exact_noise_multiplier(
        HIGHEST, table.deltas[-1], sample_rate=rate, n_steps=steps, accountant=accountant,
        neighbouring=table.neighbouring, lots=table.lots,
    )  # fmt: skip
    first = math.floor(math.log(guess) / _SIGMA_UNIT)
    top = np.full(2, HIGHEST)
    while _all_costs(table, first, rate, steps, top)[-1] <= HIGHEST * (1 + LARGEST_DROP):
        first -= 200
    return first


def _all_costs(
    table: Table, at: int, rate: float, steps: int, known: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return an upper bound on the ε at every δ for one σ, tight to about a thousandth.

    ``at``: ln σ in units of ``_SIGMA_UNIT``. ``known``: an estimate of the ε at every δ. The
    estimate determines the grid of the privacy loss distribution, which is as coarse as possible.
    Rounding to the grid changes each loss by about one grid width. This is small compared with the
    standard deviation of one step's loss or with ε.
    """
    inside = np.clip(known, LOWEST, HIGHEST)
    rough, least = float(inside[len(inside) // 2]), float(inside[-1])
    from dpcore.accounting import pld

    event = steps_event(math.exp(at * _SIGMA_UNIT), rate, n_steps=steps, lots=table.lots)
    parts = pld.merged(event)
    spread = min(pld.deviation(one) for one, _ in parts)
    width = min(_FINE * rough, max(_SMOOTH * spread, 0.02 * least / math.sqrt(steps)), 1e-2)
    distribution = pld.composed(parts, neighbouring=table.neighbouring, width=width)
    return pld.epsilons_at(distribution, np.array(table.deltas))


def _coded(curves: list[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> dict[str, NDArray[Any]]:
    """Return curves as the integer arrays that a file stores.

    - ``sigma``: differences of ln σ.
    - ``epsilon``: second differences of ln ε.
    - ``start``: index at which each curve begins.
    """
    sigma = [np.diff(nodes, prepend=0) for nodes, _ in curves]
    twice = [np.diff(np.diff(costs, axis=0, prepend=0), axis=0, prepend=0).T for _, costs in curves]
    lengths = [len(nodes) for nodes, _ in curves]
    return {
        "start": np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        "sigma": np.concatenate(sigma).astype(np.int32),
        "epsilon": np.concatenate(twice, axis=1).astype(np.int32),
    }


def check(table: Table, n_places: int, seed: int = 0) -> NDArray[np.float64]:
    """Return the ratios of the tabulated to the exact ε at random noise multipliers between the tabulated ones.

    Parameters
    ----------
    table : Table
        One of `TABLES`.
    n_places : int
        Number of random points (rate, length, δ, ε), with ln ε uniform over the tabulated range. σ is
        random between the smallest tabulated σ that costs at most this ε and the next smaller tabulated
        σ.
    seed : int
        Seed of the random points.

    Returns
    -------
    ndarray (n,)
        Ratios at n ≤ n_places points; they should be at least 1 and at most 1.01. Points above the highest
        ε are left out.
    """
    rng = np.random.default_rng(seed)
    ratios = []
    for _ in range(n_places):
        i, j, k = (int(rng.integers(len(grid))) for grid in table[1:4])
        wanted = np.array([math.exp(rng.uniform(math.log(1.05 * LOWEST), math.log(HIGHEST)))])
        one = curve(table, i, j)
        base = float(one.noise_multiplier(k, wanted)[0])
        at = int(np.searchsorted(one.sigmas, base))
        sigma = float(one.sigmas[at - 1] + rng.random() * (base - one.sigmas[at - 1]))
        said = float(one.epsilon(k, np.array([sigma]))[0])
        if math.isnan(said):
            continue  # above the highest ε
        real = _exact(table, sigma, table.deltas[k], table.rates[i], table.lengths[j])
        ratios.append(said / real)
    return np.array(ratios)


def main(arguments: list[str] | None = None) -> None:
    """Compute the tables and write them to this module's folder.

    With ``--check`` only verify existing tables.
    """
    parser = argparse.ArgumentParser(prog="python -m dpcore.experiments.epsilon_tables")
    parser.add_argument("--check", type=int, metavar="N", help="ask N random places of each table")
    parser.add_argument("--seed", type=int, default=0, help="of the random places")
    parser.add_argument("--only", choices=sorted(TABLES), help="one table alone")
    args = parser.parse_args(arguments)
    for name, table in TABLES.items():
        if args.only and name != args.only:
            continue
        if args.check:
            ratios = check(table, args.check, args.seed)
            print(
                f"{name}: {len(ratios)} places, table over account from {ratios.min():.6f} to "
                f"{ratios.max():.6f}, {int((ratios < 1).sum())} below 1, "
                f"{int((ratios > 1.01).sum())} above 1.01"
            )
        else:
            _make(table)


def _make(table: Table) -> None:
    from pathlib import Path

    from joblib import Parallel, delayed

    curves = Parallel(n_jobs=-1, verbose=5)(
        delayed(make_curve)(table, rate, length) for rate in table.rates for length in table.lengths
    )
    coded = _coded(curves)
    np.savez_compressed(
        Path(__file__).with_name(table.file),
        start=coded["start"], sigma=coded["sigma"], epsilon=coded["epsilon"],
    )  # fmt: skip


if __name__ == "__main__":
    main()
