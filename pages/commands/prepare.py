"""Command ``python -m pages prepare``: compute the results that pages show when they open, and store them on disk."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from dpcore import disk_cache
from dpcore._command import Progress
from dpcore._console import take_pipe
from dpcore.file_lock import try_lock
from dpcore.journal import Refused
from pages.commands import workers
from ui.server import interrupt

__all__ = ["Task", "Work", "add_to", "of_pages", "run"]


class Task(Protocol):
    """Group of results that the command computes and stores together."""

    @property
    def name(self) -> str:
        """Name of the task, as printed."""

    def is_there(self) -> bool:
        """Return whether all results of the task are on disk, without damage."""

    def make(self) -> list[str]:
        """Compute and store the missing results of the task; return a sentence for each failure."""


Work = Callable[[], Sequence[Task]]
"""Function that returns all tasks of ``prepare``.

It must be a function of a module. Other processes find it by its name.
"""


def of_pages() -> Sequence[Task]:
    """Return the tasks that compute the results that all pages show when they open."""
    from pages.prepare import work

    return work()


def add_to(commands: Any) -> None:
    """Add the parser of ``prepare`` to the subparsers ``commands`` of ``python -m pages``."""
    parser = commands.add_parser(
        "prepare", help="compute what pages open with; started again, it goes on where it was"
    )
    add = parser.add_argument
    add(
        "--list", action="store_true", help="say what there is and what is missing, compute nothing"
    )
    workers.add_to(parser)
    add("--only", nargs="+", metavar="WORDS", help="what has one of these in its name")
    add("--background", action="store_true", help="behind all else; ends when stdin is closed")


def run(args: argparse.Namespace, work: Work = of_pages) -> int:
    """Compute and store the missing results of all tasks; return an exit status.

    The status is 0 if all results are on disk, 1 after failures, 130 when interrupted.
    """
    processes = _workers(args)
    if args.background:
        _step_back()
    tasks = _chosen(work, args.only)
    if args.list:
        return _list(tasks)
    with _alone() as free:
        if not free:
            print("Another process is preparing into the same folder; this one leaves it to it.")
            return 0
        try:
            return _run(tasks, work, processes)
        except KeyboardInterrupt:
            print("Stopped. What is done stays; started again, it goes on.", file=sys.stderr)
            return interrupt.INTERRUPTED


def _workers(args: argparse.Namespace) -> workers.Workers:
    place = disk_cache.folder().resolve()
    return workers.Workers(
        jobs=args.jobs, scheduler=args.scheduler, folder=place,
        environment={disk_cache.ENVIRONMENT: str(place)},
    )  # fmt: skip


def _chosen(work: Work, only: Sequence[str] | None) -> list[tuple[int, Task]]:
    tasks = list(enumerate(work()))
    if not only:
        return tasks
    chosen = [(k, task) for k, task in tasks if any(word in task.name for word in only)]
    if not chosen:
        raise Refused(f"--only {' '.join(only)}: no such work; --list says what there is.")
    return chosen


def _list(tasks: Sequence[tuple[int, Task]]) -> int:
    missing = 0
    for _, task in tasks:
        there = task.is_there()
        missing += not there
        print(f"{'there  ' if there else 'missing'}  {task.name}")
    print(f"{len(tasks) - missing} of {len(tasks)} there, in {disk_cache.folder()}")
    return 0


def _run(tasks: Sequence[tuple[int, Task]], work: Work, processes: workers.Workers) -> int:
    left = [(k, task) for k, task in tasks if not task.is_there()]
    print(f"{len(tasks) - len(left)} of {len(tasks)} are there.", flush=True)
    progress, failed = Progress(len(left), lambda line: print(line, flush=True)), 0
    for task, problems in _run_tasks(left, work, processes):
        failed += bool(problems)
        progress.step(task.name)
        for sentence in problems:
            print(f"    {sentence}", file=sys.stderr, flush=True)
    if failed:
        print(
            f"{failed} could not be prepared; pages compute them when they are opened.",
            file=sys.stderr,
        )
    return 1 if failed else 0


def _run_tasks(
    left: Sequence[tuple[int, Task]], work: Work, processes: workers.Workers
) -> Iterator[tuple[Task, list[str]]]:
    if not processes.are_elsewhere:
        for _, task in left:
            yield task, _make(task)
        return
    for place, problems in processes.run(_one, [(work, k) for k, _ in left]):
        yield left[place][1], problems


def _one(work: Work, place: int) -> list[str]:
    return _make(work()[place])


def _make(task: Task) -> list[str]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # many small products: threads would wait for each other
        return task.make()


@contextlib.contextmanager
def _alone() -> Iterator[bool]:
    """Lock the folder of stored results against other runs of the command; yield whether this succeeded.

    Raises `Refused` if the folder cannot be written to.
    """
    place = disk_cache.folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        lock = (place / "prepare.lock").open("a")
    except OSError as error:
        raise Refused(
            f"The folder {place} cannot be written to ({error.strerror}): "
            f"set {disk_cache.ENVIRONMENT} to one that can."
        ) from error
    with lock:
        yield try_lock(lock)


def _step_back() -> None:
    """Give this process the lowest priority, and end it as soon as its parent process ends.

    When the parent ends, the standard input of this process is closed, which a thread waits for.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.nice(19)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    threading.Thread(target=_end_with, args=[take_pipe(sys.stdin, "rb").read], daemon=True).start()


def _end_with(read: Callable[[], bytes]) -> None:
    read()
    # Files are written in one move: nothing half is left that counts.
    os._exit(interrupt.INTERRUPTED)
