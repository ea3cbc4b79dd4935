"""What a released result promises: (ε, δ), for which neighbours, by which argument."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from dpcore import _chance, _checks
from dpcore._types import RandomState

__all__ = [
    "Guarantee",
    "Neighbouring",
    "Part",
    "Protection",
    "Status",
    "odds_bound",
    "protection",
]

Neighbouring = Literal["add_remove", "replace_one"]
Status = Literal["proved", "proved_under_assumption", "nominal"]
Protection = Literal["strong", "moderate", "weak", "none"]
SECRET_SEED = "the seed of the noise stays secret and serves one release"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One release inside a guarantee: its name, its (epsilon, delta), the mechanism that paid."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The privacy guarantee of one released result.

    P[M(D) ∈ S] ≤ e^ε P[M(D') ∈ S] + δ for all neighbouring data sets D, D' and all S.

    Parameters
    ----------
    epsilon, delta : float
        What the whole release really costs; ``epsilon`` ≥ 0 (inf: none), ``delta`` in [0, 1].
    neighbouring : "add_remove" or "replace_one"
        Which pairs of data sets the bound holds for: one record added or removed, or replaced.
    status : "proved", "proved_under_assumption" or "nominal"
        ``proved`` needs noise that nobody can repeat; ``proved_under_assumption`` holds as long as
        all of ``assumptions`` do; ``nominal`` is a number without a proof: not a guarantee.
    argument : str
        The argument in one sentence.
    public : tuple of str
        What is assumed known to everyone and is not protected.
    not_protected : tuple of str
        What this guarantee does not cover.
    parts : tuple of Part
        The single releases that add up to it.
    claimed_epsilon : float or None
        What the recipe claims to cost, where that differs from ``epsilon``.
    assumptions : tuple of str
        What has to be true, beside the argument, for the bound to hold.
    loss_tail : float or None
        P[L > ε] of the privacy loss L, the larger of both orders of the neighbours: how often a
        result moves the odds further than e^ε. δ bounds E[max(0, 1 - e^(ε - L))] and says
        little about this probability, which may be many times larger. None: not computed.
    n_records : int or None
        How many records there are, where it is known and ``delta`` is to be judged by it: with δ ≥ 1/n a
        mechanism may publish whole records.
    """

    epsilon: float
    delta: float
    neighbouring: Neighbouring
    status: Status
    argument: str
    public: tuple[str, ...] = ()
    not_protected: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    claimed_epsilon: float | None = None
    assumptions: tuple[str, ...] = ()
    loss_tail: float | None = None
    n_records: int | None = None

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon={self.epsilon!r} is not allowed: give a number in [0, inf].")
        _checks.number("delta", self.delta, low=0, high=1)
        _checks.one_of("neighbouring", self.neighbouring, get_args(Neighbouring))
        _checks.one_of("status", self.status, get_args(Status))
        if self.loss_tail is not None:
            _checks.number("loss_tail", self.loss_tail, low=0, high=1)

    @property
    def protection(self) -> Protection:
        """How much the number protects, the second verdict beside ``status``; see `protection`.

        "none" where the status is nominal: a number without a proof protects nobody. And where δ is not
        below one over the number of records, if that is known: the scale presumes it.
        """
        large = self.n_records is not None and self.delta * self.n_records >= 1
        return "none" if self.status == "nominal" or large else protection(self.epsilon)

    def assuming(self, *sentences: str) -> Guarantee:
        """Return the guarantee with further assumptions; "proved" becomes "proved_under_assumption".

        Sentences that are there already are not repeated; without any, nothing changes.

        Examples
        --------
        >>> made = Guarantee(epsilon=1, delta=0, neighbouring="add_remove", status="proved", argument="")
        >>> made.assuming("n is public").status
        'proved_under_assumption'
        """
        new = tuple(dict.fromkeys(s for s in sentences if s not in self.assumptions))
        if not new:
            return self
        status = "proved_under_assumption" if self.status == "proved" else self.status
        return replace(self, status=status, assumptions=self.assumptions + new)

    def having_read(self, *facts: str) -> Guarantee:
        """Return what is left when facts that it needs to be public were read from the data.

        Nothing pays for that: the status is nominal. Without any fact nothing changes.

        Examples
        --------
        >>> made = Guarantee(epsilon=1, delta=0, neighbouring="replace_one", status="proved", argument="A.")
        >>> made.having_read("n").argument
        'A. But n was read from the data, which this account does not pay for: nothing is proved.'
        """
        if not facts:
            return self
        verb = "was" if facts == ("n",) else "were"
        return replace(
            self,
            status="nominal",
            argument=f"{self.argument} But {' and '.join(facts)} {verb} read from the data, which this "
            "account does not pay for: nothing is proved.",
            not_protected=(
                f"what {' and '.join(facts)} tell of single people",
                *self.not_protected,
            ),
        )

    def with_seed(self, random_state: RandomState) -> Guarantee:
        """Return what the guarantee is worth when its noise comes from this random state.

        Itself for None, fresh entropy of the system. A seed or a generator is known to somebody and
        may serve twice; two releases with the same noise give the exact results away. The bound
        then rests on the assumption that neither happens.
        """
        if _chance.is_secret(random_state) or math.isinf(self.epsilon):
            return self
        return self.assuming(SECRET_SEED)

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior belief that a record is in the data; see `odds_bound`."""
        return odds_bound(self.epsilon, prior)


def protection(epsilon: float) -> Protection:
    """Return how much an ε protects: strong up to 1, moderate below 5, weak up to 10, else none.

    There is no agreed scale. Up to 1 is called strong and about 10 the end of the reasonable by the
    tiers of Ponomareva et al. (2023), as Google applied them in 2024 to its keyboard models; the
    TensorFlow Privacy guide has the same two ends; NIST calls 0 < ε < 5 conservative. In odds: at ε
    = 1 a suspicion of 1 % becomes at most 2.7 %, at 5 it becomes 60 %, at 10 it becomes 99.6 %.
    All of them presume a small δ, below one over the number of records.

    Parameters
    ----------
    epsilon : float
        ε ≥ 0 of everything that is released about a person; inf allowed.

    Returns
    -------
    "strong", "moderate", "weak" or "none"

    Raises
    ------
    ValueError
        When ``epsilon`` is negative or not a number.

    References
    ----------
    N. Ponomareva et al., "How to DP-fy ML: a practical guide to machine learning with differential
    privacy", Journal of Artificial Intelligence Research 77, 2023.
    NIST, "Differential privacy: future work and open challenges", Cybersecurity Insights blog.

    Examples
    --------
    >>> [protection(e) for e in (0.5, 4, 8, 16)]
    ['strong', 'moderate', 'weak', 'none']
    """
    if not epsilon >= 0:
        raise ValueError(f"epsilon={epsilon!r} is not allowed: give a number in [0, inf].")
    if epsilon <= 1:
        return "strong"
    if epsilon < 5:
        return "moderate"
    return "weak" if epsilon <= 10 else "none"


def odds_bound(epsilon: float, prior: float = 0.5) -> float:
    """Return the largest belief that seeing an ε-DP result can lead to.

    posterior ≤ e^ε p / (e^ε p + 1 - p), for every result of a pure ε-DP mechanism. With δ > 0 it
    holds for all results whose privacy loss is at most ε. The others have probability P[L > ε],
    which is not δ: for the exact Gaussian at δ = 1e-5 it is 16 δ at ε = 1 and 111 δ at ε = 0.1
    (``Guarantee.loss_tail``).

    Parameters
    ----------
    epsilon : float
        Privacy loss bound, ≥ 0 (inf allowed: the bound is then 1).
    prior : float
        Belief before seeing the result that the record is in the data, in (0, 1).

    Returns
    -------
    float
        Belief after it, in [prior, 1].

    Raises
    ------
    ValueError
        When ``prior`` is not in (0, 1).

    Examples
    --------
    >>> round(odds_bound(1.0), 3)
    0.731
    """
    p = _checks.number("prior", prior, low=0, high=1, open_low=True, open_high=True)
    return 1.0 / (1.0 + math.exp(-epsilon) * (1 - p) / p)
