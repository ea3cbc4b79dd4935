"""Computation of a page's results in advance, which are stored on disk for `PreparedResult`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dpcore import datasets, disk_cache
from dpcore._missing import MissingPackage
from ui.runner.look import Look
from ui.runner.prepared_result import PreparedResult
from ui.runner.stages import Plan, Stage

__all__ = ["View"]


@dataclass(frozen=True)
class View:
    """All stages of a page at given parameters, with results that are computed in advance and stored.

    Parameters
    ----------
    name : str
        Name of the view in the output of ``python -m pages prepare``.
    plan : Plan
        Declaration of the page's stages.
    params : Params
        The displayed parameters.
    whole : bool
        Whether to include previews and stages started by a button.
    """

    name: str
    plan: Plan
    params: Any
    whole: bool = False

    @property
    def _list(self) -> PreparedResult:
        """Stored list of the names of this view's result files.

        The list is stored, since without it the data must be loaded to find out which stages the page shows.
        """
        stages = list(self.plan.stages)
        functions = [stage.run for stage in (self.plan.data, *stages) if stage is not None]
        return PreparedResult(
            _nothing, self.plan, Stage(f"list-{self.whole:d}", stages[0].run), self.params, None,
            public=True, functions=tuple(functions),
        )  # fmt: skip

    def is_public(self) -> bool:
        """Return whether the data are public and available on this server."""
        data = self.plan.data
        choice = "" if data is None else str(getattr(self.params, data.choice))
        return choice != "own" and datasets.mark(choice) is not None

    def is_there(self) -> bool:
        """Return whether all results of this view are on disk and undamaged."""
        names = self._list.ready()
        return names is not None and all(disk_cache.is_whole(name) for name in names)

    def make(self) -> list[str]:
        """Compute and store the missing results; return messages about errors."""
        if not self.is_public():
            return ["its data are not here, or somebody's own: nothing is kept of it."]
        look = Look(self.plan, self.params)
        if look.said:
            return [look.said]
        names, problems = [], []
        for stage in self._stages(look):
            try:
                name, problem = _make(look, stage)
            except (ValueError, MissingPackage) as error:
                name, problem = "", str(error)
            names += [name] if name else []
            problems += [f"{stage.name}: {problem}"] if problem else []
        if not problems:
            self._list.write(names)
        disk_cache.tidy()
        return problems

    def _stages(self, look: Look) -> Iterator[Stage]:
        for stage in self.plan.stages:
            extra = stage.control or stage.on_demand
            behind = stage.is_behind(look.problem, look.params)
            if behind and not stage.of and (self.whole or not extra) and look.shows(stage):
                yield stage


def _make(look: Look, stage: Stage) -> tuple[str, str]:
    """Compute and store a stage's result if it is missing; return the file name and an error message.

    Without an error the message is "". For a result that is never stored, both are "".
    """
    work = look._job(stage)[2]
    if work.file is None:
        return "", ""
    if work.ready() is None:
        value = work.compute()
        if not disk_cache.is_keepable(value):
            return "", ""
        if not work.write(value):
            return (
                "",
                f"the folder {disk_cache.folder()} cannot be written to, or the disk is full.",
            )
    return work.file.name, ""


_nothing: Callable[..., None] = lambda *hooks: None  # noqa: E731
