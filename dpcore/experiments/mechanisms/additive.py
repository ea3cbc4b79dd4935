"""Additive noise: mechanisms, guarantees, output distributions on two data sets, and a comparison.

Numbers are in units of the sensitivity Δ. The exact answer is 0 on a data set D, and -k on a
neighbour D' that differs from D in k records.

Curves of Laplace and Gaussian densities have their points at fixed multiples of the noise scale. So
each point moves linearly with the scale, and linear interpolation between the curves of two scales
is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.accounting import group_privacy
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms.params import (
    ANSWERS,
    GROUP_GRID,
    PEOPLE_GRID,
    MechanismsParams,
    query,
)
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import (
    Additive,
    Gaussian,
    Laplace,
    Staircase,
    gaussian_epsilon,
    gaussian_sigma,
    randomized_response,
)
from dpcore.units import Neighbouring

__all__ = [
    "ALPHA",
    "DIMENSIONS",
    "REACH",
    "Comparison",
    "Outputs",
    "compare",
    "displayed_outputs",
    "for_groups",
    "guarantee",
    "guarantees",
    "mechanism",
    "noise_of",
    "run",
    "shown_epsilon",
]

_WHY = {
    True: "What that costs is computed exactly (Balle and Wang 2018, Theorem 8).",
    False: "The probabilities of an answer with and without a record then differ by a factor of at most eᵋ.",
}


_HIDDEN = ("how many people are in the data: n is public, and not protected at all",)


def noise_of(noise: str, epsilon: float, delta: float, sensitivity: float = 1.0) -> Additive:
    """Return the additive mechanism called ``noise`` for (ε, δ) and a sensitivity Δ ≥ 0."""
    match noise:
        case "laplace":
            return Laplace(epsilon=epsilon, sensitivity=sensitivity)
        case "staircase":
            return Staircase(epsilon=epsilon, sensitivity=sensitivity)
    kind = "analytic" if noise == "gaussian" else "classical"
    return Gaussian(epsilon=epsilon, delta=delta, sensitivity=sensitivity, calibration=kind)


def mechanism(params: MechanismsParams) -> Additive:
    """Return the additive mechanism that answers the selected question with the selected noise."""
    question = query(params)
    noise = noise_of(params.noise, params.epsilon, params.delta, question.sensitivity)
    return replace(noise, neighbouring=question.neighbouring, bounds=question.bounds)


def guarantee(params: MechanismsParams) -> Guarantee:
    """Return the guarantee of one noisy answer for one record.

    If the parameters ask for a group of k records, the guarantee's text also states the group's ε
    and δ.
    """
    privacy = mechanism(params).privacy
    question = query(params)
    noise = mechanism(params)
    argument = (
        f"{noise.name} noise is added to a number that one record moves by at most {question.sensitivity:g}: "
        f"{question.why}. {_WHY[isinstance(noise, Gaussian)]}"
    )
    if params.group > 1:
        epsilon, delta = group_privacy(privacy.epsilon, privacy.delta, group=params.group)
        exact = mechanism(params).delta_at(epsilon, params.group)
        argument += (
            f" For a group of {params.group}: (ε, δ) = ({epsilon:.3g}, {delta:.3g}) by the general"
            f" rule; at that ε this noise really has δ = {exact:.3g}."
        )
    hidden = _HIDDEN if question.neighbouring == "replace_one" else ()
    not_protected = (
        *hidden,
        *privacy.not_protected,
        "groups: k records together are protected by kε only",
    )
    declared = f"what a record is ({question.record})"
    known = params.question == "mean" and question.neighbouring == "replace_one"
    return replace(
        privacy, argument=argument, public=(declared, *question.public, *privacy.public), not_protected=not_protected,
        unit=question.whose, n_records=params.n_people if known else None,
    )  # fmt: skip


def guarantees(params: MechanismsParams) -> list[Guarantee]:
    """Return the guarantee of one noisy answer at every ε of the grid."""
    base, question = guarantee(params), query(params)
    sweep = _sweep(params.noise, params.delta, question.sensitivity, question.neighbouring)
    return [
        replace(one, unit=base.unit, n_records=base.n_records, claimed_epsilon=None)
        for one in sweep
    ]


@lru_cache(maxsize=64)
def _sweep(
    noise: str, delta: float, sensitivity: float, neighbouring: Neighbouring
) -> tuple[Guarantee, ...]:
    mechanisms = (noise_of(noise, epsilon, delta, sensitivity) for epsilon in EPSILON_GRID)
    return tuple(replace(one, neighbouring=neighbouring).privacy for one in mechanisms)


def for_groups(params: MechanismsParams) -> list[Guarantee]:
    """Return the guarantee of one answer for k people together, at every ε of the grid and every k.

    The group's ε is k times the ε for one person, and the group's δ is the exact one at this ε.
    """
    sizes = [query(params).differing(k) for k in GROUP_GRID]
    base = guarantee(params)
    table = []
    costs = _sweep(params.noise, params.delta, 1.0, "add_remove")
    for epsilon, cost in zip(EPSILON_GRID, costs, strict=True):
        noise, each = noise_of(params.noise, epsilon, params.delta), cost.epsilon
        table += [(k * each, float(noise.delta_at(k * each, k))) for k in sizes]
    return base.tabulated([epsilon for epsilon, _ in table], [delta for _, delta in table])


def shown_epsilon(params: MechanismsParams, n_answers: int) -> float:
    """Return the ε of ``n_answers`` ≥ 1 answers together, at the same δ (0 for pure ε-DP noise).

    Examples
    --------
    >>> shown_epsilon(MechanismsParams(noise="laplace", epsilon=0.5), 80)
    40.0
    """
    noise = mechanism(params)
    if not isinstance(noise, Gaussian):
        return n_answers * noise.privacy.epsilon
    if not noise.scale:
        return noise.privacy.epsilon
    return gaussian_epsilon(noise.scale / n_answers**0.5, noise.sensitivity, delta=noise.delta)


Floats = NDArray[np.float64]
REACH = (-14.0, 8.0)
"""Range of the displayed outputs, relative to the exact answer f(D), in units of the sensitivity."""
ALPHA = np.concatenate([[0, 1e-4, 1e-3, 4e-3], np.linspace(0.01, 0.99, 50), [0.999, 1.0]])
_N_DRAWS = ANSWERS[-1]
_N_AREA = 16
_FINE = np.linspace(*REACH, 177)
_SHIFTS = -np.array(GROUP_GRID, float)


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """Output distributions of one mechanism on two data sets D and D'.

    Axes: E = 50 values of ε, V values of δ (1 for a pure ε-DP mechanism), K group sizes. D and D'
    differ in as many records as the group has. Curves have n, m or p points.

    - ``scale`` (E, V): noise scale b or σ, divided by the sensitivity Δ.
    - ``error`` (E, V): mean |noise| divided by Δ.
    - ``real_epsilon`` (E, V): actual ε.
    - ``delta_now`` (E, V, K): δ at the claimed ε.
    - ``spy`` (E, V, K): accuracy of the best test of D against D'.
    - ``places`` (E, V, n) and ``density`` (E, n): points on the curve of the output density for D.
      The density is divided by its maximum.
    - ``area_x``, ``area_low``, ``area_high`` (E, V, K, m): region in which the density for D'
      exceeds e^ε times the density for D.
    - ``loss_x`` (K, p) and ``loss`` (E, V, K, p): points on the curve of the privacy loss
      ln(density for D / density for D').
    - ``miss`` (E, V, K, A): type II error at the A type I errors in ALPHA.
    - ``draws`` (E, V, 120): draws of the noise divided by Δ.
    - ``heights`` (E, 120): density at each of these draws, relative to the maximum of the density.
    """

    pure: bool
    scale: Floats
    error: Floats
    real_epsilon: Floats
    delta_now: Floats
    spy: Floats
    places: Floats
    density: Floats
    area_x: Floats
    area_low: Floats
    area_high: Floats
    loss_x: Floats
    loss: Floats
    miss: Floats
    draws: Floats
    heights: Floats

    def of_one(self) -> Outputs:
        """Return a copy in which every group size has the values of a group of one record."""
        first: dict[str, Any] = {
            name: np.repeat(getattr(self, name)[:, :, :1], len(GROUP_GRID), axis=2)
            for name in ("delta_now", "spy", "area_x", "area_low", "area_high", "loss", "miss")
        }
        return replace(self, loss_x=np.repeat(self.loss_x[:1], len(GROUP_GRID), axis=0), **first)


def run(params: MechanismsParams) -> Outputs:
    """Return the output distributions at every ε, δ and group size.

    Noise is drawn with the same uniform random numbers for all of them.

    Parameters
    ----------
    params : MechanismsParams
        ``noise`` and ``seed`` are used; ε, δ and k are axes of the result.

    Returns
    -------
    Outputs

    Examples
    --------
    >>> run(MechanismsParams()).scale[20].round(2).tolist()   # ε = 1
    [1.0]
    """
    pure = params.noise in ("laplace", "staircase")
    deltas = (DELTA_GRID[0],) if pure else DELTA_GRID
    table = [[noise_of(params.noise, e, d) for d in deltas] for e in EPSILON_GRID]
    uniforms = np.random.default_rng(params.seed).random(_N_DRAWS)
    shape = _Staircase if params.noise == "staircase" else _Family
    return Outputs(
        pure=pure,
        scale=_each(table, lambda m: m.scale),
        error=_each(table, lambda m: m.mean_error()),
        real_epsilon=_each(table, lambda m: m.privacy.epsilon),
        delta_now=_each(table, lambda m: [m.delta_at(m.epsilon, k) for k in GROUP_GRID]),
        spy=_each(table, lambda m: [(1 + m.delta_at(0.0, k)) / 2 for k in GROUP_GRID]),
        places=_each(table, lambda m: shape(m).places),
        density=_each(table, lambda m: shape(m).relative(shape(m).places))[:, 0],
        area_x=_each(table, lambda m: shape(m).area()[0]),
        area_low=_each(table, lambda m: shape(m).area()[1]),
        area_high=_each(table, lambda m: shape(m).area()[2]),
        loss_x=shape(table[0][0]).loss_x,
        loss=_each(table, lambda m: shape(m).loss()),
        miss=_each(table, lambda m: [m.type_two_error(ALPHA, k) for k in GROUP_GRID]),
        draws=_each(table, lambda m: m.quantile(uniforms)),
        heights=_each(table, lambda m: shape(m).relative(m.quantile(uniforms)))[:, 0],
    )


def displayed_outputs(params: MechanismsParams, outputs: Outputs) -> Outputs:
    """Return the outputs to display for the question in the parameters.

    If ``Query.alone`` is True, only neighbours that differ in one record are displayed. Their
    values are then repeated for every group size.
    """
    return outputs.of_one() if query(params).alone else outputs


def _each(table: Sequence[Sequence[Additive]], of: Callable[[Additive], object]) -> Floats:
    return np.array([[of(mechanism) for mechanism in row] for row in table], float)


class _Family:
    """Curves for one mechanism that adds Laplace or Gaussian noise: output density, area and privacy loss.

    The density is drawn through the outputs x = bt. Here b is the noise scale, and the multiples t
    are the same for every mechanism.
    """

    # As far as e^ε times the density, which is drawn too, has come down to nothing at the largest ε.
    _FAR = np.array([5.5, 7, 9, 12, 14, 16, 18, 20, 22, 24, 27, 30])
    _T = np.concatenate([-_FAR[::-1], np.linspace(-4.5, 4.5, 73), _FAR])

    def __init__(self, mechanism: Additive) -> None:
        self.mechanism, self.scale = mechanism, mechanism.scale
        self.places = self.scale * self._T

    def relative(self, x: Floats) -> Floats:
        """Return the density of the noise at x divided by its maximum."""
        return self.mechanism.density(x) / float(self.mechanism.density(0.0))

    def area(self) -> tuple[Floats, Floats, Floats]:
        """Return the region where the density for D' exceeds e^ε times the density for D.

        The result is three arrays (K, m) for K group sizes: m points of the region, e^ε times the
        density for D at these points, and the density for D' there. Densities are relative to the
        maximum.
        """
        claim = self.mechanism.epsilon
        if self.mechanism.name == "Laplace":
            start = (_SHIFTS - self.scale * claim) / 2
        else:
            start = _SHIFTS / 2 + claim * self.scale**2 / _SHIFTS
        ends = np.minimum(start, _SHIFTS) - 5 * self.scale
        x = start[:, None] + np.linspace(0, 1, _N_AREA) * (ends - start)[:, None]
        return _sides(self, x, claim)

    @property
    def loss_x(self) -> Floats:
        """Outputs x (K, 4) that define the curve of the privacy loss, four for each of K group sizes.

        For a group of k records the four outputs are the left end of the drawn range, -k, 0 and the
        right end. Between two of them the privacy loss is linear in x.
        """
        return np.array([[REACH[0], shift, 0.0, REACH[1]] for shift in _SHIFTS])

    def loss(self) -> Floats:
        """Return the privacy loss ln(density for D / density for D') at the points `loss_x`, (K, 4)."""
        x = self.loss_x
        if self.mechanism.name == "Laplace":
            return cast(Floats, (np.abs(x - _SHIFTS[:, None]) - np.abs(x)) / self.scale)
        return cast(Floats, (np.square(x - _SHIFTS[:, None]) - np.square(x)) / (2 * self.scale**2))


class _Staircase(_Family):
    """Curves for one mechanism that adds staircase noise, which has steps of width Δ for every ε."""

    def __init__(self, mechanism: Additive) -> None:
        self.mechanism, self.scale = mechanism, 1.0
        # Every step needs its own two corners, at γ, 1, 1 + γ, 2 … on both sides; also where the other curve is
        # moved by a group.
        step = 1 / (1 + np.exp(mechanism.epsilon / 2))
        wide = round(REACH[1]) + max(GROUP_GRID) + 1
        corners = np.sort(np.concatenate([np.arange(1, wide), np.arange(wide) + step]))
        right = np.concatenate([corners - 1e-6, corners + 1e-6, [1e-9]])
        self.places = np.sort(np.concatenate([-right, right]))

    def area(self) -> tuple[Floats, Floats, Floats]:
        x = np.broadcast_to(_FINE[::2], (len(_SHIFTS), len(_FINE[::2])))
        places, low, high = _sides(self, x, self.mechanism.epsilon * (1 + 1e-9))
        return places, np.minimum(low, high), high

    @property
    def loss_x(self) -> Floats:
        return np.broadcast_to(_FINE, (len(_SHIFTS), len(_FINE)))

    def loss(self) -> Floats:
        x = self.loss_x + 1e-7
        return np.log(self.relative(x)) - np.log(self.relative(x - _SHIFTS[:, None]))


def _sides(shape: _Family, x: Floats, claim: float) -> tuple[Floats, Floats, Floats]:
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        low = np.nan_to_num(np.exp(np.minimum(claim, 700.0)) * shape.relative(x), posinf=1e9)
        return x, low, shape.relative(x - _SHIFTS[:, None])


DIMENSIONS = np.unique(np.rint(np.geomspace(1, 100, 31)))


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Errors of several mechanisms, in units of the sensitivity.

    There are E = 50 values of ε and D = 6 values of δ. "Classical" is the Gaussian mechanism with
    the noise of the classical formula.

    - ``errors``: mean |noise| by mechanism, (E,) or (E, D).
    - ``spread_laplace`` (E, N), ``spread_gaussian`` and ``spread_classical`` (E, D, N): standard
      deviation of each of n noisy numbers if one record changes every number by 1, for N values of
      n.
    - ``crossing`` (E, D): the number n from which on Gaussian noise is smaller than Laplace noise.
    - ``crossing_classical`` (E, D): the same number for the classical Gaussian mechanism.
    - ``central`` (E, p): standard deviation of a sum over people with noise on the sum, for p
      numbers of people.
    - ``local`` (E, p): standard deviation of this sum with noise on each person's value.
    - ``response`` (E, p): standard deviation of a count of these people by randomized response.
    """

    errors: dict[str, Floats]
    spread_laplace: Floats
    spread_gaussian: Floats
    spread_classical: Floats
    crossing: Floats
    crossing_classical: Floats
    central: Floats
    local: Floats
    response: Floats


@lru_cache(maxsize=1)
def compare() -> Comparison:
    """Return the errors of all mechanisms at every ε and δ.

    The errors do not depend on data.

    Returns
    -------
    Comparison
        Cached: do not modify its arrays.
    """
    eps = np.array(EPSILON_GRID)
    exact, printed = (
        np.array(
            [[gaussian_sigma(1.0, e, delta=d, calibration=kind) for d in DELTA_GRID] for e in eps]
        )
        for kind in ("analytic", "classical")
    )
    laplace = np.sqrt(2) / eps
    people = np.array(PEOPLE_GRID, float)
    one = np.sqrt(2 / np.pi)
    stairs = np.array([noise_of("staircase", e, 0.5).mean_error() for e in EPSILON_GRID])
    answers = [[_response(e, n) for n in PEOPLE_GRID] for e in EPSILON_GRID]
    return Comparison(
        errors={
            "laplace": 1 / eps, "staircase": stairs, "geometric": geometric_error(eps), "gaussian": one * exact,
            "classical": one * printed,
        },
        spread_laplace=laplace[:, None] * DIMENSIONS,
        spread_gaussian=exact[..., None] * np.sqrt(DIMENSIONS),
        spread_classical=printed[..., None] * np.sqrt(DIMENSIONS),
        crossing=np.square(exact / laplace[:, None]),
        crossing_classical=np.square(printed / laplace[:, None]),
        central=np.broadcast_to(laplace[:, None], (len(eps), len(people))),
        local=laplace[:, None] * np.sqrt(people),
        response=np.array(answers),
    )  # fmt: skip


def geometric_error(epsilon: ArrayLike) -> Floats:
    """Return the mean |error| of two-sided geometric noise on a count.

    ε may have any shape. With a = e^{-ε} the noise Z has P[Z = z] = (1 - a)/(1 + a) a^{|z|} for
    whole numbers z, and its mean |error| is 2a/(1 - a²). A count that one record changes by 1 is
    (ε, 0)-DP with this noise.

    References
    ----------
    A. Ghosh, T. Roughgarden and M. Sundararajan, "Universally utility-maximizing privacy mechanisms",
    SIAM Journal on Computing 41(6), 2012.
    """
    a = np.exp(-np.asarray(epsilon, float))
    return np.asarray(2 * a / (1 - a**2))


def _response(epsilon: float, n_people: int) -> float:
    """Return the standard deviation of a count of "yes" estimated by randomized response.

    Half of the people would truthfully say yes.
    """
    return n_people * float(randomized_response(epsilon).standard_error(0.5, n_people))
