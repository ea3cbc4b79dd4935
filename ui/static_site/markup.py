"""HTML and style sheets of the static site: relative links, no inline scripts or styles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from ui.embed import markup
from ui.frame import shell
from ui.frame.page_spec import PageEntry
from ui.live.depth import Depth
from ui.web import static_files
from ui.web.js_bundle import bundle
from ui.words.text import load_text

__all__ = [
    "CSP",
    "FigureOnSite",
    "assets",
    "depth_links",
    "figure_place",
    "navigation",
    "page",
    "page_file",
]

T = load_text(__file__)
_HOME = Path(__file__).resolve().parents[2] / "assets"
_MODULE = _HOME / "site" / "site.js"
_STYLE = re.compile(r"</?style>")
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
"""Content security policy of every page, in a meta element."""


@dataclass(frozen=True, kw_only=True)
class FigureOnSite:
    """A figure of a page.

    - ``name``: name of the figure, and of its element.
    - ``prepared``: prepared values of each combined parameter.
    - ``states``: paths of the messages of all states; the last parameter changes fastest.
    - ``usual``: default values of the page's parameters, which links leave out.
    - ``first``: paths of the files that the first view waits for.
    - ``linked``: whether the page's address holds the values.
    - ``later``: whether the figure is loaded when it comes near the window.
    """

    name: str
    states: Sequence[str]
    first: Sequence[str] = ()
    prepared: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    usual: Mapping[str, Any] = field(default_factory=dict)
    linked: bool = False
    later: bool = False


def page_file(key: str, depth: Depth = Depth.LOOK) -> str:
    """Return the file of a page at a level of detail.

    >>> page_file("home"), page_file("budget"), page_file("budget", Depth.UNDERSTAND)
    ('index.html', 'budget.html', 'budget.understand.html')
    """
    name = "index" if key == "home" else key
    return f"{name}.html" if depth is Depth.LOOK else f"{name}.{depth.in_link}.html"


def assets() -> dict[str, bytes]:
    """Return the scripts, style sheets, icon and fonts of the site, by path.

    The folder's name contains a digest of the scripts of the application.
    """
    live = static_files.BUNDLES[0].parent
    files = {
        "site.js": bundle(_MODULE, static_files.without_comments),
        "export.js": static_files.served(static_files.BUNDLES[-1]),
        "live.css": (live / "live.css").read_bytes(),
        "site.css": _styles().encode(),
        "look.css": _STYLE.sub("", shell.LOOK_CSS).encode(),
        "icon.svg": (_HOME / "icon.svg").read_bytes(),
    }
    files |= static_files.katex()
    font = static_files.font_file()
    return files | ({"font.woff2": font.read_bytes()} if font else {})


def _styles() -> str:
    own = (_HOME / "site" / "site.css").read_text("utf-8")
    return markup.FONT + markup.LOOKS + _STYLE.sub("", shell.FRAME_CSS) + own


def figure_place(figure: FigureOnSite) -> str:
    """Return the HTML element of a figure, with the data that the browser needs to fetch the figure's states."""
    spec = {
        "name": figure.name,
        "prepared": [[name, list(values)] for name, values in figure.prepared.items()],
        "states": list(figure.states),
        "usual": dict(figure.usual),
        "linked": figure.linked,
    }
    later = " data-later" if figure.later else ""
    name = f"site-{figure.name}"
    late = (
        ""
        if figure.later
        else f'<p class="dp-site-late" role="note">{escape(T("page.not_started"))}</p>'
    )
    return (
        f'<div class="dp-site-figure"><div class="dp-site-place" data-site="{name}"{later}></div>{late}'
        f"<noscript><p>{T('page.no_script')}</p></noscript></div>"
        f'<script type="application/json" id="{name}">{markup.as_json(spec)}</script>'
    )


def navigation(pages: Sequence[PageEntry], here: str) -> str:
    """Return links to all pages of the site, folded on a small screen."""
    links = "".join(
        f'<li><a href="{page_file(page.key)}"{_current(page.key == here)}>{escape(page.title)}</a></li>'
        for page in pages
    )
    return f'<nav class="dp-site-pages" aria-label="DP Explorer"><ul>{links}</ul></nav>'


def _current(here: bool) -> str:
    return ' aria-current="page"' if here else ""


def depth_links(key: str, depths: Sequence[Depth], here: Depth) -> str:
    """Return links to the levels of detail of a page; they keep the state of the figure."""
    links = "".join(
        f'<a data-same-state href="{page_file(key, depth)}"{_current(depth is here)}>{escape(depth.words)}</a>'
        for depth in depths
    )
    return f'<nav class="dp-site-depths" aria-label="{T("page.depths")}">{links}</nav>'


def page(
    *,
    folder: str,
    title: str,
    description: str,
    body: str,
    preload: Sequence[str] = (),
    depth: Depth = Depth.LOOK,
    formulas: bool = False,
    address: str = "",
) -> str:
    """Return a page of the site as HTML.

    Parameters
    ----------
    folder : str
        Path of the folder with scripts and style sheets.
    title, description : str
        Title, and one sentence for previews of links.
    body : str
        Content of the page.
    preload : sequence of str
        Paths of the files that the first figure waits for.
    depth : Depth
        Level of detail.
    formulas : bool
        Whether the page has formulas, which KaTeX typesets.
    address : str
        Full URL of the page, for previews of links; "" if it is not known.
    """
    sheets = [
        "live.css",
        "site.css",
        *["look.css"] * (depth is Depth.LOOK),
        *["katex.css"] * formulas,
    ]
    name = escape(T("page.title", title=title))
    head = "".join(f'<link rel="stylesheet" href="{folder}/{sheet}">' for sheet in sheets)
    head += "".join(
        f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{path}">' for path in preload
    )
    head += f'<link rel="icon" type="image/svg+xml" href="{folder}/icon.svg">'
    head += f'<script type="module" src="{folder}/site.js"></script>'
    return (
        '<!doctype html><html lang="en" data-site-page><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{CSP}"><title>{name}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{_preview(title, description, address)}{head}</head><body>{body}</body></html>"
    )


def _preview(title: str, description: str, address: str) -> str:
    """Return the elements that other sites read when they show a preview of a link (Open Graph)."""
    fields = {"og:type": "website", "og:title": title, "og:description": description}
    fields |= {"og:url": address} if address else {}
    tags = "".join(
        f'<meta property="{name}" content="{escape(text)}">' for name, text in fields.items()
    )
    canonical = f'<link rel="canonical" href="{escape(address)}">' if address else ""
    return f'<meta name="description" content="{escape(description)}">{tags}{canonical}'
