"""The bound from two worlds for Gaussian mechanisms alone: errors to μ, and μ to ε.

References
----------
Nasr et al. 2023, arXiv 2302.07956 (Gaussian differential privacy); Dong, Roth and Su 2022 (μ to ε).
"""

from __future__ import annotations

from scipy.special import ndtri

from dpcore import _checks
from dpcore.audit.bounds import AuditBound
from dpcore.audit.confidence import error_bound, levels
from dpcore.mechanisms.calibration import gaussian_epsilon

__all__ = ["gaussian_bound", "gaussian_mu"]


def gaussian_mu(k0: int, k1: int, n: int, *, confidence: float = 0.95) -> float:
    """Return μ ≥ Φ⁻¹(1 - FPR) - Φ⁻¹(FNR) at the upper bounds of both rates, at least 0.

    See Also
    --------
    gaussian_bound

    References
    ----------
    M. Nasr et al., "Tight auditing of differentially private machine learning", USENIX Security,
    2023.
    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy", Journal of the Royal Statistical
    Society B 84(1), 2022.
    """
    _, beta = levels(0.0, confidence)
    false, missed = error_bound(k0, n, beta / 2), error_bound(k1, n, beta / 2)
    return max(0.0, float(-ndtri(false) - ndtri(missed))) if max(false, missed) < 1 else 0.0


def gaussian_bound(
    k0: int, k1: int, n: int, *, delta: float, curve: str, confidence: float = 0.95
) -> AuditBound:
    """Return the ε at δ of the μ that an attack shows, for mechanisms whose trade-off is Gaussian.

    μ of `gaussian_mu`, then δ = Φ(-ε/μ + μ/2) - e^ε Φ(-ε/μ - μ/2). Far stronger than `two_worlds`,
    and **wrong** for any other curve: a correct Laplace mechanism of ε = 1 would be "shown" to have
    3.88. Valid for Gaussian noise on the whole data, compositions of that, and each step seen alone.

    Parameters
    ----------
    k0, k1, n, confidence
        As for `two_worlds`.
    delta : float
        δ in (0, 1).
    curve : "gaussian"
        The trade-off curve of the mechanism, said by whoever knows it; any other is refused.

    Returns
    -------
    AuditBound

    Raises
    ------
    ValueError
        When ``curve`` is another one, or an argument is outside its range.

    See Also
    --------
    gaussian_mu, two_worlds

    References
    ----------
    M. Nasr et al., "Tight auditing of differentially private machine learning", USENIX Security,
    2023.
    J. Dong, A. Roth and W. J. Su, "Gaussian differential privacy", Journal of the Royal Statistical
    Society B 84(1), 2022.

    Examples
    --------
    >>> round(gaussian_bound(20, 500, 1000, delta=1e-5, curve="gaussian").epsilon_lower, 3)
    8.736
    """
    if curve != "gaussian":
        raise ValueError(
            f"curve={curve!r} is not allowed: this bound is false for every trade-off curve but the "
            "Gaussian one; use two_worlds."
        )
    d = _checks.delta(delta)
    found, most = (
        _of_mu(gaussian_mu(*counts, n, confidence=confidence), d) for counts in ((k0, k1), (0, 0))
    )
    return AuditBound(
        epsilon_lower=found, ceiling=most, n=n, k0=k0, k1=k1, delta=d, confidence=confidence
    )


def _of_mu(mu: float, delta: float) -> float:
    return gaussian_epsilon(1 / mu, 1.0, delta=delta) if mu > 0 else 0.0
