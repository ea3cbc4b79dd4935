"""Teach: a lecturer chooses figures and exercises, and takes a link, a slide, a handout along."""

from ui.frame.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="teach",
    title="Teach",
    group="Teach",
    question="Which figures does my class need, and in which state?",
    opening="Choose figures and exercises, and fix what nobody should move. You get one link for everybody, figures "
    "for your slides, and an interactive handout that needs no server. No password is needed.",
)
