"""What decides a verdict: bounds over settings, equalities, and sentences that have several readings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dpcore.experiments.formulas.plain import plain

__all__ = ["MARGIN", "Evidence", "Trial", "at_least", "at_most", "equal", "readings"]

MARGIN = 0.05
"""A bound is *loose* where every setting leaves at least this share of the bound unused."""
_ROUNDING = 1e-6


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One setting at which a document's number is compared with a computed number.

    Parameters
    ----------
    at : str
        The setting, in words.
    printed : float
        The number that follows from the document.
    real : float
        The number that was computed.
    own : bool
        Whether the authors print this setting themselves.
    """

    at: str
    printed: float
    real: float
    own: bool = False

    @property
    def share(self) -> float:
        """The real number over the printed one: above 1 an upper bound is broken."""
        if self.printed == self.real:
            return 1.0
        return self.real / self.printed if self.printed else math.inf

    @property
    def words(self) -> str:
        """The setting with both numbers."""
        return f"{self.at}: {plain(self.real)} against {plain(self.printed)} printed"


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A verdict with the computation that decides it.

    Parameters
    ----------
    verdict : str
        right, loose, unclear or wrong.
    says : str
        What was computed and what came out, in a sentence or two; the authors' own settings first.
    """

    verdict: str
    says: str


def at_most(trials: Iterable[Trial], what: str) -> Evidence:
    """Judge a document's upper bound: wrong where a setting exceeds the bound, loose where none comes near.

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        What the two numbers count.

    Returns
    -------
    Evidence
        *wrong* when a real number exceeds the printed one by more than a millionth, with the largest excess
        and its setting; *loose* when every real number is below the printed one by at least `MARGIN`;
        *right* otherwise.
    """
    tried = list(trials)
    own, worst = [one for one in tried if one.own], max(tried, key=lambda one: one.share)
    head = f"{what}. "
    if worst.share > 1 + _ROUNDING:
        broken = sum(one.share > 1 + _ROUNDING for one in tried)
        holding = [one for one in own if one.share <= 1 + _ROUNDING]
        if own and len(holding) == len(own):
            head += f"The authors’ own settings hold ({_listed(own)}). "
        elif holding:
            head += f"Of the authors’ own settings {len(holding)} of {len(own)} hold. "
        return Evidence(
            verdict="wrong",
            says=f"{head}The bound breaks at {_of(broken, len(tried))}{worst.words}.",
        )
    if worst.share < 1 - MARGIN:
        share = plain(worst.share, 2)
        tail = f"The authors’ own settings: {_listed(own)}. " if own else ""
        return Evidence(
            verdict="loose",
            says=f"{head}{tail}The bound holds {_all(len(tried))}, and at most {share} of it is used "
            f"({worst.words}).",
        )
    return Evidence(
        verdict="right",
        says=f"{head}The bound holds {_all(len(tried))} and is reached: {worst.words}."
        if worst.share > 1 - 1e-3
        else f"{head}The bound holds {_all(len(tried))}; the nearest: {worst.words}.",
    )


def at_least(trials: Iterable[Trial], what: str) -> Evidence:
    """Judge a document's minimum: wrong where a computed number is below the printed one, right otherwise.

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        What the two numbers count.

    Returns
    -------
    Evidence
    """
    tried = list(trials)
    below, least = (
        [one for one in tried if one.share < 1 - _ROUNDING],
        min(tried, key=lambda one: one.share),
    )
    if below:
        says = f"{what}. The minimum is undercut at {_of(len(below), len(tried))}{least.words}."
        return Evidence(verdict="wrong", says=says)
    return Evidence(
        verdict="right",
        says=f"{what}. The minimum holds {_all(len(tried))}; the nearest: {least.words}.",
    )


def equal(trials: Iterable[Trial], what: str, *, within: float = 1e-6) -> Evidence:
    """Judge a document's equation: right where both sides agree at every setting, wrong otherwise.

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        What the two numbers count.
    within : float
        Largest difference, relative to the printed number (absolute where that is below 1).

    Returns
    -------
    Evidence
    """
    tried = list(trials)
    gaps = [abs(one.real - one.printed) / max(1.0, abs(one.printed)) for one in tried]
    far = sum(not gap <= within for gap in gaps)
    worst = tried[max(range(len(tried)), key=lambda k: gaps[k])]
    if far:
        return Evidence(
            verdict="wrong",
            says=f"{what}. The two sides differ at {_of(far, len(tried))}{worst.words}.",
        )
    return Evidence(
        verdict="right",
        says=f"{what}. Both sides agree {_all(len(tried))}; for example {tried[-1].words}.",
    )


def readings(found: Sequence[tuple[str, Evidence]]) -> Evidence:
    """Judge a sentence by its readings: unclear where their verdicts differ, the common verdict otherwise.

    Parameters
    ----------
    found : sequence of (str, Evidence)
        Each reading, or each side of a missing condition, with its evidence.

    Returns
    -------
    Evidence
    """
    verdicts = {one.verdict for _, one in found}
    says = " ".join(f"*{name}* ({one.verdict}): {one.says}" for name, one in found)
    return Evidence(verdict="unclear" if len(verdicts) > 1 else verdicts.pop(), says=says)


def _listed(own: Sequence[Trial]) -> str:
    reals, printed = (
        ", ".join(plain(getattr(one, side)) for one in own) for side in ("real", "printed")
    )
    return f"{reals} of {printed}"


def _all(n: int) -> str:
    return "at the setting that was tried" if n == 1 else f"at all {n} settings"


def _of(broken: int, n: int) -> str:
    return "" if n == 1 else f"{broken} of {n} settings, most at "
