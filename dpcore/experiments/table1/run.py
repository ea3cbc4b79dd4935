"""Run the trainings of Table 1, Figure 1 and the sweep on threads, processes or a Dask cluster.

Finished tasks are written to a journal file, from which an interrupted run is resumed.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from dpcore import _checks
from dpcore.experiments.table1.training import DATA, MODELS, RECIPES, Recipe, Task, run_task
from dpcore.journal import Journal, Refused

__all__ = [
    "Clock",
    "Settings",
    "run",
    "tasks",
    "work_through",
    "write",
]

Rows = list[dict[str, Any]]
Done = tuple[str, Rows, float]  # key, rows, seconds on the wall
_BACKENDS = ("threads", "processes", "dask")
# Rough seconds of a task on one core, only to say how much time is left before any has finished.
_GUESS = {"mnist": 1.0, "har": 0.6, "segment": 0.2, "lbfgs": 12.0, "glvq": 0.25}


class Clock:
    """Progress and remaining time of a run, estimated from the median time of each kind of task."""

    def __init__(self, todo: Sequence[Task], n_jobs: int) -> None:
        self._left = {task.key: self._kind(task) for task in todo}
        self._guess = {self._kind(task): self._first_guess(task) for task in todo}
        self._seen: dict[tuple[str, ...], list[float]] = {}
        self._n_jobs, self._total = n_jobs, len(todo)

    @staticmethod
    def _kind(task: Task) -> tuple[str, ...]:
        return task.data, task.model, task.name

    @staticmethod
    def _first_guess(task: Task) -> float:
        steps = max(1.0, task.recipe.n_steps / 5000)
        slow = _GUESS["lbfgs"] if task.recipe.solver == "lbfgs" else steps
        return _GUESS[task.data] * slow * (_GUESS["glvq"] if task.model == "glvq" else 1.0)

    def finished(self, key: str, seconds: float) -> None:
        """Record the duration of the finished task ``key``."""
        self._seen.setdefault(self._left.pop(key), []).append(seconds)

    def seconds_left(self) -> float:
        """Return the estimated remaining time of the run in seconds."""
        # Medians, because a worker's first task also compiles, reads and makes the account.
        seen = {kind: statistics.median(times) for kind, times in self._seen.items()}
        pace = statistics.median([1.0, 1.0, *(t / self._guess[kind] for kind, t in seen.items())])
        spans = {kind: seen.get(kind, pace * guess) for kind, guess in self._guess.items()}
        return sum(spans[kind] for kind in self._left.values()) / self._n_jobs

    def line(self) -> str:
        """Return a line of text with the numbers of finished and of all tasks, and the remaining time."""
        minutes, seconds = divmod(round(self.seconds_left()), 60)
        done = self._total - len(self._left)
        return f"{done:4d}/{self._total}  {minutes:d}:{seconds:02d} left"


def work_through(
    wanted: Sequence[Task],
    mark: Mapping[str, Any],
    out: Path,
    *,
    backend: str = "processes",
    n_jobs: int = 1,
    scheduler: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> list[tuple[Task, Rows]]:
    """Return the rows of all tasks, after running those that are missing in the journal.

    The journal is a file of finished tasks next to ``out``. If a worker dies, only its unfinished
    tasks are lost, and they are run again.

    Parameters
    ----------
    wanted : sequence of Task
        Tasks in the order of the result; their keys must differ.
    mark : mapping
        Settings that determine the results. A journal with other settings is refused.
    out : Path
        Path of the table, a .csv or .parquet file. This function does not write the table. The journal
        has the same name with ``.journal`` added.
    backend : "threads", "processes" or "dask"
        Executor of the tasks.
    n_jobs : int
        Number of workers. With dask, number of tasks submitted at a time.
    scheduler : str or None
        Address of a Dask scheduler; only with dask.
    tell : callable or None
        Called with each line of progress; by default it prints to stderr.

    Returns
    -------
    list of (Task, list of dict)

    Raises
    ------
    ValueError
        When an argument is not allowed, or the journal is locked or has other settings.
    """
    _checks.one_of("backend", backend, _BACKENDS)
    jobs = _checks.integer("n_jobs", n_jobs, low=1)
    _check_format(out)
    say = tell or (lambda line: print(line, file=sys.stderr, flush=True))
    with Journal(out.with_name(out.name + ".journal"), dict(mark)) as journal:
        todo = [task for task in wanted if task.key not in journal.done]
        if len(todo) < len(wanted):
            say(f"{len(wanted) - len(todo)} of {len(wanted)} tasks are in the journal already.")
        clock = Clock(todo, jobs)
        with _workers(backend, scheduler):
            for key, rows, seconds in _finished(todo, jobs, say):
                if journal.add(key, rows):
                    clock.finished(key, seconds)
                    say(f"{clock.line()}  {key}: {_error_words(rows)}")
        return [(task, journal.done[task.key]) for task in wanted]


def _error_words(rows: Rows) -> str:
    few = rows if len(rows) <= 6 else [rows[0], rows[len(rows) // 2], rows[-1]]
    return " ".join(f"{row['error']:.4f}" for row in few)


def write(rows: Rows, out: Path) -> None:
    """Write rows to a .csv or .parquet file atomically."""
    import pandas

    _check_format(out)
    frame, half = pandas.DataFrame(rows), out.with_name(out.name + ".part")
    if out.suffix == ".parquet":
        frame.to_parquet(half, index=False)
    else:
        frame.to_csv(half, index=False)
    os.replace(half, out)


def _check_format(out: Path) -> None:
    if out.suffix not in (".csv", ".parquet"):
        raise Refused(
            f"out={out.name!r} is not allowed: give a name that ends in .csv or .parquet."
        )


def _one(task: Task) -> Done:
    from threadpoolctl import threadpool_limits

    began = time.perf_counter()
    with threadpool_limits(1):  # workers are the parallelism, more threads would be in their way
        rows = run_task(task)
    return task.key, rows, time.perf_counter() - began


@contextmanager
def _workers(backend: str, scheduler: str | None) -> Iterator[None]:
    from joblib import parallel_config

    if backend != "dask":
        with parallel_config("threading" if backend == "threads" else "loky"):
            yield
        return
    if scheduler is None:
        raise Refused("backend='dask' needs the address of a scheduler: give tcp://host:port.")
    try:
        from distributed import Client
    except ImportError as error:
        raise Refused(
            "backend='dask' needs Dask, which is not installed: pip install 'dask[distributed]', "
            "or choose 'threads' or 'processes'."
        ) from error
    with (
        Client(scheduler) as client,  # type: ignore[no-untyped-call]
        parallel_config("dask", client=client),
    ):
        yield


def _finished(todo: list[Task], n_jobs: int, say: Callable[[str], None]) -> Iterator[Done]:
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    left = {task.key: task for task in todo}
    while left:
        before = len(left)
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            for done in parallel(delayed(_one)(task) for task in list(left.values())):
                del left[done[0]]
                yield done
        except BrokenProcessPool:
            if len(left) == before:
                raise
            say(f"A worker died: {len(left)} tasks go on with new ones.")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Extent of a run: data sets, models, recipes, numbers of repeats and folds, and seed.

    - ``recipes``: names of the recipes.
    - ``data_dir``: a folder that every worker can read, as ``data_home`` of `datasets.load`.
    - ``change``: values that replace fields of all recipes.
    """

    data: tuple[str, ...] = DATA
    models: tuple[str, ...] = MODELS
    recipes: tuple[str, ...] = tuple(RECIPES)
    n_repeats: int = 5
    n_folds: int = 5
    seed: int = 1
    data_dir: str | None = None
    change: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, allowed in (("data", DATA), ("models", MODELS), ("recipes", tuple(RECIPES))):
            for value in getattr(self, name):
                _checks.one_of(name, value, allowed)
        _checks.integer("n_repeats", self.n_repeats, low=1)
        _checks.integer("n_folds", self.n_folds, low=1, high=5)
        _checks.integer("seed", self.seed, low=0)

    def recipe(self, name: str) -> Recipe:
        """Return the recipe with this name, with the changes of this run."""
        return replace(RECIPES[name], **self.change)

    def mark(self) -> dict[str, Any]:
        """Return the settings that determine the results: seed and recipes."""
        return {"seed": self.seed, "recipes": {n: asdict(self.recipe(n)) for n in sorted(RECIPES)}}


def tasks(settings: Settings) -> list[Task]:
    """Return all tasks of the table, ordered by repeat.

    The first repeat of every cell precedes any second repeat.
    """
    return [
        Task(
            data=data, model=model, name=name, recipe=settings.recipe(name), repeat=repeat,
            fold=fold, seed=settings.seed, data_dir=settings.data_dir,
        )
        for repeat in range(settings.n_repeats)
        for fold in range(settings.n_folds)
        for data in settings.data
        for model in settings.models
        for name in settings.recipes
    ]  # fmt: skip


def run(
    settings: Settings,
    out: Path,
    *,
    backend: str = "processes",
    n_jobs: int = 1,
    scheduler: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> list[dict[str, Any]]:
    """Run all tasks that are missing in the journal, and write the complete table to ``out``.

    The journal is a file of finished tasks next to ``out``. If a worker dies, only its unfinished
    tasks are lost, and they are run again.

    Parameters
    ----------
    settings : Settings
        Extent of the run.
    out : Path
        A .csv or .parquet file. The journal has the same name with ``.journal`` added.
    backend : "threads", "processes" or "dask"
        Executor of the tasks.
    n_jobs : int
        Number of workers. With dask, number of tasks submitted at a time.
    scheduler : str or None
        Address of a Dask scheduler; only with dask.
    tell : callable or None
        Called with each line of progress; by default it prints to stderr.

    Returns
    -------
    list of dict
        One row per task and ε.

    Raises
    ------
    ValueError
        When an argument is not allowed, or the journal is locked or has other settings.
    """
    results = work_through(
        tasks(settings), settings.mark(), out, backend=backend, n_jobs=n_jobs,
        scheduler=scheduler, tell=tell,
    )  # fmt: skip
    rows = [row for _, some in results for row in some]
    write(rows, out)
    return rows
