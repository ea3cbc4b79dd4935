"""The Teach page: a lecturer chooses figures and exercises, and gets a link, figures for slides, and a handout."""

from pages.teach import view
from ui.frame.page_spec import PageEntry
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageEntry(
    key="teach", title=T("title"), group="Teach", question=T("question"), opening=T("opening")
)

if __name__ == "__main__":
    view.draw()
