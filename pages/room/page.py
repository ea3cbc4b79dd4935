"""The Classroom page: a private poll, predictions, bets and exercises on the phones of a class."""

from pages.room import view
from ui.frame.page_spec import PageEntry
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageEntry(
    key="room", title=T("title"), group="Teach", question=T("question"), opening=T("opening")
)

if __name__ == "__main__":
    view.draw()
