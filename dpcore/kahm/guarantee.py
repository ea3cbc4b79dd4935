"""Guarantees of fabricated data, for one element (a feature of a record) and for a whole record."""

from __future__ import annotations

import math

from dpcore import accounting
from dpcore.guarantee import Guarantee, Part
from dpcore.kahm.noise import MISSING, element_delta
from dpcore.kahm.record_epsilon import composed_delta

__all__ = ["NOT_PROTECTED", "PUBLIC", "no_guarantee", "record_guarantee"]

PUBLIC = (
    "the box that all features are clipped to",
    "the label of every record, and with it class sizes and the number of records: neighbours "
    "differ in the features of one record only",
    "every setting",
)

NOT_PROTECTED = (
    "labels, the size of every class and the number of records: they are released as they are",
    "which party holds a record",
    "the choice of settings by looking at the original data",
    "repeated releases of the same data: their ε add up",
    "other leaks, such as the time a computation takes: the noise is made for experiments, not for release",
)


def no_guarantee() -> Guarantee:
    """Return the guarantee ε = inf of a model that contains original records."""
    return Guarantee(
        epsilon=math.inf,
        delta=0.0,
        neighbouring="replace_one",
        status="proved",
        argument="No noise was added: the model contains the records it was built on.",
        not_protected=("every record, and every feature of it", *NOT_PROTECTED),
    )


def record_guarantee(
    epsilon: float,
    delta: float,
    n_features: int,
    *,
    kind: str,
    reach: int = 1,
    reads_original: bool = False,
) -> Guarantee:
    """Return the guarantee of noise on every element, stated for a whole record.

    For p features the result is (pε·reach, 1 - (1 - δ)^p)-DP, where δ includes the truncation of the noise
    (`element_delta`). ε and δ protect an element against a change of size d. A change by the whole width of the
    public box counts as ``reach`` changes of size d.

    Neighbours are data sets of the same size and labels that differ in the features of one record (replace_one with
    public labels). The result's ``claimed_epsilon`` is the ε of one element. If ``reads_original`` is True, a
    stopping rule reads the original data, and the status is nominal.
    """
    if math.isinf(epsilon):
        return no_guarantee()
    whole = epsilon * n_features * reach
    bare = composed_delta(element_delta(epsilon, delta), n_features)
    # There is no event for noise that leaves a value unchanged with positive probability.
    event = _event(epsilon, n_features * reach, kind) if delta == 0 else None
    return Guarantee(
        epsilon=whole,
        delta=bare,
        event=event,
        neighbouring="replace_one",
        status="nominal" if reads_original else "proved",
        argument=_ARGUMENT.format(bare) + (_READS if reads_original else ""),
        public=PUBLIC,
        not_protected=NOT_PROTECTED,
        parts=(
            Part(
                name=f"{n_features} values of one record, ε = {epsilon:g} each",
                epsilon=whole,
                delta=bare,
                mechanism=f"{kind.capitalize()} noise on every value",
            ),
        ),
        claimed_epsilon=epsilon,
        noise_gap=0.0 if event is None else min(1.0, n_features * MISSING),
    )


def _event(epsilon: float, n_values: int, kind: str) -> accounting.Event:
    """Return the privacy event of a replaced record with ``n_values`` values.

    Every value has independent ε-DP noise.
    """
    one = (
        accounting.StaircaseEvent(epsilon)
        if kind == "staircase"
        else accounting.LaplaceEvent(2 / epsilon)
    )
    return accounting.Repeated(one, n_values)


_ARGUMENT = (
    "Every value gets noise of its own, so one value is (ε, δ)-DP and a record of p values "
    "(pε, 1 − (1 − δ)ᵖ)-DP by composition. Smoothing, models and distances see the noisy data only: "
    "post-processing. The generator's noise ends where 2⁻⁵³ of the mass is left; δ is {:.2g} with what "
    "that adds, (1 + eᵋ)·2⁻⁵³ for each value."
)
_READS = (
    " But the rounds were stopped by comparing with the error on the original data, which is another "
    "look at them that nothing pays for."
)
