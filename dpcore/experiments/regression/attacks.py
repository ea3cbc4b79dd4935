"""Attacks on fits before and after one record is replaced, and on repeated noisy counts.

The noisy counts are Jiang's opening example. Two tables of five patients differ in the last patient,
Chandler. The question is how many patients have diabetes. The attacker knows the entries of all other
patients, asks n times and averages the answers. If the average is nearer to 3 than to 2, the guess is
that Chandler has diabetes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression.fits import draw, moved
from dpcore.experiments.regression.problem import RegressionParams, Setting
from dpcore.regression import SufficientStatistics

__all__ = [
    "ATTACKED",
    "PLACES",
    "SEPARABILITY_EDGES",
    "TABLE",
    "NeighbouringRuns",
    "OtherFits",
    "Replaced",
    "averaged_density",
    "chosen_row",
    "difference",
    "difference_right",
    "guesses_right",
    "neighbouring_runs",
    "other_fits",
    "person_row",
    "replaced",
]

Floats = NDArray[np.float64]
SEPARABILITY_EDGES = np.linspace(-5, 5, 26)


@dataclass(frozen=True, kw_only=True, eq=False)
class NeighbouringRuns:
    """Private fits before and after one person's record is replaced.

    Axes: m noise draws, E = 50 values of ε, D coefficients.

    - ``here`` and ``there`` (m, E, D): coefficients before and after, with independent noise.
    - ``home`` and ``away`` (2,): first feature and target of the record before and after.
    - ``best_there`` (D,): least squares coefficients after the replacement.
    - ``here_counts`` and ``there_counts`` (E, 25): fractions of an attacker's scores in the bins
      `SEPARABILITY_EDGES`.
    - ``guessed`` (E,): the attacker's accuracy on fits that it was not trained on.
    """

    here: Floats
    there: Floats
    home: Floats
    away: Floats
    best_there: Floats
    here_counts: Floats
    there_counts: Floats
    guessed: Floats

    @property
    def tries(self) -> int:
        """Number of fits that the attacker classifies; fits that it was trained on are not counted."""
        return 2 * (len(self.here) - len(self.here) // 2)


def person_row(setting: Setting, percent: int) -> int:
    """Return the index of the record with a given rank in percent, from the most unusual record (0) on.

    Records are ranked by the norm of their gradient at the least squares fit.
    """
    X, y = setting.some
    rows = np.column_stack([np.ones(len(X)), X])
    unusual = np.abs(rows @ setting.best - y) * np.linalg.norm(rows, axis=1)
    ranked = np.argsort(-unusual, kind="stable")
    return int(ranked[round(percent / 100 * (len(ranked) - 1))])


def chosen_row(setting: Setting, params: RegressionParams) -> int:
    """Return the index of the record that the parameters choose.

    The parameters have the record's number, counted from 1, or 0 to choose it by rank. A number
    that is too large selects the last of the ranked records.
    """
    if not params.record:
        return person_row(setting, params.person)
    return min(params.record, len(setting.some[1])) - 1


@dataclass(frozen=True, kw_only=True, eq=False)
class Replaced:
    """One record before and after it is replaced, and the sufficient statistics after the replacement.

    - ``row``: index of the record.
    - ``old`` and ``new``: features (d + 1,) and target of the record, before and after. They are on
      [-1, 1], and the first feature is the constant 1.
    - ``sums``: sufficient statistics of all records after the replacement.
    """

    row: int
    old: tuple[Floats, float]
    new: tuple[Floats, float]
    sums: SufficientStatistics

    @property
    def home(self) -> Floats:
        """First feature and target (2,) of the record before it is replaced."""
        return np.array([self.old[0][1], self.old[1]])

    @property
    def away(self) -> Floats:
        """First feature and target (2,) of the record after it is replaced."""
        return np.array([self.new[0][1], self.new[1]])


def replaced(setting: Setting, params: RegressionParams) -> Replaced:
    """Return the chosen record and its replacement, which differs in first feature and target."""
    X, y = setting.some
    row = chosen_row(setting, params)
    x = np.concatenate([[1.0], X[row]])
    u = x.copy()
    u[1] = np.clip(u[1] + params.person_dx, -1, 1)
    old, new = (x, float(y[row])), (u, float(np.clip(y[row] + params.person_dy, -1, 1)))
    return Replaced(row=row, old=old, new=new, sums=moved(setting, old, new))


@dataclass(frozen=True, kw_only=True, eq=False)
class OtherFits:
    """Private fits of the neighbouring data set, with the noise of the original fits.

    - ``coefficients`` (m, E, D): D coefficients of the fits in m noise draws at E values of ε.
    - ``ideal`` (D,): fit by the same method without noise.
    - ``best`` (D,): least squares fit.
    """

    coefficients: Floats
    ideal: Floats
    best: Floats


def other_fits(setting: Setting, params: RegressionParams, n_draws: int, keep: int) -> OtherFits:
    """Return the fits of the neighbouring data set, with the noise of the original fits.

    The k-th fits of the two data sets have the same noise, drawn by `draw`.

    Parameters
    ----------
    setting : Setting
        The original data.
    params : RegressionParams
        The method, the noise, the record that is replaced, and the position of the new record.
    n_draws, keep : int
        Number of draws, and for how many of them the fits are computed, as in `draw`. The noise is
        the same as for the original data only if these numbers are the same.
    """
    person = replaced(setting, params)
    found = _of_neighbour(setting, params, person, (n_draws, keep), world=0)
    return OtherFits(
        coefficients=found[:keep, :-1],
        ideal=np.median(found[:, -1], axis=0),
        best=person.sums.solve(),
    )


def neighbouring_runs(
    setting: Setting, params: RegressionParams, here: Floats, n_draws: int | None = None
) -> NeighbouringRuns:
    """Return private fits before and after a record is replaced, and an attack that distinguishes them.

    ``here`` (m, E, D): D coefficients of m fits of the original data at E values of ε. If these are
    the first fits of a larger number of noise draws, ``n_draws`` is the larger number. The record's
    first feature and target change, inside the bounds. Its other features are unchanged.
    """
    person = replaced(setting, params)
    draws = (n_draws or len(here), len(here))
    there = _of_neighbour(setting, params, person, draws, world=1)[: len(here), :-1]
    scores, other = _spy(here, there)
    right = (scores > 0).mean(0) + (other <= 0).mean(0)
    return NeighbouringRuns(
        here=here, there=there, home=person.home, away=person.away,
        best_there=person.sums.solve(), here_counts=_counts(scores), there_counts=_counts(other),
        guessed=right / 2,
    )  # fmt: skip


def _of_neighbour(
    setting: Setting, params: RegressionParams, person: Replaced, draws: tuple[int, int], *, world: int
) -> Floats:  # fmt: skip
    """Return the coefficients (m, 51, D) of private fits after the record is replaced.

    Axes: m noise draws, the 50 ε of the grid and ε = ∞, D coefficients.

    - ``draws``: number of noise draws, and for how many of them the fits are computed.
    - ``world``: 0 for the noise of the original data, 1 for independent noise.
    """
    records = None
    if params.method == "descent":  # it goes through the records themselves
        X, y = setting.scaled()
        X[person.row], y[person.row] = person.new[0][1:], person.new[1]
        records = X, y
    found, _ = draw(
        person.sums, params, setting, world=world, n_draws=draws[0], keep=draws[1], records=records
    )
    return found


def _spy(here: Floats, there: Floats) -> tuple[Floats, Floats]:
    """Return an attacker's scores (m/2, E) for the fits of each of two neighbouring data sets.

    The attacker is a linear classifier that distinguishes fits ``here`` from fits ``there``. It is
    trained on the first half of the m noise draws. The scores are for the second half, at E values
    of ε.
    """
    half = len(here) // 2
    a, b = here[:half], there[:half]
    pooled = np.concatenate([a - a.mean(0), b - b.mean(0)]).transpose(1, 0, 2)
    # Draws far out would rule the direction: they are pulled in to a few medians.
    size = np.median(np.abs(pooled), axis=1, keepdims=True) + 1e-12
    pooled = np.clip(pooled, -4 * size, 4 * size)
    spread = np.swapaxes(pooled, 1, 2) @ pooled / (2 * half)
    ridge = 1e-6 * np.trace(spread, axis1=1, axis2=2)[:, None, None] + 1e-18
    way = np.median(a, axis=0) - np.median(b, axis=0)
    weight = np.linalg.solve(spread + ridge * np.eye(spread.shape[-1]), way[..., None])[..., 0]
    middle = (np.median(a, axis=0) + np.median(b, axis=0)) / 2
    scores = [np.einsum("med,ed->me", part[half:] - middle, weight) for part in (here, there)]
    # Heavy tails again: the unit of a score is its median size.
    width = np.median(np.abs(np.concatenate(scores)), axis=0) / 0.6745 + 1e-300
    return scores[0] / width, scores[1] / width


def _counts(scores: Floats) -> Floats:
    bins = len(SEPARABILITY_EDGES) - 1
    width = SEPARABILITY_EDGES[1] - SEPARABILITY_EDGES[0]
    place = np.clip((scores - SEPARABILITY_EDGES[0]) / width, 0, bins - 1).astype(int)
    shares = np.zeros((scores.shape[1], bins))
    np.add.at(shares, (np.arange(scores.shape[1]), place), 1.0 / len(scores))
    return shares


TABLE = (("Ross", 1), ("Monica", 1), ("Joey", 0), ("Phoebe", 0), ("Chandler", 1))
"""The first of two neighbouring tables, as printed; in the second one the last entry is 0."""
ATTACKED = "Chandler"

PLACES: Floats = np.linspace(-2.0, 7.0, 91)
_CELLS, _REACH = 2**15, 64.0


@lru_cache(maxsize=16)
def _unit(n: int) -> tuple[Floats, Floats, Floats]:
    """Return a grid, with the density and distribution function of the mean of n Laplace variables.

    The variables have scale 1. Both functions are computed by inverting the mean's characteristic
    function, (1 + t²/n²)^-n.
    """
    width = _REACH / np.sqrt(n)
    step = 2 * width / _CELLS
    places = (np.arange(_CELLS) - _CELLS // 2) * step
    t = 2 * np.pi * np.fft.fftfreq(_CELLS, step)
    density = np.fft.fftshift(np.fft.ifft((1 + np.square(t / n)) ** float(-n)).real) / step
    below = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2) * step])
    return places, np.maximum(density, 0), below / below[-1]


def averaged_density(n_answers: int) -> Floats:
    """Return the density (E, 91) of the mean of n noisy answers about the first table.

    The density is evaluated at E values of ε and the 91 values `PLACES`.
    """
    places, density, _ = _unit(n_answers)
    truth = sum(value for _, value in TABLE)
    scaled = np.array(EPSILON_GRID)[:, None]
    return scaled * np.interp(scaled * (PLACES - truth), places, density, left=0, right=0)


def guesses_right(n_answers: int) -> Floats:
    """Return the attacker's accuracy (E,) after n answers, at E values of ε.

    The accuracy is P[mean of n Laplace(1/ε) variables < 1/2].
    """
    places, _, below = _unit(n_answers)
    return np.interp(np.array(EPSILON_GRID) / 2, places, below)


def difference(epsilon: float, seed: int) -> tuple[float, float]:
    """Return two noisy counts, of all five people and of the first four.

    The difference of the exact counts is the last person's entry. Each count gets Laplace noise of
    scale 1/ε; together they cost 2ε for a person in both counts, and ε for the last person.
    """
    noise = np.random.default_rng((seed, 15)).laplace(scale=1 / epsilon, size=2)
    entries = [value for _, value in TABLE]
    return sum(entries) + float(noise[0]), sum(entries[:-1]) + float(noise[1])


def difference_right(epsilon: float) -> float:
    """Return the probability of reading the last person's entry correctly from two noisy counts.

    The entry is read as 1 if the difference of the counts is above ½, else as 0. The probability is
    P[Z − Z' < ½] for two Laplace(1/ε) variables Z, Z'.

    Examples
    --------
    >>> round(difference_right(1.0), 3)
    0.621
    """
    half = epsilon / 2
    return float(1 - (2 + half) * np.exp(-half) / 4)
