"""One pass over a page's stages (computations) in the declared order, which finds, starts or drafts each result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore._missing import MissingPackage
from ui import live
from ui.figure_kit.controls import symbols
from ui.jobs import pools
from ui.jobs.job_status import Awaited
from ui.jobs.pool import Jobs
from ui.jobs.reports import Report, Snapshot
from ui.live import tokens
from ui.runner.prepared_result import PreparedResult
from ui.runner.session import first_at_work, is_looked_at, session
from ui.runner.stages import Context, Data, Plan, Run, Stage, ignore_report, never_cancelled
from ui.words import text

__all__ = ["Look"]

T = text.load_text(__file__)
_N_PROBLEMS = 4  # of a person's own data, at different settings


class Look:
    """State of a page's computations at given parameters: the learning problem, and a snapshot of each stage.

    - ``starts``: whether to start background jobs.
    - ``computes``: whether to compute stages that do not run in the background.
    - ``dragging``: whether a draft (provisional result) is shown in place of an unfinished result.
    - ``tab``: the open tab.
    - ``near``: the sliders that the user may move next.
    """

    def __init__(
        self,
        plan: Plan,
        params: Any,
        *,
        starts: bool = False,
        computes: bool = True,
        dragging: bool = False,
        tab: str | None = None,
        near: Collection[str] | None = None,
    ) -> None:
        self.plan, self.params, self.said = plan, params, ""
        self.tab, self.near = plan.tab if tab is None else tab, near
        self.starts, self.computes, self.dragging, self.waiting = starts, computes, dragging, False
        self.session = session(plan.name)
        self.shots: dict[str, Snapshot] = {}
        self.results: dict[str, Any] = {}
        self.stages: dict[str, Stage] = {}
        self.problem: Any = None
        self._own(plan.data.own if plan.data else "")
        if plan.data is not None:
            self._open(plan.data)

    def _own(self, key: str) -> None:
        """Store the parts of the session that the computations need: the user's table, its token, and the jobs.

        Exports use these copies, since they run in threads without a session.
        """
        self.upload = st.session_state.get(key) if key else None
        self.token = "" if self.upload is None else tokens.token(key)
        self.own_jobs = pools.own_jobs() if self.token else pools.shared_jobs()

    def at(self, stages: Sequence[Stage]) -> None:
        """Find the results of the given stages or start their computation, in the order of the stages."""
        if self.problem is not None or self.plan.data is None:
            for stage in sorted(stages, key=lambda stage: bool(stage.control)):  # previews last
                self._keep(stage, self._shot(stage))
        if self.starts:  # what is not asked for may start again
            late = [stage.name for stage in stages if stage.on_demand]
            shown = [name for name in self.shots if self._is_looked_at(self.stages[name])]
            self.session.forget_but({*shown, *late})

    def now(self, stage: Stage) -> Any:
        """Return the final result of a stage.

        If necessary, it is computed in the calling thread.
        """
        if self.problem is None and self.plan.data is not None:
            self.problem = self._load(self.plan.data, self.params)
        if stage.of:
            value = self.now(self.plan.stage(stage.of))
            self.shots[stage.of] = Snapshot(value, 1.0, done=True, version=-1)
        jobs, key, work = self._job(stage)
        return jobs.now(key, work)

    def newest(self, stage: Stage) -> Any:
        """Return the latest (possibly partial) result of a stage, or None."""
        return (self._shot(stage) or Snapshot()).value

    def ask(self, stage: Stage) -> Snapshot:
        """Return the snapshot of a stage; start its background job if necessary."""
        if self.waiting:
            return Snapshot()
        jobs, key, work = self._job(stage)
        jobs.offer(key, work.ready)
        return self.session.poll(stage.name, jobs, key, work.run, stage.wait)

    def busy(self) -> live.Busy | None:
        """Return the progress of the first running stage that the page shows, or None."""
        name, doing = self._first()
        shot = self.shots.get(name)
        return None if shot is None else live.Busy(progress=shot.fraction, text=shot.words(doing))

    def awaited(self) -> list[Awaited]:
        """Return the background jobs that the page waits for."""
        return self.session.awaited(self.stages, *self._first())

    def _first(self) -> tuple[str, str]:
        seen = filter(self._is_looked_at, self.stages.values())
        return first_at_work(self.shots, seen, symbols(type(self.params)))

    def _keep(self, stage: Stage, shot: Snapshot | None) -> None:
        if shot is not None:
            self.shots[stage.name], self.stages[stage.name] = shot, stage
            if shot.value is not None and (shot.done or not stage.control):  # previews when whole
                self.results[stage.name] = shot.value

    def _open(self, data: Data) -> None:
        """Set the learning problem from the requested data, or from the data declared in their place.

        The latter are used if the requested data could not be loaded or are still loading.
        """
        shot = self._read(data)
        if shot.error:
            self.said = f"{shot.error} {data.shown}".rstrip()
            self._show(data, data.instead)
        elif shot.value is None:
            self.waiting = True
            self._show(data, data.meanwhile)
        else:
            self.problem = shot.value

    def _read(self, data: Data) -> Snapshot:
        if self.is_personal(data.seen(self.params)) and self.upload is None:
            return Snapshot(done=True, error=T("own.not_yet"))
        in_front = self.computes and not (self.starts or self.dragging)  # somebody waits for it
        if in_front or not data.is_behind(None, self.params):
            try:
                return Snapshot(self._load(data, self.params), 1.0, done=True)
            except ValueError as error:
                return Snapshot(done=True, error=str(error))
        jobs, key, work = self._job(data)
        if self.starts:
            shot = self.session.poll(data.name, jobs, key, work.run, data.wait)
        else:
            shot = jobs.peek(key) or Snapshot()
        if shot.value is None and shot.cancelled and not shot.error:
            shot = replace(shot, error=T("own.stopped"))
        self.shots[data.name], self.stages[data.name] = shot, data
        return shot

    def _show(self, data: Data, changes: Any) -> None:
        if changes:
            self.params = self.params.but(**changes)
            self.problem = self._load(data, self.params)

    def _load(self, data: Data, params: Any) -> Any:
        """Return the problem, loaded in the calling thread."""
        seen = data.seen(params)
        if not self.is_personal(seen):
            if data.is_behind(None, params):
                jobs, key, work = self._job(data)
                return jobs.now(key, work)
            return data.finish(None, seen, Context())
        problems, key = self.session.problems, (self.token, seen)
        problems[key] = (
            problems.pop(key) if key in problems else data.finish(self.upload, seen, Context())
        )
        for old in list(problems)[:-_N_PROBLEMS]:
            del problems[old]
        return problems[key]

    def shows(self, stage: Stage) -> bool:
        """Return whether the page uses a stage's result with the current problem and parameters."""
        return stage.when is None or stage.when(self.problem, self.params)

    def _shot(self, stage: Stage) -> Snapshot | None:
        if not self.shows(stage):
            return None
        source = self.shots.get(stage.of)
        if stage.of and (source is None or source.value is None):
            return None
        if source is not None and source.version == 0:
            return self._draft(stage, stage.draft or stage.run)
        shot = self._known(stage)
        good = shot is not None and (shot.whole if self.dragging else shot.value is not None)
        if good or stage.draft is None or not self.computes:
            return shot
        drafted = self._draft(stage, stage.draft)
        if drafted.value is None:
            return shot
        return replace(shot or drafted, value=drafted.value, version=0)

    def _known(self, stage: Stage) -> Snapshot | None:
        """Return the snapshot of a stage, without drafts.

        If the result is missing and needed now, compute it in this thread, or start the stage in
        the background.
        """
        jobs, key, work = self._job(stage)
        if not stage.is_behind(self.problem, self.params):
            if not self.computes or (self.dragging and stage.draft is not None):
                return jobs.peek(key)
            try:
                return Snapshot(jobs.now(key, work), 1.0, done=True, version=1)
            except (ValueError, MissingPackage) as error:
                return Snapshot(done=True, error=str(error))
        first = self.shots.get(stage.after)
        early = bool(stage.after) and (first is None or not first.whole)
        if (
            not self.starts
            or self.waiting
            or stage.on_demand
            or early
            or not self._is_looked_at(stage)
        ):
            return jobs.peek(key)
        jobs.offer(key, work.ready)
        known = jobs.peek(key)
        if stage.holds and known and known.whole and not stage.holds(self.problem, known.value):
            jobs.forget(key)
        return self.session.poll(stage.name, jobs, key, work.run, stage.wait)

    def _is_looked_at(self, stage: Stage) -> bool:
        others = [shot for name, shot in self.shots.items() if name != stage.name]
        return is_looked_at(stage, self.tab, self.near, others)

    def _draft(self, stage: Stage, run: Run) -> Snapshot:
        """Return a snapshot with the draft (provisional result) of a stage.

        Drafts are cached.
        """
        source, token = self.shots.get(stage.of), self._token(self.params)
        value = source and source.value

        def make() -> Any:
            context = Context(control=stage.control, source=value, shown_params=self.params)
            return stage.finish(self.problem, self.params, context, run)

        drafts = (self.own_jobs if token else pools.shared_jobs()).drafts
        key = self.plan.name, stage.name, token, self.params
        return Snapshot(drafts.get(key, make, source=value), 1.0, done=True)

    def _job(self, stage: Stage) -> tuple[Jobs, Hashable, PreparedResult]:
        """Return the pool of background jobs for a stage, the key of its job, and the function to run."""
        seen, data, source = stage.seen(self.params), self.plan.data, self.shots.get(stage.of)
        blind = data is not None and data.choice in stage.ignored(self.params)
        value, params, token = source and source.value, self.params, self._token(seen)
        material = None if blind else self.problem
        if data is not None and stage is data:
            material = self.upload if token else None

        def work(
            report: Callable[[Report], None] = ignore_report,
            cancelled: Callable[[], bool] = never_cancelled,
        ) -> Any:
            context = Context(
                report, cancelled, control=stage.control, source=value, shown_params=params
            )
            return stage.finish(material, seen, context)

        key = self.plan.name, stage.name, token, seen, source and source.version
        public = not self.is_personal(seen)
        result = PreparedResult(work, self.plan, stage, seen, material, public=public)
        return self.own_jobs if token else pools.shared_jobs(), key, result

    def is_personal(self, seen: Any) -> bool:
        data = self.plan.data
        return bool(data and data.own and getattr(seen, data.choice) == "own")

    def _token(self, seen: Any) -> str:
        return self.token if self.is_personal(seen) else ""
