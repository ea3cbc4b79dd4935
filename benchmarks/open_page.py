"""Measure how one reader opens a page in Chromium: transferred bytes, time of the figure, and processor seconds.

Every page is opened three times: by the first visitor of a new server (cold), by a later visitor (warm), and by
a reload. The browser's cache is empty for the first two. A Streamlit page with one st.plotly_chart is measured
in the same run. Then a control is changed whose change Python computes. On request, every slider is moved. The
last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Browser, sync_playwright

from benchmarks.load.listing import pages
from benchmarks.load.trace import Trace
from benchmarks.load.watched import ROOT, Server, running, version
from tests.browser.serving import LAUNCH, chromium


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--pages", default="all", help="paths with commas, or 'all' (all)")
    add("--bound", type=float, default=120, help="seconds a page has to settle (120)")
    add("--repeats", type=int, default=3, help="warm first visits and reloads; medians count (3)")
    add("--cold", action="store_true", help="a server of its own for each page (one for all)")
    add("--touch", action="store_true", help="move every handle to both ends too")
    return parser.parse_args(given)


def opened(browser: Browser, server: Server, path: str, options: argparse.Namespace) -> Any:
    """Open a page, change a control, open it again and reload it; return the measurements."""
    url, found = f"{server.address}/{path}", {}
    before = server.cpu()
    with browser.new_context(**_VIEW) as context:
        trace = Trace(context)
        found["first"] = trace.open(url, options.bound)
        found["first"]["server_cpu_s"] = round(server.cpu() - before, 2)
        if path and path != "stock":
            found["change"] = changed(trace, server, options.bound)
        if path and path != "stock" and options.touch:
            found["ends"] = move_to_ends(trace, options.bound)
        trace.close()
    visits, reloads = [], []
    for _ in range(options.repeats):
        with browser.new_context(**_VIEW) as context:
            trace = Trace(context)
            visits.append(trace.open(url, options.bound))
            reloads.append(trace.open(url, options.bound, again=True))
            trace.close()
    return {**found, "warm": middle(visits), "reload": middle(reloads)}


_VIEW: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "bypass_csp": True}


def changed(trace: Trace, server: Server, bound: float) -> dict[str, Any]:
    """Step the first slider whose changes Python computes, and wait; return what the server used and sent."""
    named = [name for name, mode in trace.handles.items() if mode == "server"]
    trace.clear()
    before, settled = server.cpu(), True
    if named:
        _press(trace, named[0], "ArrowRight", "ArrowLeft")
        settled = trace.settle(bound)
    return {
        "control": next(iter(named), None),
        "server_cpu_s": round(server.cpu() - before, 2),
        "settled": settled,
        "kb": trace.weight()["kb"],
    }


def move_to_ends(trace: Trace, bound: float) -> dict[str, Any]:
    """Move every slider to both ends; return the number of sliders and the kB transferred."""
    names = list(trace.handles)
    trace.clear()
    for name in names:
        _press(trace, name, "Home", "End")
        trace.settle(bound / 4)
    return {"handles": len(names), "kb": trace.weight()["kb"]}


def _press(trace: Trace, name: str, key: str, other: str) -> None:
    """Press ``key`` on a slider, and also ``other`` if ``key`` is "Home" or has not changed the value."""
    handle = trace.page.get_by_role("slider", name=name, exact=True)
    handle.focus()
    before = handle.get_attribute("aria-valuetext") or handle.input_value()
    handle.press(key)
    trace.page.wait_for_timeout(100)
    after = handle.get_attribute("aria-valuetext") or handle.input_value()
    if after == before or key == "Home":
        handle.press(other)
    trace.page.wait_for_timeout(400)  # keys are committed when they have been quiet for a moment


def middle(visits: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the measurements of the last visit, with median times over all visits."""
    found = dict(visits[-1])
    for name in ("script_ms", "first_ms", "complete_ms"):
        seen = [visit[name] for visit in visits if visit[name] is not None]
        found[name] = round(median(seen)) if seen else None
    return found


def told(path: str, rows: dict[str, Any], stock_ms: float) -> None:
    """Print the measurements of a page."""
    print(f"\n{path or 'home'}")
    for name in ("first", "warm", "reload"):
        row = rows[name]
        socket = ", ".join(f"{k} {v / 1000:.0f}" for k, v in sorted(row["socket"].items()))
        files = ", ".join(f"{k} {v / 1000:.0f}" for k, v in sorted(row["files"].items()))
        print(f"  {name:7} script {row['script_ms']} ms, figure {row['first_ms']} ms "
              f"({(row['first_ms'] or float('inf')) / stock_ms:.2f} of stock), settled {row['complete_ms']} ms; "
              f"ours {row['first_kb']} kB, with tabs and previews {row['kb']} kB, "
              f"in {row['messages']} messages")  # fmt: skip
        print(f"          socket kB: {socket}; files kB: {files}")
        print(f"          largest arrays (bytes): {row['largest_arrays']}", flush=True)
    for name in ("change", "ends"):
        if name in rows:
            print(f"  {name:7} {rows[name]}")


def main() -> None:
    """Measure, print, and end with one JSON object."""
    options = arguments()
    figures: dict[str, Any] = {}
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=LAUNCH)
        with running(ROOT / "benchmarks" / "load" / "stock.py") as server:
            figures["stock"] = opened(browser, server, "stock", options)
        stock_ms = figures["stock"]["warm"]["first_ms"]
        told("stock", figures["stock"], stock_ms)
        with running() as server:
            named = options.pages.split(",")
            if named == ["all"]:  # in a thread: Playwright has a loop of its own in this one
                with ThreadPoolExecutor(1) as pool:
                    named = pool.submit(asyncio.run, pages(server.address)).result()
            for path in [] if options.cold else named:
                figures[path or "home"] = opened(browser, server, path, options)
                told(path, figures[path or "home"], stock_ms)
        for path in named if options.cold else []:
            with running() as server:
                figures[path or "home"] = opened(browser, server, path, options)
                told(path, figures[path or "home"], stock_ms)
        browser.close()
    print(json.dumps({"commit": version(), "options": vars(options), "figures": figures}))


if __name__ == "__main__":
    main()
