"""Measure the server's processor time for one poll of a waiting reader.

Many readers open a page whose computation never ends and uses no processor time. In turn they send nothing,
poll the page itself, and poll the status route. The server's processor time without any polling is subtracted.
The last line printed is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.load.reader import Reader
from benchmarks.load.watched import ROOT, Server, running, version


async def asking(
    server: Server, how: str, *, readers: int, seconds: float, idle: float = 0.0
) -> dict[str, Any]:
    """Return the server's cost of ``readers`` who poll for ``seconds``, in the way ``how``.

    ``idle`` has the processor seconds of the server without polling, which are subtracted.
    """
    found = [Reader(server.address, "") for _ in range(readers)]
    try:
        for reader in found:
            await reader.open()
            await reader.until(lambda reader=reader: reader.figures.first is not None, 60)
            reader.live_figure.glancing = how == "the news"
            reader.live_figure.touching = how == "nothing"
        await asyncio.sleep(5)  # until questions have become as rare as they become
        figures = [reader.live_figure for reader in found]
        cpu, asked = server.cpu(), sum(figure.ticks + figure.glances for figure in figures)
        await asyncio.sleep(seconds)
        spent = server.cpu() - cpu
        asked = sum(figure.ticks + figure.glances for figure in figures) - asked
        errors = [error for reader in found for error in reader.figures.errors]
    finally:
        for reader in found:
            await reader.close()
    return {
        "questions": asked, "cpu_s": round(spent, 2), "errors": len(errors),
        "cpu_ms_each": round(1000 * (spent - idle) / max(asked, 1), 2),
        "share_of_a_core": round(spent / seconds, 3),
    }  # fmt: skip


def main() -> None:
    """Measure both ways of polling, print the results, and end with one JSON object."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--readers", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    found: dict[str, Any] = {}
    with running(ROOT / "benchmarks" / "latency_apps" / "waiting.py") as server:
        for how in ("nothing", "the page", "the news"):
            idle = found["nothing"]["cpu_s"] if found else 0.0
            found[how] = asyncio.run(asking(server, how, **vars(options), idle=idle))
            print(f"{how:10} {found[how]}", flush=True)
    print(json.dumps({"commit": version(), "options": vars(options), "figures": found}))


if __name__ == "__main__":
    main()
