"""What private prototype training costs: its start, its steps, and what it does not protect."""

from __future__ import annotations

import numpy as np

from dpcore import accounting, mechanisms, sensitivity
from dpcore.guarantee import Guarantee, Neighbouring, Part

__all__ = ["promise", "start_event", "start_parts", "start_scales"]


def start_scales(
    kind: str, epsilon: float, delta: float, n_features: int, neighbouring: Neighbouring
) -> tuple[float, float]:
    """Return the noise scales (counts, sums) of a start that costs (epsilon, delta).

    Gaussian: one analytic Gaussian on all class sizes and sums, L2 sensitivity √(d + 1) (twice that
    under replacement). Laplace: 2/ε and 2d/ε (twice that), as printed; δ is not used.
    """
    if np.isinf(epsilon):
        return 0.0, 0.0
    if kind == "gaussian":
        joint = sensitivity.counts_and_sums(n_features, norm=2, neighbouring=neighbouring)
        sigma = mechanisms.gaussian_sigma(joint, epsilon, delta)
        return sigma, sigma
    counts = sensitivity.histogram(norm=1, neighbouring=neighbouring)
    sums = sensitivity.class_sums(n_features, norm=1, neighbouring=neighbouring)
    return (
        mechanisms.laplace_scale(counts, epsilon / 2),
        mechanisms.laplace_scale(sums, epsilon / 2),
    )


def start_parts(kind: str, epsilon: float, delta: float) -> tuple[Part, ...]:
    """Return the releases of the start, for the guarantee."""
    if kind == "public":
        return ()
    if kind == "gaussian":
        return (Part(name="start: class sizes and sums together", epsilon=epsilon, delta=delta,
                     mechanism="analytic Gaussian"),)  # fmt: skip
    return tuple(
        Part(name=f"start: class {what}", epsilon=epsilon / 2, delta=0.0, mechanism="Laplace")
        for what in ("sizes", "sums")
    )


def start_event(kind: str, epsilon: float, delta: float) -> accounting.Event:
    """Return the start of `start_scales` as what happened, for an account of the whole training.

    The Laplace releases count as the worst mechanisms of their ε, ε/2 each: never below the truth.
    """
    if kind == "gaussian":
        return accounting.Gaussian(mechanisms.gaussian_sigma(1.0, epsilon, delta))
    return accounting.Repeated(accounting.Pure(epsilon / 2), 2)


def promise(
    parts: tuple[Part, ...],
    *,
    epsilon: float,
    delta: float,
    neighbouring: Neighbouring,
    claimed_epsilon: float | None,
    estimated: bool,
    expected_lot: float,
    not_protected: tuple[str, ...] = (),
) -> Guarantee:
    """Return the guarantee of a private prototype training from its releases.

    ``not_protected`` names what else the place that shows it gives away.
    """
    return Guarantee(
        epsilon=epsilon,
        delta=delta,
        neighbouring=neighbouring,
        status="proved_under_assumption" if estimated else "proved",
        argument=_ARGUMENT + (_ESTIMATED if estimated else ""),
        public=(
            "bounds of every feature" + (" (here ESTIMATED from the data: a leak)" * estimated),
            f"the number that steps are divided by (qN = {expected_lot:g})",
            "the list of classes, and every setting",
        ),
        not_protected=(
            *not_protected,
            "what a person shares with the whole group: a good model may well reveal that",
            "the choice of settings by looking at private results",
            "side channels: the noise is made for experiments, not for release",
        ),
        parts=parts,
        claimed_epsilon=claimed_epsilon,
    )


_ARGUMENT = (
    "Each step adds Gaussian noise once to a sum of gradients clipped at C over a Poisson sample; "
    "the privacy loss distributions of all steps are composed. The noisy start is a mechanism of "
    "its own, and both are added up. Averaging, projecting and drawing are post-processing."
)
_ESTIMATED = " The bounds were read from the data, which this account does not pay for."
