"""Privacy guarantees: ε and δ, the neighbouring relation, the argument, and the conditions under which they hold."""

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
    """One release inside a guarantee: its name, its ε and δ, and its mechanism."""

    name: str
    epsilon: float
    delta: float
    mechanism: str


@dataclass(frozen=True, kw_only=True)
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
        "proved" requires noise that nobody can reproduce. "proved_under_assumption" holds as long as
        all of ``assumptions`` hold. "nominal" is a number without a proof, and not a guarantee.
    argument : str
        The argument for the bound, in one sentence.
    public : tuple of str
        Facts that are assumed to be publicly known and are not protected.
    not_protected : tuple of str
        Facts and releases that this guarantee does not cover.
    parts : tuple of Part
        The single releases of which the whole release consists.
    claimed_epsilon : float or None
        ε as claimed by the published method, if it may differ from ``epsilon``.
    assumptions : tuple of str
        Further conditions under which the bound holds.
    loss_tail : float or None
        P[L > ε] of the privacy loss L, the probability that a result changes the odds of two
        neighbouring data sets by more than e^ε (the larger one of both orders). It may be many times
        larger than δ, which bounds E[max(0, 1 - e^(ε - L))]. None: not computed.
    n_records : int or None
        Number n of records, if it is known, to judge ``delta``: with δ ≥ 1/n a mechanism may publish
        whole records.
    event : dpcore.accounting.Event or None
        Event of the release, with the noise scale used by the sampler; ``epsilon`` is computed from it, see
        `from_event`. None if it is unknown; repetitions are then composed from ``epsilon`` and ``delta`` alone.
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
        """Strength of the protection by the size of ε: "strong", "moderate", "weak" or "none", see `protection`.

        The protection is also "none" if the status is nominal, since a number without a proof protects nobody, or if
        δ is too large: above ``LARGE_DELTA``, or at least one over the number of records, if that is known.
        """
        known = self.n_records is not None and self.delta * self.n_records >= 1
        large = known or self.delta > LARGE_DELTA
        return "none" if self.status == "nominal" or large else protection(self.epsilon)

    def assuming(self, *sentences: str) -> Guarantee:
        """Return the guarantee with further assumptions; the status "proved" becomes "proved_under_assumption".

        Assumptions that it already has are not repeated; without new ones nothing changes.

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
        """Return the guarantee with the status "nominal" after facts assumed to be public were read from the data.

        ε does not cover reading these facts. Without any fact the guarantee is unchanged.

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
        """Return the guarantee for noise that comes from the given random state.

        For None (fresh system entropy) it is unchanged. A seed or a generator may become known, or may be used for
        two releases, whose common noise reveals the exact results; the guarantee then assumes that neither happens.
        """
        if _random_state.is_secret(random_state) or math.isinf(self.epsilon):
            return self
        return self.assuming(SECRET_SEED)

    def odds(self, prior: float = 0.5) -> float:
        """Return the largest posterior probability that a record is in the data, from its prior probability.

        See `odds_bound`.
        """
        return odds_bound(self.epsilon, prior)

    def accuracy_bound(self) -> float:
        """Return the largest accuracy of a test of one result, at an even prior.

        The accuracy is ½ + ½ TV, where ε and δ bound the total variation distance of the results of neighbours by
        TV = (e^ε - 1 + 2δ)/(e^ε + 1). No test of one result tells the neighbours apart more often.

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
        """Return P[L > ε] of the privacy loss L, the probability that a result changes the odds by more than e^ε.

        The result is the attribute ``loss_tail`` if that is given, else it is computed from the event by
        `dpcore.accounting.loss_tail`. None without an event.
        """
        if self.loss_tail is not None or self.event is None:
            return self.loss_tail
        from dpcore.accounting import loss_tail

        return loss_tail(self.event, self.epsilon, neighbouring=self.neighbouring)

    def repeated(self, n_releases: int, *, delta: float | None = None) -> Guarantee:
        """Return the guarantee of n releases of this kind together, by composition.

        Without an event basic composition is used: (nε, nδ).

        Parameters
        ----------
        n_releases : int
            Number n ≥ 0 of releases on the same data, each with fresh noise.
        delta : float or None
            δ of all releases together; by default that of one release, or nδ without an event.

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
        """Return a guarantee of the same kind of release for each ε in a table.

        Parameters
        ----------
        epsilons : iterable of float
            Proven upper bounds on the ε of each entry.
        deltas : iterable of float or None
            One δ for each ε; by default the δ of this guarantee.

        Returns
        -------
        list of Guarantee
            One guarantee per entry, without event, parts, claimed ε and loss tail, which are known for a single
            entry only.
        """
        base = replace(self, event=None, parts=(), claimed_epsilon=None, loss_tail=None)
        costs = [float(epsilon) for epsilon in epsilons]
        slack = [self.delta] * len(costs) if deltas is None else [float(one) for one in deltas]
        pairs = zip(costs, slack, strict=True)
        return [replace(base, epsilon=epsilon, delta=delta) for epsilon, delta in pairs]

    def best_attack(self) -> float | None:
        """Return the accuracy of the best known attack that guesses which of two neighbouring data sets was used.

        Both data sets have the prior probability ½. The accuracy is ½ + ½ TV, with TV the total variation distance of
        the results on the worst neighbours. None if no event or no attack on the event is known, or if the status is
        nominal.

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
    asked: float | None = None,
    at_most: float | None = None,
) -> Guarantee:
    """Return the guarantee of a noisy release, whose ε at δ is computed from its event.

    Parameters
    ----------
    event : dpcore.accounting.Event
        Event of the release, with the noise scales used by the sampler.
    delta : float
        δ in [0, 1); with 0 the ε is the largest privacy loss, inf for Gaussian noise.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the compared data sets.
    argument, status, public, not_protected, parts, claimed_epsilon, assumptions, n_records
        Attributes of the guarantee, see `Guarantee`.
    unit : Unit or None
        Privacy unit, see `Guarantee`; by default a record.
    asked : float or None
        The ε to which the noise was calibrated. It becomes ``epsilon`` if the computed ε exceeds it by no
        more than a millionth.
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
    if asked is not None and epsilon <= asked * (1 + _ROUNDING):
        epsilon = float(asked)
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=neighbouring, status=status, argument=argument,
        public=public, not_protected=not_protected, parts=parts, claimed_epsilon=claimed_epsilon,
        assumptions=assumptions, n_records=n_records, event=event, unit=unit or RECORD,
    )  # fmt: skip


def _account(event: Event, delta: float, neighbouring: Neighbouring) -> float:
    """Return the ε of an event at δ; for δ = 0, the largest possible privacy loss of the event."""
    from dpcore.accounting import closed_form, spent

    if delta == 0:
        return closed_form.pure(event, neighbouring=neighbouring)
    return spent(event, delta, neighbouring=neighbouring)


def protection(epsilon: float) -> Protection:
    """Return the strength of protection for ε: "strong" up to 1, "moderate" below 5, "weak" up to 10, else "none".

    There is no agreed scale. Ponomareva et al. (2023) call ε ≤ 1 strong and ε up to about 10 reasonable; Google
    applied these tiers to its keyboard models in 2024, and the TensorFlow Privacy guide has the same limits. NIST
    calls 0 < ε < 5 conservative. An attacker's prior probability of 1 % becomes at most 2.7 % at ε = 1, 60 % at
    ε = 5, and 99.6 % at ε = 10. All these scales assume a small δ, below one over the number of records.

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

    The bound is e^ε p / (e^ε p + 1 - p) for the prior probability p, and holds for every result of a pure ε-DP
    mechanism. With δ > 0 it holds for all results whose privacy loss L is at most ε. The other results have the
    probability P[L > ε], which is not δ: for Gaussian noise calibrated exactly to δ = 1e-5 it is 16 δ at ε = 1 and
    111 δ at ε = 0.1 (see ``Guarantee.loss_tail``).

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
