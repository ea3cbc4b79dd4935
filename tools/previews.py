"""Take the pictures that previews of links show: ``python -m tools.previews [PAGE ...]``.

Each is 1200 × 630 pixels, the size that Open Graph consumers expect, in at most 128 colours: the figure of the page
as it opens, or the page where it has no figure. They lie in ``assets/previews`` and are committed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path

from pages import PAGES, specs
from ui.frame.page_spec import PageSpec

__all__ = ["FOLDER", "SIZE", "main"]

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "previews"
SIZE = (1200, 630)
_COLOURS = 128
_PATIENCE = 600_000  # milliseconds; a page may train before its figure is whole
_READY = ".dp-figure.dp-ready, .dp-mobile.dp-shown, .st-key-ask, .stMainBlockContainer h1"


def take(wanted: Sequence[str], folder: Path = FOLDER) -> None:
    """Take the pictures of the pages with the keys ``wanted``."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from tests.browser.serving import LAUNCH, chromium, served

    folder.mkdir(parents=True, exist_ok=True)
    figures = {spec.key for spec in specs() if isinstance(spec, PageSpec)}
    width, height = SIZE
    with served(ROOT / "app.py") as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        for key in wanted:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="light",
                reduced_motion="reduce",
                bypass_csp=True,  # waiting for an expression evaluates text
            )
            path = f"embed/{key}" if key in figures else "" if key == PAGES[0] else key
            page.goto(f"{address}/{path}", timeout=_PATIENCE)
            ready = ".dp-figure.dp-ready" if key in figures else _READY
            page.wait_for_selector(ready, timeout=_PATIENCE)
            page.wait_for_function("!document.querySelector('.dp-busy.dp-on')", timeout=_PATIENCE)
            page.wait_for_timeout(2500)
            picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            small = picture.quantize(_COLOURS, dither=Image.Dither.NONE)
            small.save(folder / f"{key}.png", optimize=True)
            page.close()
            print(key, (folder / f"{key}.png").stat().st_size, flush=True)
        browser.close()


def main() -> int:
    """Take the pictures of the named pages, or of all."""
    wanted = sys.argv[1:] or list(PAGES)
    unknown = [key for key in wanted if key not in PAGES]
    if unknown:
        print(f"There is no page {unknown[0]}: there are {', '.join(PAGES)}.", file=sys.stderr)
        return 2
    take(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
