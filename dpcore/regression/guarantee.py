"""What private least squares costs, and what it does not protect."""

from __future__ import annotations

from dpcore.accounting import Event
from dpcore.guarantee import RECORD, Guarantee, Neighbouring, Part
from dpcore.regression.statistics import Bounds
from dpcore.units import Unit

__all__ = ["ARGUMENTS", "fit_guarantee"]

ARGUMENTS = {
    "split": "The quadratic and the linear part of the objective are released with Laplace noise, and their ε "
    "add up.",
    "joint": "All coefficients of the objective are released once, with Laplace noise for their joint sensitivity.",
    "gaussian": "All sums are released once, with Gaussian noise calibrated exactly to their L2 sensitivity.",
    "adassp": "The three Gaussian releases together cost as much as one whose signal is √3 times as large.",
    "output": "One record moves the minimum of a strongly convex objective by at most 2G/(nμ); noise hides that.",
    "descent": "Each step adds Gaussian noise to a sum that one record moves by at most 2C.",
}
"""Why each method is private, in one sentence: estimators and pages say the same."""


def fit_guarantee(
    parts: tuple[Part, ...],
    bounds: Bounds,
    n_samples: int,
    *,
    argument: str,
    neighbouring: Neighbouring = "replace_one",
    claimed_epsilon: float | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    event: Event | None = None,
    unit: Unit | None = None,
) -> Guarantee:
    """Return the guarantee of a private regression from its releases.

    Their budgets are added up unless ``epsilon`` and ``delta`` give what they cost together. Bounds
    read from the data leave no guarantee: the status is then nominal. ``event`` is what drew the noise.
    """
    estimated = bounds.status == "estimated"
    shared = ("the number of records n = " + str(n_samples),) * (neighbouring == "replace_one")
    return Guarantee(
        epsilon=sum(part.epsilon for part in parts) if epsilon is None else epsilon,
        delta=sum(part.delta for part in parts) if delta is None else delta,
        neighbouring=neighbouring,
        status="nominal" if estimated else "proved",
        argument=argument + " Solving, repairing and predicting are post-processing."
        + " Bounds are estimated: demonstration only, the leak is not paid for." * estimated,
        public=(
            "bounds of every feature and of the target"
            + " (here ESTIMATED from the data: a leak)" * estimated,
            *shared,
            "every setting",
        ),
        not_protected=(
            "what a person shares with the whole group: a good model may well reveal that",
            "the choice of settings by looking at private results",
            "other leaks, such as the time a computation takes: the noise is made for experiments, not for release",
        ),
        parts=parts,
        claimed_epsilon=claimed_epsilon,
        event=event,
        unit=unit or RECORD,
        n_records=n_samples,
    )  # fmt: skip
