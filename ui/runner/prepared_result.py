"""Results stored on disk under a digest of everything that they depend on.

The name of a file depends on the stage, the parameters that the stage uses, its data file and a digest of the code
(`dpcore.code_digest`). A changed computation makes the file obsolete, a changed caption does not.

Only results of public data are stored. Results of a user's table are neither looked up nor written.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpcore import datasets, disk_cache
from dpcore.code_digest import code_digest
from ui.jobs.reports import Report
from ui.runner.stages import Plan, Stage

__all__ = ["PreparedResult", "opening_file"]

_ASSETS = Path(__file__).resolve().parents[2] / "assets"


def opening_file(page: str, stage: str) -> Path:
    """Return the path of the project's file with a result for the parameters with which a page opens.

    ``python -m tools.openings --only-shipped`` writes the files of all stages that declare ``ships``.
    """
    return _ASSETS / page / f"opening-{stage}.npz"


class PreparedResult:
    """Computation of a stage whose result may be stored on disk.

    Calling an instance returns the final result, read from disk or computed. A damaged file is written again.
    The name of the file contains a digest of the code and the parameters.

    Parameters
    ----------
    work : callable
        Function that computes the result.
    plan, stage : Plan, Stage
        Declarations of the page's computations and of the stage.
    seen : Params
        Parameters as the stage receives them.
    problem : object
        The learning problem. Some of its cached properties are restored from disk: those named in the
        stage's ``rests_on``.
    public : bool
        Whether the data are public.
    functions : sequence of callables, optional
        Functions whose code enters the digest. The default is the function of the stage and the function
        that loads the data.
    """

    def __init__(
        self,
        work: Callable[..., Any],
        plan: Plan,
        stage: Stage,
        seen: Any,
        problem: Any,
        *,
        public: bool,
        functions: tuple[Callable[..., Any], ...] = (),
    ) -> None:
        self._work, self._plan, self._stage = work, plan, stage
        self._seen, self._problem, self._public = seen, problem, public
        readers = (plan.data.run,) if plan.data is not None else ()
        self._functions = functions or (stage.run, *readers)

    @property
    def file(self) -> Path | None:
        """Path of the stored result, which need not exist; None for a stage whose results are never stored."""
        stage = self._stage
        if not self._public or stage is self._plan.data or stage.of:
            return None
        data = self._plan.data
        mark: str | None = ""
        if data is not None and data.choice not in stage.ignored(self._seen):
            mark = datasets.mark(str(getattr(self._seen, data.choice)))
        code = self._code()
        if mark is None or code is None:
            return None
        name = f"{self._plan.name}-{stage.name}".replace(" ", "-")
        return disk_cache.result_file(name, (self._seen, mark), code=code)

    def _code(self) -> str | None:
        """Return the digest of the code that computes the result.

        Return None if the source of the code cannot be read.
        """
        top = str(self._stage.run.__module__).partition(".")[0]
        packages = tuple(sorted({"dpcore", "ui", top}))
        functions = *self._functions, type(self._seen), disk_cache.read
        try:
            return code_digest(*functions, packages=packages)
        except ValueError:
            return None

    def ready(self) -> Any:
        """Return the result stored on disk or in the project, or None."""
        file = self.file
        entry = disk_cache.read(file) if file is not None else None
        if entry is None:
            entry = self._opening()
        if entry is None:
            return None
        value, rest = entry
        if set(rest) != set(self._stage.rests_on):
            return None
        for name, item in rest.items():  # where `functools.cached_property` keeps it
            vars(self._problem).setdefault(name, item)
        return value

    def _opening(self) -> tuple[Any, dict[str, Any]] | None:
        """Return the content of the project's file with the result for the parameters with which the page opens."""
        stage, seen = self._stage, self._seen
        if not stage.ships or not self._public or seen != stage.seen(type(seen)()):
            return None
        entry: tuple[Any, dict[str, Any]] | None = disk_cache.read(
            opening_file(self._plan.name, stage.name)
        )
        return entry

    def __call__(self, *hooks: Any) -> Any:
        """Return the final result, from disk or computed.

        ``hooks`` are passed to the computation.
        """
        result = self.ready()
        if result is None:
            result = self._work(*hooks)
            file = self.file
            if file is not None and file.exists():  # damaged, or it would have been read
                self.write(result)
        return result

    def run(self, report: Callable[[Report], None], cancelled: Callable[[], bool]) -> None:
        """Compute the result as a background job, with progress and cancellation."""
        report(Report(self(report, cancelled), 1.0))

    def compute(self) -> Any:
        """Compute the final result anew, even if one is on disk."""
        return self._work()

    def write(self, value: Any) -> bool:
        """Store a result on disk; return whether this succeeded."""
        file = self.file
        if file is None:
            return False
        rest = {name: getattr(self._problem, name) for name in self._stage.rests_on}
        return disk_cache.write(disk_cache.writable(file), (value, rest))
