"""HTML of an early figure, which is sent before Streamlit's scripts: title, question, placeholder, script."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st

from ui.early.figure_store import EarlyFigure
from ui.frame import shell
from ui.live.inputs import Value
from ui.web import static_files
from ui.words.text import load_text

__all__ = ["START", "with_early"]

T = load_text(__file__)
_HOME = Path(__file__).resolve().parents[2] / "assets" / "early"
START = (_HOME / "start.js").read_text("utf-8").partition("\n\n")[2].strip()
"""Script that draws the early figure, if possible, and then starts Streamlit.

The content security policy contains a hash of this script.
"""
# All that Streamlit begins with.
_LATER = re.compile(
    r'\s*<(?:script type="module"[^>]*></script>|link rel="(?:modulepreload|stylesheet)"[^>]*>)'
)
_FONT = re.compile(r'href="([^"]+SourceSansVF-Upright[^"]+)"')
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_COLOURS = {
    "--st-background-color": "backgroundColor",
    "--st-text-color": "textColor",
    "--st-primary-color": "primaryColor",
}


def with_early(page: str, early: EarlyFigure, values: Mapping[str, Value]) -> str:
    """Return the served HTML page with title, question and placeholder of an early figure added.

    Return the page unchanged if it has no script to defer.
    """
    head, end, body = page.partition("</head>")
    later = "".join(_LATER.findall(head))
    if "<script" not in later or '<div id="root"></div>' not in body:
        return page
    title = T("early.title", title=escape(early.spec.title))
    head = _TITLE.sub(lambda _: f"<title>{title}</title>", head, 1)
    head = _LATER.sub("", head) + f"<style>{_styles(_font(page))}</style>"
    app = f'<div id="root"></div><template id="dp-later">{later}</template><script>{START}</script>'
    return head + end + body.replace('<div id="root"></div>', _part(early, values) + app, 1)


def _part(early: EarlyFigure, values: Mapping[str, Value]) -> str:
    spec = early.spec
    files = " ".join(early.files)
    opening = shell.introduction(spec.opening, prefix="early") if spec.opening else ""
    looks = shell.FRAME_CSS + shell.LOOK_CSS
    return (
        f'<div id="dp-early" class="dp-early" hidden data-message="./early/{spec.key}/{early.digest}" '
        f'data-files="{escape(files)}" data-values="{escape(json.dumps(dict(values)))}" '
        f'data-modules="./app/static/{static_files.entry()}">{looks}<div class="dp-early-bar"></div>'
        f'<main class="stMainBlockContainer"><div>{shell.heading(spec.title, spec.question)}</div>'
        f'<p class="dp-early-note" role="status">{T("early.note")}</p>{opening}'
        '<div class="dp-early-place"></div></main></div>'
    )


def _font(page: str) -> str:
    match = _FONT.search(page)
    return match[1] if match else ""


@cache
def _styles(font: str) -> str:
    light, dark = (
        "".join(
            f"{name}: {escape(st.get_option(f'theme.{theme}.{key}') or '')}; "
            for name, key in _COLOURS.items()
        )
        for theme in ("light", "dark")
    )
    text = (_HOME / "early.css").read_text("utf-8")
    return (
        text.replace("/* light */", light).replace("/* dark */", dark).replace("font.woff2", font)
    )
