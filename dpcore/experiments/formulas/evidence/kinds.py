"""Verdicts on printed bounds, equations and sentences, from comparisons of numbers.

The module also has distributions for such comparisons.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpcore._types import Floats
from dpcore.mechanisms import randomized_response

__all__ = [
    "MARGIN",
    "Evidence",
    "Trial",
    "as_right",
    "at_least",
    "at_most",
    "definition_gap",
    "equal",
    "most_composed",
    "mutual_epsilon",
    "plain",
    "random_steps",
    "readings",
    "responses",
]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(number: float, figures: int = 3) -> str:
    """Return a number as readable text with ``figures`` significant figures.

    Examples
    --------
    >>> plain(4.83041), plain(45571.99), plain(1.612e-4), plain(0.0), plain(float("inf"))
    ('4.83', '45 600', '1.61·10⁻⁴', '0', '∞')
    """
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if number == 0:
        return "0"
    size = math.floor(math.log10(abs(number)))
    if -3 <= size < 7:
        rounded = round(number, figures - 1 - size)
        text = f"{rounded:,.{max(0, figures - 1 - size)}f}".replace(",", " ")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return text.replace("-", "−")
    mantissa, _, power = f"{number:.{figures - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}·10{str(int(power)).translate(_RAISED)}".replace("-", "−")


MARGIN = 0.05
"""Fraction of a bound that must be unused at every setting for the bound to be called *loose*."""
_ROUNDING = 1e-6


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One setting at which a number printed in a document is compared with a computed one.

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
        """Computed number divided by the printed one.

        A value above 1 violates a printed upper bound.
        """
        if self.printed == self.real:
            return 1.0
        return self.real / self.printed if self.printed else math.inf

    @property
    def words(self) -> str:
        """Description of the setting with the printed and the computed number."""
        return f"{self.at}: {plain(self.real)} against {plain(self.printed)} printed"


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """A verdict on a printed formula, with the computation that decides it.

    Parameters
    ----------
    verdict : str
        One of "right", "loose", "unclear" and "wrong".
    says : str
        The computation and its result in one or two sentences; the authors' own settings first.
    """

    verdict: str
    says: str


def at_most(trials: Iterable[Trial], what: str) -> Evidence:
    """Return the verdict on a printed upper bound, from comparisons with computed numbers.

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        Name of the compared quantity.

    Returns
    -------
    Evidence
        *wrong* if at some setting the computed number exceeds the printed one by more than a
        millionth; *loose* if at every setting it is below the printed one by at least `MARGIN`;
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
    """Return the verdict on a printed minimum, from comparisons with computed numbers.

    The verdict is "wrong" if at some setting the computed number is below the minimum, else
    "right".

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        Name of the compared quantity.

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
    """Return the verdict on a printed equation.

    The verdict is "right" if both sides agree at every setting, else "wrong".

    Parameters
    ----------
    trials : iterable of Trial
        Settings that satisfy the document's own conditions.
    what : str
        Name of the compared quantity.
    within : float
        Largest difference that counts as agreement, relative to the printed number (absolute if the
        printed number is below 1).

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


def as_right(one: Evidence) -> Evidence:
    """Return evidence with the verdict "loose" replaced by "right", for a bound that need not be tight."""
    return Evidence(verdict="right", says=one.says) if one.verdict == "loose" else one


def readings(interpretations: Sequence[tuple[str, Evidence]]) -> Evidence:
    """Return the verdict on an ambiguous sentence, from the verdicts on its interpretations.

    The verdict is "unclear" if the interpretations have different verdicts. Otherwise it is their
    common verdict.

    Parameters
    ----------
    interpretations : sequence of (str, Evidence)
        Each interpretation, or each side of a missing condition, with its evidence.

    Returns
    -------
    Evidence
    """
    verdicts = {one.verdict for _, one in interpretations}
    says = " ".join(f"*{name}* ({one.verdict}): {one.says}" for name, one in interpretations)
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


def mutual_epsilon(p: Floats, q: Floats) -> float:
    """Return the least ε at δ = 0, max |ln(p/q)|, for which two discrete distributions are indistinguishable."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nanmax(np.abs(np.log(p) - np.log(q))))


def definition_gap(p: Floats, q: Floats, epsilon: float) -> tuple[float, float]:
    """Return the least δ at ε for two discrete distributions p and q, computed in two ways.

    - The first value is the maximum of p(S) - e^ε q(S) over all sets S of results.
    - The second value is the sum of max(0, p - e^ε q) over single results.
    """
    factor = math.exp(epsilon)
    whole = max(
        float(p[list(some)].sum() - factor * q[list(some)].sum())
        for size in range(len(p) + 1)
        for some in itertools.combinations(range(len(p)), size)
    )
    return whole, float(np.maximum(p - factor * q, 0).sum())


def responses(epsilon: float) -> tuple[Floats, Floats]:
    """Return the output probabilities (2,) of randomised response for each of the two true answers."""
    truth = randomized_response(epsilon, 2).truth
    return np.array([truth, 1 - truth]), np.array([1 - truth, truth])


def random_steps(
    p: Floats, q: Floats, rng: np.random.Generator, n: int
) -> Iterator[tuple[Floats, Floats]]:
    """Yield two output distributions, first unchanged and then after each of n random Markov steps.

    Each step starts from the unchanged distributions p and q. A step is the same for both, and is
    post-processing.
    """
    yield p, q
    for _ in range(n):
        step = rng.dirichlet(np.ones(3), size=len(p))
        yield p @ step, q @ step


def most_composed(epsilon: float, delta: float, n: int) -> float:
    """Return the δ, at total nε, of the composition of n worst-case (ε, δ) mechanisms.

    Each mechanism reveals the data set with probability δ and otherwise answers by randomised
    response (Kairouz, Oh and Viswanath 2017).
    """
    p, q = responses(epsilon)
    p, q = np.append(p * (1 - delta), [delta, 0.0]), np.append(q * (1 - delta), [0.0, delta])
    together, other = np.ones(1), np.ones(1)
    for _ in range(n):
        together, other = np.outer(together, p).ravel(), np.outer(other, q).ravel()
    return float(np.maximum(together - math.exp(n * epsilon) * (1 + 1e-12) * other, 0).sum())
