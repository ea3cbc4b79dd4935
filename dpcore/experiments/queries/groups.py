"""A group of k people: what noise for one person leaves them, and the noise that gives them ε."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.accounting import group_privacy
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.queries.params import GROUPS, QueriesParams
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Additive, Gaussian, Laplace, gaussian_epsilons
from dpcore.units import Unit

__all__ = ["Group", "for_group", "for_one", "group", "promise"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Group:
    """E = 50 values of ε, D of δ (1 for Laplace noise), K sizes of the group.

    ``scale`` (E, D): b or σ of noise for one person, k times that is noise for the group; ``epsilon`` (E, D, K):
    what the group really has under noise for one, at the same δ; ``rule_epsilon``, ``rule_delta`` (E, D, K):
    the general rule of groups; ``delta`` (E, D, K): the δ that this noise really has at kε; ``hits``
    (E, D, K): an attacker's share of right guesses about the group under noise for one; ``hits_group``
    (E, D): under noise for the group; ``error`` (E, D): mean error of noise for one.
    """

    pure: bool
    scale: Floats
    epsilon: Floats
    rule_epsilon: Floats
    rule_delta: Floats
    delta: Floats
    hits: Floats
    hits_group: Floats
    error: Floats


def group(params: QueriesParams) -> Group:
    """Return what noise for one person, and noise for a group, promise to the group, at every ε, δ and k.

    Examples
    --------
    >>> found = group(QueriesParams(topic="group", noise="gaussian"))
    >>> round(float(found.epsilon[20, 3, 1]), 4)   # ε = 1, δ = 1e-5, two people
    2.1547
    """
    return _group(params.noise)


@lru_cache(maxsize=2)
def _group(noise: str) -> Group:
    deltas = DELTA_GRID if noise == "gaussian" else (0.0,)
    table = [[for_one(noise, e, d) for d in deltas] for e in EPSILON_GRID]
    rule = np.array(
        [[[group_privacy(e, d, group=k) for k in GROUPS] for d in deltas] for e in EPSILON_GRID]
    )
    sizes = np.array(GROUPS, float)
    scale = np.array([[made.scale for made in row] for row in table])
    hits = _each(table, lambda made, k: (1 + made.delta_at(0.0, k)) / 2)
    pure = noise == "laplace"
    return Group(
        pure=pure,
        scale=scale,
        epsilon=rule[..., 0]
        if pure
        else gaussian_epsilons(scale[..., None] / sizes, np.array(deltas)[:, None]),
        rule_epsilon=rule[..., 0],
        rule_delta=rule[..., 1],
        delta=_each(table, lambda made, k: made.delta_at(k * made.epsilon, k)),
        hits=hits,
        hits_group=hits[..., 0],
        error=np.array([[made.mean_error() for made in row] for row in table]),
    )


def _each(table: list[list[Additive]], of) -> Floats:  # type: ignore[no-untyped-def]
    return np.array([[[of(made, k) for k in GROUPS] for made in row] for row in table], float)


def for_one(noise: str, epsilon: float, delta: float) -> Additive:
    """Return noise on a count that gives one person (ε, δ)."""
    return for_group(noise, epsilon, delta, 1)


def for_group(noise: str, epsilon: float, delta: float, size: int) -> Additive:
    """Return noise on a count that gives every group of ``size`` people (ε, δ): k times as wide."""
    if noise == "gaussian":
        return Gaussian(epsilon=epsilon, delta=delta, sensitivity=float(size))
    return Laplace(epsilon=epsilon, sensitivity=float(size))


def promise(noise: str, epsilon: float, delta: float, size: int, *, wide: bool) -> Guarantee:
    """Return what a count promises to a group of k people: with noise for them (``wide``), or for one.

    Neighbours are two data sets that differ in all k people of a group.
    """
    made = for_group(noise, epsilon, delta, size if wide else 1)
    found = made.privacy
    why = f"the noise is made for {size} people, who move a count by at most {size} together"
    if not wide:
        row, place = EPSILON_GRID.index(epsilon), GROUPS.index(size)
        column = DELTA_GRID.index(delta) if noise == "gaussian" else 0
        real = float(_group(noise).epsilon[row, column, place])
        found = replace(found, epsilon=real, claimed_epsilon=None, parts=(), event=None)
        why = f"the noise is made for one person; {size} people move the count {size} times as far"
    return replace(
        found,
        argument=f"{made.name} noise on a count; {why}. So much holds for any group of {size}.",
        unit=Unit(singular=f"group of {size}", plural=f"groups of {size}")
        if size > 1
        else found.unit,
        not_protected=(f"groups of more than {size} people", *found.not_protected),
    )
