"""The Formulas page: formulas that five documents print, whether they are correct, and which page shows them."""

from pages.formulas import view
from ui.frame.page_spec import PageEntry
from ui.words import text

__all__ = ["PAGE"]

T = text.load_text(__file__)

PAGE = PageEntry(
    key="formulas",
    title=T("title"),
    group="Teach",
    question=T("question"),
    opening=T("opening"),
    looks={"lecture": "document=3&verdict=wrong"},
)

if __name__ == "__main__":
    view.draw()
