"""Home: what does privacy cost, and what does it buy?"""

from ui.page_spec import PageEntry

__all__ = ["PAGE"]

PAGE = PageEntry(
    key="home",
    title="Home",
    group="Start",
    question="What can be learned from people without giving one of them away?",
)
