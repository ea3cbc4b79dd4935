"""Privacy guarantees: (ε, δ), the neighbouring relation, the argument, and what voids it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from dpcore import _checks, _random_state
from dpcore._types import RandomState
from dpcore.units import Neighbouring, Unit

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = [
    "Guarantee",
    "Neighbouring",
    "Part",
    "Protection",
    "Status",
    "from_event",
    "odds_bound",
    "protection",
]

Status = Literal["proved", "proved_under_assumption", "nominal"]
Protection = Literal["strong", "moderate", "weak", "none"]
RECORD = Unit()
LARGE_DELTA = 1e-2
"""Above it no ε protects, whatever the number of records."""
_ROUNDING = 1e-6  # relative tolerance of calibrated noise
SECRET_SEED = "the seed of the noise stays secret and serves one release"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One release inside a guarantee: name, (epsilon, delta), mechanism."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """Privacy guarantee of one released result.

    P[M(D) ∈ S] ≤ e^ε P[M(D') ∈ S] + δ for all neighbouring data sets D, D' and all S.

    Parameters
    ----------
    epsilon, delta : float
        Actual privacy cost of the whole release; ``epsilon`` ≥ 0 (inf: no guarantee), ``delta`` in
        [0, 1].
    neighbouring : "add_remove" or "replace_one"
        Which pairs of data sets the bound holds for: one record added or removed, or replaced.
    status : "proved", "proved_under_assumption" or "nominal"
        ``proved`` needs noise that nobody can repeat; ``proved_under_assumption`` holds as long as
        all of ``assumptions`` do; ``nominal`` is a number without a proof: not a guarantee.
    argument : str
        The argument in one sentence.
    public : tuple of str
        Facts assumed to be known to everyone, not protected.
    not_protected : tuple of str
        What this guarantee does not cover.
    parts : tuple of Part
        The single releases that add up to it.
    claimed_epsilon : float or None
        ε as claimed by the recipe, if it differs from ``epsilon``.
    assumptions : tuple of str
        Further conditions under which the bound holds.
    loss_tail : float or None
        P[L > ε] of the privacy loss L, the larger of both orders of the neighbours: how often a
        result moves the odds further than e^ε. δ bounds E[max(0, 1 - e^(ε - L))] and says
        little about this probability, which may be many times larger. None: not computed.
    n_records : int or None
        How many records there are, where it is known and ``delta`` is to be judged by it: with δ ≥ 1/n a
        mechanism may publish whole records.
    event : dpcore.accounting.Event or None
        What drew the noise, from the sampler's own scale; ``epsilon`` is its account (`from_event`). None where
        no event is known: nothing is then said of repetitions and attacks beyond what ``epsilon`` tells.
    unit : Unit
        Privacy unit: what one record is, and the maximum number of records per person.

    See Also
    --------
    from_event, dpcore.units.Unit, dpcore.accounting.account
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
    event: Event | None = None
    unit: Unit = RECORD

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
        """Strength of protection by the size of ε, beside ``status``; see `protection`.

        "none" where the status is nominal: a number without a proof protects nobody. And where δ is not
        below one over the number of records, if that is known, or above ``LARGE_DELTA``: the scale presumes it.
        """
        known = self.n_records is not None and self.delta * self.n_records >= 1
        large = known or self.delta > LARGE_DELTA
        return "none" if self.status == "nominal" or large else protection(self.epsilon)

    def assuming(self, *sentences: str) -> Guarantee:
        """Return the guarantee under further assumptions; "proved" becomes "proved_under_assumption".

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
        """Return the guarantee after facts that it takes as public were read from the data.

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
        """Return the guarantee when its noise comes from this random state.

        Itself for None, fresh entropy of the system. A seed or a generator is known to somebody and
        may serve twice; two releases with the same noise give the exact results away. The bound
        then rests on the assumption that neither happens.
        """
        if _random_state.is_secret(random_state) or math.isinf(self.epsilon):
            return self
        return self.assuming(SECRET_SEED)

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior probability that a record is in the data; see `odds_bound`."""
        return odds_bound(self.epsilon, prior)

    def tail(self) -> float | None:
        """Return P[L > ε], the probability that a result changes the odds by more than e^ε; None without an event.

        ``loss_tail`` where it was given, else from the event's privacy loss distribution
        (`dpcore.accounting.loss_tail`).
        """
        if self.loss_tail is not None or self.event is None:
            return self.loss_tail
        from dpcore.accounting import loss_tail

        return loss_tail(self.event, self.epsilon, neighbouring=self.neighbouring)

    def repeated(self, n_releases: int, *, delta: float | None = None) -> Guarantee:
        """Return the guarantee of several such releases together, by composition of the event.

        Without an event the releases add up: (nε, nδ).

        Parameters
        ----------
        n_releases : int
            n ≥ 0, each with fresh noise, on the same data.
        delta : float or None
            δ of all together; that of one release by default.

        Returns
        -------
        Guarantee

        Raises
        ------
        ValueError
            When ``n_releases`` is negative, or ``delta`` below what the releases add up to without an event.

        Examples
        --------
        >>> from dpcore.accounting import LaplaceEvent
        >>> count = from_event(LaplaceEvent(1.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
        >>> round(count.repeated(12, delta=1e-5).epsilon, 2), count.repeated(12).epsilon
        (11.96, 12.0)
        """
        n = _checks.integer("n_releases", n_releases, low=0)
        goal = self.delta if delta is None else delta
        words = f"{self.argument} {n} such releases, accounted for together."
        base = replace(self, argument=words, parts=(), claimed_epsilon=None, loss_tail=None)
        if self.event is None:
            summed = min(1.0, n * self.delta)
            if delta is not None and delta < summed:
                raise ValueError(
                    f"delta={delta!r} is not allowed: {n} releases of δ = {self.delta:g} add up to {summed:g}, "
                    "and no event is known that says more. Give at least that."
                )
            return replace(base, epsilon=n * self.epsilon, delta=summed)
        from dpcore.accounting import Repeated

        event = Repeated(self.event, n)
        epsilon = _account(event, goal, self.neighbouring)
        return replace(base, epsilon=epsilon, delta=goal, event=event)

    def tabulated(
        self, epsilons: Iterable[float], deltas: Iterable[float] | None = None
    ) -> list[Guarantee]:
        """Return the guarantees of the same kind of release for each entry of a table of parameter values.

        Parameters
        ----------
        epsilons : iterable of float
            Proven upper bounds on the accounts.
        deltas : iterable of float or None
            One δ for each ε; by default that of the guarantee.

        Returns
        -------
        list of Guarantee
            Without events, parts and claims: these belong to one entry.
        """
        base = replace(self, event=None, parts=(), claimed_epsilon=None, loss_tail=None)
        costs = [float(epsilon) for epsilon in epsilons]
        slack = [self.delta] * len(costs) if deltas is None else [float(one) for one in deltas]
        pairs = zip(costs, slack, strict=True)
        return [replace(base, epsilon=epsilon, delta=delta) for epsilon, delta in pairs]

    def best_attack(self) -> float | None:
        """Return the accuracy of the best known attack on the event, at an even prior.

        ½ + ½ TV, with TV the total variation distance of the results of the worst neighbours: what the best
        test of one result reaches. None where the event is not known, or tells no more than ε.

        Returns
        -------
        float or None
            In [½, 1].

        Examples
        --------
        >>> from dpcore.accounting import GaussianEvent, LaplaceEvent
        >>> known = {"neighbouring": "add_remove", "argument": "Noise on a count."}
        >>> round(from_event(LaplaceEvent(1.0), 0.0, **known).best_attack(), 3)
        0.697
        >>> round(from_event(GaussianEvent(3.73063), 1e-5, **known).best_attack(), 3)
        0.553
        """
        if self.event is None or self.status == "nominal":
            return None
        from dpcore.accounting.distance import total_variation

        distance = total_variation(self.event, neighbouring=self.neighbouring)
        return None if distance is None else 0.5 + distance / 2

    def for_group(self, k: int) -> Guarantee:
        """Return the guarantee for any k records together, such as all records of one person.

        Parameters
        ----------
        k : int
            Number of records in which neighbours differ, ≥ 1.

        Returns
        -------
        Guarantee
            At the same δ where an event is known: its account at the δ′ that grows to δ for the group, or of k
            times the signal without sampling, whichever is less. Otherwise (kε, δ(e^{kε} - 1)/(e^ε - 1)).

        References
        ----------
        S. Vadhan, "The complexity of differential privacy", in Tutorials on the Foundations of
        Cryptography, Springer, 2017 (Lemma 2.2).

        Examples
        --------
        >>> from dpcore.accounting import LaplaceEvent
        >>> count = from_event(LaplaceEvent(2.0), 0.0, neighbouring="add_remove", argument="Laplace noise.")
        >>> count.for_group(3).epsilon
        1.5
        """
        group = _checks.integer("k", k, low=1)
        if group == 1:
            return self
        from dpcore.accounting import group_privacy
        from dpcore.accounting.groups import group_epsilon

        words = f"{self.argument} For {group} records together (group privacy)."
        base = replace(self, argument=words, parts=(), claimed_epsilon=None, loss_tail=None)
        if self.event is None:
            epsilon, delta = group_privacy(self.epsilon, self.delta, group=group)
            return replace(base, epsilon=epsilon, delta=delta)
        epsilon = group_epsilon(self.event, self.delta, group, neighbouring=self.neighbouring)
        return replace(base, epsilon=epsilon, event=None)


def from_event(
    event: Event,
    delta: float,
    *,
    neighbouring: Neighbouring,
    argument: str,
    status: Status = "proved",
    public: tuple[str, ...] = (),
    not_protected: tuple[str, ...] = (),
    parts: tuple[Part, ...] = (),
    claimed_epsilon: float | None = None,
    assumptions: tuple[str, ...] = (),
    n_records: int | None = None,
    unit: Unit | None = None,
    asked: float | None = None,
    at_most: float | None = None,
) -> Guarantee:
    """Return the guarantee of a noisy release, whose ε at δ is the account of its event.

    Parameters
    ----------
    event : dpcore.accounting.Event
        Event of the release, with the scales used by the sampler.
    delta : float
        δ in [0, 1); 0 where the event has a finite largest loss.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    argument, status, public, not_protected, parts, claimed_epsilon, assumptions, n_records
        As in `Guarantee`.
    unit : Unit or None
        As in `Guarantee`.
    asked : float or None
        The ε that the noise was made for: ε where the account does not exceed it by more than a millionth.
    at_most : float or None
        A proven upper bound on the account, such as a table for a handle gives: ε instead of the account.

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        When ``delta`` is outside its range, or the event is not accounted for under these neighbours.

    See Also
    --------
    Guarantee, dpcore.accounting.account

    Examples
    --------
    >>> from dpcore.accounting import GaussianEvent
    >>> sums = from_event(GaussianEvent(3.73063), 1e-5, neighbouring="add_remove", argument="One Gaussian.")
    >>> round(sums.epsilon, 4)
    1.0
    """
    epsilon = _account(event, delta, neighbouring) if at_most is None else float(at_most)
    if asked is not None and epsilon <= asked * (1 + _ROUNDING):
        epsilon = float(asked)
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=neighbouring, status=status, argument=argument,
        public=public, not_protected=not_protected, parts=parts, claimed_epsilon=claimed_epsilon,
        assumptions=assumptions, n_records=n_records, event=event, unit=unit or RECORD,
    )  # fmt: skip


def _account(event: Event, delta: float, neighbouring: Neighbouring) -> float:
    """Return the ε of an event at δ, or the sum of the largest losses at δ = 0."""
    from dpcore.accounting import closed_form, spent

    if delta == 0:
        return closed_form.pure(event, neighbouring=neighbouring)
    return spent(event, delta, neighbouring=neighbouring)


def protection(epsilon: float) -> Protection:
    """Return the strength of protection: "strong" up to ε = 1, "moderate" below 5, "weak" up to 10, else "none".

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
    """Return the largest posterior probability of membership after an ε-DP result.

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
