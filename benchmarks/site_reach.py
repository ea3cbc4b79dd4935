"""Measure the static site page by page: states, files, bytes, and processor seconds of its preparation.

Each page is written into a folder of its own, from nothing, by ``python -m pages site`` with one process. A later run
with other pages keeps what was measured. The table has a line for each page: its states; the files and megabytes of
these; the kilobytes that travel, compressed, until its first figure stands; the processor seconds of the preparation,
with those of all processes that the command starts; and how many states Panel's ``embed`` would store whole for the
same handles at the same values. Below it stands how long 2, 16 and 64 workers take by the times of the tasks.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux
_FLEETS = (2, 16, 64)
_HEAD = """\
| page | states | files | MB | kB to the first figure | CPU s | states that `embed` stores |
|---|---:|---:|---:|---:|---:|---:|"""


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("out", type=Path, help="a folder for the measured sites")
    add(
        "--pages",
        default="",
        help="measure these pages, with commas (default: those not measured yet)",
    )
    return parser.parse_args(given)


def measured(key: str, out: Path) -> dict[str, Any]:
    """Write a page's site from nothing; return its report, with the processor seconds of all processes."""
    folder = out / key
    shutil.rmtree(folder, ignore_errors=True)
    before = _cpu_of_children()
    environment = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "pages", "site", str(folder), "--pages", key]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}.")
    while True:  # workers that the command has left to end by themselves
        try:
            os.wait()
        except ChildProcessError:
            break
    report: dict[str, Any] = json.loads((folder / "report.json").read_text("utf-8"))
    files = {path for name in ("arrays", "states") for path in (folder / name).iterdir()}
    return report | {
        "cpu_seconds": round(_cpu_of_children() - before, 1),
        "page_files": len(files),
        "page_megabytes": sum(path.stat().st_size for path in files) / 1e6,
        "embed_states": embed_states(key),
    }


def _cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def embed_states(key: str) -> int:
    """Return the number of combinations of all values that a reader can choose on a page, at both levels of detail.

    Panel's ``embed`` computes everything in Python, so it stores a state for each. It has no way to leave a
    combination out but fewer values of a handle.
    """
    from threadpoolctl import threadpool_limits

    from pages.site import on_site, prepared_pages

    total = 0
    for spec in on_site([key]):
        for page in prepared_pages(spec):
            with threadpool_limits(1):
                figure = page.figure(page.computed(spec.params()))
            sizes = [
                len(page.values[one.name]) if one.name in page.values else one.size() or 1
                for one in figure.controls
                if not (one.hidden or one.disabled)
                and (one.mode == "local" or one.name in page.values)
            ]
            total += math.prod(sizes)
    return total


def row(key: str, report: dict[str, Any]) -> str:
    """Return a page's line of the table."""
    first = [
        page["first_figure_kilobytes"]
        for file, page in report["pages"].items()
        if file.partition(".")[0] == key
    ]
    return (
        f"| {key} | {report['states']} | {report['page_files']} | {report['page_megabytes']:.2f} | "
        f"{' / '.join(f'{kilobytes:.0f}' for kilobytes in first)} | {report['cpu_seconds']:.0f} | "
        f"{report['embed_states']:,} |".replace(",", "\u202f")
    )


def main() -> None:
    """Measure, keep the measurements beside the sites, and print the table of all."""
    from pages.commands.site import makespan
    from pages.site import on_site

    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    keys = [spec.key for spec in on_site()]
    wanted = [key for key in options.pages.split(",") if key]
    for key in wanted or [one for one in keys if not _file(options.out, one).exists()]:
        _file(options.out, key).write_text(json.dumps(measured(key, options.out)), "utf-8")
        print(f"{key} is measured", file=sys.stderr, flush=True)
    reports = {
        key: json.loads(_file(options.out, key).read_text("utf-8"))
        for key in keys
        if _file(options.out, key).exists()
    }
    print("\n".join([_HEAD, *(row(key, report) for key, report in reports.items())]))
    seconds = [one for report in reports.values() for one in report["task_seconds"]]
    for n in _FLEETS:
        print(f"{n} workers: {makespan(seconds, n):.0f} s ({len(seconds)} groups of tasks)")


def _file(out: Path, key: str) -> Path:
    return out / f"{key}.json"


if __name__ == "__main__":
    main()
