"""Formulas: what five documents print, whether it is right, and where it is seen."""

from ui.frame.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="formulas",
    title="Formulas",
    group="Teach",
    question="Which printed formulas are right?",
    opening="Formulas and claims of five documents about private learning, each in the words of its authors, beside "
    "what is right, with the computation that decides and a number that you can move.",
    looks={"lecture": "document=3&verdict=wrong"},
)
