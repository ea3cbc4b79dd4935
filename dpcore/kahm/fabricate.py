"""Differentially private data fabrication: noise on every element, then smoothing by kernel affine hull machines.

The three stages original, noisy and fabricated follow the introduction of the paper by Kumar, Moser and Fischer
(arXiv:2304.01300).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._random_state import generator
from dpcore._types import AnyArray
from dpcore._warnings import warn
from dpcore.guarantee import Guarantee
from dpcore.kahm import noise as noises
from dpcore.kahm.guarantee import record_guarantee
from dpcore.kahm.smoothing import NOISY, Smoothed, labelled, modelling_error, smooth
from dpcore.kahm.wide import HullOptions, boxed, unit_box

__all__ = ["AtomWarning", "Fabricated", "fabricate"]

Array = NDArray[np.float64]


class AtomWarning(UserWarning):
    """Warning that δ is so large that some original values are likely to be published unchanged."""


@dataclass(frozen=True, kw_only=True)
class Fabricated(Smoothed):
    """Fabricated data with all stages, from the noisy data ``stages[0]`` to the result ``X`` (N, p).

    ``y`` (N,) are the labels. ``guarantee`` covers all ``stages`` and all ``errors`` (see `Smoothed`) together, since
    all are computed from the noisy data. With stop="paper", ``target`` (k,) holds the `modelling_error` of every
    class on the original data. This ``target`` is NOT private. With stop="rounds", ``target`` is None.

    See Also
    --------
    fabricate
    """

    y: AnyArray
    guarantee: Guarantee
    target: Array | None

    @property
    def noisy(self) -> Array:
        """Noisy data (N, p), before any smoothing round."""
        return cast(Array, self.stages[0])

    @property
    def X(self) -> Array:
        """Fabricated data (N, p), after the last smoothing round."""
        return cast(Array, self.stages[-1])


def fabricate(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epsilon: float,
    delta: float = 0.0,
    rng: np.random.Generator | None,
    rounds: int = 3,
    operator: str = "fixed",
    stop: str = "rounds",
    bounds: tuple[ArrayLike, ArrayLike] = (0.0, 1.0),
    sensitivity: float = 1.0,
    noise: str = "laplace",
    max_rounds: int = 20,
    options: HullOptions = NOISY,
    n_jobs: int | None = None,
) -> Fabricated:
    """Return data fabricated by adding noise to every element and then smoothing class by class.

    Records of p features are clipped to the public box and scaled to [0, 1]. Let d be ``sensitivity``. Every element
    gets noise of scale d/ε, and then each class is smoothed.

    The ``guarantee`` of the result is for a whole **record**: (pε, 1 - (1 - δ)^p) for d = 1. Neighbouring data sets
    have equal labels and differ in the features of one record. The guarantee's ``claimed_epsilon`` is the ε of one
    element.

    Equal states of ``rng`` give the same standard noise and the same blocks at every ε.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Original records and their classes. Labels and class sizes are released as they are.
    epsilon : float
        ε ≥ 1e-12 of one element; inf adds no noise.
    delta : float
        δ in [0, 1): probability that an element is published unchanged. Use 0.
    rng : numpy.random.Generator or None
        Source of the noise and of the split into blocks. Use None (fresh entropy of the system) for releases. With a
        generator the guarantee assumes that its state is secret and that it produced no other noise.
    rounds : int
        Number T ≥ 0 of smoothing rounds with stop="rounds".
    operator : "fixed", "rebuild" or "centred"
        Rule of a smoothing round, see `smooth`.
    stop : "rounds" or "paper"
        "rounds" smooths for a public number of rounds. "paper" smooths each class until its error is at most the
        error of its original records. This reads the original data again, so the guarantee is only nominal.
    bounds : (low, high)
        Public bounds of the features, each end a number or (p,); values outside are clipped.
    sensitivity : float
        d in (0, 1]. ε protects an element against a change by d times the width of the public box. A change by the
        whole width counts as ⌈1/d⌉ such changes, and the ε of a record adds the ε of all of them.
    noise : "laplace" or "staircase"
        Density of the noise, see `element_noise`.
    max_rounds : int
        Largest number of rounds with stop="paper".
    options : HullOptions
        Settings of the machines.
    n_jobs : int or None
        Number of threads.

    Returns
    -------
    Fabricated
        Its ``stages`` are in the units of ``X``, its ``errors`` in units of the box.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Warns
    -----
    AtomWarning
        When δNp ≥ 0.1, so that some original values may well be published unchanged.

    See Also
    --------
    element_noise, smooth, record_epsilon

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.

    Examples
    --------
    >>> X, y = np.linspace(0, 1, 40).reshape(20, 2), np.repeat([0, 1], 10)
    >>> made = fabricate(X, y, epsilon=4.0, rng=None)
    >>> made.stages.shape, made.guarantee.claimed_epsilon, made.guarantee.epsilon
    ((4, 20, 2), 4.0, 8.0)
    """
    X, y = labelled(X, y)
    _checks.one_of("stop", stop, ("rounds", "paper"))
    d = _checks.number("sensitivity", sensitivity, low=0, high=1, open_low=True)
    low, width = unit_box(bounds, X.shape[1])
    inside = boxed(X, bounds)
    source, rng = rng, generator(None) if rng is None else rng
    u = noises.uniforms(X.shape, rng)
    noisy = inside + noises.element_noise(u, epsilon, delta=delta, sensitivity=d, kind=noise)
    _warn_of_atoms(delta, X.size)
    target = None
    if stop == "paper":
        target = modelling_error(inside, y, rng=rng, options=options, n_jobs=n_jobs)
    smoothing = smooth(
        noisy, y, rng=rng, rounds=rounds if target is None else max_rounds, operator=operator,
        target=target, options=options, n_jobs=n_jobs,
    )  # fmt: skip
    guarantee = record_guarantee(
        epsilon, delta, X.shape[1], kind=noise, reach=math.ceil(1 / d - 1e-12),
        reads_original=stop == "paper",
    )  # fmt: skip
    return Fabricated(
        stages=low + width * smoothing.stages, errors=smoothing.errors, rounds=smoothing.rounds, y=y,
        guarantee=guarantee.with_seed(source), target=target,
    )  # fmt: skip


def _warn_of_atoms(delta: float, n_elements: int) -> None:
    if delta * n_elements >= 0.1:
        warn(
            f"delta={delta:g} publishes about {delta * n_elements:.3g} of {n_elements} original "
            "values unchanged: use delta=0, which needs hardly more noise.",
            AtomWarning,
            stacklevel=3,
        )
