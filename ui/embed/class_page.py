"""``/handout/LESSON``: what a class opens from one link: the lesson's figures and exercises, without solutions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import urlencode

from ui.embed import markup
from ui.embed.plan import Lesson, Shown
from ui.page_spec import PageSpec

__all__ = ["class_page", "snippet"]

_LOOKS = """
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
iframe { width: 100%; height: 44rem; border: 1px solid var(--dp-line); border-radius: .5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin: 1.8rem 0 .3rem; }
@media (max-width: 760px) { iframe { height: 60rem; } }
"""


def class_page(
    lesson: Lesson, specs: Mapping[str, PageSpec[Any]], titles: Mapping[str, str], base: str
) -> str:
    """Return the page of a lesson; ``titles`` are those of the exercises, by key."""
    parts = "".join(_part(part, specs[part.page], specs, base) for part in lesson.parts)
    tasks = "".join(
        f'<li><a href="{escape(base)}/exercises?{urlencode({"exercise": key})}">{escape(titles[key])}</a></li>'
        for key in lesson.exercises
    )
    listed = f"<h2>Exercises, with numbers of your own</h2><ul>{tasks}</ul>" if tasks else ""
    body = f"<main><h1>{escape(lesson.title)}</h1>{parts}{listed}</main>"
    return markup.whole(lesson.title, "auto", f"<style>{_LOOKS}</style>", body)


def _part(part: Shown, spec: PageSpec[Any], specs: Mapping[str, PageSpec[Any]], base: str) -> str:
    words = f"<p>{escape(part.text)}</p>" if part.text else ""
    return (
        f"<section><h2>{escape(spec.question)}</h2>{words}"
        f'<iframe loading="lazy" title="{escape(spec.title)}" src="{escape(_address(part, specs, base))}">'
        "</iframe></section>"
    )


def snippet(part: Shown, specs: Mapping[str, PageSpec[Any]], base: str, *, slide: bool) -> str:
    """Return the HTML that shows a figure on a course page, or on a slide of reveal.js."""
    src = "data-src" if slide else "src"
    size = 'width="1200" height="680"' if slide else 'width="100%" height="720" loading="lazy"'
    title = escape(specs[part.page].title)
    return f'<iframe {src}="{escape(_address(part, specs, base))}" {size} title="{title}"></iframe>'


def _address(part: Shown, specs: Mapping[str, PageSpec[Any]], base: str) -> str:
    query = urlencode(part.asked(specs).query(), safe=",")
    return f"{base}/embed/{part.page}?{query}".rstrip("?")
