"""HTML page for a single figure, without Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ui.web import static_files
from ui.web.base_path import prefix
from ui.words.text import load_text

__all__ = ["FONT", "LOOKS", "as_json", "note", "page", "sentence", "whole"]

T = load_text(__file__)
FONT = """
@font-face { font-family: "Source Sans"; src: url(font.woff2) format("woff2"); font-weight: 200 900;
  font-display: swap; }"""
LOOKS = """
:root { color-scheme: light dark; --st-background-color: #fff; --st-text-color: #1c2333; --st-primary-color: #4f46e5;
  --dp-line: #d9dce6; --dp-soft: #f4f5f9; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { --st-background-color: #12141c;
  --st-text-color: #e8eaf2; --st-primary-color: #9d8cff; --dp-line: #363b4d; --dp-soft: #1d2130; } }
:root[data-theme="dark"] { color-scheme: dark; --st-background-color: #12141c; --st-text-color: #e8eaf2;
  --st-primary-color: #9d8cff; --dp-line: #363b4d; --dp-soft: #1d2130; }
:root[data-theme="light"] { color-scheme: light; }
body { margin: 0; padding: .6rem .8rem; background: var(--st-background-color); color: var(--st-text-color);
  font: 16px/1.45 "Source Sans", "Source Sans 3", system-ui, sans-serif; }
h1 { font-size: 1.05rem; margin: 0 0 .4rem; }
.dp-embed-note { margin: .3rem 0; padding: .4rem .7rem; border-left: 3px solid #b45309; background: var(--dp-soft); }
.dp-embed-source { margin: .5rem 0 0; font-size: .85rem; }
a { color: var(--st-primary-color); }
.dp-figure .dp-side { top: .5rem; }
@media (max-width: 760px) { .dp-figure .dp-control.dp-pin { top: 0; } }
@media (max-width: 760px) { .dp-figure .dp-save { display: none; } }
@media print { :root:root:root { color-scheme: light; --st-background-color: #fff; --st-text-color: #1c2333;
  --st-primary-color: #4f46e5; --dp-line: #d9dce6; --dp-soft: #f4f5f9; } }
.dp-fits { overflow: hidden; }
.dp-fits .dp-figure .dp-side { position: static; max-height: none; }
.dp-sheets :is(h1, h2, h3, h4) { break-after: avoid; }
.dp-sheets :is(section, li, .dp-exercise) { break-inside: avoid; }
.dp-sheets a[data-address]::after { content: " (" attr(data-address) ")"; overflow-wrap: anywhere; }
"""


def as_json(value: Any) -> str:
    """Return a value as JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def sentence(text: str) -> str:
    """Return an error message about the query as an HTML paragraph."""
    return f'<p class="dp-embed-note" role="note">{escape(text)}</p>'


def page(
    *,
    title: str,
    theme: str,
    message: Mapping[str, Any],
    modules: Sequence[str],
    link: str,
    problems: Sequence[str] = (),
) -> str:
    """Return the HTML page of one figure.

    Parameters
    ----------
    title, theme : str
        Title of the page; colour theme "auto", "light" or "dark".
    message : mapping
        Data of the figure, as sent to the browser.
    modules : sequence of str
        Addresses of the style sheets, then of the JavaScript modules. The first module draws single figures.
    link : str
        URL of the full page with the same parameters.
    problems : sequence of str
        Error messages, shown above the figure.
    """
    said = "".join(map(sentence, problems))
    styles, first, *others = map(escape, modules)
    head = f'<link rel="stylesheet" href="{styles}"><script type="module" src="{first}"></script>'
    head += "".join(f'<link rel="modulepreload" href="{name}">' for name in others)
    body = (
        f'<main aria-label="{escape(title)}"><h1>{escape(title)}</h1>{said}'
        '<div class="dp-embed" data-figure="figure"></div>'
        f"<noscript><p>{T('page.no_script')}</p></noscript>"
        f'<p class="dp-embed-source">{T("page.source", link=_link(link, T("page.open")))}</p></main>'
        f'<script type="application/json" id="figure">{as_json(message)}</script>'
    )
    return whole(title, theme, head, body)


def note(
    title: str,
    text: str,
    *,
    theme: str = "auto",
    link: str = "",
    again: int = 0,
    done: float | None = None,
) -> str:
    """Return an HTML page that shows one sentence.

    ``again``: seconds until the browser reloads the page. ``done``: progress of a computation, from 0
    to 1.
    """
    head = f'<meta http-equiv="refresh" content="{again}">' if again else ""
    other = f" {_link(link, T('page.open_whole'))}" if link else ""
    said = f'<p class="dp-embed-note" role="status">{escape(text)}{other}</p>'
    if done is not None:
        said += f'<progress max="1" value="{round(done, 2)}" aria-label="{T("page.progress")}"></progress>'
    body = f'<main aria-label="{escape(title)}"><h1>{escape(title)}</h1>{said}</main>'
    return whole(title, theme, head, body)


def _link(address: str, words: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener">{words}</a>'


def _font() -> str:
    """Return the CSS rule that loads the application's font from its server."""
    path = static_files.font()
    return FONT.replace("font.woff2", f"{prefix()}/{path}") if path else ""


def whole(title: str, theme: str, head: str, body: str) -> str:
    """Return a complete HTML page from its parts."""
    mark = "" if theme == "auto" else f' data-theme="{escape(theme)}"'
    name = T("page.title", title=escape(title))
    return (
        f'<!doctype html><html lang="en"{mark}><head><meta charset="utf-8"><title>{name}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_font()}{LOOKS}</style>{head}</head><body>{body}</body></html>"
    )
