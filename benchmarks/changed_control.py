"""Measure what one changed control costs the server: processor seconds and bytes.

The program starts a new server. A simulated reader (`benchmarks/load/reader.py`) opens each page without a
browser, waits until the page has settled, moves a slider whose change Python computes, and waits again. Then
the reader opens every tab. In the output, "open view" is the cost up to the end of the first wait after the
change, and "everything" includes the tabs. The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.load.listing import pages
from benchmarks.load.reader import Reader
from benchmarks.load.watched import Server, running, version


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--pages", default="all", help="paths with commas, or 'all' (all)")
    add("--control", default="", help="name of the control (the first one that Python answers)")
    add("--all-controls", action="store_true", help="every control that Python answers, in turn")
    add("--view", action="store_true", help="the open view alone: no other tab is opened")
    add("--bound", type=float, default=180, help="seconds a page has to settle (180)")
    return parser.parse_args(given)


class Spent:
    """Meter of the processor time, accountant calls and bytes of a server since the last reading."""

    def __init__(self, server: Server, reader: Reader) -> None:
        self._server, self._reader, self._last = server, reader, self._read(server, reader)
        self._at = time.perf_counter()

    @staticmethod
    def _read(server: Server, reader: Reader) -> tuple[float, ...]:
        figures, calls = reader.live_figures.values(), server.calls()
        return (
            server.cpu(), sum(figure.parts for figure in figures), sum(figure.part_bytes for figure in figures),
            reader.figures.bytes, calls["script"], calls["job"],
        )  # fmt: skip

    def since(self, settled: bool) -> dict[str, Any]:
        """Return what the server has used and sent since the last call of this method."""
        now, at = self._read(self._server, self._reader), time.perf_counter()
        cpu, parts, part_bytes, sent, script, job = (
            new - old for new, old in zip(now, self._last, strict=True)
        )
        seconds, self._last, self._at = at - self._at, now, at
        return {
            "cpu_s": round(cpu, 2), "seconds": round(seconds, 1), "settled": settled,
            "parts": int(parts), "part_kb": round(part_bytes / 1000), "sent_kb": round(sent / 1000),
            "accountant": int(script), "accountant_jobs": int(job),
        }  # fmt: skip


async def page_figures(server: Server, path: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the cost of opening a page, and the cost of changing each control."""
    reader = Reader(server.address, path)
    spent = Spent(server, reader)
    await reader.open()
    try:
        ready = await reader.until(lambda: reader.figures.complete is not None, options.bound)
        settled = ready and await reader.settled(options.bound)
        found: dict[str, Any] = {"opening": {"view": spent.since(settled)}}
        found["opening"]["tabs"] = await _tabs(reader, spent, options)
        for name in _controls(reader, options):
            settled = await reader.step(name, options.bound)
            found[name] = {"view": spent.since(settled)}
            found[name]["tabs"] = await _tabs(reader, spent, options)
    finally:
        await reader.close()
    return found


def _controls(reader: Reader, options: argparse.Namespace) -> list[str]:
    if not reader.live_figures:
        return []
    named = [spec["name"] for spec in reader.choices() if spec["mode"] == "server"]
    if options.control:
        return [name for name in named if name == options.control]
    return named if options.all_controls else named[:1]


async def _tabs(reader: Reader, spent: Spent, options: argparse.Namespace) -> dict[str, Any]:
    """Open every tab of a page once, and return to the first tab; return the cost."""
    if options.view:
        return spent.since(True)
    settled, first = True, reader.live_figure.tab if reader.live_figures else ""
    for name in reader.live_figure.tabs if reader.live_figures else []:
        settled = await reader.look(name, options.bound) and settled
    if reader.live_figures and reader.live_figure.tabs:
        settled = await reader.look(first, options.bound) and settled
    return spent.since(settled)


def told(path: str, rows: dict[str, Any]) -> None:
    """Print the measurements of one page."""
    print(f"\n{path}")
    for name, row in rows.items():
        view, tabs = row["view"], row["tabs"]
        whole = view["cpu_s"] + tabs["cpu_s"]
        print(
            f"  {name:22} CPU {view['cpu_s']:6.2f} s open view, {whole:6.2f} s everything; "
            f"{view['seconds']:5.1f} s; {view['parts']:3} pictures, {view['part_kb']} kB, "
            f"tabs {tabs['parts']}, {tabs['part_kb']} kB; "
            f"accountant {view['accountant']}"
            f"{'' if view['settled'] and tabs['settled'] else '; not settled'}",
            flush=True,
        )


def main() -> None:
    """Measure all pages, print the results, and end with one JSON object."""
    options = arguments()
    found: dict[str, Any] = {}
    with running(calls=True) as server:
        named = options.pages.split(",")
        if named == ["all"]:
            named = [path for path in asyncio.run(pages(server.address)) if path]
        time.sleep(5)  # what a server does by itself at its start
        for path in named:
            found[path] = asyncio.run(page_figures(server, path, options))
            told(path, found[path])
    print(json.dumps({"commit": version(), "options": vars(options), "figures": found}))


if __name__ == "__main__":
    main()
