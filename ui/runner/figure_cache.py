"""Cache, shared by all sessions, of figures with public data and completed computations.

The members of a class on one page move the same sliders, and a page opens in the same state for
everybody. Validation, arrays and digests of such a figure are computed only once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from ui.jobs.lru_cache import LRUCache
from ui.live.depth import Depth
from ui.live.figure import Figure
from ui.runner import PageState

__all__ = ["FIGURES", "FigureCache"]


@dataclass(frozen=True)
class _Same:
    """Cache key of a value that is compared by identity and kept alive by the key."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class FigureCache:
    """Cache of complete figures of public data, shared by all sessions.

    Parameters
    ----------
    max_bytes : int
        Largest number of bytes of the figures' arrays and of the results that the figures show.
    """

    def __init__(self, max_bytes: int) -> None:
        self._cache = LRUCache(max_bytes)

    def of(
        self,
        page: object,
        state: PageState[Any],
        depth: Depth,
        make: Callable[[], Figure],
        *,
        besides: Callable[[], Hashable] = tuple,
    ) -> Figure:
        """Return the figure of a page's results (``state``) at a level of detail.

        Unless it is cached, ``make`` computes it.

        ``besides()`` returns further values that the figure depends on. Figures of some states are not cached:

        - those of a user's own data, which must not outlive the session;
        - those with unfinished results, or of a moving slider, since these rarely recur.
        """
        look = state.look
        if look is None or look.dragging or state.busy:
            return make()
        if look.is_personal(state.params) or look.is_personal(state.requested_params):
            return make()
        key = besides(), *self._key(page, state, depth)
        results = list(state.results.values())
        cached_figure: Figure = self._cache.get(
            key, make, large=lambda figure: [figure.arrays, results]
        )
        return cached_figure

    @property
    def nbytes(self) -> int:
        """Number of bytes of all cached figures."""
        return self._cache.nbytes

    def clear(self) -> None:
        """Remove all cached figures."""
        self._cache.clear()

    @staticmethod
    def _key(page: object, state: PageState[Any], depth: Depth) -> tuple[Hashable, ...]:
        results = tuple((name, _Same(value)) for name, value in sorted(state.results.items()))
        said = state.params, state.requested_params, state.error, state.said
        return _Same(page), depth, said, _Same(state.problem), results


FIGURES = FigureCache(48 * 2**20)
