"""What the software under attack promises."""

from __future__ import annotations

from dataclasses import replace

from dpcore.experiments.audit.params import AuditParams
from dpcore.experiments.audit.targets import target_of, worlds_of
from dpcore.guarantee import Guarantee

__all__ = ["guarantee"]


def guarantee(params: AuditParams) -> Guarantee:
    """Return the guarantee of one release of what is attacked: a bug has none, and says what it claims."""
    target = target_of(params.target)
    claim = worlds_of(params.target, params.built).claim()
    if not target.bug:
        return claim
    return replace(
        claim, status="nominal", claimed_epsilon=None, argument=f"None: this copy has the bug “{target.bug.name}”.",
        not_protected=("whoever is in the data: this copy has a bug",),
    )  # fmt: skip
