"""Count the bytes of a user's own table in the memory of the server, in use and after its tabs are closed.

The table has a random class name, random column names and random numbers. It is uploaded and used on two pages in
Chromium. The memory of the server and of all processes that it started is searched for the names in three encodings,
for the numbers as text and as float64, and for pairs of scaled numbers. Linux alone shows a process's memory. The
last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.load.watched import version
from tests.browser.journey import used
from tests.browser.memory_scan import Marked, is_readable, traces
from tests.browser.serving import LAUNCH, ROOT, chromium, started

_PAGES = {"relevance": "class", "regression": "y"}  # with the columns to predict


def measure(rows: int, waits: list[float], seed: int | None) -> dict[str, Any]:
    """Return the numbers of traces in use and after each wait in seconds, by kind."""
    table = Marked.draw(rows, np.random.default_rng(seed))
    with (
        started(ROOT / "app.py") as (address, process),
        sync_playwright() as play,
        play.chromium.launch(executable_path=chromium(), args=LAUNCH) as browser,
        browser.new_context(bypass_csp=True) as context,
    ):
        if not is_readable(process.pid):
            raise SystemExit("The memory of another process cannot be read here.")
        counts = {"unused": dict(traces(process.pid, table))}
        tabs = [context.new_page() for _ in _PAGES]
        for tab, (page, predicts) in zip(tabs, _PAGES.items(), strict=True):
            tab.goto(f"{address}/{page}?dataset=own")
            used(tab, "own.csv", table.csv, predicts=f"{table.column}_{predicts}")
        counts["in use"] = dict(traces(process.pid, table))
        print(counts, flush=True)
        for tab in tabs:
            tab.close()
        closed = time.monotonic()
        for wait in waits:
            time.sleep(max(0.0, closed + wait - time.monotonic()))
            counts[f"closed for {wait:g} s"] = dict(traces(process.pid, table))
            print(f"{wait:g} s:", counts[f"closed for {wait:g} s"], flush=True)
    return counts


def main() -> None:
    """Run the measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--waits", type=float, nargs="+", default=[90.0])
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    counts = measure(args.rows, args.waits, args.seed)
    print(json.dumps({"version": version(), "rows": args.rows, "counts": counts}))


if __name__ == "__main__":
    main()
