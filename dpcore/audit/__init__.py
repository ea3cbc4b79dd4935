"""Empirical privacy audits, by membership scores and by attacks on a claimed (ε, δ).

`Worlds` describes an attack on a mechanism. The attack has two neighbouring data sets, a canary (the record that is
in only one of them) and a score of the output. The module `bounds` computes a lower bound on ε from the errors of the
attack. The module `run` attacks every registered mechanism and private estimator (``python -m dpcore audit``). An
attack that fails proves nothing, because a guarantee holds for all attacks.
"""

from dpcore.audit.bounds import (
    AuditBound,
    ceiling,
    error_bound,
    fewest_trainings,
    gaussian_bound,
    gaussian_mu,
    impossible_delta,
    look_confidence,
    two_worlds,
)
from dpcore.audit.linkage import group_sizes, linkability, shared_secrets
from dpcore.audit.membership import MembershipScores, auc, ks, membership_scores
from dpcore.audit.membership_threshold import PointedAt, pointed_at
from dpcore.audit.one_run import OneRunBound, one_run, one_run_p_value
from dpcore.audit.posterior import Interval, bayesian_interval
from dpcore.audit.reconstruction import (
    consistent_populations,
    marginal_tables,
    n_recovered,
    reconstruct,
)
from dpcore.audit.thresholds import choose_threshold, count, split_bound
from dpcore.audit.total_variation import histogram_tv, kde_tv
from dpcore.audit.worlds import Worlds

__all__ = [
    "AuditBound",
    "Interval",
    "MembershipScores",
    "OneRunBound",
    "PointedAt",
    "Worlds",
    "auc",
    "bayesian_interval",
    "ceiling",
    "choose_threshold",
    "consistent_populations",
    "count",
    "error_bound",
    "fewest_trainings",
    "gaussian_bound",
    "gaussian_mu",
    "group_sizes",
    "histogram_tv",
    "impossible_delta",
    "kde_tv",
    "ks",
    "linkability",
    "look_confidence",
    "marginal_tables",
    "membership_scores",
    "n_recovered",
    "one_run",
    "one_run_p_value",
    "pointed_at",
    "reconstruct",
    "shared_secrets",
    "split_bound",
    "two_worlds",
]
