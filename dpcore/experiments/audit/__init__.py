"""The experiment behind the page Audit: a claimed (ε, δ) is attacked, and what the attack proves."""

from dpcore.experiments.audit.attack import BINS, CHOOSING, Attack, Copy, attack
from dpcore.experiments.audit.bugs import MOST_TRIALS, NEVER, Caught, catch_all, caught_after
from dpcore.experiments.audit.canaries import CANARIES, GUESSED, RUNS, ManyCanaries, many_canaries
from dpcore.experiments.audit.guarantee import guarantee
from dpcore.experiments.audit.looks import CONFIDENCE, LOOKS, Bounds, Counts, bounds, interval
from dpcore.experiments.audit.params import BUILT_GRID, AuditParams
from dpcore.experiments.audit.reachable import Reachable, reachable
from dpcore.experiments.audit.targets import TARGETS, Target, target_of, worlds_of
from dpcore.experiments.audit.wrong import WrongAuditor, accuse, accused_in_the_limit

__all__ = [
    "BINS",
    "BUILT_GRID",
    "CANARIES",
    "CHOOSING",
    "CONFIDENCE",
    "GUESSED",
    "LOOKS",
    "MOST_TRIALS",
    "NEVER",
    "RUNS",
    "TARGETS",
    "Attack",
    "AuditParams",
    "Bounds",
    "Caught",
    "Copy",
    "Counts",
    "ManyCanaries",
    "Reachable",
    "Target",
    "WrongAuditor",
    "accuse",
    "accused_in_the_limit",
    "attack",
    "bounds",
    "catch_all",
    "caught_after",
    "guarantee",
    "interval",
    "many_canaries",
    "reachable",
    "target_of",
    "worlds_of",
]
