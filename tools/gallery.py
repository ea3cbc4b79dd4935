"""Take a picture of every page as it opens, for the gallery of `make docs`: ``python -m tools.gallery``.

Pictures lie in docs/reference/gallery, which git ignores. Beside them stands a digest of the application's sources,
and the gallery shows only pictures that were taken with the current ones. Started again after an interruption, this
program goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pages import PAGES, specs

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["FOLDER", "address_of", "digest", "main", "opened", "pictures"]

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "reference" / "gallery"
SIZE = (1200, 750)
_SOURCES = ("app.py", "assets", "dpcore", "pages", "ui")
_MADE = ("__pycache__", "live-", "plotly-")  # folders that programs write between the sources
_PATIENCE = 600_000  # milliseconds; a page may train before its figure is whole


def digest(root: Path = ROOT) -> str:
    """Return a digest of all sources that pages are drawn from."""
    found = hashlib.sha256()
    for top in _SOURCES:
        path = root / top
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            name = file.relative_to(root)
            if file.is_file() and not any(part.startswith(_MADE) for part in name.parts):
                found.update(
                    f"{name.as_posix()}\0".encode() + hashlib.sha256(file.read_bytes()).digest()
                )
    return found.hexdigest()


def _noted(folder: Path) -> dict[str, str]:
    note = folder / "digests.json"
    return dict(json.loads(note.read_text("utf-8"))) if note.exists() else {}


def pictures(folder: Path = FOLDER, root: Path = ROOT) -> dict[str, Path]:
    """Return the pictures of pages, by key, that were taken with the current sources."""
    noted = _noted(folder)
    now = digest(root) if noted else ""
    return {
        key: folder / f"{key}.png"
        for key in PAGES
        if noted.get(key) == now and (folder / f"{key}.png").exists()
    }


def address_of(key: str) -> str:
    """Return the address of a page on its server; that of the start page has no key."""
    return "" if key == PAGES[0] else key


def opened(
    addresses: Mapping[str, str], size: tuple[int, int], *, rest: int
) -> Iterator[tuple[str, Page]]:
    """Yield pages in a window of a ``size``, by their keys, when nothing is computed any more.

    ``rest`` is how long they then stay as they are, in milliseconds.
    """
    from playwright.sync_api import sync_playwright

    from tests.browser.serving import LAUNCH, chromium, served

    width, height = size
    with served(ROOT / "app.py") as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        for key, address in addresses.items():
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="light",
                reduced_motion="reduce",
                bypass_csp=True,  # waiting for an expression evaluates text
            )
            page.goto(f"{server}/{address}", timeout=_PATIENCE)
            page.wait_for_selector(
                ".dp-figure.dp-ready, .dp-mobile.dp-shown, .st-key-ask", timeout=_PATIENCE
            )
            page.wait_for_function("!document.querySelector('.dp-busy.dp-on')", timeout=_PATIENCE)
            page.wait_for_timeout(rest)
            yield key, page
            page.close()
        browser.close()


def take(wanted: Sequence[str], folder: Path = FOLDER) -> None:
    """Take the pictures of pages, and note the sources that they were taken with."""
    folder.mkdir(parents=True, exist_ok=True)
    now = digest()
    for key, page in opened({key: address_of(key) for key in wanted}, SIZE, rest=1000):
        page.screenshot(path=folder / f"{key}.png")
        (folder / "digests.json").write_text(json.dumps({**_noted(folder), key: now}), "utf-8")
        print(key, flush=True)


def main() -> int:
    """Take the pictures that are missing or out of date."""
    known = pictures()
    wanted = [spec.key for spec in specs() if spec.key not in known]
    if wanted:
        take(wanted)
    print(f"{FOLDER.relative_to(ROOT)}: {len(PAGES)} pictures, {len(wanted)} of them taken now.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
