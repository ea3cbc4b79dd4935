"""Privacy guarantees: ε and δ, neighbouring relation, argument and conditions."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from dpcore import _checks, _guarantee_text, _random_state
from dpcore._types import RandomState
from dpcore.units import Neighbouring, Unit

if TYPE_CHECKING:
    from dpcore.accounting.events import Event

__all__ = [
    "Evidence",
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
"""Largest δ at which a guarantee may count as protection.

The number of records may require a smaller δ.
"""
_ROUNDING = 1e-6  # relative tolerance of calibrated noise
SECRET_SEED = "the seed of the noise stays secret and serves one release"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One release inside a guarantee: its name, its ε and δ, and its mechanism."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Lower bound on the ε of a mechanism that an attack has proved, at the δ of the attacked claim.

    Parameters
    ----------
    epsilon_lower : float
        Lower bound ≥ 0; inf if a result came out that is impossible on the other data set.
    confidence : float
        Confidence level of the bound, in (0, 1).
    """

    epsilon_lower: float
    confidence: float

    def __post_init__(self) -> None:
        if not self.epsilon_lower >= 0:
            raise ValueError(
                f"epsilon_lower={self.epsilon_lower!r} is not allowed: give a number in [0, inf]."
            )
        _checks.number("confidence", self.confidence, low=0, high=1, open_low=True, open_high=True)


@dataclass(frozen=True, kw_only=True, repr=False)
class Guarantee:
    """Privacy guarantee of one released result.

    It states that P[M(D) ∈ S] ≤ e^ε P[M(D') ∈ S] + δ for all neighbouring data sets D and D' and all sets S of
    results of the mechanism M.

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 0 (inf: no guarantee) and δ in [0, 1] that hold for the whole release.
    neighbouring : "add_remove" or "replace_one"
        Pairs of data sets for which the bound holds: one record added or removed, or one replaced.
    status : "proved", "proved_under_assumption" or "nominal"
        "proved" requires noise that nobody can reproduce. "proved_under_assumption" holds as long as all of
        ``assumptions`` hold. "nominal" is a number without a proof, and not a guarantee.
    argument : str
        The argument for the bound, in one sentence.
    public : tuple of str
        Facts that are assumed to be publicly known and are not protected.
    not_protected : tuple of str
        Facts and releases that this guarantee does not cover.
    parts : tuple of Part
        The single releases that make up the whole release.
    claimed_epsilon : float or None
        ε claimed by the published method, if it may differ from ``epsilon``.
    assumptions : tuple of str
        Further conditions under which the bound holds.
    loss_tail : float or None
        Probability P[L > ε] that a result changes the odds of two neighbouring data sets by more than e^ε. L is the
        privacy loss, in the order of the data sets with the larger probability. P[L > ε] may be many times larger
        than δ, because δ bounds E[max(0, 1 - e^(ε - L))]. None means not computed.
    n_records : int or None
        Number n of records, if it is known. It is compared with ``delta``: with δ ≥ 1/n a mechanism may publish whole
        records.
    event : dpcore.accounting.Event or None
        Privacy event of the release, with the noise scale used by the sampler. ``epsilon`` is computed from it, see
        `from_event`. If it is None, repetitions are composed from ``epsilon`` and ``delta`` only.
    unit : Unit
        Privacy unit: what one record is, and the maximum number of records per person.
    noise_gap : float
        Total variation distance in [0, 1] between the noise that ``event`` describes and the noise that is drawn.
        Usually it is the mass beyond the largest number of a generator. ``delta`` includes its cost, and accounts of
        several releases add these distances up, see `dpcore.budget.BudgetAccountant`.
    evidence : Evidence or None
        What an attack has shown about the mechanism, see `against`.

    See Also
    --------
    from_event, dpcore.units.Unit, dpcore.accounting.account, dpcore.budget.BudgetAccountant

    Notes
    -----
    ``str`` returns the statements one a line, ``repr`` the call that makes an equal guarantee, and notebooks show a
    table.
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
    noise_gap: float = 0.0
    evidence: Evidence | None = None

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ValueError(f"epsilon={self.epsilon!r} is not allowed: give a number in [0, inf].")
        _checks.number("delta", self.delta, low=0, high=1)
        _checks.one_of("neighbouring", self.neighbouring, get_args(Neighbouring))
        _checks.one_of("status", self.status, get_args(Status))
        if self.loss_tail is not None:
            _checks.number("loss_tail", self.loss_tail, low=0, high=1)
        _checks.number("noise_gap", self.noise_gap, low=0, high=1)

    def __repr__(self) -> str:
        return _guarantee_text.as_source(self)

    def __str__(self) -> str:
        return _guarantee_text.as_text(self)

    def _repr_html_(self) -> str:
        return _guarantee_text.as_html(self)

    @property
    def protection(self) -> Protection:
        """Strength of the protection: "strong", "moderate", "weak" or "none", see `protection`.

        It follows from ε. It is "none" if the status is nominal, because a number without a proof protects nobody.
        It is "none" if an attack has refuted ε. It is also "none" if δ is too large: above ``LARGE_DELTA``, or at
        least 1/n if the number n of records is known.
        """
        known = self.n_records is not None and self.delta * self.n_records >= 1
        large = known or self.delta > LARGE_DELTA
        unproved = self.status == "nominal" or self.refuted
        return "none" if unproved or large else protection(self.epsilon)

    @property
    def refuted(self) -> bool:
        """Whether the lower bound that an attack has proved exceeds ε."""
        return self.evidence is not None and self.evidence.epsilon_lower > self.epsilon

    def against(self, evidence: Evidence | None) -> Guarantee:
        """Return the guarantee with what an attack has shown about the mechanism; None removes earlier evidence.

        Examples
        --------
        >>> made = Guarantee(epsilon=1, delta=0, neighbouring="add_remove", status="nominal", argument="")
        >>> beside = made.against(Evidence(epsilon_lower=2.2, confidence=0.95))
        >>> made.refuted, beside.refuted
        (False, True)
        """
        return replace(self, evidence=evidence)

    def assuming(self, *sentences: str) -> Guarantee:
        """Return the guarantee with further assumptions.

        The status "proved" becomes "proved_under_assumption". Assumptions that the guarantee already has are not
        repeated. If there are no new ones, nothing changes.

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
        """Return the guarantee with status "nominal", because ``facts`` were read from the data.

        The facts are assumed to be public, and ε does not cover reading them. Without any fact the guarantee is
        unchanged.

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
        """Return the guarantee for noise from the random state ``random_state``.

        With None (fresh system entropy) the guarantee is unchanged. With a seed or a generator, two conditions are
        added to the assumptions: that nobody else knows it, and that it is used for one release only. Two releases
        with the same noise reveal the exact results.
        """
        if _random_state.is_secret(random_state) or math.isinf(self.epsilon):
            return self
        return self.assuming(SECRET_SEED)

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior probability that a record is in the data, given the prior.

        See `odds_bound`.
        """
        return odds_bound(self.epsilon, prior)

    def accuracy_bound(self) -> float:
        """Return an upper bound on the accuracy of an attack that sees one result and guesses between two neighbours.

        Both data sets have the prior probability ½. The bound is ½ + ½ TV with TV = (e^ε - 1 + 2δ)/(e^ε + 1). Under
        (ε, δ)-DP the total variation distance between the results of two neighbours is at most TV.

        Returns
        -------
        float
            In [½, 1].

        See Also
        --------
        best_attack

        References
        ----------
        P. Kairouz, S. Oh and P. Viswanath, "The composition theorem for differential privacy", ICML 2015.

        Examples
        --------
        >>> made = Guarantee(epsilon=1, delta=1e-5, neighbouring="add_remove", status="proved", argument="")
        >>> round(made.accuracy_bound(), 4)
        0.7311
        """
        sure = odds_bound(self.epsilon)
        return min(1.0, sure + self.delta * (1 - sure))

    def tail(self) -> float | None:
        """Return P[L > ε], the probability that a result changes the odds by more than e^ε.

        L is the privacy loss. The result is the attribute ``loss_tail`` if it is given. Otherwise
        `dpcore.accounting.loss_tail` computes it from the event. Without an event the result is None.
        """
        if self.loss_tail is not None or self.event is None:
            return self.loss_tail
        from dpcore.accounting import loss_tail

        return loss_tail(self.event, self.epsilon, neighbouring=self.neighbouring)

    def repeated(self, n_releases: int, *, delta: float | None = None) -> Guarantee:
        """Return the guarantee of n releases of this kind together, by composition.

        Without an event, the result follows from basic composition: (nε, nδ).

        Parameters
        ----------
        n_releases : int
            Number n ≥ 0 of releases on the same data, each with fresh noise.
        delta : float or None
            δ of all releases together. The default is the δ of one release, or nδ without an event.

        Returns
        -------
        Guarantee
            ε and δ of all releases together.

        Raises
        ------
        ValueError
            When ``n_releases`` is negative, or when ``delta`` is below nδ without an event.

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
        """Return one guarantee of the same kind for every ε in a table.

        Parameters
        ----------
        epsilons : iterable of float
            Proven upper bounds on the ε of each entry.
        deltas : iterable of float or None
            One δ for each ε; by default the δ of this guarantee.

        Returns
        -------
        list of Guarantee
            One guarantee per entry, without event, parts, claimed ε and loss tail, because they are known for a
            single entry only.
        """
        base = replace(self, event=None, parts=(), claimed_epsilon=None, loss_tail=None)
        costs = [float(epsilon) for epsilon in epsilons]
        slack = [self.delta] * len(costs) if deltas is None else [float(one) for one in deltas]
        pairs = zip(costs, slack, strict=True)
        return [replace(base, epsilon=epsilon, delta=delta) for epsilon, delta in pairs]

    def best_attack(self) -> float | None:
        """Return the accuracy of the best known attack that sees one result and guesses between two neighbours.

        Both data sets have the prior probability ½. The accuracy is ½ + ½ TV, where TV is the total variation
        distance of the results on the worst neighbours. The result is None if no event or no attack on the event is
        known, or if the status is nominal.

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
            Number of records in which the data sets differ, ≥ 1.

        Returns
        -------
        Guarantee
            If an event is known, with the same δ and the ε of `dpcore.accounting.groups.group_epsilon`;
            otherwise with (kε, δ(e^{kε} - 1)/(e^ε - 1)).

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
    calibrated_epsilon: float | None = None,
    at_most: float | None = None,
) -> Guarantee:
    """Return the guarantee of a noisy release, with the ε at δ computed from its privacy event.

    Parameters
    ----------
    event : dpcore.accounting.Event
        Event of the release, with the noise scales used by the sampler.
    delta : float
        δ in [0, 1). For 0 the ε is the largest privacy loss, inf for Gaussian noise.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    argument, status, public, not_protected, parts, claimed_epsilon, assumptions, n_records
        Attributes of the guarantee, see `Guarantee`.
    unit : Unit or None
        Privacy unit, see `Guarantee`; by default a record.
    calibrated_epsilon : float or None
        The ε to which the noise was calibrated. It becomes ``epsilon`` if the computed ε exceeds it by no more than a
        millionth.
    at_most : float or None
        A proven upper bound on ε, for example from a table. It is used instead of the computed ε.

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        When ``delta`` is outside its range, or no ε can be computed for the event under this neighbouring relation.

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
    if calibrated_epsilon is not None and epsilon <= calibrated_epsilon * (1 + _ROUNDING):
        epsilon = float(calibrated_epsilon)
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=neighbouring, status=status, argument=argument,
        public=public, not_protected=not_protected, parts=parts, claimed_epsilon=claimed_epsilon,
        assumptions=assumptions, n_records=n_records, event=event, unit=unit or RECORD,
    )  # fmt: skip


def _account(event: Event, delta: float, neighbouring: Neighbouring) -> float:
    """Return the ε of an event at δ; for δ = 0 this is the largest possible privacy loss."""
    from dpcore.accounting import closed_form, spent

    if delta == 0:
        return closed_form.pure(event, neighbouring=neighbouring)
    return spent(event, delta, neighbouring=neighbouring)


def protection(epsilon: float) -> Protection:
    """Return the strength of protection for ε: "strong", "moderate", "weak" or "none".

    ε up to 1 is "strong", below 5 "moderate", up to 10 "weak". There is no agreed scale. Ponomareva et al. (2023)
    call ε ≤ 1 strong and ε up to about 10 reasonable. Google applied these tiers to its keyboard models in 2024, and
    the TensorFlow Privacy guide has the same limits. NIST calls 0 < ε < 5 conservative. An attacker's prior
    probability of 1 % becomes at most 2.7 % at ε = 1, 60 % at ε = 5, and 99.6 % at ε = 10. All these scales assume a
    small δ, below 1/n for n records.

    Parameters
    ----------
    epsilon : float
        ε ≥ 0 of all releases about a person together; inf is allowed.

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
    """Return the largest posterior probability that a record is in the data, after an ε-DP result.

    The bound is e^ε p / (e^ε p + 1 - p) for the prior probability p. It holds for every result of a pure ε-DP
    mechanism. With δ > 0 it holds for all results with a privacy loss L of at most ε.

    The other results have the probability P[L > ε]. This is not δ. For Gaussian noise calibrated exactly to δ = 1e-5
    it is 16 δ at ε = 1 and 111 δ at ε = 0.1 (see ``Guarantee.loss_tail``).

    Parameters
    ----------
    epsilon : float
        ε ≥ 0; for inf the bound is 1.
    prior : float
        Probability p, before the result is seen, that the record is in the data, in (0, 1).

    Returns
    -------
    float
        Bound on the probability after the result is seen, in [prior, 1].

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
