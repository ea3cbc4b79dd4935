"""The Exercises page: exercises with individual numbers, hints, and feedback on common mistakes."""

from pages.exercises import view
from ui.frame.page_spec import PageEntry
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageEntry(
    key="exercises",
    title=T("title"),
    group="Teach",
    question=T("question"),
    opening=T("opening"),
    looks={"steps": "exercise=proof-laplace", "curve": "exercise=averaging"},
)

if __name__ == "__main__":
    view.draw()
