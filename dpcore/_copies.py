"""Count of the fits of an estimator's copies, and the budgets that these fits are charged to.

Grid searches and cross-validations copy an estimator by `sklearn.base.clone` and fit each copy. No copy knows of the
others, and some are fitted in other threads or processes. An `Origin` is therefore shared by an estimator and
all its copies.
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
"""Budgets of the ``with`` blocks around the running code, from the outermost to the innermost."""


class BudgetError(ValueError):
    """Error: a release was refused by a privacy budget; nothing was drawn, and nothing is charged."""


class RepeatedFitsWarning(UserWarning):
    """Warning: copies of one private estimator were fitted more than once, and each fit costs its own ε."""


class Origin:
    """What an estimator and all its copies share: number of copies, fits so far, and budgets.

    Copies that travel to another process cannot be charged to a budget of this process. There, their origin is
    ``foreign``, and a fit is refused.
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
        """Return an origin whose copies are charged to an account in every thread, until it is dropped."""
        origin = cls()
        origin._attached = (account,)
        return origin

    def note_copy(self) -> None:
        """Count a copy, and remember the budgets that are active where it is made."""
        with self._lock:
            self.n_copies += 1
            active = ACTIVE.get()
            if active and active not in self._seen:
                self._seen.append(active)

    def budgets(self) -> tuple[BudgetAccountant, ...]:
        """Return the budgets for a fit in a thread without an active budget.

        Raises
        ------
        BudgetError
            When the copy was sent to another process, or copies were made under several budgets that are still open.
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
        """Count a private fit that no budget counts; return a sentence for its guarantee, or None for the only copy.

        With the second fit a `RepeatedFitsWarning` is issued, once for all copies.
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
    """Mixin for estimators that share an `Origin` with their copies. It must precede BaseEstimator."""

    def __sklearn_clone__(self) -> Any:
        copy = super().__sklearn_clone__()  # type: ignore[misc]
        origin = self.__dict__.setdefault("_origin", Origin())
        origin.note_copy()
        copy._origin = origin
        return copy


def budgets_of(model: Any) -> tuple[BudgetAccountant, ...]:
    """Return the budgets that a fit of ``model`` is charged to, without duplicates.

    These are the budget that the model is attached to, and those active in this thread. In a thread without any, they
    are those under which the copy was made.
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
