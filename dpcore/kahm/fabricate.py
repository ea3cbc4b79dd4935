"""Differentially private data fabrication: noise on every element, then smoothing by hull machines.

Original -> noisy -> fabricated, as in the words of the paper's introduction.
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
    """Warning: δ is so large that some original values are published unchanged."""


@dataclass(frozen=True, kw_only=True)
class Fabricated(Smoothed):
    """Fabricated data with all intermediate stages: ``stages[0]`` is noisy, ``X`` the result (N, p).

    ``y`` (N,) labels; ``guarantee`` covers stages and errors together, as all come from the noisy
    data; ``target`` (k,) is the error on the original data, only with stop="paper", and NOT private.

    See Also
    --------
    fabricate
    """

    y: AnyArray
    guarantee: Guarantee
    target: Array | None

    @property
    def noisy(self) -> Array:
        """Noisy data (N, p)."""
        return cast(Array, self.stages[0])

    @property
    def X(self) -> Array:
        """Fabricated data (N, p)."""
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
    """Return data with noise on every element, smoothed class by class.

    Clip to the public box, scale it to [0, 1], add noise of scale d/ε to every element, smooth.
    ``guarantee`` states what a whole **record** gets, (pε, 1 - (1 - δ)^p) at d = 1, for neighbours
    that differ in the features of one record, every label being the same in both;
    ``claimed_epsilon`` there is the ε of one element. The same ``rng`` state gives the same standard
    noise and the same blocks for every ε.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Original records and their classes. Labels and class sizes are released as they are.
    epsilon : float
        ε ≥ 1e-12 of one element; inf adds no noise.
    delta : float
        δ in [0, 1): chance that an element is published unchanged. Take 0.
    rng : numpy.random.Generator or None
        Noise, and the split into blocks. None, fresh entropy of the system, is for releases: with a
        generator the guarantee assumes that nobody knows its state and that it made no other noise.
    rounds : int
        T ≥ 0 rounds of smoothing, with stop="rounds".
    operator : "fixed", "rebuild" or "centred"
        See `smooth`.
    stop : "rounds" or "paper"
        A public number of rounds, or until the error of every class is at most that of its original
        records: that reads the original data again, so the guarantee is then only nominal.
    bounds : (low, high)
        Public box, each end a number or (p,); values outside are put on it.
    sensitivity : float
        d in (0, 1]: most an element may change, as a share of the width of the box. Below 1 the
        record's ε counts ⌈1/d⌉ such changes.
    noise : "laplace" or "staircase"
        See `element_noise`.
    max_rounds : int
        Most rounds with stop="paper".
    options : HullOptions
        Settings of the machines.
    n_jobs : int or None
        Threads.

    Returns
    -------
    Fabricated
        ``stages`` in the units of ``X``, errors in units of the box.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Warns
    -----
    AtomWarning
        When δNp ≥ 0.1: original values are then likely to be published.

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
    given, rng = rng, generator(None) if rng is None else rng
    u = noises.uniforms(X.shape, rng)
    noisy = inside + noises.element_noise(u, epsilon, delta=delta, sensitivity=d, kind=noise)
    _warn_of_atoms(delta, X.size)
    target = None
    if stop == "paper":
        target = modelling_error(inside, y, rng=rng, options=options, n_jobs=n_jobs)
    made = smooth(
        noisy, y, rng=rng, rounds=rounds if target is None else max_rounds, operator=operator,
        target=target, options=options, n_jobs=n_jobs,
    )  # fmt: skip
    guarantee = record_guarantee(
        epsilon, delta, X.shape[1], kind=noise, reach=math.ceil(1 / d - 1e-12),
        reads_original=stop == "paper",
    )  # fmt: skip
    return Fabricated(
        stages=low + width * made.stages, errors=made.errors, rounds=made.rounds, y=y,
        guarantee=guarantee.with_seed(given), target=target,
    )  # fmt: skip


def _warn_of_atoms(delta: float, n_elements: int) -> None:
    if delta * n_elements >= 0.1:
        warn(
            f"delta={delta:g} publishes about {delta * n_elements:.3g} of {n_elements} original "
            "values unchanged: use delta=0, which needs hardly more noise.",
            AtomWarning,
            stacklevel=3,
        )
