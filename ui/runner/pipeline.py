"""Computations of a page (`Pipeline`), and their current results (`PageState`)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from dpcore.datasets.own_table import status_of
from dpcore.experiments.params import Params
from ui import live
from ui.jobs.reports import Snapshot
from ui.live.depth import Depth
from ui.runner.look import Look
from ui.runner.session import Before
from ui.runner.stages import Plan

__all__ = ["PageState", "Pipeline"]

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class PageState(Generic[P]):
    """Best available results of a page at given parameters, and the progress of its background jobs.

    - ``requested_params``: the requested parameters.
    - ``params``: the displayed parameters. They differ from the requested ones if the requested data are still
      loading or unavailable; ``said`` then gives the reason.
    - ``problem``: the learning problem; None while its data are loading and no other data are shown in their place.
    - ``version``: value that changes with every new result, but not with the progress.
    - ``milestone``: value that changes only with final results.
    - ``results``: a value for each stage that has a final or partial result; ``state[name]`` is None for other
      stages.
    - ``before``: for stages with ``stays``, results at earlier parameters that are displayed until they can be
      replaced.
    """

    params: P
    requested_params: P | None = None
    problem: Any = None
    results: Mapping[str, Any] = field(default_factory=dict)
    before: Mapping[str, Before] = field(default_factory=dict)
    busy: live.Busy | None = None
    error: str = ""
    said: str = ""
    version: Hashable = None
    milestone: Hashable = None
    look: Look | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> Any:
        return self.results.get(name)

    def previews(self, kind: str = "preview") -> dict[str, Any]:
        """Return the finished previews of a kind, by the name of their control."""
        return {
            name.removeprefix(f"{kind} "): value
            for name, value in self.results.items()
            if name.startswith(f"{kind} ")
        }

    def now(self, name: str) -> Any:
        """Return the final result of a stage; compute it if necessary.

        Threads without a session may call it.
        """
        return self[name] if self.look is None else self.look.now(self.look.plan.stage(name))

    def newest(self, name: str) -> Any:
        """Return the latest result of a stage, which may be newer than this state. Return None if there is none."""
        return self[name] if self.look is None else self.look.newest(self.look.plan.stage(name))

    def whole(self, *names: str) -> PageState[P]:
        """Return the state with final results of the stages ``names``, and of stages that run in the page's thread.

        Other stages have the results available so far, and ``before`` is empty.
        """
        if self.look is None:
            return self
        results = dict(self.results)
        for stage in self.look.plan.stages:
            if stage.control or stage.on_demand or not self.look.shows(stage):
                continue
            at_once = stage.name in names or not stage.is_behind(self.problem, self.params)
            result = self.now(stage.name) if at_once else self.newest(stage.name)
            results |= {} if result is None else {stage.name: result}
        return replace(self, results=results, before={})

    @property
    def status(self) -> str:
        """Text on why ε is only nominal, or "" if it is not.

        ε is nominal (not proved) if facts such as bounds were read from the data.
        """
        data = getattr(self.problem, "dataset", self.problem)
        return status_of(getattr(data, "estimated", ()))

    @property
    def problems(self) -> list[str]:
        """Messages for the user about unavailable data and failed stages."""
        return [sentence for sentence in (self.said, self.error) if sentence]


def _is_news(look: Look, name: str, shot: Snapshot) -> bool:
    """Return whether a stage's new snapshot changes what is displayed.

    A snapshot of a preview changes the display only with a final result.
    """
    return shot.done or not look.stages[name].control


@dataclass(frozen=True, kw_only=True)
class Pipeline(Plan, Generic[P]):
    """Computations of a page, declared as in a `Plan`; see `ui.runner`."""

    def state(
        self,
        params: P,
        *,
        dragging: bool = False,
        depth: Depth = Depth.CHECK,
        tab: str | None = None,
        near: Collection[str] | None = None,
    ) -> PageState[P]:
        """Return the best available results for a level of detail.

        Background jobs for better results are started or continued.

        ``tab``: the open tab, or None for the first one. ``near``: the controls whose sliders the user may move
        next, or None if unknown.
        """
        look = Look(self, params, starts=not dragging, dragging=dragging, tab=tab, near=near)
        stages = [stage for stage in self.stages if stage.depth <= depth]
        look.at(stages)
        before = {
            stage.name: result
            for stage in stages
            if (result := look.session.before(stage, look.params, look.results.get(stage.name)))
        }
        error = next((shot.error for shot in look.shots.values() if shot.error), "")
        busy = None if dragging else look.busy()
        rest = params, look.params, look.said, error, busy is None, look.problem is None
        shots = [(name, shot) for name, shot in look.shots.items() if _is_news(look, name, shot)]
        coarse = tuple((name, shot.value is not None, shot.done) for name, shot in shots)
        fine = tuple(shot.version for _, shot in shots)
        return replace(
            self._state(params, look), before=before, busy=busy, error=error,
            version=(*rest, coarse, fine), milestone=(*rest, coarse),
        )  # fmt: skip

    def still(self, params: P, *names: str, stored: Sequence[str] = ()) -> PageState[P]:
        """Return a state with the final results of the stages ``names``.

        No job is started. Stages that run in the page's thread also have final results. Results of the stages
        ``stored`` are included if they are on disk or in the cache.
        """
        look = Look(self, params)
        results = {name: look.now(self.stage(name)) for name in names}
        for stage in (self.stage(name) for name in stored):
            jobs, key, work = look._job(stage)
            jobs.offer(key, work.ready)
        look.at([stage for stage in self.stages if stage.name not in names])
        look.results |= results
        return self._state(params, look)

    def ready(self, params: P, *, depth: Depth = Depth.CHECK) -> PageState[P]:
        """Return the state for a first visit, from stored results and quick stages.

        No job is started.
        """
        look = Look(self, params)
        stages = [stage for stage in self.stages if stage.depth <= depth]
        for stage in stages if look.problem is not None or self.data is None else ():
            if stage.tabs and self.tab not in stage.tabs:
                continue
            if look.shows(stage) and not (stage.of or stage.on_demand):
                jobs, key, work = look._job(stage)
                jobs.offer(key, work.ready)
        look.at(stages)
        return self._state(params, look)

    def is_whole(self, state: PageState[P], depth: Depth) -> bool:
        """Return whether all results shown at a level of detail are final.

        Results in closed tabs do not count. Drafts are not final.
        """
        look = state.look
        return (
            look is not None
            and not look.waiting
            and not look.said
            and all(
                look.shots.get(stage.name, Snapshot()).whole
                for stage in self.stages
                if stage.depth <= depth
                and not (stage.control or stage.of or stage.on_demand)
                and (not stage.tabs or self.tab in stage.tabs)
                and look.shows(stage)
            )
        )

    def known(self, params: P) -> PageState[P]:
        """Return the state with the results available so far, for texts.

        Nothing is computed or started.
        """
        look = Look(self, params, computes=False)
        look.at(self.stages)
        return self._state(params, look)

    def ask(self, name: str, params: P) -> Snapshot:
        """Return the snapshot of a stage with ``on_demand``; start its job unless it is running or finished."""
        return Look(self, params, computes=False, starts=True).ask(self.stage(name))

    def cancel(self, params: P) -> P:
        """Stop all jobs that this session has started on the page.

        Final results remain available.

        Return the parameters to continue with. If the data are still loading, these are the parameters of the data
        that are displayed in their place.
        """
        look = Look(self, params, computes=False)
        look.session.cancel()
        return look.params if look.waiting else params

    def words_version(self, params: P) -> tuple[Any, ...]:
        """Return a value that changes when the text below the figure becomes outdated."""
        look = Look(self, params, computes=False)
        look.at(self.stages)
        if self.words_depend_on:
            depends = self.words_depend_on(look.params, look.results)
            return look.waiting, look.problem is not None, depends
        stages = [look.shots.get(name, Snapshot()) for name in self.words]
        return look.waiting, look.problem is not None, *((s.version, s.done) for s in stages)

    def _state(self, params: P, look: Look) -> PageState[P]:
        return PageState(
            params=look.params,
            requested_params=params,
            problem=look.problem,
            results=look.results,
            said=look.said,
            look=look,
        )
