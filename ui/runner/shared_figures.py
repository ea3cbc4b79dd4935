"""Figures made once for all readers who see the same.

A class on one page moves the same handles, and a page opens with the same values for everybody: the same
results in the same words make the same figure. Its checks, its arrays and their digests are then made once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from ui.frame.depth import Depth
from ui.jobs.lru_cache import Bounded
from ui.live.figure import Figure
from ui.runner import PageState

__all__ = ["MADE", "MadeFigures"]


@dataclass(frozen=True)
class _Same:
    """A value that equals itself alone; it lives as long as the key, so that no other takes its identity."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class MadeFigures:
    """The figures of settled states of public data, the latest ones, for every session of the process.

    Parameters
    ----------
    max_bytes : int
        Of their arrays and of the results that they show, which live as long.
    """

    def __init__(self, max_bytes: int) -> None:
        self._kept = Bounded(max_bytes)

    def of(
        self,
        page: object,
        state: PageState[Any],
        depth: Depth,
        make: Callable[[], Figure],
        *,
        besides: Callable[[], Hashable] = tuple,
    ) -> Figure:
        """Return the figure of a state at a depth, made by ``make`` where nobody has seen the same.

        ``besides()`` is what else it depends on. A state of a person's own data, one that is still computed and one
        of a handle that moves are made anew: the first must not outlive its session, the others are seldom met again.
        """
        look = state.look
        if look is None or look.dragging or state.busy:
            return make()
        if look.is_personal(state.params) or look.is_personal(state.asked):
            return make()
        key = besides(), *self._key(page, state, depth)
        results = list(state.results.values())
        found: Figure = self._kept.get(key, make, large=lambda figure: [figure.arrays, results])
        return found

    @property
    def nbytes(self) -> int:
        """How much is held, in bytes."""
        return self._kept.nbytes

    def clear(self) -> None:
        """Forget everything."""
        self._kept.clear()

    @staticmethod
    def _key(page: object, state: PageState[Any], depth: Depth) -> tuple[Hashable, ...]:
        results = tuple((name, _Same(value)) for name, value in sorted(state.results.items()))
        said = state.params, state.asked, state.error, state.said
        return _Same(page), depth, said, _Same(state.problem), results


MADE = MadeFigures(48 * 2**20)
