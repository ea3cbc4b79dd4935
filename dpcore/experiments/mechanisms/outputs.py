"""Two neighbouring worlds under additive noise, for every ε, δ and group size at once.

Lengths are in sensitivities Δ, with f(D) at 0 and f(D') at -k. Laplace and Gaussian are families of
one shape, so places are linear in their scale: two nodes hold all scales exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms.guarantee import noise_of
from dpcore.experiments.mechanisms.params import GROUP_GRID, MechanismsParams
from dpcore.experiments.mechanisms.queries import query
from dpcore.mechanisms import Additive

__all__ = ["ALPHA", "REACH", "Outputs", "drawn", "run"]

Floats = NDArray[np.float64]
REACH = (-14.0, 8.0)
"""What is drawn, in sensitivities around f(D)."""
ALPHA = np.concatenate([[0, 1e-4, 1e-3, 4e-3], np.linspace(0.01, 0.99, 50), [0.999, 1.0]])
_N_DRAWS = 80
_N_AREA = 16
_FINE = np.linspace(*REACH, 177)
_SHIFTS = -np.array(GROUP_GRID, float)


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """What the page draws of one mechanism; E = 50 values of ε, D of δ (1 when pure), K groups.

    ``scale`` (E, D) b or σ over Δ; ``error`` (E, D) mean |noise| over Δ; ``real_epsilon`` (E, D);
    ``delta_now`` and ``spy`` (E, D, K): δ at the claimed ε, and the best test's share of right guesses.
    ``places`` (E, D, n) and ``density`` (E, n): the curve of D, relative to its top;
    ``area_x``, ``area_low``, ``area_high`` (E, D, K, m): where D' is more likely than e^ε times D;
    ``loss_x`` (K, p) and ``loss`` (E, D, K, p): ln(density of D / density of D');
    ``miss`` (E, D, K, a): the type II error at ALPHA; ``draws`` (E, D, 80): noise over Δ.
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

    def of_one(self) -> Outputs:
        """Return the same with what holds for one record in the place of every group."""
        first: dict[str, Any] = {
            name: np.repeat(getattr(self, name)[:, :, :1], len(GROUP_GRID), axis=2)
            for name in ("delta_now", "spy", "area_x", "area_low", "area_high", "loss", "miss")
        }
        return replace(self, loss_x=np.repeat(self.loss_x[:1], len(GROUP_GRID), axis=0), **first)


def run(params: MechanismsParams) -> Outputs:
    """Return the two worlds at every ε, δ and group size; the noise is the same for all of them.

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
    )


def drawn(params: MechanismsParams, found: Outputs) -> Outputs:
    """Return what of the worlds is drawn: of one person alone where a question says so."""
    return found.of_one() if query(params).alone else found


def _each(table: Sequence[Sequence[Additive]], of: Callable[[Additive], object]) -> Floats:
    return np.array([[of(mechanism) for mechanism in row] for row in table], float)


class _Family:
    """Laplace or Gaussian of any scale: the same t = x/b serves all."""

    # As far as e^ε times the density, which is drawn too, has come down to nothing at the largest ε.
    _FAR = np.array([5.5, 7, 9, 12, 14, 16, 18, 20, 22, 24, 27, 30])
    _T = np.concatenate([-_FAR[::-1], np.linspace(-4.5, 4.5, 73), _FAR])

    def __init__(self, mechanism: Additive) -> None:
        self.mechanism, self.scale = mechanism, mechanism.scale
        self.places = self.scale * self._T

    def relative(self, x: Floats) -> Floats:
        """Density over the density's top."""
        return self.mechanism.density(x) / float(self.mechanism.density(0.0))

    def area(self) -> tuple[Floats, Floats, Floats]:
        """Places (K, m) where D' outweighs e^ε times D, with both sides of that area."""
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
        """Corners of the loss, (K, 4): it is straight between them."""
        return np.array([[REACH[0], shift, 0.0, REACH[1]] for shift in _SHIFTS])

    def loss(self) -> Floats:
        """ln(density of D / density of D') at the corners, (K, 4)."""
        x = self.loss_x
        if self.mechanism.name == "Laplace":
            return cast(Floats, (np.abs(x - _SHIFTS[:, None]) - np.abs(x)) / self.scale)
        return cast(Floats, (np.square(x - _SHIFTS[:, None]) - np.square(x)) / (2 * self.scale**2))


class _Staircase(_Family):
    """The staircase: its steps are as wide as Δ whatever ε, so the places stay."""

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
