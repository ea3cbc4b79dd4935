"""Home: what does privacy cost, and what does it buy?"""

from ui.frame.page_spec import PageEntry
from ui.live import Figure

__all__ = ["PAGE"]


def _first() -> list[Figure]:
    from pages.home import cards  # which knows all pages

    return cards.first()


PAGE = PageEntry(
    key="home",
    title="Home",
    group="Start",
    question="What can be learned from people without giving one of them away?",
    first=_first,
)
