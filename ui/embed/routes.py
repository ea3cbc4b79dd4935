"""Routes for embedded figures and for lessons, without a session.

- ``/embed/PAGE?STATE`` is one figure.
- ``/handout/LESSON`` is a lesson.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ui.classroom import housekeeping
from ui.classroom.codes import LESSON_LENGTH
from ui.classroom.models import Refused
from ui.embed import markup
from ui.embed.class_page import class_page
from ui.embed.lesson import LessonError, check
from ui.embed.lesson_link import unpacked
from ui.embed.query import MOST, FigureRequest, parse_request
from ui.embed.render_jobs import TooMany, make
from ui.embed.restrict_figure import lighter
from ui.frame.page_spec import PageEntry, PageSpec
from ui.live import Figure, array_files
from ui.live.transport import Delivery, message
from ui.web import static_files
from ui.web.base_path import prefix
from ui.words.numbers import percent
from ui.words.text import load_text

__all__ = ["AGAIN", "MOST_BYTES", "figure_message", "routes"]

T = load_text(__file__)
MOST_BYTES = 150_000  # of a figure with its arrays and modules, on the way to a browser
AGAIN = 2  # seconds until a reader's browser asks again for what is being computed
Pages = Callable[[], Iterable[PageEntry]]
Titles = Callable[[], Mapping[str, str]]


def routes(pages: Pages, exercises: Titles = dict) -> list[Route]:
    """Return the routes for embedded figures and for lessons.

    ``pages`` is called on the first request. ``exercises`` returns the titles of exercises by key.
    """

    async def answer(request: Request) -> Response:
        if len(request.url.query) > MOST:
            note = markup.note(T("link.long_title"), T("link.long", most=MOST))
            return _html(request, note, 400)
        return await run_in_threadpool(_answer, request, pages)

    async def lesson(request: Request) -> Response:
        return await run_in_threadpool(_lesson, request, pages, exercises)

    return [
        Route(f"{prefix}/{path}", endpoint, methods=["GET"])
        for path, endpoint in (("embed/{page}", answer), ("handout/{code}", lesson))
        for prefix in ("", "/{prefix:path}")
    ]


def _lesson(request: Request, pages: Pages, exercises: Titles) -> Response:
    known = {page.key: page for page in pages()}
    titles = exercises()
    try:
        lesson = unpacked(_long(request.path_params["code"]))
        problems = check(lesson, known, tuple(titles))
    except LessonError as error:
        problems = [str(error)]
    except Refused as refusal:  # the database is away
        note = markup.note(T("lesson.not_shown"), str(refusal), again=5 * AGAIN)
        return _html(request, note, 503, again=5 * AGAIN)
    if problems:
        return _html(request, markup.note(T("lesson.not_shown"), " ".join(problems)), 400)
    return _html(request, class_page(lesson, known, titles, prefix(), _shown_address(request)))


def _long(code: str) -> str:
    """Return the encoded lesson of a link: the link's own code or, for a short key, the stored lesson."""
    if len(code) != LESSON_LENGTH:
        return code
    text = housekeeping.lessons().load(code)
    if text is None:
        raise LessonError(T("lesson.not_kept", key=code))
    return text


def _figures(pages: Pages) -> dict[str, PageSpec[Any]]:
    """Return the pages with an interactive figure, by their keys."""
    return {spec.key: spec for spec in pages() if isinstance(spec, PageSpec)}


def _shown_address(request: Request) -> str:
    """Return host and path of this server as requested by the browser, for printed links."""
    return f"{request.headers.get('host', '')[:200]}{prefix()}"


def _answer(request: Request, pages: Pages) -> Response:
    key = request.path_params["page"]
    specs = _figures(pages)
    if key not in specs:
        text = T("link.no_figure", figure=key[:40], figures=", ".join(specs))
        return _html(request, markup.note(T("link.no_figure_title"), text), 404)
    wanted = parse_request(specs[key], dict(request.query_params))
    link = f"{prefix()}/{key}?{urlencode(wanted.link())}".rstrip("?")
    title, theme = wanted.spec.title, wanted.theme
    try:
        rendering = make(wanted)
    except TooMany:
        content = markup.note(title, T("state.many"), theme=theme, link=link, again=5 * AGAIN)
        return _html(request, content, 503, again=5 * AGAIN)
    if rendering.figure is None:
        done = rendering.busy.progress if rendering.busy else 0.0
        text = _computed(rendering.busy.text if rendering.busy else "", done)
        content = markup.note(title, text, theme=theme, link=link, again=AGAIN, done=done)
        return _html(request, content, 202, again=AGAIN)
    figure: Figure | None = rendering.figure
    while figure is not None:
        payload = figure_message(wanted, figure, Delivery(path=f"{prefix()}/arrays"))
        content = markup.page(
            title=title, theme=theme, message=payload, link=link, problems=rendering.problems,
            modules=_modules(),
        )  # fmt: skip
        if _weight(content, payload) <= MOST_BYTES:
            return _html(request, content)
        figure = lighter(figure)
    return _html(request, markup.note(title, T("state.too_large"), theme=theme, link=link), 413)


def _computed(doing: str, done: float) -> str:
    """Return a sentence on the progress of a figure's computation."""
    so_far = percent(round(done, 2))
    if doing:
        return T("state.computed_doing", doing=doing, done=so_far)
    return T("state.computed", done=so_far)


def _weight(page: str, payload: Mapping[str, Any]) -> int:
    """Return the number of bytes that a browser with an empty cache loads for a figure."""
    files = [array_files.PUBLIC.get(file["url"].rpartition("/")[2]) for file in payload["files"]]
    arrays = sum(len(file.packed()) for file in files if file is not None)
    return static_files.weight() + arrays + len(gzip.compress(page.encode(), 6))


def figure_message(
    wanted: FigureRequest, figure: Any, delivery: Delivery | None
) -> Mapping[str, Any]:
    """Return the data of an embedded figure, as sent to the browser."""
    about = {"name": wanted.spec.key, "seq": 0, "session": "embed", "modules": "", "news": ""}
    return {**message(figure, delivery), **about}


def _html(request: Request, text: str, status: int = 200, *, again: int = 0) -> Response:
    body = text.encode()
    headers = {"cache-control": "no-cache", "vary": "Accept-Encoding"}
    if again:
        headers |= {"retry-after": str(again), "cache-control": "no-store"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 6, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, status, headers, "text/html; charset=utf-8")


def _modules() -> list[str]:
    home = f"{prefix()}/app/static"
    own = [f"{static_files.live_folder()}/{name}" for name in ("live.css", "embed.js")]
    return [f"{home}/{name}" for name in own]
