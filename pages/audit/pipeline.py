"""Computations of the Audit page: runs on two neighbouring data sets, and other kinds of audits."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.experiments import audit
from dpcore.experiments.audit import (
    MOST_TRIALS,
    Attack,
    AuditParams,
    Caught,
    ManyCanaries,
    Reachable,
    WrongAuditor,
)
from ui.live.depth import Depth
from ui.runner import Context, Pipeline, Stage
from ui.words import text

__all__ = ["PIPELINE"]

T = text.load_text(__file__)


def _attack(problem: None, params: AuditParams, context: Context) -> Iterator[Attack]:
    def report(done: int, total: int) -> None:
        words = T("doing.trials", done=done, all=total) if done else T("doing.threshold")
        context.progress(done / total, words)

    return audit.attack(params, check=context.check, progress=report)


def _bugs(problem: None, params: AuditParams, context: Context) -> Iterator[Caught]:
    def report(done: int, total: int) -> None:
        context.progress(done / total, T("doing.bug", done=done, all=total))

    wanted_params = params.but(trainings=MOST_TRIALS)
    return audit.catch_all(wanted_params, check=context.check, progress=report)


def _canaries(problem: None, params: AuditParams, context: Context) -> Iterator[ManyCanaries]:
    def report(done: int, total: int) -> None:
        context.progress(done / total, T("doing.training", done=done, all=total))

    return audit.many_canaries(params, check=context.check, progress=report)


def _wrong(problem: None, params: AuditParams, context: Context) -> WrongAuditor:
    return audit.accuse(params.seed)


def _reachable(problem: None, params: AuditParams, context: Context) -> Reachable:
    return audit.reachable(params.seed)


PIPELINE = Pipeline[AuditParams](
    name="audit",
    stages=[
        Stage(
            "attack", _attack, ignores=("epsilon", "delta"), ships=True, wait=0.3,
            doing=T("doing.attack"),
        ),
        Stage(
            "bugs", _bugs, uses=("seed",), tabs=(T("panels.bugs.tab"),), depth=Depth.UNDERSTAND,
            doing=T("doing.bugs"),
        ),
        Stage("wrong", _wrong, uses=("seed",), behind=False, depth=Depth.UNDERSTAND),
        Stage("reachable", _reachable, uses=("seed",), behind=False, depth=Depth.UNDERSTAND),
        Stage(
            "canaries", _canaries, uses=("seed",), tabs=(T("panels.canaries.tab"),),
            depth=Depth.UNDERSTAND, doing=T("doing.canaries"),
        ),
    ],
    words=("attack",),
    tab=T("panels.errors.tab"),
)  # fmt: skip
