"""The first lesson: what differential privacy is, in six steps."""

from pages.lesson import view
from ui.frame.page_spec import PageEntry
from ui.live import Figure
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)


def _first() -> list[Figure]:
    from pages.lesson.figures import FIGURES

    return [figure() for figure in FIGURES.values()]


PAGE = PageEntry(
    key="lesson",
    title=T("title"),
    group="Start",
    question=T("question"),
    opening=T("opening"),
    looks={"answered": "coin=1&count=1&noise=0&again=2&learning=1&limits=0"},
    first=_first,
)

if __name__ == "__main__":
    view.draw(PAGE)
