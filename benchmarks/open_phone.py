"""Measure how a phone opens pages, in Chromium with a small screen.

The network is 4G, and the processor is slowed four times. For every page the program measures three times:

- when the figure is drawn;
- when the figure is usable: the first step of its first slider is painted (in the early figure if that comes
  first);
- when the complete page is there.

Afterwards the slider must still work from its last value. A Streamlit page with one st.plotly_chart is measured
in turn. Pages are drawn in advance, as under `make app`.

With ``--touch-at 2,3,4``, a finger instead drags the slider for half a second, starting at these seconds after
the request. The program then measures when the first and the slowest movement are painted, and checks the final
value. The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.load.touch import FINGER, HANDLE, Finger
from benchmarks.load.trace import WATCH
from benchmarks.load.watched import ROOT, running, version
from tests.browser.serving import LAUNCH, chromium

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "bypass_csp": True,
}
FOUR_G = {"offline": False, "latency": 165, "downloadThroughput": 9e6 / 8, "uploadThroughput": 1.5e6 / 8}  # fmt: skip
SLOWER = 4  # times, the processor
_FIGURE = "Object.values(window.__dpLive)[0]"
_DRAWS = f"{_FIGURE}.stats.draws"
_TOLD = f"(() => {{ const one = {_FIGURE}; return !one.stats.waiting && one.settled; }})()"


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", default="budget,relevance", help="paths with commas")
    parser.add_argument("--repeats", type=int, default=3, help="visits; medians count (3)")
    parser.add_argument("--bound", type=float, default=60, help="seconds a page has (60)")
    parser.add_argument("--ahead", type=float, default=120, help="seconds for drawing ahead (120)")
    parser.add_argument("--full", action="store_true", help="neither 4G nor slower: a computer")
    parser.add_argument("--touch-at", type=_seconds, default=(), help="seconds with commas")
    return parser.parse_args(given)


def _seconds(text: str) -> tuple[float, ...]:
    return tuple(map(float, text.split(",")))


def visit(
    browser: Browser, url: str, options: argparse.Namespace, touch_at: float | None = None
) -> dict[str, float]:
    """Open a page with an empty cache; return its bytes, and when it was drawn and usable (ms).

    ``touch_at`` is the time, in seconds after the request, at which a finger drags the first slider. If it is
    given, the latencies of the drag are returned too.
    """
    size: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "bypass_csp": True}
    with browser.new_context(**(size if options.full else PHONE)) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        page.add_init_script(FINGER)
        session, loaded = context.new_cdp_session(page), [0.0]
        finger = Finger(page, session)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda e: loaded.append(e["encodedDataLength"]))
        if not options.full:
            session.send("Network.emulateNetworkConditions", FOUR_G)
            session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(url, wait_until="commit", timeout=1000 * options.bound)
        bound = {"timeout": 1000 * options.bound}
        found = {} if touch_at is None else finger.drag(touch_at)
        page.wait_for_function("window.__opened && window.__opened.first !== null", **bound)
        found["drawn"] = page.evaluate("window.__opened.first")
        live = page.evaluate("Boolean(window.__dpLive)")
        if live and touch_at is None:
            found["usable"] = stepped(page, bound)
        page.wait_for_function("window.__opened.page !== null", **bound)
        found["page"] = page.evaluate("window.__opened.page")
        if live and touch_at is None:
            stepped(page, bound)
        if live:
            page.wait_for_function(_TOLD, **bound)
            finger.check()
        found["file_kb"] = sum(loaded) / 1000
        return {name: round(value) for name, value in found.items()}


def stepped(page: Page, bound: dict[str, float]) -> float:
    """Step the first slider that needs no server; return when the change is painted, in ms since the request.

    Raises
    ------
    RuntimeError
        When the slider does not have the value that it was given before.
    """
    handle = page.locator(HANDLE).first
    handle.focus(**bound)
    left = page.evaluate("window.__left ?? null")
    if left not in (None, handle.input_value()):
        raise RuntimeError(f"the handle was left at {left}, and is at {handle.input_value()}")
    before = page.evaluate(_DRAWS)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):  # it moves, at whatever end it is
        handle.press(key, **bound)
    page.wait_for_function(f"{_DRAWS} > {before}", **bound)
    at = float(page.evaluate("performance.now()"))
    page.evaluate("(value) => { window.__left = value; }", handle.input_value())
    return at


def drawn_ahead(urls: Sequence[str], bound: float) -> list[str]:
    """Wait until the server has drawn the pages in advance; return the URLs of the pages not drawn in time.

    The results of such a page are usually not prepared.
    """
    end, left = time.monotonic() + bound, list(urls)
    while left and time.monotonic() < end:
        time.sleep(1)
        left = [url for url in left if b'id="dp-early"' not in served_page(url)]
    return left


def served_page(url: str) -> bytes:
    """Return the HTML of an address, requested as a browser does."""
    with urlopen(Request(url, headers={"Accept": "text/html"}), timeout=30) as answer:
        found: bytes = answer.read()
        return found


def visits(
    urls: Mapping[str, str], touches: Sequence[float]
) -> Iterator[tuple[str, str, float | None]]:
    """Yield name, address and time of the touch (None for none) for each visit of one turn.

    The stock Streamlit page is only opened.
    """
    for name, url in urls.items():
        if name == "stock" or not touches:
            yield name, url, None
        else:
            yield from ((f"{name} touched at {at:g} s", url, at) for at in touches)


def main() -> None:
    """Measure, print the results, and end with one JSON object."""
    options = arguments()
    rows: dict[str, list[dict[str, float]]] = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        with (
            running(ROOT / "benchmarks" / "load" / "stock.py") as stock,
            running(ahead=True) as server,
        ):
            paths = options.pages.split(",")
            urls = {"stock": stock.address, **{path: f"{server.address}/{path}" for path in paths}}
            late = drawn_ahead([urls[path] for path in paths], options.ahead)
            print("without an early figure:", *late or ["none"], flush=True)
            for url in urls.values():
                visit(browser, url, options)  # the servers are warm from here on
            for _ in range(options.repeats):
                for name, url, at in visits(urls, options.touch_at):
                    rows.setdefault(name, []).append(visit(browser, url, options, at))
                    print(name, rows[name][-1], flush=True)
        browser.close()
    figures = {
        name: {what: median(row[what] for row in found) for what in found[0]}
        for name, found in rows.items()
    }
    for name, figure in figures.items():
        share = figure["drawn"] / figures["stock"]["drawn"]
        print(f"{name:12} {figure}  drawn {share:.2f} of stock")
    print(json.dumps({"commit": version(), "options": vars(options), "figures": figures}))


if __name__ == "__main__":
    main()
