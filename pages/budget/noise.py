"""Noise of the four statistics on the Budget page, measured to audit the stated ε."""

from __future__ import annotations

from collections.abc import Iterator

from dpcore import accounting
from dpcore.audit.claims import NoiseDraw
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from dpcore.experiments.budget.split import STATISTICS, closed_error, shares

__all__ = ["noise_draws"]


def noise_draws(params: BudgetParams) -> Iterator[NoiseDraw]:
    """Yield the measured noise of all four statistics together.

    The scale of a statistic's noise is its median error, divided by the median error of noise of scale 1. The topic
    "same" draws no noise.
    """
    if params.topic != "split":
        return
    found = budget.split.run(params)
    measured = [
        error / closed_error(one) for error, one in zip(found.error, STATISTICS, strict=True)
    ]
    events = [
        accounting.LaplaceEvent(scale / share)
        for scale, share in zip(measured, shares(params), strict=True)
    ]
    # The median of 4000 draws has a relative standard error of 2.3 %.
    yield NoiseDraw(
        what="four statistics", promised=budget.guarantee(params),
        event=accounting.Sequence(tuple(events)), room=0.05,
    )  # fmt: skip
