"""Measure the load of a class of N simulated readers on the application.

The readers open a page, poll, drag sliders and release them. Each reader uses Streamlit's WebSocket protocol and
replies as `assets/live` does (`benchmarks/load/reader.py`). All readers run in this process, the application in a new
one. There is no browser, so the times do not include drawing (`open_page.py` measures it). The last line printed is
one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from benchmarks.load.calls import counted_calls
from benchmarks.load.listing import pages
from benchmarks.load.measured import Figures, quantiles
from benchmarks.load.reader import Reader
from benchmarks.load.watched import Server, running, version


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--readers", type=int, default=10, help="how many (10)")
    add(
        "--pages", default="relevance", help="paths with commas, readers in turn; 'all' (relevance)"
    )
    add("--ramp", type=float, default=10, help="seconds within which all come (10)")
    add("--commits", type=int, default=3, help="handles let go by each reader (3)")
    add("--every", type=float, default=3, help="seconds from one commit to the next (3)")
    add("--differ", action="store_true", help="each reader sets other values (all the same)")
    add("--drags", type=int, default=0, help="drag events before each commit (0)")
    add(
        "--draggers",
        type=float,
        default=0.25,
        help="share of readers who drag, with --drags (0.25)",
    )
    add("--bound", type=float, default=90, help="seconds a reader waits for a complete page (90)")
    add("--answer", type=float, default=60, help="seconds a reader waits for an answer (60)")
    add("--again", action="store_true", help="the same class once more, on the now warm server")
    add("--calls", action="store_true", help="instead: calls of accountants a commit, each page")
    add("--seed", type=int, default=0, help="of what is moved (0)")
    add("--address", default="", help="a server that runs already, http://... (starts one)")
    add("--pid", type=int, nargs="*", default=[], help="with --address: processes to watch")
    return parser.parse_args(given)


async def one(options: argparse.Namespace, address: str, page: str, number: int) -> Figures:
    """Return the measurements of one reader, who opens a page, waits, moves sliders and leaves."""
    reader = Reader(address, page)
    await asyncio.sleep(options.ramp * number / options.readers)
    drag = options.drags if number < options.draggers * options.readers else 0
    try:
        await reader.open()
        if not await reader.until(lambda: reader.figures.complete is not None, options.bound):
            reader.patient = False
        for turn in range(options.commits if reader.live_figures and reader.choices() else 0):
            if reader.figures.errors:
                break
            start = time.perf_counter()
            chance = np.random.default_rng([options.seed, turn, number if options.differ else 0])
            await reader.move(chance, options.answer, drag=drag)
            await asyncio.sleep(max(0.0, options.every - (time.perf_counter() - start)))
    except Exception as error:
        reader.figures.errors.append(f"{type(error).__name__}: {error}"[:200])
    finally:
        await reader.close()
    return reader.figures


async def visit(options: argparse.Namespace, server: Server) -> dict[str, Any]:
    """Return the measurements of a class whose readers open pages one shortly after the other."""
    named = options.pages.split(",")
    paths = await pages(server.address) if named == ["all"] else named
    before, start, own = server.cpu(), time.perf_counter(), time.process_time()
    coming = [
        one(options, server.address, paths[i % len(paths)], i) for i in range(options.readers)
    ]
    found = await asyncio.gather(*coming)
    return {
        "readers": options.readers,
        "pages": len(paths),
        "differ": options.differ,
        **{
            name: quantiles([v for f in found for v in _values(f, name)])
            for name in ("first", "complete", "commits", "settled", "drags")
        },
        "incomplete": sum(figures.complete is None for figures in found),
        "unanswered": sum(figures.unanswered for figures in found),
        "errors": sum(bool(figures.errors) for figures in found),
        "said": sorted({text for figures in found for text in figures.errors})[:5],
        "ticks": sum(figures.ticks for figures in found),
        "glances": sum(figures.glances for figures in found),
        "resent": sum(figures.resent for figures in found),
        "received_mb": round(sum(figures.bytes for figures in found) / 1e6, 1),
        "server_cpu_s": round(server.cpu() - before, 1),
        "generator_cpu_s": round(time.process_time() - own, 1),
        "seconds": round(time.perf_counter() - start, 1),
        **server.usage(),
    }


def _values(figures: Figures, name: str) -> list[float]:
    found = getattr(figures, name)
    return found if isinstance(found, list) else [found] if found is not None else []


def told(title: str, found: dict[str, Any]) -> None:
    """Print the measurements of a class."""
    print(f"\n{title}")
    for name, value in found.items():
        if isinstance(value, dict):
            value = "   ".join(f"{key} {number:g}" for key, number in value.items())
        print(f"  {name:28} {value}")


def calls(options: argparse.Namespace) -> None:
    """Count the computations of accountants on each page, print them, and end with one JSON object."""
    with running(calls=True) as server:
        named = [] if options.pages == "all" else options.pages.split(",")
        found = asyncio.run(
            counted_calls(
                server, named, seed=options.seed, bound=options.bound, answer=options.answer
            )
        )
    print(json.dumps({"commit": version(), "options": vars(options), "calls": found}))


def main() -> None:
    """Measure, print the results, and end with one JSON object."""
    options = arguments()
    if options.calls:
        return calls(options)
    own: AbstractContextManager[Server] = (
        nullcontext(Server(options.address, options.pid))
        if options.address
        else running(ahead=True)
    )
    with own as server:
        figures = {"cold": asyncio.run(visit(options, server))}
        told(f"{options.readers} readers, {options.pages}, a server just started", figures["cold"])
        if options.again:
            figures["warm"] = asyncio.run(visit(options, server))
            told("The same class again", figures["warm"])
    print(json.dumps({"commit": version(), "options": vars(options), **figures}))


if __name__ == "__main__":
    main()
