"""Privacy guarantees, which state ε, δ, a neighbouring relation, an argument and assumptions."""

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
"""Largest δ at which a guarantee may count as protection; the number of records may require a smaller δ."""
_ROUNDING = 1e-6  # relative tolerance of calibrated noise
SECRET_SEED = "the seed of the noise stays secret and serves one release"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Single release that is part of a guarantee, with its name, ε, δ and mechanism."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Lower bound, proved by an attack, on the ε of a mechanism at the δ of the attacked claim.

    Parameters
    ----------
    epsilon_lower : float
        Lower bound ≥ 0. It is inf if a result was observed that is impossible on a neighbouring data set.
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

    The guarantee states that P[M(D) ∈ S] ≤ e^ε P[M(D') ∈ S] + δ for all neighbouring data sets D and D' and all sets
    S of results of the mechanism M.

    Parameters
    ----------
    epsilon, delta : float
        ε ≥ 0 (inf: no guarantee) and δ in [0, 1] of the whole release.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the data sets. One record is added or removed, or one record is replaced.
    status : "proved", "proved_under_assumption" or "nominal"
        Strength of the argument. "proved" requires noise that nobody can reproduce. "proved_under_assumption" means
        that the bound is proved if all ``assumptions`` hold. "nominal" means that ε is a number without a proof, and
        no guarantee.
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
        privacy loss; of the two orders of the data sets, the one with the larger probability is taken. P[L > ε] may
        be many times larger than δ, because δ bounds E[max(0, 1 - e^(ε - L))]. None means that it was not computed.
    n_records : int or None
        Number n of records, if it is known. If δ ≥ 1/n, a mechanism may publish whole records, so the guarantee does
        not count as protection.
    event : dpcore.accounting.Event or None
        Privacy event of the release, with the noise scale used by the sampler. ``epsilon`` is computed from the
        event, see `from_event`. If the event is None, repetitions are composed from ``epsilon`` and ``delta`` only.
    unit : Unit
        Privacy unit, which says what one record is and how many records a person may have.
    noise_gap : float
        Total variation distance in [0, 1] between the noise that ``event`` describes and the noise that is drawn.
        Usually it is the probability mass beyond the largest number of a generator. Its cost is included in
        ``delta``. For several releases these distances are added up, see `dpcore.budget.BudgetAccountant`.
    evidence : Evidence or None
        Lower bound on ε that an attack has proved, see `against`.

    See Also
    --------
    from_event, dpcore.units.Unit, dpcore.accounting.account, dpcore.budget.BudgetAccountant

    Notes
    -----
    ``str`` returns the statements, one on each line. ``repr`` returns the call that constructs an equal guarantee.
    Notebooks show a table.
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
        """Strength of the protection ("strong", "moderate", "weak" or "none"), see the function `protection`.

        It depends on ε, but it is always "none" in three cases:

        - The status is "nominal", because a number without a proof protects nobody.
        - An attack has refuted ε.
        - δ is above ``LARGE_DELTA``, or it is at least 1/n and the number n of records is known.
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
        """Return the guarantee with the evidence of an attack on the mechanism; None removes earlier evidence.

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
        repeated. If no assumption is new, the guarantee is returned unchanged.

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
        """Return the guarantee for noise that is drawn from ``random_state``.

        If ``random_state`` is None (fresh system entropy) or ε is infinite, the guarantee is unchanged. For a seed or
        a generator, the guarantee assumes that it stays secret and that it is used for only one release, because two
        releases with the same noise reveal the exact results.
        """
        if _random_state.is_secret(random_state) or math.isinf(self.epsilon):
            return self
        return self.assuming(SECRET_SEED)

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior probability that a record is in the data, for a prior probability.

        See `odds_bound`.
        """
        return odds_bound(self.epsilon, prior)

    def accuracy_bound(self) -> float:
        """Return an upper bound on the accuracy of an attack that guesses from one result which data set was used.

        There are two neighbouring data sets, each with prior probability ½. The bound is ½ + ½ TV with TV = (e^ε - 1
        + 2δ)/(e^ε + 1). Under (ε, δ)-DP the total variation distance between the results on neighbours is at most TV.

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

        L is the privacy loss. If the attribute ``loss_tail`` is not None, it is returned. Otherwise the function
        `dpcore.accounting.loss_tail` computes the probability from the event. If there is no event either, the result
        is None.
        """
        if self.loss_tail is not None or self.event is None:
            return self.loss_tail
        from dpcore.accounting import loss_tail

        return loss_tail(self.event, self.epsilon, neighbouring=self.neighbouring)

    def repeated(self, n_releases: int, *, delta: float | None = None) -> Guarantee:
        """Return the guarantee of n such releases together, by composition.

        Without an event, the result is (nε, nδ) by basic composition.

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
            When ``n_releases`` is negative, or when there is no event and ``delta`` is below nδ.

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
        """Return a copy of this guarantee for every ε in a table.

        Parameters
        ----------
        epsilons : iterable of float
            ε of each entry, a proven upper bound.
        deltas : iterable of float or None
            One δ for each ε; by default the δ of this guarantee.

        Returns
        -------
        list of Guarantee
            One guarantee for each entry. The event, parts, claimed ε and loss tail of this guarantee are left out,
            because they do not hold for another ε.
        """
        base = replace(self, event=None, parts=(), claimed_epsilon=None, loss_tail=None)
        costs = [float(epsilon) for epsilon in epsilons]
        slack = [self.delta] * len(costs) if deltas is None else [float(one) for one in deltas]
        pairs = zip(costs, slack, strict=True)
        return [replace(base, epsilon=epsilon, delta=delta) for epsilon, delta in pairs]

    def best_attack(self) -> float | None:
        """Return the accuracy of the best known attack that guesses from one result which data set was used.

        There are two neighbouring data sets, each with prior probability ½. The accuracy is ½ + ½ TV, where TV is the
        total variation distance between the results on the worst pair of neighbours. The function returns None if
        there is no event, if no attack on the event is known, or if the status is "nominal".

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
            If there is an event, the guarantee has the same δ and the ε from
            `dpcore.accounting.groups.group_epsilon`. Otherwise it has kε and δ(e^{kε} - 1)/(e^ε - 1).

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
    """Return the guarantee of a noisy release; its ε at δ is computed from the privacy event of the release.

    Parameters
    ----------
    event : dpcore.accounting.Event
        Event of the release, with the noise scales used by the sampler.
    delta : float
        δ in [0, 1). For δ = 0, ε is the largest possible privacy loss, which is infinite for Gaussian noise.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    argument, status, public, not_protected, parts, claimed_epsilon, assumptions, n_records
        Attributes of the guarantee, see `Guarantee`.
    unit : Unit or None
        Privacy unit, see `Guarantee`; by default a record.
    calibrated_epsilon : float or None
        The ε to which the noise was calibrated. It replaces the computed ε, unless the computed ε exceeds it by a
        relative error of more than 10⁻⁶.
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

    Protection is "strong" for ε ≤ 1, "moderate" for 1 < ε < 5, "weak" for 5 ≤ ε ≤ 10 and "none" for ε > 10. There is
    no agreed scale. Ponomareva et al. (2023) call ε ≤ 1 strong and ε up to about 10 reasonable. Google applied these
    tiers to its keyboard models in 2024, and the TensorFlow Privacy guide has the same limits. NIST calls 0 < ε < 5
    conservative. An attacker's prior probability of 1 % becomes at most 2.7 % at ε = 1, 60 % at ε = 5, and 99.6 % at
    ε = 10. All these scales assume a small δ, below 1/n for n records.

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
    """Return the largest posterior probability that a record is in the data, after an ε-DP result was seen.

    The bound is e^ε p / (e^ε p + 1 - p) for the prior probability p. It holds for every result of a pure ε-DP
    mechanism. With δ > 0 it holds for all results with a privacy loss L of at most ε.

    All other results together have the probability P[L > ε], which is not equal to δ. For Gaussian noise calibrated
    exactly to δ = 1e-5, this probability is 16 δ at ε = 1 and 111 δ at ε = 0.1 (see ``Guarantee.loss_tail``).

    Parameters
    ----------
    epsilon : float
        ε ≥ 0; for inf the bound is 1.
    prior : float
        Probability p in (0, 1) that the record is in the data, before the result is seen.

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
