"""Results that lie on disk before anybody asks: found by what they depend on, put back into the page's work.

A result is found by the stage, the parameters it sees, the file its data come from and a digest of all code that
may have a part in it, so that what other code has made is not shown. Public data only: nothing that was computed
from a person's own table is looked for or kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpcore import datasets, disk_cache
from ui.jobs.reports import Report
from ui.runner.stages import Plan, Stage

__all__ = ["Kept"]


class Kept:
    """A stage's work, whose result may lie on disk.

    Called like the work itself it returns the whole result, from the disk or made; ``ready()`` the one on
    the disk or None. A damaged file is written anew by whoever makes the result.
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
    ) -> None:
        self._work, self._plan, self._stage = work, plan, stage
        self._seen, self._problem, self._public = seen, problem, public

    @property
    def file(self) -> Path | None:
        """Where the result lies, or would; None for what is never kept."""
        stage = self._stage
        packages = _packages(stage)
        if not self._public or stage is self._plan.data or stage.of or not packages:
            return None
        data = self._plan.data
        mark: str | None = ""
        if data is not None and data.choice not in stage.ignored(self._seen):
            mark = datasets.mark(str(getattr(self._seen, data.choice)))
        if mark is None:
            return None
        name = f"{self._plan.name}-{stage.name}".replace(" ", "-")
        return disk_cache.result_file(name, (self._seen, mark), packages=packages)

    def ready(self) -> Any:
        """Return the result on disk, or None."""
        file = self.file
        found = disk_cache.read(file) if file is not None else None
        if found is None:
            return None
        value, rest = found
        if set(rest) != set(self._stage.rests_on):
            return None
        for name, item in rest.items():  # where `functools.cached_property` keeps it
            vars(self._problem).setdefault(name, item)
        return value

    def __call__(self, *hooks: Any) -> Any:
        """Return the whole result; ``hooks`` are those of the work."""
        found = self.ready()
        if found is None:
            found = self._work(*hooks)
            file = self.file
            if file is not None and file.exists():  # damaged, or it would have been found
                self.keep(found)
        return found

    def behind(self, report: Callable[[Report], None], cancelled: Callable[[], bool]) -> None:
        """Do the work as a job does it: told as a report."""
        report(Report(self(report, cancelled), 1.0))

    def fresh(self) -> Any:
        """Return the whole result, made now whatever lies on disk."""
        return self._work()

    def keep(self, value: Any) -> bool:
        """Write the result; False when it cannot be kept."""
        file = self.file
        if file is None:
            return False
        rest = {name: getattr(self._problem, name) for name in self._stage.rests_on}
        return disk_cache.write(disk_cache.writable(file), (value, rest))


def _packages(stage: Stage) -> tuple[str, ...]:
    """The packages whose code has a part in a result: none where that is not known."""
    top = str(stage.run.__module__).partition(".")[0]
    return (top, "ui") if hasattr(sys.modules.get(top), "__path__") else ()
