"""Home: what does privacy cost, and what does it buy?"""

from ui.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="home",
    title="Home",
    group="Start",
    question="What does privacy cost, and what does it buy?",
)
