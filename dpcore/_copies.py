"""Number of fits of all copies of an estimator, and the privacy budgets that these fits are charged to.

Grid searches and cross-validations copy an estimator by `sklearn.base.clone` and fit each copy. A copy does not know
the other copies, and some copies are fitted in other threads or processes. An estimator and all its copies therefore
share one `Origin` object.
"""

from __future__ import annotations

import math
import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self

from dpcore._warnings import warn

if TYPE_CHECKING:
    from dpcore.budget import BudgetAccountant
    from dpcore.guarantee import Guarantee

__all__ = ["ACTIVE", "BudgetError", "CountsCopies", "Origin", "RepeatedFitsWarning", "budgets_of"]

ACTIVE: ContextVar[tuple[BudgetAccountant, ...]] = ContextVar("active budgets", default=())
"""Budgets of the ``with`` blocks that enclose the running code, from the outermost to the innermost."""


class BudgetError(ValueError):
    """Error: a privacy budget refused a release; no noise was drawn, and nothing is charged."""


class RepeatedFitsWarning(UserWarning):
    """Warning: copies of one private estimator were fitted more than once, and every fit costs a further ε."""


class Origin:
    """Object shared by an estimator and all its copies; it counts copies and fits, and knows their budgets.

    Copies that are sent to another process cannot be charged to a budget of this process. The origin of such copies
    is ``foreign``, and their fits are refused.
    """

    def __init__(self, *, n_copies: int = 0, foreign: bool = False) -> None:
        self.n_copies, self.foreign = n_copies, foreign
        self._attached: tuple[BudgetAccountant, ...] = ()
        self._seen: list[tuple[BudgetAccountant, ...]] = []
        self._costs: list[tuple[float, float]] = []
        self._has_warned = False
        self._lock = threading.Lock()

    @classmethod
    def attached_to(cls, account: BudgetAccountant) -> Self:
        """Return an origin whose copies are charged to the budget ``account`` in every thread."""
        origin = cls()
        origin._attached = (account,)
        return origin

    def note_copy(self) -> None:
        """Count a copy, and store the budgets that are active at the moment of copying."""
        with self._lock:
            self.n_copies += 1
            active = ACTIVE.get()
            if active and active not in self._seen:
                self._seen.append(active)

    def budgets(self) -> tuple[BudgetAccountant, ...]:
        """Return the budgets that a fit in a thread without an active budget is charged to.

        Raises
        ------
        BudgetError
            When the copy was sent to another process, so that it cannot be charged, or when copies were made under
            different budgets that are still open.
        """
        if self.foreign:
            raise BudgetError(
                "This copy was made under a privacy budget in another process, where the fit cannot be counted. "
                "Nothing was fitted. Use n_jobs=1, or threads: joblib.parallel_config(backend='threading')."
            )
        with self._lock:
            self._seen = [stack for stack in self._seen if all(one.is_open for one in stack)]
            stacks = [self._attached] if self._attached else self._seen
            if len(stacks) > 1:
                raise BudgetError(
                    "Copies of this estimator were made under several privacy budgets at once, and it cannot be told "
                    "which one this fit belongs to. Make an own copy under each: account.attach(estimator)."
                )
            return stacks[0] if stacks else ()

    def note_fit(self, guarantee: Guarantee, *, stacklevel: int) -> str | None:
        """Count a private fit that is not charged to a budget.

        Returns a sentence about the other copies for the fit's guarantee, or None if there are fewer than two copies.
        The second fit issues a `RepeatedFitsWarning`, once for all copies together.
        """
        with self._lock:
            self._costs.append((guarantee.epsilon, guarantee.delta))
            n_fits = len(self._costs)
            is_repeated = n_fits > 1 or (self.n_copies > 1 and self._has_travelled)
            is_first = is_repeated and not self._has_warned
            self._has_warned |= is_repeated
            sums = [sum(column) for column in zip(*self._costs, strict=True)]
        if is_first:
            warn(_warning(n_fits, *sums), RepeatedFitsWarning, stacklevel=stacklevel + 1)
        if self.n_copies < 2:
            return None
        return (
            f"fits of the {self.n_copies} copies of this estimator, as made by a grid search or a cross-validation, "
            "and a choice among them: each fit costs its own ε"
        )

    _has_travelled = False

    def __reduce__(self) -> tuple[Any, ...]:
        is_charged = bool(self._attached) or any(
            all(one.is_open for one in stack) for stack in self._seen
        )
        return _travelled, (self.n_copies, self.foreign or is_charged)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def _travelled(n_copies: int, foreign: bool) -> Origin:
    origin = Origin(n_copies=n_copies, foreign=foreign)
    origin._has_travelled = True
    return origin


def _warning(n_fits: int, epsilon: float, delta: float) -> str:
    count = f"{n_fits} fits" if n_fits > 1 else "The fits"
    cost = f": the {n_fits} fits together up to ε = {epsilon:.4g}, δ = {delta:.4g}" * (n_fits > 1)
    return (
        f"{count} of copies of one private estimator, as in a grid search or a cross-validation. If their records "
        f"overlap and more than one result is shown, each fit costs its own ε{cost}. Scores and the best setting are "
        "results, and privacy_ states the cost of one fit only. Choose settings on public data, or count all fits "
        "with dpcore.BudgetAccountant."
    )


class CountsCopies:
    """Mixin for estimators that share an `Origin` with their copies.

    The mixin must precede BaseEstimator in the list of base classes.
    """

    def __sklearn_clone__(self) -> Any:
        copy = super().__sklearn_clone__()  # type: ignore[misc]
        origin = self.__dict__.setdefault("_origin", Origin())
        origin.note_copy()
        copy._origin = origin
        return copy


def budgets_of(model: Any) -> tuple[BudgetAccountant, ...]:
    """Return the budgets that a fit of ``model`` is charged to, without duplicates.

    These are the budgets that are active in this thread, and the budget that the model is attached to. If no budget
    is active in this thread, a model that is not attached is charged to the budgets under which it was copied.
    """
    origin: Origin | None = getattr(model, "_origin", None)
    active = ACTIVE.get()
    if origin is None:
        return tuple(dict.fromkeys(active))
    if active and not origin.foreign:
        return tuple(dict.fromkeys((*active, *origin._attached)))
    return origin.budgets()


def is_private(guarantee: Guarantee) -> bool:
    """Return whether a guarantee has a finite ε."""
    return math.isfinite(guarantee.epsilon)
