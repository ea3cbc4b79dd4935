"""The first lesson: what differential privacy is, in six steps."""

from pages.lesson import view
from ui.frame.page_spec import PageEntry
from ui.live import Figure

__all__ = ["PAGE"]


def _first() -> list[Figure]:
    from pages.lesson.figures import FIGURES

    return [made() for made in FIGURES.values()]


PAGE = PageEntry(
    key="lesson",
    title="First lesson",
    group="Start",
    question="How can we learn about everybody, and little about Ada?",
    opening="Six small experiments, ten minutes, no mathematics: move one thing, answer one question, and see why.",
    looks={"answered": "coin=1&count=1&noise=0&again=2&learning=1&limits=0"},
    first=_first,
)

if __name__ == "__main__":
    view.draw(PAGE)
