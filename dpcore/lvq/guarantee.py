"""Guarantees of private prototype training, composed of a noisy initialisation and of steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore import accounting, mechanisms, sensitivity
from dpcore._noise import tail_delta
from dpcore.guarantee import RECORD, Guarantee, Neighbouring, Part
from dpcore.units import Unit

__all__ = [
    "SAME_CLASSES",
    "STEPS_OF",
    "start_event",
    "start_parts",
    "start_scales",
    "training_guarantee",
]

SAME_CLASSES = (
    "the list of classes is public: here it was read from y, and only a replacement that leaves "
    "the same list is protected"
)

STEPS_OF = {
    "poisson": "Poisson-subsampled Gaussian",
    "fixed": "Gaussian on random subsets of a fixed size",
}


def start_scales(
    kind: str, epsilon: float, delta: float, n_features: int, neighbouring: Neighbouring
) -> tuple[float, float]:
    """Return the scales of the noise on class sizes and of the noise on class sums, for an (ε, δ)-DP initialisation.

    - "gaussian": one analytic Gaussian on all sizes and sums. Its L2 sensitivity is √(d + 1).
    - "laplace": scales 2/ε and 2d/ε as in Brinkrolf, Berger and Hammer (2018). δ is not used.

    Under replace_one the sensitivity and the scales are twice as large.
    """
    if np.isinf(epsilon):
        return 0.0, 0.0
    if kind == "gaussian":
        joint = sensitivity.counts_and_sums(n_features, norm=2, neighbouring=neighbouring)
        sigma = mechanisms.gaussian_sigma(joint, epsilon, delta=delta)
        return sigma, sigma
    counts = sensitivity.histogram(norm=1, neighbouring=neighbouring)
    sums = sensitivity.class_sums(n_features, norm=1, neighbouring=neighbouring)
    return (
        mechanisms.laplace_scale(counts, epsilon / 2),
        mechanisms.laplace_scale(sums, epsilon / 2),
    )


def start_parts(kind: str, epsilon: float, delta: float) -> tuple[Part, ...]:
    """Return the parts of a guarantee for an (ε, δ)-DP initialisation of prototypes."""
    if kind == "public":
        return ()
    if kind == "gaussian":
        return (Part(name="start: class sizes and sums together", epsilon=epsilon, delta=delta,
                     mechanism="analytic Gaussian"),)  # fmt: skip
    return tuple(
        Part(name=f"start: class {what}", epsilon=epsilon / 2, delta=0.0, mechanism="Laplace")
        for what in ("sizes", "sums")
    )


def start_event(
    kind: str, epsilon: float, delta: float, neighbouring: Neighbouring = "add_remove"
) -> accounting.Event:
    """Return the privacy event of an initialisation with the noise of `start_scales`.

    - "laplace": class sizes and class sums are two ε/2-DP releases. The event of each release is that of the worst
      ε/2-DP mechanism.
    - "gaussian": one Gaussian release. Under add_remove its noise multiplier is the noise scale divided by the
      sensitivity. Under replace_one it is the noise scale divided by half of the sensitivity, because accountants
      count a replaced record as two changes.
    """
    if kind == "gaussian":
        reach = 2.0 if neighbouring == "replace_one" else 1.0
        return accounting.GaussianEvent(
            reach * mechanisms.gaussian_sigma(1.0, epsilon, delta=delta)
        )
    return accounting.Repeated(accounting.Pure(epsilon / 2), 2)


def training_guarantee(
    parts: tuple[Part, ...],
    *,
    epsilon: float,
    delta: float,
    neighbouring: Neighbouring,
    claimed_epsilon: float | None,
    estimated: bool,
    expected_lot: float,
    undeclared: tuple[str, ...] = (),
    not_protected: tuple[str, ...] = (),
    missing: float = 0.0,
    beyond: float = 1.0,
    lots: str = "poisson",
    event: accounting.Event | None = None,
    n_records: int | None = None,
    unit: Unit | None = None,
) -> Guarantee:
    """Return the guarantee of a private prototype training with the releases ``parts`` and secret noise.

    - ``epsilon`` and ``delta`` are the cost of all ``parts`` together, under the relation ``neighbouring``.
    - ``claimed_epsilon`` is the requested ε, if the cost can differ from it; otherwise None.
    - ``expected_lot`` is the number by which the sum of gradients of a step is divided.
    - ``estimated`` is True if the bounds were read from the data.
    - ``undeclared`` lists "n" and "classes" if the number of records n and the classes were read from the data. No ε
      accounts for such a reading, so the status is then nominal. Under replace_one, however, n is public, and reading
      the classes only adds the assumption that neighbours have the same classes.
    - ``lots`` is "poisson" or "fixed". ``event`` is the privacy event of initialisation and steps together.
    - ``not_protected`` lists further facts that are not protected, such as records that are shown with the model.
    - ``missing`` is the probability that Gaussian noise in the steps has at least one value that the random generator
      cannot produce. It is the total variation distance between Gaussian and generated noise, for each of two
      neighbours. The steps are the last of ``parts``. Their δ therefore grows by (1 + e^ε) times ``missing``, but at
      most by ``beyond`` (``_noise.beyond_reach``).
    """
    extra = tail_delta(missing, beyond, epsilon)
    replaced = neighbouring == "replace_one"
    leaks = ("bounds",) * estimated + (() if replaced else undeclared)
    read = dict.fromkeys(leaks, " (here READ from the data: a leak)")
    guarantee = Guarantee(
        epsilon=epsilon,
        delta=min(1.0, delta + extra),
        neighbouring=neighbouring,
        status="nominal" if leaks else "proved",
        argument=_ARGUMENT.format(_LOTS[lots])
        + _TAIL.format(extra) * (extra > 0)
        + (_READ.format(_listed(leaks)) if leaks else ""),
        public=(
            "bounds of every feature" + read.get("bounds", ""),
            *_SIZES[lots],
            f"the number that steps are divided by ({_SYMBOL[lots]} = {expected_lot:g})"
            + read.get("n", ""),
            "the list of classes" + read.get("classes", ""),
            "every setting",
        ),
        not_protected=(
            *not_protected,
            "what a person shares with the whole group: a good model may well reveal that",
            "the choice of settings by looking at private results",
            "other leaks, such as the time a computation takes: the noise is made for experiments, not for release",
        ),
        parts=(*parts[:-1], replace(parts[-1], delta=min(1.0, parts[-1].delta + extra))),
        claimed_epsilon=claimed_epsilon,
        event=event,
        n_records=n_records,
        unit=unit or RECORD,
        noise_gap=missing,
    )
    return guarantee.assuming(SAME_CLASSES) if replaced and "classes" in undeclared else guarantee


def _listed(leaks: tuple[str, ...]) -> str:
    names = {"bounds": "the bounds", "n": "the number of records n", "classes": "the classes"}
    text = " and ".join(names[leak] for leak in leaks)
    return text + (" is" if leaks == ("n",) else " are")


_ARGUMENT = (
    "Each step adds Gaussian noise once to a sum of gradients clipped at C over {}; "
    "the privacy loss distributions of all steps are composed. The noisy start is a mechanism of "
    "its own, and both are added up. Averaging, projecting and drawing are post-processing."
)
_LOTS = {
    "poisson": "a Poisson sample",
    "fixed": "a random subset of a fixed size, in which a replaced record moves it by up to 2C",
}
_SYMBOL = {"poisson": "qN", "fixed": "L"}
_SIZES: dict[str, tuple[str, ...]] = {
    "poisson": (),
    "fixed": ("the number of records n, and so the size of every lot",),
}
_TAIL = " The generator of the normals has an end: the mass beyond it adds {:.0e} to δ."
_READ = " But {} taken from the data, which this account does not pay for: nothing is proved."
