"""Handout: one HTML file with interactive figures, for use without a server."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from ui.embed import markup
from ui.embed.guarantee_paragraph import guarantee_paragraph
from ui.embed.lesson import Lesson, Pages, Shown
from ui.embed.query import FigureRequest
from ui.embed.render_jobs import RenderedFigure, still
from ui.live.array_files import Store
from ui.live.transport import Delivery, message
from ui.web import static_files
from ui.words.text import load_text

__all__ = ["Task", "handout"]

T = load_text(__file__)
_LIVE = Path(__file__).resolve().parents[2] / "assets" / "live"
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_PLACE = 64 * 2**20  # bytes of arrays of one figure
# A slide shows one figure of the file: handout.html#figure-2.
_LOOKS = """
main:has(> section:target) > :not(section:target) { display: none; }
body { max-width: 72rem; margin: 0 auto; padding: 1rem 1.2rem 4rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin: 2.2rem 0 .4rem; }
.dp-guarantee { border-left: 4px solid var(--st-primary-color); padding-left: .8rem; }
.dp-exercise { border: 1px solid var(--dp-line); border-radius: .5rem; padding: .2rem 1rem; margin: 1rem 0; }
"""

Task = tuple[str, str, str, str]
"""Exercise on paper: key, title, text, solution. An omitted solution is ""."""


def handout(
    lesson: Lesson,
    pages: Pages,
    *,
    address: str = "",
    tasks: Sequence[Task] = (),
    tell: Callable[[str], object] = lambda text: None,
) -> str:
    """Return the handout of a lesson as HTML.

    Parameters
    ----------
    lesson : Lesson
        The validated lesson.
    pages : mapping of str to PageEntry
        The pages by their keys.
    address : str
        URL of the application. With "", links to it are left out.
    tasks : sequence of Task
        Exercises; the file contains only the solutions given here.
    tell : callable
        Called with the title of the page of each part that is finished.
    """
    sections, numbers = [], count(1)
    for part in lesson.parts:
        request, number = part.request(pages), next(numbers)
        if request is None:
            sections.append(_linked(part, pages, address, number))
        else:
            sections.append(_section(request, still(request), part.text, address, number))
        tell(pages[part.page].title)
    exercises = "".join(_exercise(task, lesson, address) for task in tasks)
    body = (
        f"<main><h1>{escape(lesson.title)}</h1>{''.join(sections)}"
        + (f"<h2>{T('handout.exercises')}</h2>{exercises}" if exercises else "")
        + f'<p class="dp-embed-source">{T("handout.source")}</p>'
        f"<noscript><p>{T('handout.no_script')}</p></noscript></main>"
    )
    styles = (_LIVE / "live.css").read_text("utf-8") + markup.LOOKS + _LOOKS
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(lesson.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{styles}</style>{_modules()}</head><body>{body}"
        '<script type="module">import "dp/embed.js";</script></body></html>'
    )


def _linked(part: Shown, pages: Pages, address: str, number: int) -> str:
    """Return the HTML of a lesson's part on a page without a figure: its text, and a link to the page."""
    page = pages[part.page]
    title = escape(T("handout.part", title=page.title, question=page.question))
    words = f"<p>{escape(part.text)}</p>" if part.text else ""
    name = escape(T("handout.figure", title=page.title))
    link = f'<a href="{escape(part.address(address))}">{name}</a>' if address else name
    return f'<section id="figure-{number}"><h2>{title}</h2>{words}<p>{link}</p></section>'


def _section(
    request: FigureRequest, rendering: RenderedFigure, text: str, address: str, number: int
) -> str:
    spec, figure = request.spec, rendering.figure
    if figure is None:
        raise AssertionError("what is computed for a file is whole")
    name = f"{spec.key}-{number}"
    store = Store(_PLACE)
    payload = message(figure, Delivery(store=store, path=""))
    files = [
        {**file, "url": "", "packed": base64.b64encode(store.packed(file["url"])).decode("ascii")}
        for file in payload["files"]
        if not file["purpose"].startswith("preview")
    ]
    about = {"name": name, "seq": 0, "session": "file", "modules": "", "news": "", "files": files}
    said = "".join(map(markup.sentence, rendering.problems))
    words = f"<p>{escape(text)}</p>" if text else ""
    link = f"{address.rstrip('/')}/{spec.key}?{urlencode(request.link())}".rstrip("?")
    name_of_page = escape(T("handout.figure", title=spec.title))
    linked = f'<a href="{escape(link)}">{name_of_page}</a>' if address else name_of_page
    source = f'<p class="dp-embed-source">{T("handout.figure_source", figure=linked)}</p>'
    guarantee = guarantee_paragraph(spec, rendering.state)
    title = escape(T("handout.part", title=spec.title, question=spec.question))
    return (
        f'<section id="figure-{number}"><h2>{title}</h2>{words}{said}'
        f'<div class="dp-embed" data-figure="{name}"></div>{guarantee}{source}</section>'
        f'<script type="application/json" id="{name}">{markup.as_json({**payload, **about})}</script>'
    )


def _exercise(task: Task, lesson: Lesson, address: str) -> str:
    key, title, text, solution = task
    link = f"{address.rstrip('/')}/{lesson.exercise(key)}"
    own = T("handout.own_numbers")
    where = f'<p><a href="{escape(link)}">{own}</a></p>' if address else ""
    solved = f"<h4>{T('handout.solution')}</h4>{_paragraphs(solution)}" if solution else ""
    return (
        f'<div class="dp-exercise"><h3>{escape(title)}</h3>{_paragraphs(text)}{where}{solved}</div>'
    )


def _paragraphs(text: str) -> str:
    bold = _BOLD.sub(r"<strong>\1</strong>", escape(text))
    return "".join(f"<p>{part}</p>" for part in bold.split("\n\n") if part.strip())


def _modules() -> str:
    """Return an HTML import map with every JavaScript bundle as a data URI."""
    imports = {f"dp/{path.name}": _as_address(path) for path in static_files.BUNDLES[1:]}
    return f'<script type="importmap">{json.dumps({"imports": imports})}</script>'


def _as_address(bundle: Path) -> str:
    text = static_files.served(bundle).replace(b'import("./', b'import("dp/')
    return f"data:text/javascript;base64,{base64.b64encode(text).decode('ascii')}"
