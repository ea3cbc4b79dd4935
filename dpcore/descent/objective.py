"""Objective perturbation: a random linear term, added curvature, and noise that hides the solver's error.

The objective is Σ_i ln(1 + e^{-s_i x_i·w}) + (m/2)‖w‖² + b·w, for rows x_i of norm at most 1 with classes s_i = ±1. m
is the curvature, and b is random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _draws
from dpcore.descent.erm import RegularisedLogistic, minimise
from dpcore.guarantee import Guarantee, Neighbouring, Part
from dpcore.mechanisms import gaussian_delta, gaussian_sigma

__all__ = [
    "ARGUMENT",
    "DECLARED",
    "SMOOTHNESS",
    "SOLVER_SHARE",
    "ObjectiveNoise",
    "objective_delta",
    "objective_guarantee",
    "objective_noise",
    "perturbed_minimiser",
    "unit_rows",
]


Floats = NDArray[np.float64]

SMOOTHNESS = 0.25

"""Smoothness c of the logistic loss: its second derivative is at most c = 1/4."""

SOLVER_SHARE = 0.01

"""Fraction of ε and of δ that is spent on hiding the solver's error."""

_CLOSE = 1e-9  # tolerance of the solver as a share of the gradient's bound

_CORNERS, _SMALLEST_DELTA = (
    1e-3,
    1e-300,
)  # share of δ for replaced records whose gradients nearly agree


@dataclass(frozen=True, kw_only=True)
class ObjectiveNoise:
    """Public parameters of a perturbed objective Σ losses + (m/2)‖w‖² + b·w.

    Parameters
    ----------
    curvature : float
        Curvature m > 0, at least 2λn for regularisation λ‖w‖² of the mean loss.
    scale : float
        Scale of b. If not ``pure``, each entry of b is normal with this standard deviation. If ``pure``, the norm of
        b follows the distribution Gamma(D, scale), where D is the number of its entries.
    jacobian : float
        Part of ε for the determinant of the Hessian. The ratio of the determinants for two neighbours enters the
        privacy loss. One record's loss has a curvature of at most c = 1/4, so the part is ln(1 + c/m). For ``pure``
        under replace_one it is twice as large.
    solver : float
        Scale of the noise on the returned weights, as a multiple of a distance. The distance is the largest one by
        which the solver's errors may separate two solutions.
    pure : bool
        Whether δ = 0.
    n_samples : int
        Public number n of records in the curvature 2λn.

    See Also
    --------
    objective_noise
    """

    curvature: float
    scale: float
    jacobian: float
    solver: float
    pure: bool
    n_samples: int

    def tolerance(self, n_weights: int) -> float:
        """Return the tolerance γ: the solver may stop when the norm of the gradient is at most γ.

        The gradient is that of the perturbed sum of losses.
        """
        far = 2 * n_weights + 60 if self.pure else math.sqrt(n_weights) + 9
        return _CLOSE * (self.n_samples + self.scale * far)

    def tilt(self, n_weights: int, rng: np.random.Generator) -> Floats:
        """Draw the coefficients b (n_weights,) of the random linear term."""
        return self.scale * self._unit(n_weights, rng)

    def on_solution(self, n_weights: int, rng: np.random.Generator) -> Floats:
        """Draw the noise (n_weights,) that hides the solver's error.

        The solver stops at a gradient norm of at most γ (`tolerance`). With the curvature m, the result is then
        within γ/m of the minimiser. So the distance between the solutions for two neighbouring data sets exceeds the
        distance between their minimisers by at most 2γ/m.
        """
        apart = 2 * self.tolerance(n_weights) / self.curvature
        return apart * self.solver * self._unit(n_weights, rng)

    def _unit(self, n_weights: int, rng: np.random.Generator) -> Floats:
        normal = _draws.normal(rng, n_weights)
        if not self.pure:
            return normal
        length = _draws.gamma(rng, n_weights)
        return cast(Floats, length * normal / np.sqrt(np.square(normal).sum()))


def objective_noise(
    epsilon: float,
    delta: float,
    *,
    regularisation: float,
    n_samples: int,
    neighbouring: Neighbouring = "replace_one",
) -> ObjectiveNoise:
    """Return the perturbation for (ε, δ)-DP minimisation of the mean logistic loss + λ‖w‖² over n rows.

    A random linear term b·w with D coefficients b is added to the sum of losses. The regularisation gives this sum
    a curvature of m = nΛ with Λ = 2λ; c = 1/4 bounds the curvature of one record's loss.

    - For δ = 0 this is Algorithm 2 of Chaudhuri, Monteleoni and Sarwate (2011). The norm of b follows Gamma(D, 2/ε'),
      where ε' = ε - ln(1 + 2c/(nΛ) + c²/(nΛ)²). If ε' is not positive, m is raised until ε' = ε/2. This is for
      replace_one; under add_remove less noise is enough.
    - For δ > 0, b is Gaussian, as in Kifer, Smith and Thakurta (2012), with a standard deviation σ for which the
      bound of `objective_delta` is at most δ. m is at least c/(e^{ε/2} - 1).

    In both cases a hundredth of ε and of δ is spent on noise that hides the solver's error (Iyengar et al. 2019). The
    formulas hold for the remaining ε and δ.

    Parameters
    ----------
    epsilon : float
        ε ≥ 1e-12 (inf: no noise).
    delta : float
        0, or δ in [1e-300, 1).
    regularisation : float
        λ in [1e-30, 1e30].
    n_samples : int
        Public number n ≥ 1 of rows; under add_remove the same number for both neighbours.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.

    Returns
    -------
    ObjectiveNoise

    Raises
    ------
    ValueError
        When an argument is out of range.

    See Also
    --------
    objective_delta, perturbed_minimiser

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk minimization",
    Journal of Machine Learning Research 12, 2011.
    D. Kifer, A. Smith and A. Thakurta, "Private convex empirical risk minimization and high-dimensional
    regression", COLT, 2012.
    R. Iyengar et al., "Towards practical differentially private convex optimization", IEEE Symposium on
    Security and Privacy, 2019.

    Examples
    --------
    >>> found = objective_noise(1.0, 0.0, regularisation=0.05, n_samples=100)
    >>> found.curvature, round(found.scale, 2)  # 2 / (0.99 - 2 ln(1 + 0.25/10))
    (10.0, 2.13)
    """
    eps = _checks.epsilon(epsilon, low=_checks.SMALLEST_EPSILON)
    if delta != 0:
        _checks.number("delta", delta, low=_SMALLEST_DELTA, high=1, open_high=True)
    _checks.one_of("neighbouring", neighbouring, ("add_remove", "replace_one"))
    n = _checks.integer("n_samples", n_samples, low=1)
    own = 2 * _checks.scale("regularisation", regularisation) * n
    pure = delta == 0
    if math.isinf(eps):
        return ObjectiveNoise(
            curvature=own, scale=0.0, jacobian=0.0, solver=0.0, pure=pure, n_samples=n
        )
    part, find = (1 - SOLVER_SHARE) * eps, _algorithm_2 if pure else _gaussian
    curvature, scale, jacobian = find(part, (1 - SOLVER_SHARE) * delta, own, neighbouring)
    share = SOLVER_SHARE * eps
    solver = 1 / share if pure else gaussian_sigma(1.0, share, delta=SOLVER_SHARE * delta)
    return ObjectiveNoise(
        curvature=curvature, scale=scale, jacobian=jacobian, solver=solver, pure=pure, n_samples=n
    )


def _algorithm_2(
    epsilon: float, delta: float, own: float, neighbouring: Neighbouring
) -> tuple[float, float, float]:
    """Return the curvature, scale and jacobian of an `ObjectiveNoise` for δ = 0.

    ``own`` is 2λn, the curvature of the regularisation alone.
    """
    reach = 2 if neighbouring == "replace_one" else 1
    jacobian = reach * math.log1p(SMOOTHNESS / own)
    if epsilon - jacobian > 0:
        return own, reach / (epsilon - jacobian), jacobian
    own = _curvature(epsilon / 4)
    return own, reach / (epsilon / 2), reach * math.log1p(SMOOTHNESS / own)


def _gaussian(
    epsilon: float, delta: float, own: float, neighbouring: Neighbouring
) -> tuple[float, float, float]:
    """Return the curvature, scale and jacobian of an `ObjectiveNoise` for δ > 0.

    ``own`` is 2λn, the curvature of the regularisation alone.
    """
    curvature = max(own, _curvature(epsilon / 2))
    jacobian = math.log1p(SMOOTHNESS / curvature)
    rest = epsilon - jacobian
    if neighbouring == "add_remove":
        return curvature, gaussian_sigma(1.0, rest, delta=delta), jacobian
    far = gaussian_sigma(2.0, rest, delta=(1 - _CORNERS) * delta)
    return curvature, max(far, gaussian_sigma(1.0, rest, delta=_CORNERS / 2 * delta)), jacobian


def _curvature(jacobian: float) -> float:
    """Return the curvature m at which ln(1 + c/m) = ``jacobian``, with c = 1/4."""
    return SMOOTHNESS / math.expm1(min(jacobian, 600.0))


def objective_delta(
    scale: float, curvature: float, *, epsilon: float, neighbouring: Neighbouring = "replace_one"
) -> float:
    """Return an upper bound on δ at ε for an objective with a Gaussian linear term b·w.

    The bound holds for the exact minimiser. Let κ = ln(1 + c/m), where m is the curvature of the objective and c =
    1/4 bounds the curvature of one record's loss. Let δ_r(ε) be the δ at ε of the Gaussian mechanism with standard
    deviation σ and sensitivity r. Under add_remove the bound is δ_1(ε - κ), under replace_one δ_2(ε - κ) + 2 δ_1(ε -
    κ). It is 1 if ε < κ.

    Parameters
    ----------
    scale : float
        Standard deviation σ > 0 of each entry of b.
    curvature : float
        Curvature m > 0 of the objective.
    epsilon : float
        ε ≥ 0.
    neighbouring : "add_remove" or "replace_one"
        Neighbouring relation of the guarantee.

    Returns
    -------
    float
        Upper bound on δ, in [0, 1].

    See Also
    --------
    objective_noise

    Notes
    -----
    The privacy loss at the minimiser w has two parts, because the linear term b that gives w is unique. So the
    density of w is the density of b times det(H + mI), where H is the Hessian of the losses.

    - Determinants: a record changes one term of H, so the determinants of neighbours differ by a factor of at most
      1 + c/m.
    - Densities of b: a replaced record changes b by v = p u - p' u'. Here u and u' are the old and the new record's
      row times its sign s = ±1, and p and p' are in (0, 1). The rows do not depend on the noise, so ‖b + v‖² is
      convex in (p, p') and largest at a corner of the square [0, 1]². There the privacy loss equals that of a
      Gaussian mechanism.

    The argument needs the loss of a linear model (Redberg, Koskela and Wang 2023).

    References
    ----------
    R. Redberg, A. Koskela and Y.-X. Wang, "Improving the privacy and practicality of objective
    perturbation for differentially private linear learners", NeurIPS, 2023.

    Examples
    --------
    >>> found = objective_noise(1.0, 1e-5, regularisation=0.05, n_samples=100)
    >>> bool(objective_delta(found.scale, found.curvature, epsilon=0.99) <= 0.99e-5)
    True
    """
    rest = _checks.number("epsilon", epsilon, low=0) - math.log1p(
        SMOOTHNESS / _checks.number("curvature", curvature, low=0, open_low=True)
    )
    if rest < 0:
        return 1.0
    near = gaussian_delta(scale, 1.0, epsilon=rest)
    if neighbouring == "add_remove":
        return near
    return min(1.0, gaussian_delta(scale, 2.0, epsilon=rest) + 2 * near)


def unit_rows(scaled: ArrayLike) -> Floats:
    """Return the rows (x, 1)/√(d + 1), an array (n, d + 1), for records x (n, d) clipped to [-1, 1]^d.

    The norm of a row is at most 1, even after rounding.

    See Also
    --------
    perturbed_minimiser

    Examples
    --------
    >>> bool(np.square(unit_rows([[1.0, -1.0], [7.0, 0.0]])).sum(1).max() <= 1)
    True
    """
    inside = np.clip(np.nan_to_num(np.asarray(scaled, float)), -1, 1)
    rows = np.column_stack([inside, np.ones(len(inside))])
    return rows / (math.sqrt(rows.shape[1]) * (1 + 1e-12))


def perturbed_minimiser(
    X: Floats, y: Floats, *, noise: ObjectiveNoise, rng: np.random.Generator
) -> Floats:
    """Minimise the perturbed objective; return the weights (d + 1,) plus noise that hides the solver's error.

    The guarantee (ε, δ) of `objective_noise` holds although the solver is not exact:

    - The solver stops when the gradient has a norm of at most γ (`ObjectiveNoise.tolerance`).
    - The objective has curvature m, so the result is then within γ/m of the minimiser.
    - The solver's errors therefore separate the results for two data sets by at most 2γ/m. The noise on the weights
      is calibrated to this distance.

    Rounding errors of sums are far below γ.

    Parameters
    ----------
    X : ndarray (n, d + 1)
        Rows of norm at most 1, see `unit_rows`.
    y : ndarray (n,)
        Labels 0 or 1.
    noise : ObjectiveNoise
        Parameters of the perturbation, from `objective_noise`.
    rng : numpy.random.Generator
        Source of the linear term b and of the noise on the weights.

    Returns
    -------
    ndarray (d + 1,)
        Private weights.

    Raises
    ------
    ValueError
        When a row has a norm above 1, a label is neither 0 nor 1, or the solver does not converge.

    See Also
    --------
    unit_rows, objective_noise

    References
    ----------
    K. Chaudhuri, C. Monteleoni and A. D. Sarwate, "Differentially private empirical risk minimization",
    Journal of Machine Learning Research 12, 2011.
    """
    if not np.square(X).sum(1).max(initial=0) <= 1:
        raise ValueError("X has a row longer than 1, which is not allowed: see unit_rows.")
    if not np.isin(y, (0, 1)).all():
        raise ValueError(
            "y has a label that is neither 0 nor 1: give 0 for one class, 1 for the other."
        )
    n, n_weights = max(len(y), 1), X.shape[1]
    b = noise.tilt(n_weights, rng)
    problem = RegularisedLogistic(X, y, noise.curvature / (2 * n), b / n)
    close = noise.tolerance(n_weights) / (n * math.sqrt(n_weights))
    return minimise(problem, tolerance=close) + noise.on_solution(n_weights, rng)


DECLARED = {"expected_n": "n", "classes": "the classes"}

"""Facts that are read from the data unless they are declared.

Keys are names of parameters; values name the facts in words.
"""

ARGUMENT = (
    "A random linear term is added to a strongly convex objective. One record changes the term that gives the "
    "same minimum by a bounded vector, and the volume around it by a bounded factor. The solver stops close to "
    "the minimum, and noise on its result hides how close."
)

_SAME_CLASSES = "the two classes are public: here they were read from y"


def objective_guarantee(
    epsilon: float,
    delta: float,
    noise: ObjectiveNoise,
    n_samples: int,
    *,
    neighbouring: Neighbouring,
    estimated: bool = False,
    undeclared: tuple[str, ...] = (),
) -> Guarantee:
    """Return the (ε, δ) guarantee of weights perturbed by `objective_noise` with secret noise.

    ``estimated`` is True if the bounds were read from the data. ``undeclared`` lists "expected_n" and "classes" if n
    or the classes were read from the data.

    - Under add_remove the guarantee is nominal if the bounds, n or the classes were read from the data.
    - Under replace_one it is nominal if the bounds were read from the data. n is public, and classes that were read
      from the data are assumed to be public.
    """
    replaced = neighbouring == "replace_one"
    guarantee = Guarantee(
        epsilon=float(epsilon),
        delta=float(delta),
        neighbouring=neighbouring,
        status="proved",
        argument=ARGUMENT,
        public=(
            "bounds of every feature",
            f"the number {'of records ' * replaced}n = {n_samples}{' of the curvature' * (not replaced)}",
            "the two classes",
            "every setting",
        ),
        not_protected=(
            "what a person shares with the whole group: a good model may well reveal that",
            "the choice of settings by looking at private results",
            "other leaks, such as the time the solver takes: the noise is made for experiments, not for release",
        ),
        parts=_parts(float(epsilon), float(delta), noise),
    )
    read = ("the bounds",) * estimated
    read += () if replaced else tuple(DECLARED[name] for name in undeclared)
    guarantee = guarantee.having_read(*read)
    return guarantee.assuming(_SAME_CLASSES) if replaced and "classes" in undeclared else guarantee


def _parts(epsilon: float, delta: float, noise: ObjectiveNoise) -> tuple[Part, ...]:
    kind = "Gamma length" if noise.pure else "Gaussian"
    tilt = f"{kind}, scale {noise.scale:.3g}, curvature m = {noise.curvature:.3g}"
    shares = {
        "linear term and curvature": (1 - SOLVER_SHARE, tilt),
        "error of the solver": (SOLVER_SHARE, kind),
    }
    return tuple(
        Part(name=name, epsilon=share * epsilon, delta=share * delta, mechanism=words)
        for name, (share, words) in shares.items()
    )
