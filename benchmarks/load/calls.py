"""Count how often scripts compute privacy costs when sliders are released, at new and at repeated values."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.load.listing import pages
from benchmarks.load.reader import Reader
from benchmarks.load.watched import Server

__all__ = ["counted_calls"]


async def counted_calls(
    server: Server, paths: list[str], *, seed: int, bound: float, answer: float
) -> dict[str, dict[str, Any]]:
    """Return, for each page, the number of accountant calls when it opens and after each release of a slider.

    A first reader moves every visible slider once. Then a second reader opens the page and moves the sliders to
    the same values. Only actual computations count (`counted.py`), neither cached results nor background jobs.
    """
    table = {}
    for path in [path for path in (paths or await pages(server.address)) if path]:
        table[path] = {
            name: await _read(server, path, seed, bound, answer) for name in ("first", "again")
        }
        _told(path, table[path])
    return table


def _told(page: str, rows: dict[str, dict[str, Any]]) -> None:
    print(f"\n{page}: calls of accountants by scripts, opening and each handle let go")
    for name, row in rows.items():
        commits = "  ".join(f"{handle} {n}" for handle, n in row["commits"].items())
        print(
            f"  {name:6} opening {row['opening']:3}   {commits}   "
            f"({row['seconds']} s; jobs {row['jobs']})",
            flush=True,
        )


async def _read(
    server: Server, path: str, seed: int, bound: float, answer: float
) -> dict[str, Any]:
    reader, before = Reader(server.address, path), server.calls()
    commits, handles, job = [], [], before["job"]
    await reader.open()
    try:
        await reader.until(lambda: reader.figures.complete is not None, bound)
        opened = server.calls()
        for place in range(len(reader.choices()) if reader.live_figures else 0):
            start = server.calls()
            chance = np.random.default_rng([seed, place])
            handles.append(await reader.move(chance, answer, place=place))
            commits.append(int(server.calls()["script"] - start["script"]))
    finally:
        await reader.close()
    end = server.calls()
    return {
        "opening": int(opened["script"] - before["script"]),
        "commits": dict(zip(handles, commits, strict=True)),
        "seconds": round(end["script_s"] - before["script_s"], 2),
        "jobs": int(end["job"] - job),
    }
