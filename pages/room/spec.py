"""Classroom: a private poll, predictions, bets and exercises on the phones of a class."""

from ui.frame.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="room",
    title="Classroom",
    group="Teach",
    question="What does a class think, when each answer may be a coin's?",
    opening="Students join on their phones with a code, without an account. Each phone tosses a coin before it "
    "answers, so a single answer proves little about its student. Drag ε: how much noise can your class afford?",
)
