"""Output perturbation: the exact minimiser of a strongly convex objective, and its sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import _checks, sensitivity
from dpcore.guarantee import Neighbouring

__all__ = ["RegularisedLogistic", "minimise", "output_sensitivity"]

Floats = NDArray[np.float64]


def output_sensitivity(
    lipschitz: float,
    regularisation: float,
    *,
    n_samples: int,
    as_printed: bool = False,
    neighbouring: Neighbouring = "replace_one",
) -> float:
    """Return the L2 sensitivity of the minimiser of (1/n)Σℓ + λ‖w‖².

    ℓ are the G-Lipschitz losses of n records, and μ = 2λ is the strong convexity of the objective. Under replace_one
    the sensitivity is 2G/(nμ) = G/(nλ); this is tight. Under add_remove with a fixed n it is half as large. A lecture
    by Sarkar states 4G/(nλ) instead.

    Parameters
    ----------
    lipschitz : float
        Lipschitz constant G ≥ 0 of every record's loss.
    regularisation : float
        λ > 0; λ‖w‖² is 2λ-strongly convex.
    n_samples : int
        Public number n ≥ 1 of records.
    as_printed : bool
        Whether to use the lecture's formula 4G/(nλ). It is 4 times too large under replace_one, and 8 times under
        add_remove. One of its faults is that it uses λ instead of 2λ as the strong convexity.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation; ignored with ``as_printed``, because the lecture does not name one.

    Returns
    -------
    float
        The L2 sensitivity.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    minimise, dpcore.sensitivity.minimiser

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk
    minimization", Journal of Machine Learning Research 12, 2011.

    Examples
    --------
    >>> output_sensitivity(1.0, 0.05, n_samples=50), output_sensitivity(1.0, 0.05, n_samples=50, as_printed=True)
    (0.4, 1.6)
    """
    strength = _checks.number("regularisation", regularisation, low=0, open_low=True)
    if as_printed:
        return 4 * lipschitz / (_checks.integer("n_samples", n_samples, low=1) * strength)
    return sensitivity.minimiser(
        lipschitz, 2 * strength, n_samples=n_samples, neighbouring=neighbouring
    )


@dataclass(frozen=True)
class RegularisedLogistic:
    """Objective of regularised logistic regression: mean logistic loss + λ‖w‖² + t·w.

    ``X`` (n, d + 1) are the records, ``y`` (n,) their labels 0 or 1, and ``regularisation`` is λ > 0. ``tilt`` (d +
    1,) is t, which objective perturbation draws at random. A ``tilt`` of 0 means no linear term.

    See Also
    --------
    minimise, output_sensitivity

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk
    minimization", Journal of Machine Learning Research 12, 2011.
    """

    X: Floats
    y: Floats
    regularisation: float
    tilt: Floats | float = 0.0

    def gradient(self, w: Floats) -> Floats:
        """Return the gradient (d + 1,) of the objective at weights w (d + 1,)."""
        p = expit(self.X @ w)
        mean = self.X.T @ (p - self.y) / len(self.y)
        return cast(Floats, mean + 2 * self.regularisation * w + self.tilt)

    def curvature(self, w: Floats) -> Floats:
        """Return the Hessian (d + 1, d + 1) of the objective at weights w (d + 1,)."""
        p = expit(self.X @ w)
        flat = (self.X * (p * (1 - p))[:, None]).T @ self.X / len(self.y)
        return cast(Floats, flat + 2 * self.regularisation * np.eye(self.X.shape[1]))

    def objective(self, w: Floats) -> float:
        """Return the value of the objective at weights w (d + 1,)."""
        z = self.X @ w
        loss = np.logaddexp(0, z) - self.y * z
        return float(loss.mean() + self.regularisation * (w @ w) + (self.tilt * w).sum())


def minimise(problem: RegularisedLogistic, *, tolerance: float = 1e-9) -> Floats:
    """Return the minimiser (d + 1,) of the objective, by Newton's method with step halving.

    At the result every entry of the gradient is below ``tolerance`` in absolute value. The iteration aims at a
    thousandth of ``tolerance``, because `output_sensitivity` holds for the exact minimiser only.

    Raises
    ------
    ValueError
        When no gradient below ``tolerance`` is reached.

    See Also
    --------
    RegularisedLogistic, output_sensitivity
    """
    w = np.zeros(problem.X.shape[1])
    for _ in range(100):
        gradient = problem.gradient(w)
        if np.abs(gradient).max() < tolerance / 1000:
            break
        move = np.linalg.solve(problem.curvature(w), gradient)
        length, here = 1.0, problem.objective(w)
        here += 1e-13 * abs(here)  # near the minimum the objective is rounded more than it falls
        while problem.objective(w - length * move) > here and length > 1e-6:
            length /= 2
        w = w - length * move
    if not np.abs(problem.gradient(w)).max() < tolerance:
        raise ValueError(
            f"regularisation={problem.regularisation:g} with these records is not allowed: the "
            "minimum is out of reach. Scale the features to [-1, 1] or take more regularisation."
        )
    return w
