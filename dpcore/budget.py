"""Privacy budget for several fits, which refuses a fit if the total cost would exceed the budget.

Every fit of a private estimator states its cost (ε, δ). The costs of fits on the same records add up, and a
`BudgetAccountant` keeps the sum. The cost of a fit is computed from the estimator's parameters and the shape of the
records. A refusal therefore reveals nothing about the records except their shape.
"""

from __future__ import annotations

import math
import pickle
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self, get_args

import numpy as np
from sklearn.base import clone

from dpcore import _checks
from dpcore._copies import ACTIVE, BudgetError, CountsCopies, Origin, RepeatedFitsWarning
from dpcore.accounting import (
    Event,
    Pure,
    Repeated,
    group_privacy,
    spent,
)
from dpcore.accounting import Sequence as EventSequence
from dpcore.accounting.events import WithinEpsilon
from dpcore.guarantee import RECORD, Guarantee, Neighbouring, Part, Status

__all__ = ["BudgetAccountant", "BudgetError", "RepeatedFitsWarning", "charge"]

_ROUNDING = 1e-9  # relative tolerance of sums of floats
_RESERVE = 1e-6  # share of δ that is set aside for the ends of the noise generators
_ORDER: tuple[Status, ...] = ("proved", "proved_under_assumption", "nominal")
FIXED_BEFOREHAND = (
    "which fits are made, and with which settings, was fixed before any of their results was seen"
)


@dataclass(frozen=True)
class _Charge:
    """Release that is charged to a budget, with its name, its guarantee, and the result of `_seed_mark`."""

    name: str
    guarantee: Guarantee
    seed: object = None


class BudgetAccountant:
    """Privacy budget (ε, δ) for all private fits inside a ``with`` block.

    Every fit of an estimator of this package inside the block is charged to the budget. A fit is refused
    (`BudgetError`) if the total cost of all releases would exceed the budget. It is refused before any record is read
    or any noise is drawn.

    Two upper bounds on the total cost are computed, and the smaller one is used:

    - Composition of events: the privacy loss distributions of all releases are composed, like those of the steps of a
      single fit. The ε and δ of releases without an event are added. This bound assumes that the settings of a fit do
      not depend on earlier results.
    - Basic composition: the ε and the δ of all releases are added up. Settings may depend on earlier results (Rogers,
      Roth, Ullman and Vadhan 2016).

    Parameters
    ----------
    epsilon : float
        ε > 0 of all releases together. If it is inf, no ε is refused.
    delta : float
        δ in [0, 1) of all releases together. If it is 0, only pure ε-DP releases are accepted, by basic composition.
    neighbouring : "add_remove", "replace_one" or None
        Neighbouring relation of the total cost. None takes the relation of the first release. Under "replace_one",
        releases with the relation add_remove are accepted, and a replacement counts as two changes. Under
        "add_remove", releases with the relation replace_one are refused, because their guarantees say nothing about
        added or removed records.
    adaptive : bool
        Whether settings may depend on earlier results. If so, only basic composition is used.

    Attributes
    ----------
    spent, remaining : float
        ε spent so far at ``delta``, and the rest of ``epsilon``. A fit whose ε is larger than this rest may still be
        accepted, because composition of events may add less than the fit's ε to ``spent``.
    privacy : Guarantee
        Guarantee of all releases so far together.
    releases : tuple of Part
        Releases so far, in the order in which they began.
    is_open : bool
        Whether the block is being executed.

    Raises
    ------
    ValueError
        When a parameter is outside its range.

    See Also
    --------
    dpcore.guarantee.Guarantee.repeated, dpcore.accounting.spent

    Notes
    -----
    - **Nested blocks.** A fit is charged to the budgets of all enclosing blocks. It is refused if one of them does
      not suffice.
    - **Threads.** A new thread has no active budget (module ``contextvars``). In a new thread, only two kinds of
      estimators are charged: copies that ``sklearn.base.clone`` made inside the block, such as those of a
      ``GridSearchCV`` that uses threads, and estimators from `attach`. Several threads may enter the block of the
      same accountant.
    - **Processes.** Fits of a copy that was made inside the block and sent to another process are refused.
    - **Failed fits** are charged, because the error of a fit that has begun may depend on records and noise.
    - **Seeds.** A fit with the ``random_state`` of an earlier fit is refused, because both would have the same noise
      and together reveal exact results.
    - **Not charged** are other estimators, scores on records, outputs of `dpcore.mechanisms` and trainings by
      functions. The method `spend` charges any release.

    References
    ----------
    R. Rogers, A. Roth, J. Ullman and S. Vadhan, "Privacy odometers and filters: pay-as-you-go composition", NeurIPS,
    2016.
    A. Koskela, J. Jälkö and A. Honkela, "Computing tight differential privacy guarantees using FFT", AISTATS, 2020.

    Examples
    --------
    >>> import numpy as np
    >>> from dpcore.regression import SufficientStatisticsRegression
    >>> X = np.linspace(-1, 1, 2001)[:, None]
    >>> model = SufficientStatisticsRegression(epsilon=1.0, bounds=(-1, 1), target_bounds=(-1, 1))
    >>> with BudgetAccountant(epsilon=2.0, delta=1e-5) as account:
    ...     first, second = model.fit(X, X[:, 0]).privacy_.epsilon, model.fit(X, -X[:, 0]).privacy_.epsilon
    >>> first + second, round(account.spent, 2), len(account.releases)
    (2.0, 1.47, 2)
    """

    def __init__(
        self,
        epsilon: float,
        delta: float = 0.0,
        *,
        neighbouring: Neighbouring | None = None,
        adaptive: bool = False,
    ) -> None:
        self.epsilon = _checks.epsilon(epsilon)
        self.delta = _checks.number("delta", delta, low=0, high=1, open_high=True)
        if neighbouring is not None:
            _checks.one_of("neighbouring", neighbouring, get_args(Neighbouring))
        self.neighbouring, self.adaptive = neighbouring, bool(adaptive)
        self._charges: list[_Charge] = []
        self._n_open = 0
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        with self._lock:
            self._n_open += 1
        ACTIVE.set((*ACTIVE.get(), self))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stack = list(ACTIVE.get())
        if self in stack:  # the innermost of them: blocks may be left in another order
            del stack[len(stack) - 1 - stack[::-1].index(self)]
            ACTIVE.set(tuple(stack))
        with self._lock:
            self._n_open -= 1

    @property
    def is_open(self) -> bool:
        """Whether a ``with`` block of this budget is being executed."""
        return self._n_open > 0

    @property
    def spent(self) -> float:
        """Upper bound on the ε of all releases so far, at δ = ``delta``."""
        return self.privacy.epsilon

    @property
    def remaining(self) -> float:
        """Rest of the budget, ``epsilon`` - ``spent``, or 0 if this is negative."""
        used = self.spent
        return max(0.0, self.epsilon - used) if math.isfinite(used) else 0.0

    @property
    def releases(self) -> tuple[Part, ...]:
        """Releases so far, each with its name, ε, δ and mechanism."""
        with self._lock:
            return tuple(map(_part, self._charges))

    @property
    def privacy(self) -> Guarantee:
        """Guarantee for all releases so far, taken together."""
        with self._lock:
            return self._total(self._charges)

    def spend(self, guarantee: Guarantee, *, name: str = "release") -> None:
        """Charge a release that is not a fit, such as the output of a mechanism; call this before the release.

        Parameters
        ----------
        guarantee : Guarantee
            Guarantee of the release.
        name : str
            Name of the release.

        Raises
        ------
        BudgetError
            When the budget does not suffice. Nothing is charged then.

        Examples
        --------
        >>> from dpcore.mechanisms import Laplace
        >>> account, count = BudgetAccountant(epsilon=1.0), Laplace(epsilon=0.75)
        >>> account.spend(count.privacy, name="count")
        >>> account.remaining
        0.25
        """
        _reserve((self,), _Charge(name, guarantee))

    def attach(self, estimator: Any) -> Any:
        """Return a copy of a private estimator whose fits are charged to this budget in every thread.

        The fits are charged in all threads of this process, inside and outside of the ``with`` block. In another
        process they are refused.

        Parameters
        ----------
        estimator : estimator
            Private estimator of this package, or a scikit-learn pipeline or search that contains one.

        Returns
        -------
        estimator
            An unfitted copy.

        Raises
        ------
        ValueError
            When no part of the estimator is one of this package's private estimators.
        """
        copy = clone(estimator)
        parts = [copy, *copy.get_params(deep=True).values()]
        private = [one for one in parts if isinstance(one, CountsCopies)]
        if not private:
            raise ValueError(
                f"{type(estimator).__name__} has no private estimator of dpcore: nothing would be charged."
            )
        origin = Origin.attached_to(self)
        for one in private:
            one.__dict__["_origin"] = origin
        return copy

    def __repr__(self) -> str:
        return (
            f"<BudgetAccountant: ε = {self.spent:.4g} of {self.epsilon:g} spent at δ = {self.delta:g}, "
            f"{len(self._charges)} releases>"
        )

    def _admit(self, new: _Charge) -> None:
        """Raise a BudgetError if the budget does not suffice for a further release; the caller holds the lock."""
        if new.seed is not None and any(new.seed == one.seed for one in self._charges):
            raise BudgetError(
                f"{new.name} is refused: its random_state was used by an earlier fit of this budget. Two fits with "
                "the same noise reveal exact results. Use random_state=None."
            )
        total = self._total([*self._charges, new])
        if total.epsilon <= self.epsilon * (1 + _ROUNDING):
            return
        cost = f"ε = {new.guarantee.epsilon:.4g}, δ = {new.guarantee.delta:.4g}"
        sums = sum(one.guarantee.delta for one in [*self._charges, new])
        why = f"all releases together would cost ε = {total.epsilon:.4g} at δ = {self.delta:g}"
        if math.isinf(total.epsilon) and math.isfinite(new.guarantee.epsilon):
            why = (
                f"the δ of all releases, {sums:.4g}, would exceed δ = {self.delta:g} of the budget"
            )
        raise BudgetError(
            f"{new.name} ({cost}) is refused: {why}. The budget is ε = {self.epsilon:g}; spent: {self.spent:.4g}. "
            "No record was read and no noise drawn. Give a smaller epsilon or delta, or stop here."
        )

    def _total(self, charges: Sequence[_Charge]) -> Guarantee:
        """Return the guarantee of all given releases together; its ε is inf if no bound holds at δ = ``delta``."""
        if not charges:
            return Guarantee(
                epsilon=0.0, delta=0.0, neighbouring=self.neighbouring or "add_remove", status="proved",
                argument="Nothing was released.",
            )  # fmt: skip
        relation = self.neighbouring or charges[0].guarantee.neighbouring
        each = [_under(relation, one) for one in charges]
        epsilon, delta, argument = _basic(each, self.delta)
        is_composed = False
        if not self.adaptive or len(each) == 1:
            composed = _composed(each, self.delta)
            if composed < epsilon:
                epsilon, delta, argument = composed, self.delta, _COMPOSED
                is_composed = len(each) > 1
        words = f"{len(each)} releases: {argument}" if len(each) > 1 else each[0].argument
        total = _joined([one.guarantee for one in charges], each, relation)
        total = replace(
            total, epsilon=epsilon, delta=delta, argument=words, parts=tuple(map(_part, charges))
        )
        return total.assuming(FIXED_BEFOREHAND) if is_composed else total


_COMPOSED = "the privacy loss distributions of their events are composed."
_BASIC = "their ε and their δ are added up (basic composition)."


def _part(one: _Charge) -> Part:
    own = one.guarantee
    mechanism = "; ".join(part.mechanism for part in own.parts) or own.argument
    return Part(name=one.name, epsilon=own.epsilon, delta=own.delta, mechanism=mechanism)


def _under(relation: Neighbouring, one: _Charge) -> Guarantee:
    """Return the guarantee of a release, converted to a neighbouring relation.

    Raises
    ------
    BudgetError
        When ``relation`` is "add_remove" and the guarantee holds for replaced records.
    """
    own = one.guarantee
    if own.neighbouring == relation:
        return own
    if relation == "add_remove":
        raise BudgetError(
            f"{one.name} is refused: its guarantee is for one record replaced and says nothing about one added or "
            "removed, as this budget counts. Use BudgetAccountant(..., neighbouring='replace_one')."
        )
    if math.isinf(own.epsilon):
        return replace(own, neighbouring=relation)
    epsilon, delta = group_privacy(own.epsilon, own.delta, group=2)
    event = None if own.event is None else _replaced(own.event)
    return replace(
        own, neighbouring=relation, epsilon=epsilon, delta=delta, event=event, loss_tail=None
    )


def _replaced(event: Event) -> Event:
    """Return an event for one added or removed record, converted to one replaced record.

    A replacement counts as two changes. Accountants take this into account for mechanisms with additive noise. If an
    event only states an ε, this ε holds for one change, so it is doubled here.
    """
    if isinstance(event, WithinEpsilon):
        return Pure(2 * event.epsilon)
    if isinstance(event, Repeated):
        return Repeated(_replaced(event.event), event.count)
    if isinstance(event, EventSequence):
        return EventSequence(tuple(map(_replaced, event.events)))
    return event


def _basic(each: Sequence[Guarantee], delta: float) -> tuple[float, float, str]:
    """Return the sum of all ε, the sum of all δ, and the argument; ε is inf if the sum of all δ exceeds ``delta``."""
    total = math.fsum(one.delta for one in each)
    epsilon = (
        math.fsum(one.epsilon for one in each)
        if np.isfinite([one.epsilon for one in each]).all()
        else math.inf
    )
    if total > delta * (1 + _ROUNDING):
        return math.inf, min(1.0, total), _BASIC
    return epsilon, min(1.0, total), _BASIC


def _composed(each: Sequence[Guarantee], delta: float) -> float:
    """Return an upper bound on ε at δ; events are composed, and the ε and δ of releases without an event are added.

    Let M be the composition with the noise that the events describe, and M' the composition with the noise as it is
    drawn. For every data set, the total variation distance between M and M' is at most the sum g of the noise gaps.
    If M is (ε, δ')-DP, then M' is (ε, δ' + (1 + e^ε) g)-DP.
    """
    events = Counter(one.event for one in each if one.event is not None)
    others = [one for one in each if one.event is None]
    left = delta - math.fsum(one.delta for one in others)
    if not events or left <= 0:
        return math.inf
    gap = math.fsum(one.noise_gap for one in each if one.event is not None)
    event = EventSequence(tuple(Repeated(one, count) for one, count in events.items()))
    inside = left * (1 - _RESERVE) if gap else left
    epsilon = spent(event, inside, neighbouring=each[0].neighbouring)
    if gap and not (1 + math.exp(min(epsilon, 700.0))) * gap <= left - inside:
        return math.inf
    return epsilon + math.fsum(one.epsilon for one in others)


def _joined(
    own: Sequence[Guarantee], each: Sequence[Guarantee], relation: Neighbouring
) -> Guarantee:
    """Return a guarantee with the statements of all given guarantees; ε and δ are set by the caller.

    The event is the sequence of all events. It is None if one of the guarantees has no event.
    """
    events = [one.event for one in each]
    known = [one for one in events if one is not None]
    units = {one.unit for one in own}
    sizes = {one.n_records for one in own}
    return Guarantee(
        epsilon=math.inf, delta=0.0, neighbouring=relation,
        status=max((one.status for one in own), key=_ORDER.index), argument="",
        public=_union(one.public for one in own),
        not_protected=_union(one.not_protected for one in own),
        assumptions=_union(one.assumptions for one in own),
        event=EventSequence(tuple(known)) if len(known) == len(events) else None,
        unit=units.pop() if len(units) == 1 else RECORD,
        n_records=sizes.pop() if len(sizes) == 1 else None,
        noise_gap=min(1.0, math.fsum(one.noise_gap for one in own)),
    )  # fmt: skip


def _union(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sentence for group in groups for sentence in group))


@contextmanager
def _locked(accounts: Iterable[BudgetAccountant]) -> Iterator[None]:
    """Hold the locks of several budgets inside the ``with`` block.

    All threads acquire the locks in the same order, so that no two threads wait for each other.
    """
    with ExitStack() as stack:
        for one in sorted(set(accounts), key=id):
            stack.enter_context(one._lock)
        yield


def _reserve(accounts: tuple[BudgetAccountant, ...], new: _Charge) -> None:
    """Charge a release to all budgets, or to no budget if one of them does not suffice."""
    with _locked(accounts):
        for one in accounts:
            one._admit(new)
        for one in accounts:
            one._charges.append(new)


@contextmanager
def charge(
    accounts: tuple[BudgetAccountant, ...], model: Any, *, shape: tuple[int, int]
) -> Iterator[Callable[[Guarantee], None]]:
    """Charge a fit to budgets, before the ``with`` block performs the fit.

    Parameters
    ----------
    accounts : tuple of BudgetAccountant
        All budgets that the fit is charged to.
    model : estimator
        Estimator of this package. Its method ``_planned`` returns the guarantee of a fit in advance. If there is no
        such method, the fit is not private and costs ε = inf.
    shape : (int, int)
        Number n of records and number d of features.

    Yields
    ------
    callable
        Function that replaces the planned guarantee by the guarantee of the finished fit.

    Raises
    ------
    BudgetError
        When a budget does not suffice. The block is not executed, and nothing is charged.
    ValueError
        When a parameter of the model is outside its range. Nothing is charged.
    """
    name = f"{type(model).__name__} on {shape[1]} features"
    planned = _plan(model, shape)
    new = _Charge(name, planned, _seed_mark(model, planned))
    _reserve(accounts, new)

    def settle(guarantee: Guarantee) -> None:
        with _locked(accounts):
            for one in accounts:
                place = next(i for i, old in enumerate(one._charges) if old is new)
                one._charges[place] = replace(new, guarantee=guarantee)

    yield settle


def _plan(model: Any, shape: tuple[int, int]) -> Guarantee:
    if hasattr(model, "_planned"):
        return model._planned(*shape).with_seed(model.random_state)  # type: ignore[no-any-return]
    return Guarantee(
        epsilon=math.inf, delta=0.0, neighbouring="replace_one", status="nominal",
        argument="A fit without noise: nothing is promised.",
    )  # fmt: skip


def _seed_mark(model: Any, planned: Guarantee) -> object:
    """Return a value that is equal for two fits if they draw the same noise.

    The value is None if the noise is fresh, or if there is no noise.
    """
    state = getattr(model, "random_state", None)
    if state is None or math.isinf(planned.epsilon):
        return None
    if isinstance(state, np.random.Generator):
        return pickle.dumps(state.bit_generator.state)
    if hasattr(state, "get_state"):  # a RandomState, or the module numpy.random
        return pickle.dumps(state.get_state())
    return int(state)
