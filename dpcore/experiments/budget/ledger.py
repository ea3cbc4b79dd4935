"""Ledger of releases from the same data: their total cost, and the smallest error rates of an attacker."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import accounting
from dpcore._types import Floats
from dpcore.accounting import (
    Event,
    GaussianEvent,
    LaplaceEvent,
    Pure,
    Repeated,
    Sequence,
    pld,
    rdp,
    sampled,
)
from dpcore.mechanisms import gaussian_epsilons

__all__ = ["LIMIT", "Entry", "Totals", "canonical", "entries", "totals", "tradeoff", "written"]

LIMIT = 30
BEYOND = 100.0  # an ε above this promises nothing: no privacy loss distribution is made for it
_SHAPE = re.compile(r"([LGSEP])([0-9.e+-]{0,20}(?:/[0-9.e+-]{1,20}){0,2})(?:\*([0-9]{1,5}))?")
_NUMBERS = {"L": 1, "G": 1, "S": 3, "E": 1, "P": 0}
_WORDS = {
    "L": "Laplace, ε₀ = {0:g}",
    "G": "Gaussian, σ = {0:g}",
    "S": "sampled Gaussian, σ = {0:g}, q = {1:g}, T = {2:g}",
    "E": "a choice (any ε-DP mechanism), ε = {0:g}",
    "P": "post-processing of earlier releases",
}


@dataclass(frozen=True)
class Entry:
    """One kind of release in the ledger, made ``count`` times.

    ``kind`` is a letter that determines what ``numbers`` are:

    - L: Laplace noise, with ε₀;
    - G: Gaussian noise, with σ;
    - S: T sampled Gaussian steps, with σ, q, T;
    - E: any pure ε-DP mechanism, with ε;
    - P: post-processing, without numbers.
    """

    kind: str
    numbers: tuple[float, ...] = ()
    count: int = 1

    def __post_init__(self) -> None:
        if self.kind not in _NUMBERS or len(self.numbers) != _NUMBERS[self.kind]:
            raise ValueError(
                f"{self.text!r} is no release: write L0.5, G2, S1/0.01/500, E1 or P, and *3 for 3 times."
            )
        if not all(math.isfinite(n) and 1e-3 <= n <= 1e5 for n in self._positive()):
            raise ValueError(f"{self.text!r} is not allowed: give numbers from 0.001 to 100000.")
        if self.kind == "S" and not (1e-4 <= self.numbers[1] <= 1 and self.numbers[2] % 1 == 0):
            raise ValueError(
                f"{self.text!r} is not allowed: q has to be from 0.0001 to 1, T a whole number."
            )
        if not 1 <= self.count <= 10_000:
            raise ValueError(f"{self.text!r} is not allowed: give a count from 1 to 10000.")

    def _positive(self) -> tuple[float, ...]:
        return self.numbers if self.kind != "S" else (self.numbers[0], self.numbers[2])

    @property
    def text(self) -> str:
        """Short form of the entry: its kind, numbers and count.

        "L0.5*3" is three releases with Laplace noise, ε₀ = 0.5 each. "S1/0.01/500" is 500 sampled
        Gaussian steps with σ = 1, q = 0.01.
        """
        numbers = "/".join(f"{n:.12g}" for n in self.numbers)
        return self.kind + numbers + (f"*{self.count}" if self.count > 1 else "")

    @property
    def words(self) -> str:
        """Description of the release in words, such as "Laplace, ε₀ = 0.5"."""
        return _WORDS[self.kind].format(*self.numbers)

    @property
    def event(self) -> Event:
        """Event of all ``count`` releases of the entry, for the accountants."""
        match self.kind:
            case "L":
                one: Event = LaplaceEvent(1 / self.numbers[0])
            case "G":
                one = GaussianEvent(self.numbers[0])
            case "S":
                sigma, rate, steps = self.numbers
                one = Repeated(sampled(GaussianEvent(sigma), rate), int(steps))
            case "E":
                one = Pure(self.numbers[0])
            case _:
                return Sequence(())
        return Repeated(one, self.count)


def entries(text: str) -> tuple[Entry, ...]:
    """Return the entries of a ledger from its short form.

    Parameters
    ----------
    text : str
        Short form such as ``"L0.5*3,G2,S1/0.01/500,E1,P"``; empty for no releases.

    Returns
    -------
    tuple of Entry

    Raises
    ------
    ValueError
        When a part cannot be read, a number is outside its range, or there are more than 30 entries.

    Examples
    --------
    >>> [entry.words for entry in entries("L0.5*3,P")]
    ['Laplace, ε₀ = 0.5', 'post-processing of earlier releases']
    """
    parts = [part for part in text.replace(" ", "").split(",") if part]
    if len(parts) > LIMIT:
        raise ValueError(f"ledger has {len(parts)} releases: give at most {LIMIT}.")
    return tuple(_entry(part) for part in parts)


def _entry(part: str) -> Entry:
    match = _SHAPE.fullmatch(part)
    try:
        if match is None:
            return Entry("?", (), 1)
        kind, numbers, count = match.groups()
        read = tuple(map(_read, filter(None, numbers.split("/"))))
        return Entry(kind, read, 1 if count is None else int(count))
    except ValueError as error:
        raise ValueError(f"ledger={part[:40]} is not allowed. {error}") from None


def _read(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is no number: write one like 0.5 or 1e-3.") from None


def written(ledger: tuple[Entry, ...]) -> str:
    """Return the short form of a ledger from its entries."""
    return ",".join(entry.text for entry in ledger)


def canonical(text: str) -> str:
    """Return the short form of a ledger in canonical spelling.

    Raises ValueError for the reasons listed at `entries`.
    """
    return written(entries(text))


@dataclass(frozen=True, kw_only=True)
class Totals:
    """Total ε of a ledger at δ, by three composition rules.

    - ``basic``, ``rdp``, ``pld``: total ε by basic composition, by Rényi DP and by privacy loss
      distributions.
    - ``single``: ε of each entry if it were the only one.
    - ``tight``: False if every quick upper bound (basic, RDP, closed form) is above the constant
      ``BEYOND``. Then the distributions are not composed, and ``pld`` is the smallest of these
      bounds. The exact ε may be lower, but such a large ε is no useful guarantee.
    """

    basic: float
    rdp: float
    pld: float
    single: tuple[float, ...]
    tight: bool = True


def totals(ledger: tuple[Entry, ...], delta: float) -> Totals:
    """Return the total privacy cost of all releases of a ledger.

    Post-processing is free.

    Parameters
    ----------
    ledger : tuple of Entry
        Entries of the ledger, all releases from the same data.
    delta : float
        δ in (0, 1) of all releases together. Basic composition splits it evenly among the Gaussian
        releases.

    Returns
    -------
    Totals
        Upper bounds on ε, add-or-remove neighbours.

    Examples
    --------
    >>> totals(entries("L0.5*2,E1,P"), 1e-5).basic
    2.0
    """
    paying = [entry for entry in ledger if entry.kind != "P"]
    event = Sequence(tuple(entry.event for entry in paying))
    share = delta / max(sum(entry.count for entry in paying if entry.kind in "GS"), 1)
    basic = sum(entry.count * _alone(entry, share) for entry in paying)
    renyi = accounting.spent(event, delta, accountant="rdp")
    bound = min(basic, renyi, _closed(paying, delta))
    tight = bound <= BEYOND
    return Totals(
        basic=basic,
        rdp=renyi,
        # The distribution's grid is coarse for many very small losses: then another bound is smaller.
        pld=min(bound, accounting.spent(event, delta)) if tight else bound,
        single=tuple(_single(entry, delta) for entry in ledger),
        tight=tight,
    )


@lru_cache(maxsize=512)
def _single(entry: Entry, delta: float) -> float:
    """Return the ε at δ of all releases of one entry, by privacy loss distributions.

    If the quick upper bounds are above the constant ``BEYOND``, return the smallest of them.
    """
    if entry.kind == "P":
        return 0.0
    bound = min(accounting.spent(entry.event, delta, accountant="rdp"), _closed([entry], delta))
    return bound if bound > BEYOND else min(bound, accounting.spent(entry.event, delta))


def _closed(paying: list[Entry], delta: float) -> float:
    """Return an upper bound on the total ε of several entries, in closed form.

    The ε of pure mechanisms add up. Gaussian mechanisms compose to one Gaussian mechanism. A
    sampled Gaussian is treated as a Gaussian on all records, which costs at least as much.
    """
    pure = sum(entry.count * entry.numbers[0] for entry in paying if entry.kind in "LE")
    parts = [
        entry.count * (entry.numbers[2] if entry.kind == "S" else 1) / entry.numbers[0] ** 2
        for entry in paying
        if entry.kind in "GS"
    ]
    return pure + (float(gaussian_epsilons(sum(parts) ** -0.5, delta)) if parts else 0.0)


def _alone(entry: Entry, share: float) -> float:
    """Return the ε of one release of an entry, at δ = ``share`` for Gaussian noise, else at δ = 0."""
    if entry.kind in "LE":
        return entry.numbers[0]
    if entry.kind == "G":
        return float(gaussian_epsilons(entry.numbers[0], share))
    sigma, rate, steps = entry.numbers
    one = Repeated(sampled(GaussianEvent(sigma), rate), int(steps))
    return accounting.spent(one, share, accountant="rdp")


def tradeoff(event: Event, alpha: ArrayLike) -> NDArray[np.float64]:
    """Return the smallest miss rates that a test of neighbours D and D' can have, at given false-alarm rates.

    The test sees all releases of an event. Its smallest miss rate at the false-alarm rate α is the
    maximum β(α) over ε of max(0, 1 - δ(ε) - e^ε α). δ(ε) is computed from the privacy loss
    distribution (Dong, Roth and Su 2022, Prop. 6).

    Parameters
    ----------
    event : Event
        Noisy release, or several releases together.
    alpha : array (n,)
        False-alarm rates in [0, 1].

    Returns
    -------
    ndarray (n,)
        Miss rates β(α), not above the exact ones; valid for adding and for removing a record.

    Examples
    --------
    >>> from dpcore.accounting import LaplaceEvent
    >>> tradeoff(LaplaceEvent(1.0), [0.1]).round(2).tolist()
    [0.73]
    """
    a = np.asarray(alpha, float)
    if pld.is_free(event):
        return 1 - a
    rough = float(rdp.to_epsilon(rdp.curve(event), 1e-6))
    if rough > BEYOND:
        return np.maximum(math.exp(-rough) * (1 - 1e-6 - a), 0.0)  # from that one pair (ε, δ)
    distribution = pld.distribution(
        event, neighbouring="add_remove", width=min(max(2e-4 * rough, 1e-5), 1e-2)
    )
    epsilons = np.linspace(0, max(rough, 0.1), 400)
    deltas = np.array(distribution.get_delta_for_epsilon(epsilons), float)
    ways = 1 - deltas[:, None] - np.exp(epsilons)[:, None] * a
    back = np.exp(-epsilons)[:, None] * (1 - deltas[:, None] - a)
    return cast(Floats, np.maximum(np.maximum(ways, back).max(axis=0), 0.0))
