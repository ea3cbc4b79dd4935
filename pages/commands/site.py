"""Command ``python -m pages site OUT``: write the app's figures as files for any web server."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import heapq
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpcore.file_lock import try_lock
from dpcore.journal import Refused
from pages.commands import workers
from ui.server import interrupt

if TYPE_CHECKING:
    from pages.site import Done, Task
    from pages.site_writing import Written
    from ui.static_site.files import SiteFolder

__all__ = ["add_to", "makespan", "run"]

_MEGA = 1e6
_FLEETS = (2, 16, 64)


def add_to(commands: Any) -> None:
    """Add the parser of ``site`` to the subparsers ``commands`` of ``python -m pages``."""
    parser = commands.add_parser(
        "site",
        help="write the figures as files for any web server; started again, it goes on where it was",
    )
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="the folder of the site")
    add(
        "--data",
        type=Path,
        metavar="DIR",
        help="a data folder (default: the one that DPCORE_DATA names)",
    )
    add(
        "--base",
        default="",
        metavar="URL",
        help="where the site will be served, for previews of links",
    )
    add("--pages", default="", metavar="A,B", help="only these pages (default: all)")
    workers.add_to(parser)
    add("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Write the site; return an exit status.

    The status is 0 if everything is written, 1 if a state of a figure failed or a page is larger than allowed, and
    130 after an interruption.

    Raises
    ------
    Refused
        When an argument or the folder cannot be used. The message states the reason.
    """
    _check(args)
    processes = workers.Workers(jobs=args.jobs, scheduler=args.scheduler, folder=args.out.resolve())
    if args.data:
        os.environ["DPCORE_DATA"] = str(args.data.resolve())
    keys = _keys(args.pages)
    try:
        args.out.mkdir(parents=True, exist_ok=True)
        lock = (args.out / ".site.lock").open("a")
    except OSError as error:
        raise Refused(f"The folder {args.out} cannot be written to: {error}.") from error
    with lock:
        if not try_lock(lock):
            raise Refused(
                f"Another process is writing a site to {args.out}: wait for it, or name another folder."
            )
        try:
            return _write(args, keys, processes)
        except KeyboardInterrupt:
            print("Stopped. What is done stays; started again, it goes on.", file=sys.stderr)
            return interrupt.INTERRUPTED


def _check(args: argparse.Namespace) -> None:
    if args.base and not args.base.startswith(("http://", "https://")):
        raise Refused(f"--base {args.base}: give an address like https://dp.example.org/site.")
    if args.data and not args.data.is_dir():
        raise Refused(f"--data {args.data}: there is no such folder. Name one with data files.")


def _keys(text: str) -> Sequence[str]:
    from pages import PAGES

    keys = [key.strip() for key in text.split(",") if key.strip()] or list(PAGES)
    for key in keys:
        if key not in PAGES:
            raise Refused(f"--pages {key}: there is no such page. There are {', '.join(PAGES)}.")
    return keys


def _write(args: argparse.Namespace, keys: Sequence[str], processes: workers.Workers) -> int:
    from pages import site, site_pages
    from ui.static_site import markup
    from ui.static_site.files import SiteFolder

    started = time.monotonic()
    digest = site.code()
    folder = SiteFolder(args.out, digest)
    groups = site.tasks(site.on_site(keys))
    results = site.compute(groups, folder, digest, processes)
    problems, seconds = _collect(results, groups, quiet=args.json)
    failed = {done.task.key for done in problems}
    scripts = markup.assets()
    name = "site-" + hashlib.blake2b(b"".join(scripts.values()), digest_size=6).hexdigest()
    for file, content in scripts.items():
        folder.write(f"{name}/{file}", content)
    written = site_pages.write_pages(folder, name, keys, failed, args.base.rstrip("/"))
    used = [file for page in written for state in page.states for file in state.files]
    folder.remove_others(used)
    report = _report(written, folder, name, time.monotonic() - started, failed)
    report["task_seconds"] = [round(one, 2) for one in seconds]
    report["modelled_seconds"] = {
        str(n): round(makespan(seconds, n), 1) for n in _FLEETS if seconds
    }
    folder.write("report.json", json.dumps(report, indent=1).encode())
    _show(report, args)
    return 1 if problems or report["over_budget"] else 0


def _collect(
    results: Iterable[Done], groups: Sequence[Sequence[Task]], *, quiet: bool
) -> tuple[list[Done], list[float]]:
    """Collect the results of tasks as they finish, and print the progress unless ``quiet``.

    Returns
    -------
    problems : list of Done
        Tasks that failed.
    seconds : list of float
        Time of each group of tasks. The list is empty if the time of a task is not known, since its result was
        already on disk.
    """
    n = sum(map(len, groups))
    group_of = {task: k for k, group in enumerate(groups) for task in group}
    seconds = [0.0] * len(groups)
    started, computed, problems = time.monotonic(), 0, []
    for k, done in enumerate(results, start=1):
        computed += not done.was_there
        seconds[group_of[done.task]] += done.seconds
        passed = time.monotonic() - started
        left = passed / computed * (n - k) if computed else 0.0
        if done.problem:
            problems.append(done)
            print(f"    {done.problem}", file=sys.stderr, flush=True)
        if not quiet and (not done.was_there or k == n):
            print(
                f"{k} of {n}  {passed:6.0f} s, about {left:.0f} s left  {done.task.key}", flush=True
            )
    return problems, seconds if computed == n else []


def makespan(seconds: Sequence[float], n_workers: int) -> float:
    """Return how long workers take for groups of tasks, if each group goes to the worker that is free first.

    The longest groups start first. Times for the start of workers, for transfers and for files are not counted.

    Examples
    --------
    >>> makespan([3.0, 1.0, 1.0, 1.0], 2)
    3.0
    """
    busy = [0.0] * n_workers
    for duration in sorted(seconds, reverse=True):
        heapq.heapreplace(busy, busy[0] + duration)
    return max(busy)


def _report(
    written: Sequence[Written], folder: SiteFolder, scripts: str, seconds: float, failed: set[str]
) -> dict[str, Any]:
    """Return the numbers of prepared states, files and bytes, for the whole site and for each page."""
    from pages import PAGES, site

    common = _first_bytes(folder, scripts)
    pages = {
        page.file: {
            "states": len(page.states),
            "files": len({file for state in page.states for file in state.files}),
            "megabytes": round(folder.size(file for state in page.states for file in state.files) / _MEGA, 3),
            "first_figure_kilobytes": round(
                (common + _wire(folder.root / page.file) + folder.size(page.first)) / 1e3, 1
            ),
        }
        for page in written
    }  # fmt: skip
    budgets = {spec.key: spec.site.megabytes for spec in site.on_site() if spec.site}
    by_key: dict[str, set[str]] = {}
    for page in written:
        by_key.setdefault(page.key, set()).update(
            file for state in page.states for file in state.files
        )
    over = [
        key
        for key, files in by_key.items()
        if folder.size(files) / _MEGA > budgets.get(key, float("inf"))
    ]
    everything = [
        path for path in folder.root.rglob("*") if path.is_file() and path.name != ".site.lock"
    ]
    return {
        "states": sum(len(page.states) for page in written),
        "files": len(everything),
        "megabytes": round(sum(path.stat().st_size for path in everything) / _MEGA, 3),
        "seconds": round(seconds, 1),
        "pages": pages,
        "over_budget": over,
        "failed": sorted(failed),
        "needs_the_app": [key for key in PAGES if key not in by_key],
    }


def _wire(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def _first_bytes(folder: SiteFolder, scripts: str) -> int:
    """Return the compressed size of the scripts and style sheets that a page loads before its first figure."""
    home = folder.root / scripts
    return sum(_wire(home / name) for name in ("site.js", "live.css", "site.css", "look.css"))


def _show(report: dict[str, Any], args: argparse.Namespace) -> None:
    if args.json:
        print(json.dumps(report))
        return
    for file, page in report["pages"].items():
        print(
            f"{file:30} {page['states']:5d} states {page['megabytes']:8.2f} MB, "
            f"first figure {page['first_figure_kilobytes']:6.0f} kB"
        )
    print(
        f"{args.out}: {report['states']} states, {report['files']} files, {report['megabytes']:.1f} MB"
    )
    if report["needs_the_app"]:
        print(f"These pages need the app: {', '.join(report['needs_the_app'])}.")
    for n, seconds in report["modelled_seconds"].items():
        print(f"By the times of these tasks, {n} workers take about {seconds:.0f} s.")
    for key in report["over_budget"]:
        print(
            f"{key} is larger than its budget: declare fewer values, or more megabytes.",
            file=sys.stderr,
        )
