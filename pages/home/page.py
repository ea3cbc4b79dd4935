"""The Home page: what privacy costs and what it achieves."""

from pages.home import view
from ui.frame.page_spec import PageEntry
from ui.live import Figure
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)


def _first() -> list[Figure]:
    from pages.home import cards  # which knows all pages

    return cards.first()


PAGE = PageEntry(
    key="home",
    title=T("title"),
    group="Start",
    question=T("question"),
    first=_first,
)

if __name__ == "__main__":
    view.draw(PAGE)
