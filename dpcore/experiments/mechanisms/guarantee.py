"""The mechanism of the parameters, and its guarantee."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dpcore.accounting import group_privacy
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.mechanisms.params import GROUP_GRID, MechanismsParams
from dpcore.experiments.mechanisms.queries import query
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import Additive, Gaussian, Laplace, Staircase, gaussian_epsilon
from dpcore.units import Neighbouring

__all__ = [
    "for_groups",
    "guarantee",
    "guarantees",
    "mechanism",
    "noise_of",
    "shown_epsilon",
]


_WHY = {
    True: "What that costs is computed exactly (Balle and Wang 2018, Theorem 8).",
    False: "The probabilities of an answer with and without a record then differ by a factor of at most eᵋ.",
}


_HIDDEN = ("how many people are in the data: n is public, and not protected at all",)


def noise_of(noise: str, epsilon: float, delta: float, sensitivity: float = 1.0) -> Additive:
    """Return the mechanism called ``noise`` at (ε, δ) for a sensitivity Δ ≥ 0."""
    match noise:
        case "laplace":
            return Laplace(epsilon=epsilon, sensitivity=sensitivity)
        case "staircase":
            return Staircase(epsilon=epsilon, sensitivity=sensitivity)
    kind = "analytic" if noise == "gaussian" else "classical"
    return Gaussian(epsilon=epsilon, delta=delta, sensitivity=sensitivity, calibration=kind)


def mechanism(params: MechanismsParams) -> Additive:
    """Return the mechanism that answers the question of the parameters."""
    asked = query(params)
    made = noise_of(params.noise, params.epsilon, params.delta, asked.sensitivity)
    return replace(made, neighbouring=asked.neighbouring, bounds=asked.bounds)


def guarantee(params: MechanismsParams) -> Guarantee:
    """Return what one noisy answer promises to one record; groups stand in the argument."""
    found = mechanism(params).privacy
    asked = query(params)
    made = mechanism(params)
    argument = (
        f"{made.name} noise is added to a number that one record moves by at most {asked.sensitivity:g}: "
        f"{asked.why}. {_WHY[isinstance(made, Gaussian)]}"
    )
    if params.group > 1:
        epsilon, delta = group_privacy(found.epsilon, found.delta, group=params.group)
        exact = mechanism(params).delta_at(epsilon, params.group)
        argument += (
            f" For a group of {params.group}: (ε, δ) = ({epsilon:.3g}, {delta:.3g}) by the general"
            f" rule; at that ε this noise really has δ = {exact:.3g}."
        )
    hidden = _HIDDEN if asked.neighbouring == "replace_one" else ()
    not_protected = (
        *hidden,
        *found.not_protected,
        "groups: k records together are protected by kε only",
    )
    declared = f"what a record is ({asked.record})"
    known = params.question == "mean" and asked.neighbouring == "replace_one"
    return replace(
        found, argument=argument, public=(declared, *asked.public, *found.public), not_protected=not_protected,
        unit=asked.whose, n_records=params.n_people if known else None,
    )  # fmt: skip


def guarantees(params: MechanismsParams) -> list[Guarantee]:
    """Return what one answer promises at every ε of the grid."""
    base, asked = guarantee(params), query(params)
    found = _sweep(params.noise, params.delta, asked.sensitivity, asked.neighbouring)
    return [
        replace(one, unit=base.unit, n_records=base.n_records, claimed_epsilon=None)
        for one in found
    ]


@lru_cache(maxsize=64)
def _sweep(
    noise: str, delta: float, sensitivity: float, neighbouring: Neighbouring
) -> tuple[Guarantee, ...]:
    made = (noise_of(noise, epsilon, delta, sensitivity) for epsilon in EPSILON_GRID)
    return tuple(replace(one, neighbouring=neighbouring).privacy for one in made)


def for_groups(params: MechanismsParams) -> list[Guarantee]:
    """Return what one answer promises k people together, at every ε of the grid and there for every k.

    k times its ε, at the exact δ of that.
    """
    sizes = [query(params).differing(k) for k in GROUP_GRID]
    base = guarantee(params)
    table = []
    costs = _sweep(params.noise, params.delta, 1.0, "add_remove")
    for epsilon, cost in zip(EPSILON_GRID, costs, strict=True):
        made, each = noise_of(params.noise, epsilon, params.delta), cost.epsilon
        table += [(k * each, float(made.delta_at(k * each, k))) for k in sizes]
    return base.tabulated([epsilon for epsilon, _ in table], [delta for _, delta in table])


def shown_epsilon(params: MechanismsParams, n_answers: int) -> float:
    """Return the ε of ``n_answers`` ≥ 1 such answers together, at the same δ (0 for pure noise).

    Examples
    --------
    >>> shown_epsilon(MechanismsParams(noise="laplace", epsilon=0.5), 80)
    40.0
    """
    made = mechanism(params)
    if not isinstance(made, Gaussian):
        return n_answers * made.privacy.epsilon
    if not made.scale:
        return made.privacy.epsilon
    return gaussian_epsilon(made.scale / n_answers**0.5, made.sensitivity, delta=made.delta)
