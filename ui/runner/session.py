"""What one session has asked of one page, and what it has stopped."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from ui.jobs import Jobs, Snapshot, Work
from ui.runner.stages import Stage

__all__ = ["Session", "is_looked_at", "session"]


@dataclass
class _Asked:
    jobs: Jobs
    key: Hashable
    stopped: bool = False


@dataclass
class Session:
    """What one session has asked of one page: by stage its job, its last draft; its own problems."""

    asked: dict[str, _Asked] = field(default_factory=dict)
    drafts: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)
    problems: dict[Hashable, Any] = field(default_factory=dict)

    def cancel(self) -> None:
        """Stop all that was asked for, until other parameters are."""
        for asked in self.asked.values():
            asked.jobs.cancel(asked.key)
            asked.stopped = True

    def forget_but(self, names: Iterable[str]) -> None:
        """Forget what is not asked for now: when it is, it may start again."""
        self.asked = {name: self.asked[name] for name in names if name in self.asked}

    def poll(self, name: str, jobs: Jobs, key: Hashable, work: Work, wait: float) -> Snapshot:
        """Return what is known of a job, starting it unless this session has stopped it.

        What ended short of its result is started again for whoever comes to it anew, and for a session whose
        result another one has stopped.
        """
        mine = self.asked.get(name)
        anew = mine is None or mine.key != key or mine.jobs is not jobs
        if mine is None or anew:
            mine = self.asked[name] = _Asked(jobs, key)
        known = jobs.peek(key)
        short = known is not None and known.done and not known.whole
        if mine.stopped and (known is None or not known.whole):
            return replace(known or Snapshot(), done=True, cancelled=True)
        if known is not None and short and (anew or not known.error):
            jobs.forget(key)
        return jobs.poll(key, work, wait=wait)


def is_looked_at(
    stage: Stage, tab: str, near: Collection[str] | None, others: Iterable[Snapshot]
) -> bool:
    """Whether a stage is of no closed tab, and a preview of no handle that is far away.

    Where the browser does not tell what is near (None), previews come one by one, after all ``others``.
    """
    served = not stage.tabs or tab in stage.tabs
    if not served or not stage.control:
        return served
    if near is not None:
        return stage.control in near
    return all(shot.done and not shot.cancelled for shot in others)


def session(name: str) -> Session:
    """Return what this session has asked of the page ``name``."""
    found: Session = st.session_state.setdefault(f"pipeline.{name}", Session())
    return found
