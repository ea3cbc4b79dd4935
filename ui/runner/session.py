"""Jobs that one session has requested or stopped on one page, and the results that it displayed last."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from ui.jobs.job_status import Awaited
from ui.jobs.pool import Jobs, Work
from ui.jobs.reports import Snapshot
from ui.runner.stages import Stage

__all__ = ["Before", "Session", "first_at_work", "is_looked_at", "session", "use_session"]


@dataclass(frozen=True)
class Before:
    """Result of a stage at earlier parameters ``params``, which is still displayed."""

    params: Any
    value: Any


@dataclass
class _Request:
    jobs: Jobs
    key: Hashable
    stopped: bool = False
    known: Snapshot = field(default_factory=Snapshot)


@dataclass
class Session:
    """One session's jobs and displayed results on a page, by stage.

    ``problems`` are the learning problems of the user's own data.
    """

    requests: dict[str, _Request] = field(default_factory=dict)
    shown: dict[str, Before] = field(default_factory=dict)
    problems: dict[Hashable, Any] = field(default_factory=dict)

    def cancel(self) -> None:
        """Stop all jobs of the session on this page, until other parameters are requested."""
        for request in self.requests.values():
            request.jobs.cancel(request.key)
            request.stopped = True

    def before(self, stage: Stage, params: Any, value: Any) -> Before | None:
        """Return the last displayed result of a stage, or None once the new result ``value`` replaces it."""
        if stage.stays is None:
            return None
        if value is not None and stage.stays(value):
            self.shown[stage.name] = Before(params, value)
            return None
        return self.shown.get(stage.name)

    def forget_but(self, names: Iterable[str]) -> None:
        """Forget the session's jobs of all stages except ``names``, so that these jobs may be started again."""
        self.requests = {name: self.requests[name] for name in names if name in self.requests}

    def poll(self, name: str, jobs: Jobs, key: Hashable, work: Work, wait: float) -> Snapshot:
        """Return the snapshot of the job ``key``; start the job unless this session has stopped it.

        A job that ended without a final result, stopped by any session, is started again at the
        next new request.
        """
        mine = self.requests.get(name)
        anew = mine is None or mine.key != key or mine.jobs is not jobs
        if mine is None or anew:
            if mine is not None:
                mine.jobs.leave(mine.key)  # its processor is wanted for what is asked for now
            mine = self.requests[name] = _Request(jobs, key)
        known = jobs.peek(key)
        short = known is not None and known.done and not known.whole
        if mine.stopped and (known is None or not known.whole):
            return replace(known or Snapshot(), done=True, cancelled=True)
        if known is not None and short and (anew or not known.error):
            jobs.forget(key)
        mine.known = jobs.poll(key, work, wait=wait)
        return mine.known

    def awaited(self, stages: Mapping[str, Stage], first: str, doing: str) -> list[Awaited]:
        """Return the jobs of the given stages that the page waits for.

        ``first`` is the name of the stage in progress, ``doing`` a text on its work. The list is empty if that stage
        is not a job of this session. In this case only a run of the page can find out when the stage is finished.
        """
        mine = {
            name: request
            for name, request in self.requests.items()
            if name in stages and not (request.stopped or stages[name].on_demand)
        }
        if first not in mine:
            return []
        return [
            Awaited(
                request.jobs, request.key, request.known,
                grows=not stages[name].control, doing=doing if name == first else "",
            )
            for name, request in mine.items()
        ]  # fmt: skip


def is_looked_at(
    stage: Stage, tab: str, near: Collection[str] | None, others: Iterable[Snapshot]
) -> bool:
    """Return whether a stage's result is visible or may soon be visible.

    The stage's tab must be open. The slider of a preview must be near the pointer or the focus as well. If the
    browser does not report the near sliders (None), previews run one by one, after all ``others``.
    """
    served = not stage.tabs or tab in stage.tabs
    if not served or not stage.control:
        return served
    if near is not None:
        return stage.control in near
    return all(shot.done and not shot.cancelled for shot in others)


def first_at_work(
    shots: Mapping[str, Snapshot], stages: Iterable[Stage], names: Mapping[str, str]
) -> tuple[str, str]:
    """Return the name of the first unfinished stage, and a text on its work.

    Both are "" if every stage is finished.
    """
    for stage in stages:
        if not stage.on_demand and not shots[stage.name].done:
            return stage.name, stage.doing.format(names.get(stage.control, ""))
    return "", ""


def session(name: str) -> Session:
    """Return this session's record of the stages of the page ``name``."""
    state: Session = st.session_state.setdefault(f"pipeline.{name}", Session())
    return state


def use_session(name: str, state: Session) -> None:
    """Make ``state`` the current record of the page ``name``.

    Notebooks need this function: their figures have no session of Streamlit, so that each has its own record.
    """
    st.session_state[f"pipeline.{name}"] = state
