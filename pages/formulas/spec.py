"""Formulas: what five documents print, whether it is right, and where it is seen."""

from ui.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="formulas",
    title="Formulas",
    group="Teach",
    question="Which printed formulas are right?",
    opening="Five documents about private learning print 88 formulas and claims. Here each stands beside what is "
    "right, with a number that you can move.",
    looks={"lecture": "document=3&verdict=wrong"},
)
