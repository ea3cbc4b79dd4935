"""JavaScript and style files that the application serves itself."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from ui.web.js_bundle import bundle

__all__ = [
    "BUNDLES", "entry", "font", "font_file", "is_fixed", "katex", "live_folder", "publish", "served", "weight",
    "without_comments",
]  # fmt: skip

_ROOT = Path(__file__).resolve().parents[2]
_STATIC = _ROOT / "pages" / "static"  # beside the script that the server runs
_SOURCE = _ROOT / "assets" / "live"
_ENTRY = "main.js"
_ALONE = "embed.js"  # for figures without the app: the app's pages do not load it
# What a browser loads, each with all that it imports; the last when a picture is saved.
BUNDLES = (_SOURCE / _ENTRY, _SOURCE / _ALONE, _SOURCE / "frame" / "export.js")
# Comments that have lines of their own. Minifiers were tried: one took blanks out of template literals, one gave
# two variables one name.
_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE)
_KATEX = (
    re.compile(r"@font-face\{[^}]*KaTeX[^}]*\}"),
    re.compile(r"(?<=[}{])[^{}@]*\.katex[^{}]*\{[^{}]*\}"),
)
_SELECTOR, _CLASS = re.compile(r"[^{}]+(?=\{)"), re.compile(r"\.(?!katex)([a-zA-Z][\w-]*)")
_KATEX_FONT = re.compile(r"KaTeX_[\w.-]+\.woff2")


@lru_cache(maxsize=1)
def live_folder() -> str:
    """Return the name of the folder with the application's scripts under ``static/``.

    The folder's name contains a hash of the scripts.
    """
    digest = hashlib.sha256()
    for file in _ours():
        digest.update(file.name.encode() + served(file))
    return f"live-{digest.hexdigest()[:12]}"


def entry() -> str:
    """Return the path, under ``static/``, of the JavaScript module with which a page starts."""
    return f"{live_folder()}/{_ENTRY}"


@lru_cache(maxsize=1)
def weight() -> int:
    """Return the compressed size, in bytes, of the script and the style sheets that every embedded figure loads."""
    files = [_SOURCE / _ALONE, *_SOURCE.glob("*.css")]
    return sum(len(gzip.compress(served(file), 6)) for file in files)


@lru_cache(maxsize=128)
def served(file: Path) -> bytes:
    """Return the content of a file as served.

    JavaScript is bundled with its imports and has no comments.
    """
    return bundle(file, without_comments) if file.suffix == ".js" else file.read_bytes()


def without_comments(file: Path) -> bytes:
    """Return a JavaScript module without its comments.

    Comments are 29 % of its bytes.
    """
    return _COMMENT.sub(b"", file.read_bytes())


def _ours() -> list[Path]:
    return [*BUNDLES, *sorted(_SOURCE.glob("*.css"))]


def is_fixed(path: str) -> bool:
    """Return whether the content under a path never changes: the path is in the folder of this version's scripts."""
    head, _, rest = path.partition("/app/static/")
    return not head and rest.startswith(f"{live_folder()}/")


def publish(folder: Path = _STATIC) -> None:
    """Write the missing files into ``static/``, each atomically."""
    folder.mkdir(exist_ok=True)
    home = folder / live_folder()
    home.mkdir(exist_ok=True)
    for file in _ours():
        _write(file, home / file.name)


@lru_cache(maxsize=1)
def font_file() -> Path | None:
    """Return the file of Streamlit's text font, or None if Streamlit has no file with the expected name."""
    return next(_streamlit().rglob("SourceSansVF-Upright*.woff2"), None)


def katex() -> dict[str, bytes]:
    """Return the files of Streamlit's KaTeX, by file name: its module, its style sheet and its fonts.

    Raises
    ------
    LookupError
        When Streamlit has no KaTeX in the expected files, which an update may change.
    """
    home = _streamlit()
    module = next((home / "static" / "js").glob("katex.*.js"), None)
    sheets = [path.read_text("utf-8") for path in sorted((home / "static" / "css").glob("*.css"))]
    rules = [rule for sheet in sheets for pattern in _KATEX for rule in pattern.findall(sheet)]
    if module is None or not rules:
        raise LookupError(
            "Streamlit's files have no KaTeX: adapt ui/web/static_files.py to this version."
        )
    style = "".join(rules)
    fonts = {
        name: (home / "static" / "media" / name).read_bytes() for name in _KATEX_FONT.findall(style)
    }
    style = _with_newer_names(style.replace("../media/", ""), module.read_text("utf-8"))
    return {"katex.js": module.read_bytes(), "katex.css": style.encode(), **fonts}


def _with_newer_names(style: str, module: str) -> str:
    """Return a style sheet in which rules for a class also apply to the newer name of this class.

    Streamlit's style sheet comes from KaTeX 0.16, but its module from 0.18, where some general class names begin with
    ``katex-``.
    """

    def named(match: re.Match[str]) -> str:
        newer = f"katex-{match[1]}"
        return f":is(.{match[1]},.{newer})" if newer in module else match[0]

    return _SELECTOR.sub(lambda match: _CLASS.sub(named, match[0]), style)


def font() -> str:
    """Return the path of Streamlit's text font on its server, or "" if there is no file with the expected name."""
    file = font_file()
    return file.relative_to(_streamlit()).as_posix() if file else ""


def _streamlit() -> Path:
    import streamlit as st  # the other functions are also used where the application is built, without it

    return Path(st.__file__).parent / "static"


def _write(source: Path, target: Path) -> None:
    content = served(source)
    if target.exists() and target.stat().st_size == len(content):
        return
    part = target.with_name(f"{target.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(target)
