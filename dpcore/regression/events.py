"""What a private regression releases, as an event for the accountant: the samplers' own scales."""

from __future__ import annotations

import math

import numpy as np

from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated, Sequence
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales, laplace_scales

__all__ = ["release_event"]


def release_event(
    method: str, epsilon: float, delta: float, *, split: float | None = None, n_steps: int = 1
) -> Event | None:
    """Return what one fit draws at (ε, δ), to be accounted for under replace_one.

    An accountant lets a replaced record add twice what one adds: Δ counts for two halves.

    Parameters
    ----------
    method : str
        "joint", "split", "gaussian", "adassp", "output" or "descent".
    epsilon, delta : float
        What the fit costs; inf: no noise.
    split : float or None
        Share of ε for the quadratic part, of two Laplace releases.
    n_steps : int
        Of a descent.

    Returns
    -------
    Event or None
        None where another noise is drawn than this relation's.
    """
    if np.isinf(epsilon):
        return GaussianEvent(0.0)
    if method == "descent":
        return Repeated(GaussianEvent(float(descent_noise(epsilon, delta, n_steps)[0])), n_steps)
    if method == "joint" and split is not None:
        scale = 2 * float(laplace_scales(epsilon)[0])
        return Sequence((LaplaceEvent(scale / split), LaplaceEvent(scale / (1 - split))))
    if method == "joint":
        return LaplaceEvent(2 * float(laplace_scales(epsilon)[0]))
    unit = 2 * float(gaussian_scales(epsilon, delta)[0])
    if method == "adassp":
        return Repeated(GaussianEvent(math.sqrt(3) * unit), 3)
    return GaussianEvent(unit)
