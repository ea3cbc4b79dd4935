"""Measure the latency from an input event to changed pixels, for our figures and for stock Streamlit.

Stock Streamlit is st.slider with st.plotly_chart. An application of each kind is served and driven in headless
Chromium, in the same run. Its scene has 2,000 points, 12 prototypes and decision regions. ε is dragged, and
stepped by keys.

Then every slider of every page is moved in every tab, in the default state and in the states of the page's
screenshots (``looks``). ``--pages choose,audit`` measures only these pages, ``--links "queries?topic=numbers"``
adds these states. Latency lasts from the input event to the end of the first frame with the new value. The last
line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

from benchmarks.latency_apps.watch import STOCK, WATCH  # noqa: E402
from pages import specs  # noqa: E402
from tests.browser.journey import near, rested  # noqa: E402
from tests.browser.serving import LAUNCH, chromium, served  # noqa: E402
from ui.frame.page_spec import PageSpec  # noqa: E402
from ui.web import static_files  # noqa: E402

HERE = ROOT / "benchmarks" / "latency_apps"
STEPS = 60


def summary(waits: list[float]) -> dict[str, float]:
    """Return count, median and 95th percentile of latencies in milliseconds."""
    low, high = np.percentile(waits, [50, 95]) if waits else (np.nan, np.nan)
    return {"n": len(waits), "median_ms": round(float(low), 1), "p95_ms": round(float(high), 1)}


def ready(page: Page, address: str, tab: str = "") -> None:
    """Open a page at the deepest level of detail, and one of its tabs; wait until all computations are finished."""
    page.goto(
        address if "depth=" in address else f"{address}{'&' if '?' in address else '?'}depth=check"
    )
    page.wait_for_selector(".dp-figure.dp-ready", timeout=60_000)
    if tab:
        page.get_by_role("tab", name=tab, exact=True).click()
        page.wait_for_timeout(1000)
    page.wait_for_function("!document.querySelector('.dp-busy.dp-on')", timeout=180_000)
    page.wait_for_timeout(1500)


def stats(page: Page, name: str) -> dict[str, Any]:
    """Return the counters that the figure ``name`` keeps in the browser."""
    return page.evaluate(f"({{...window.__dpLive['{name}'].stats}})")


def runs(page: Page) -> int:
    """Return how often the page's script has run, or 0 if the page does not display this number."""
    shown = page.locator("#script-runs")
    return int(shown.inner_text()) if shown.count() else 0


def drag(page: Page, label: str, pause: int) -> tuple[list[float], int]:
    """Drag a slider over most of its range; return the latencies, and the number of script runs during the drag."""
    box = page.get_by_role("slider", name=label, exact=True).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    before = runs(page)
    page.mouse.move(box["x"] + box["width"] * 0.15, y)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(box["x"] + box["width"] * (0.15 + 0.7 * step / STEPS), y)
        page.wait_for_timeout(pause)
    page.wait_for_timeout(400)
    waits = page.evaluate("window.__watch.waits.splice(0)")
    reruns = runs(page) - before
    page.mouse.up()
    page.wait_for_timeout(800)
    return waits, reruns


def keys(page: Page, label: str) -> list[float]:
    """Step a slider by the arrow keys; return the latencies."""
    page.get_by_role("slider", name=label, exact=True).focus()
    for step in range(STEPS):
        page.keyboard.press("ArrowLeft" if step < STEPS // 2 else "ArrowRight")
        page.wait_for_timeout(60)
    page.wait_for_timeout(500)
    return page.evaluate("window.__watch.waits.splice(0)")


def live(page: Page) -> dict[str, Any]:
    """Return the latencies of the ε slider, dragged and stepped by keys, on the scene drawn by our figure."""
    static_files.publish(HERE / "static")  # has to be there before the server starts
    with served(HERE / "live.py") as address:
        ready(page, address)
        page.evaluate(WATCH, ["bench", False, "private"])
        before = stats(page, "bench")
        dragged, reruns = [], 0
        for _ in range(3):
            waits, more = drag(page, "ε, privacy parameter", 25)
            dragged += waits
            reruns += more
        stepped = keys(page, "ε, privacy parameter")
        return {
            "epsilon_drag": summary(dragged),
            "epsilon_key": summary(stepped),
            "remounts": stats(page, "bench")["mounts"] - before["mounts"],
            "server_reruns_during_drag": reruns,
        }


def views(asked: list[str]) -> Iterator[str]:
    """Yield the page states to measure, as page and query: of the pages ``asked``, or of all pages with a figure.

    The states of a page are its default state and those of its screenshots (``looks``).
    """
    for spec in specs():
        if isinstance(spec, PageSpec) and (not asked or spec.key in asked):
            yield spec.key
            yield from (f"{spec.key}?{look}" for look in spec.looks.values())


def watched(page: Page, key: str, tab: str = "") -> str:
    """Return the key of the panel whose drawing is observed: the panel on the page's card, else the first panel."""
    card = next((spec.card for spec in specs() if spec.key == key), None)
    place = "[role=tabpanel] " if tab else ""
    keys = page.evaluate(
        f"[...document.querySelectorAll('{place}.dp-panel[data-panel]')]"
        ".filter((panel) => panel.checkVisibility() && panel.querySelector('canvas'))"
        ".map((panel) => panel.dataset.panel)"
    )
    return card.panel if card and card.panel in keys else keys[0]


def handles(page: Page, key: str) -> dict[str, bool]:
    """Return, by accessible name of each slider that can be moved, whether Python computes its changes."""
    return dict(page.evaluate(f"window.__dpLive['{key}'].sliders"))


def in_view(page: Page, address: str, path: str, tab: str = "") -> dict[str, dict[str, Any]]:
    """Return the latencies of every slider of one page state, in one of its tabs."""
    key = path.partition("?")[0]
    # A panel out of sight is not drawn; those of a tab stand below the first screen.
    page.set_viewport_size({"width": 1440, "height": 1800 if tab else 900})
    ready(page, f"{address}/{path}", tab)
    found = {}
    for label in handles(page, key):
        near(page, label)  # what it draws while it moves is there
        asks = handles(page, key).get(label)
        if asks is None:
            continue  # what was moved before has put it out of use
        page.evaluate(WATCH, [key, asks, watched(page, key, tab)])
        drag(page, label, 45)  # once to warm up, as everywhere
        rested(page)
        found[f"page {path}{f', {tab}' if tab else ''} {label.split(',')[0]}"] = summary(
            drag(page, label, 45)[0]
        )
    return {name: row for name, row in found.items() if row["n"]}  # others move what is not watched


def stock(page: Page) -> dict[str, Any]:
    """Return the latencies of the same scene with Streamlit's slider and a Plotly chart."""
    with served(HERE / "stock.py") as address:
        page.goto(address)
        page.wait_for_selector(".js-plotly-plot .gtitle", timeout=60_000)
        page.wait_for_timeout(1500)
        page.evaluate(STOCK)
        page.get_by_role("slider").first.focus()
        for step in range(20):
            page.keyboard.press("ArrowLeft" if step < 10 else "ArrowRight")
            page.wait_for_timeout(1600)
        return summary(page.evaluate("window.__watch.waits.splice(0)"))


def say(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Print rows of the table as soon as they are measured, and return them."""
    for name, row in rows.items():
        print(f"{name:44} n {row['n']:4}   median {row['median_ms']:7.1f} ms   "
              f"p95 {row['p95_ms']:7.1f} ms", flush=True)  # fmt: skip
    return rows


def main() -> None:
    """Measure everything, print a table, and end with one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", default="all", help="keys with commas, or 'all' (all)")
    parser.add_argument("--links", nargs="*", default=[], help="states of pages to measure as well")
    given = parser.parse_args()
    asked = [] if given.pages == "all" else given.pages.split(",")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        # Waiting for an expression evaluates text, which the pages' policy forbids.
        page = browser.new_page(viewport={"width": 1440, "height": 900}, bypass_csp=True)
        figures: dict[str, Any] = {"live": live(page)}
        with served(ROOT / "app.py") as address:
            for path in (*views(asked), *given.links):
                figures |= say(in_view(page, address, path))
                for tab in page.locator(".dp-figure [role=tab]:visible").all_inner_texts():
                    figures |= say(in_view(page, address, path, tab))
        figures["stock_slider_and_chart"] = stock(page)
        browser.close()
    ours, theirs = figures["live"]["epsilon_key"], figures["stock_slider_and_chart"]
    figures["stock_over_ours_median"] = round(theirs["median_ms"] / ours["median_ms"], 1)
    say(
        {
            "ε drag (ours)": figures["live"]["epsilon_drag"],
            "ε key (ours)": ours,
            "ε key (stock)": theirs,
        }
    )
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
