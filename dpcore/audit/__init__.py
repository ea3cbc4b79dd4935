"""What an attacker gains in practice: membership scores, and attacks on a claimed (ε, δ).

Low scores are no proof: they measure the attack that was tried, a guarantee holds for all of them.
"""

from dpcore.audit.membership import (
    MembershipScores,
    auc,
    histogram_tv,
    kde_tv,
    ks,
    linkability,
    membership_scores,
)
from dpcore.audit.worlds import Worlds

__all__ = [
    "MembershipScores",
    "Worlds",
    "auc",
    "histogram_tv",
    "kde_tv",
    "ks",
    "linkability",
    "membership_scores",
]
