"""Take the pictures that previews of links show: ``python -m tools.previews [PAGE ...]``.

Each is 1200 × 630 pixels, the size that Open Graph consumers expect, in at most 128 colours: the figure of the page
as it opens, or the page where it has no figure. They lie in ``assets/previews`` and are committed.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from pages import PAGES, specs
from tools.gallery import address_of, opened
from ui.frame.page_spec import PageSpec
from ui.share.link_preview import FOLDER, SIZE

__all__ = ["main"]

_COLOURS = 128


def take(wanted: Sequence[str]) -> None:
    """Take the pictures of the pages with the keys ``wanted``."""
    from PIL import Image

    FOLDER.mkdir(parents=True, exist_ok=True)
    figures = {spec.key for spec in specs() if isinstance(spec, PageSpec)}
    addresses = {key: f"embed/{key}" if key in figures else address_of(key) for key in wanted}
    for key, page in opened(addresses, SIZE, rest=2500):
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        small = picture.quantize(_COLOURS, dither=Image.Dither.NONE)
        small.save(FOLDER / f"{key}.png", optimize=True)
        print(key, (FOLDER / f"{key}.png").stat().st_size, flush=True)


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
