"""Exercises with numbers of one's own, hints, and a name for each common mistake."""

from ui.frame.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="exercises",
    title="Exercises",
    group="Teach",
    question="Can you work it out yourself?",
    opening="Each exercise has numbers of your own and a figure to try things in. If your answer is wrong, you "
    "learn which mistake you made; if it is right, you get a receipt to hand in.",
    looks={"steps": "exercise=proof-laplace", "curve": "exercise=averaging"},
)
