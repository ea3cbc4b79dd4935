"""Guarantees and privacy events of private least squares."""

from __future__ import annotations

import math

import numpy as np

from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated, Sequence, sampled
from dpcore.guarantee import RECORD, Guarantee, Neighbouring, Part
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales, laplace_scales
from dpcore.regression.statistics import Bounds
from dpcore.units import Unit

__all__ = ["ARGUMENTS", "fit_guarantee", "release_event", "steps_name"]


ARGUMENTS = {
    "split": "The quadratic and the linear part of the objective are released with Laplace noise, and their ε "
    "add up.",
    "joint": "All coefficients of the objective are released once, with Laplace noise for their joint sensitivity.",
    "gaussian": "All sums are released once, with Gaussian noise calibrated exactly to their L2 sensitivity.",
    "adassp": "The three Gaussian releases together cost as much as one whose signal is √3 times as large.",
    "output": "One record moves the minimum of a strongly convex objective by at most 2G/(nμ); noise hides that.",
    "descent": "Each step adds Gaussian noise to a sum that one record moves by at most 2C.",
}

"""Reasons why the methods are private, one sentence for each method.

Wherever a reason is shown, it is this sentence.
"""


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
    """Return the guarantee of a private regression that consists of the releases ``parts``.

    Its ε and δ are sums over the parts, unless ``epsilon`` and ``delta`` are given. The status is nominal if the
    bounds were read from the data. ``event`` is the privacy event of all releases.
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


def release_event(
    method: str,
    epsilon: float,
    delta: float,
    *,
    noise_multiplier: float | None = None,
    sample_rate: float = 1.0,
    n_steps: int = 1,
    split: float | None = None,
) -> Event:
    """Return the privacy event of one fit at (ε, δ), for accountants under replace_one.

    Accountants count a replaced record as two changes, of the old and the new record. Both together change a sum by
    the sensitivity Δ. The noise scale in the event is therefore divided by Δ/2.

    Parameters
    ----------
    method : str
        "joint", "gaussian", "adassp", "output" or "descent".
    epsilon, delta : float
        Privacy cost of the fit; ε = inf means no noise.
    split : float or None
        Fraction of ε for the quadratic part, if "joint" makes two Laplace releases; None for one
        release.
    n_steps : int
        Number of steps of "descent".
    sample_rate : float
        Sample rate q of "descent".
    noise_multiplier : float or None
        Noise multiplier z of "descent"; None computes it by `descent_noise`.

    Returns
    -------
    Event
        Privacy event of the noise.
    """
    if np.isinf(epsilon):
        return GaussianEvent(0.0)
    if method == "descent":
        z = noise_multiplier or float(
            descent_noise(epsilon, delta, sample_rate=sample_rate, n_steps=n_steps)[0]
        )
        return Repeated(sampled(GaussianEvent(z), sample_rate), n_steps)
    if method == "joint" and split is not None:
        scale = 2 * float(laplace_scales(epsilon)[0])
        return Sequence((LaplaceEvent(scale / split), LaplaceEvent(scale / (1 - split))))
    if method == "joint":
        return LaplaceEvent(2 * float(laplace_scales(epsilon)[0]))
    unit = 2 * float(gaussian_scales(epsilon, delta)[0])
    if method == "adassp":
        return Repeated(GaussianEvent(math.sqrt(3) * unit), 3)
    return GaussianEvent(unit)


def steps_name(*, sample_rate: float, n_steps: int) -> str:
    """Return the name of a descent's steps in its guarantee, such as "100 full-batch steps"."""
    if sample_rate == 1:
        return f"{n_steps} full-batch steps"
    return f"{n_steps} steps, each on a Poisson sample of q = {sample_rate:g}"
