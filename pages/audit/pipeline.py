"""What the page Audit computes: trainings in two worlds, and what other audits find."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore.experiments import audit
from dpcore.experiments.audit import (
    Attack,
    AuditParams,
    Caught,
    ManyCanaries,
    Reachable,
    WrongAuditor,
)
from pages.audit.tabs import BUGS_TAB, CANARIES_TAB, ERRORS_TAB, SCORED
from ui.frame.depth import Depth
from ui.runner import Context, Pipeline, Stage

__all__ = ["PIPELINE"]


def _attack(problem: None, params: AuditParams, context: Context) -> Iterator[Attack]:
    return audit.attack(params, check=context.check, progress=context.progress)


def _bugs(problem: None, params: AuditParams, context: Context) -> Iterator[Caught]:
    asked = params.but(trainings=SCORED)
    return audit.catch_all(asked, check=context.check, progress=context.progress)


def _canaries(problem: None, params: AuditParams, context: Context) -> Iterator[ManyCanaries]:
    return audit.many_canaries(params, check=context.check, progress=context.progress)


def _wrong(problem: None, params: AuditParams, context: Context) -> WrongAuditor:
    return audit.accuse(params.seed)


def _reachable(problem: None, params: AuditParams, context: Context) -> Reachable:
    return audit.reachable(params.seed)


PIPELINE = Pipeline[AuditParams](
    name="audit",
    stages=[
        Stage(
            "attack", _attack, ignores=("epsilon", "delta"), wait=0.3, doing="Training again and again"
        ),
        Stage(
            "bugs", _bugs, uses=("seed",), tabs=(BUGS_TAB,), depth=Depth.UNDERSTAND,
            doing="Attacking twenty bugs and their repairs",
        ),
        Stage("wrong", _wrong, uses=("seed",), behind=False, depth=Depth.UNDERSTAND),
        Stage("reachable", _reachable, uses=("seed",), behind=False, depth=Depth.UNDERSTAND),
        Stage(
            "canaries", _canaries, uses=("seed",), tabs=(CANARIES_TAB,), depth=Depth.UNDERSTAND,
            doing="Training with a hundred canaries",
        ),
    ],
    words=("attack",),
    tab=ERRORS_TAB,
)  # fmt: skip
