"""Page for a class at ``/handout/LESSON``: a lesson's figures and exercises, without solutions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from ui.embed import markup
from ui.embed.lesson import Lesson, Pages, Shown
from ui.embed.query import FigureRequest
from ui.words.text import load_text

__all__ = ["class_page", "snippet"]

T = load_text(__file__)
_LOOKS = """
body { max-width: 72rem; margin: 0 auto; padding: 1rem; }
iframe { width: 100%; height: 44rem; border: 1px solid var(--dp-line); border-radius: .5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin: 1.8rem 0 .3rem; }
@media (max-width: 760px) { iframe { height: 60rem; } }
@media print {
  iframe { border: 0; } section, li { break-inside: avoid; } h2 { break-after: avoid; }
  a::after { content: " (" attr(data-address) ")"; overflow-wrap: anywhere; }
}
"""
# The figures tell their frames how high they are (assets/live/embed.js); without scripts each is a sentence.
_WITHOUT = "<noscript><style>iframe { height: 11rem; }</style></noscript>"


def class_page(
    lesson: Lesson,
    pages: Pages,
    titles: Mapping[str, str],
    base: str,
    address: str = "",
) -> str:
    """Return the page of a lesson for a class, as HTML.

    Parameters
    ----------
    lesson : Lesson
        The validated lesson.
    pages, titles : mapping of str
        The application's pages, and the titles of the exercises, each by key.
    base : str
        The path under which the app is served.
    address : str
        Host and path of the app, for printed links.
    """
    keys = [part.page for part in lesson.parts]
    parts = "".join(
        _part(part, pages, base, address, keys[: place + 1].count(part.page))
        for place, part in enumerate(lesson.parts)
    )
    tasks = "".join(
        _task(f"/{lesson.exercise(key)}", titles[key], base, address) for key in lesson.exercises
    )
    listed = f"<h2>{T('lesson.exercises')}</h2><ul>{tasks}</ul>" if tasks else ""
    body = f'<main aria-label="{escape(lesson.title)}"><h1>{escape(lesson.title)}</h1>{parts}{listed}</main>'
    return markup.whole(lesson.title, "auto", f"<style>{_LOOKS}</style>{_WITHOUT}", body)


def _part(part: Shown, pages: Pages, base: str, address: str, nth: int) -> str:
    """Return the HTML of a part of a lesson: a figure in an iframe, or a link to a page without a figure.

    ``nth``: number of the figure among the lesson's figures of the same page, so that their titles
    differ.
    """
    spec = pages[part.page]
    words = f"<p>{escape(part.text)}</p>" if part.text else ""
    request = part.request(pages)
    if request is None:
        link = _link(part.address(""), spec.title, base, address)
        return f"<section><h2>{escape(spec.question)}</h2>{words}<p>{link}</p></section>"
    title = spec.title if nth == 1 else T("lesson.nth_figure", title=spec.title, nth=nth)
    return (
        f"<section><h2>{escape(spec.question)}</h2>{words}"
        f'<iframe loading="lazy" data-fits title="{escape(title)}" src="{escape(_address(request, base))}">'
        "</iframe></section>"
    )


def _task(path: str, title: str, base: str, address: str) -> str:
    return f"<li>{_link(path, title, base, address)}</li>"


def _link(path: str, title: str, base: str, address: str) -> str:
    return f'<a href="{escape(base + path)}" data-address="{escape(address + path)}">{escape(title)}</a>'


def snippet(part: Shown, pages: Pages, base: str, *, slide: bool) -> str:
    """Return the HTML that embeds a figure in a course page or, with ``slide``, in a slide of reveal.js.

    For a page without a figure, return a link.
    """
    title = escape(pages[part.page].title)
    request = part.request(pages)
    if request is None:
        return f'<a href="{escape(part.address(base))}" target="_blank">{title}</a>'
    src = "data-src" if slide else "src"
    size = 'width="1200" height="720"' if slide else 'width="100%" height="720" loading="lazy"'
    return f'<iframe {src}="{escape(_address(request, base))}" {size} title="{title}"></iframe>'


def _address(request: FigureRequest, base: str) -> str:
    return f"{base}/embed/{request.spec.key}?{urlencode(request.whole_query(), safe=',')}"
