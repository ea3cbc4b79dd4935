"""Take screenshots of every page in both themes, for a projector and for a phone, into the folder look/.

Git ignores this folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402

from pages import PAGES, specs  # noqa: E402
from tests.browser.serving import LAUNCH, chromium, served  # noqa: E402

SIZES = {"projector": (1440, 900), "phone": (390, 844)}


def addresses() -> dict[str, str]:
    """Return the addresses to photograph, by name: every page, and the links (``looks``) that it declares."""
    by_name = {}
    for spec in specs():
        by_name[spec.key] = (
            "" if spec.key == PAGES[0] else spec.key
        )  # the start has no name of its own
        by_name |= {f"{spec.key}-{name}": f"{spec.key}?{link}" for name, link in spec.looks.items()}
    return by_name


def shoot(page: Page, address: str, target: Path) -> None:
    """Open an address, wait until nothing is computed, and save a screenshot as ``target``."""
    page.goto(address)
    page.wait_for_selector(".dp-figure.dp-ready, .dp-mobile.dp-shown, .st-key-ask", timeout=60_000)
    page.wait_for_function("!document.querySelector('.dp-busy.dp-on')", timeout=120_000)
    page.wait_for_timeout(700)
    page.screenshot(path=target)


def main(wanted: list[str]) -> None:
    """Take the screenshots of all pages, or of the ``wanted`` ones only."""
    look = ROOT / "look"
    look.mkdir(exist_ok=True)
    with served(ROOT / "app.py") as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        for scheme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                for name, path in addresses().items():
                    if wanted and name not in wanted:
                        continue
                    page = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme=scheme,
                        bypass_csp=True,  # waiting for an expression evaluates text
                    )
                    shoot(page, f"{address}/{path}", look / f"{name}-{size}-{scheme}.png")
                    page.close()
        browser.close()
    picture = look / "relevance-projector-light.png"
    if picture.exists():
        home = ROOT / "docs" / "images"
        home.mkdir(parents=True, exist_ok=True)
        (home / "relevance.png").write_bytes(picture.read_bytes())


if __name__ == "__main__":
    main(sys.argv[1:])
