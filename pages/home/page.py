"""Home: what does privacy cost, and what does it buy?"""

from pages.home import view
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

if __name__ == "__main__":
    view.draw(PAGE)
