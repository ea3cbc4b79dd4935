"""The methods that the Choose ε page compares, with the same guarantee: (ε, δ)-DP under replace_one.

Every training uses all records in every step, so that its ε is exact and quick to compute at any δ. The
settings were chosen on the embedded data sets. They are the same for all other data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, sgd
from dpcore._warnings import unwarned
from dpcore.accounting import Event, GaussianEvent, LaplaceEvent, Repeated
from dpcore.accounting.pld import leaves
from dpcore.autoencoder import statistics
from dpcore.autoencoder.gaussians import GaussianSweep
from dpcore.datasets.dataset import mismatch
from dpcore.descent import Model, Recipe, Softmax, SoftmaxNetwork, descend
from dpcore.experiments.choose.problem import ChooseParams, Problem
from dpcore.guarantee import Guarantee, from_event
from dpcore.kahm import KAHMClassifier, record_epsilon
from dpcore.lvq import DPGLVQ, DPGMLVQ
from dpcore.regression import (
    Draws,
    Repair,
    ada_ssp,
    gaussian_statistics,
    gradient_descent,
    joint_release,
    output_perturbation,
)
from dpcore.regression.descent import descent_noise
from dpcore.regression.noise import gaussian_scales, laplace_scales

__all__ = [
    "CLASSIFIER_RUNS",
    "DESCENT",
    "LVQ_STEPS",
    "RECIPES",
    "REGRESSOR_RUNS",
    "coefficients",
    "element_epsilon",
    "guarantee",
    "method_event",
    "noise_of",
    "predicted",
    "signal",
    "step_noise",
    "sums_noise",
    "trained",
]

Labels = NDArray[np.int64]
ClassifierRun = Callable[[Problem, NDArray[np.float64], float, int], Labels]
RECIPES = {
    "softmax": Recipe(clip_norm=0.5, sample_rate=1.0, n_steps=40, learning_rate=4.0),
    "network": Recipe(clip_norm=0.5, sample_rate=1.0, n_steps=40, learning_rate=4.0),
}
LVQ_STEPS = 20
_LVQ: dict[str, Any] = {
    "epochs": LVQ_STEPS,
    "sample_rate": 1.0,
    "learning_rate": 1.0,
    "bounds": (-1, 1),
}
_INVENTED = 200  # people of each class that the generator invents


def _descent_classifier(name: str) -> ClassifierRun:
    def run(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
        model, weights = trained(name, problem, epsilons, delta, seed)
        ones = np.ones((len(problem.X_test), 1))
        scores = model.scores(weights, np.hstack([problem.X_test, ones]))
        return np.asarray(scores.argmax(-1))

    return run


def trained(
    name: str, problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int
) -> tuple[Model, NDArray[np.float64]]:
    """Return a model and its weights (E, n_weights) from noisy gradient descent at each of E values of ε."""
    recipe, d = RECIPES[name], problem.X.shape[1]
    model: Any = (Softmax if name == "softmax" else SoftmaxNetwork)(d, problem.n_classes)
    path = descend(
        model, np.hstack([problem.X, np.ones((problem.n_samples, 1))]), y=problem.y, recipe=recipe,
        noise_multiplier=np.array([step_noise(float(e), delta, recipe.n_steps) for e in epsilons]),
        streams=sgd.Streams.of(seed, 1), snapshots=np.array([recipe.n_steps]), expected_n=problem.n_samples,
    )  # fmt: skip
    return model, path.weights[:, 0]


@lru_cache(maxsize=4096)
def step_noise(epsilon: float, delta: float, n_steps: int) -> float:
    """Return the noise multiplier at which T full-batch steps together are (ε, δ)-DP under replace_one."""
    return accounting.noise_multiplier(
        epsilon, delta, sample_rate=1.0, n_steps=n_steps, neighbouring="replace_one"
    )


def _prototypes(estimator: type[DPGLVQ]) -> ClassifierRun:
    def run(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
        labels = []
        for epsilon in epsilons:
            model = estimator(
                epsilon=float(epsilon), delta=delta, neighbouring="replace_one", random_state=seed,
                classes=list(range(problem.n_classes)), expected_n=problem.n_samples, **_LVQ,
            )  # fmt: skip
            labels.append(_fitted(model, problem.X.astype(np.float32), problem))
        return np.array(labels)

    return run


def _fitted(model: Any, X: NDArray[Any], problem: Problem, unit: bool = False) -> Labels:
    with unwarned(UserWarning):  # a page draws again and again with seeds of its own
        model.fit(X, problem.y)
    test = (problem.X_test + 1) / 2 if unit else problem.X_test.astype(np.float32)
    return cast(Labels, model.predict(test))


def _generator(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
    """Return the predictions (E, m) of classifiers trained on synthetic records, at E values of ε.

    The records are sampled from noisy class statistics, so they and the predictions are
    post-processing.
    """
    from sklearn.linear_model import RidgeClassifier

    sweep = _sums(problem).again(delta=delta, random_state=seed)
    y, labels = np.repeat(np.arange(problem.n_classes), _INVENTED), []
    for epsilon in epsilons:
        scales = sums_noise(float(epsilon), delta, sweep.clip_norm)
        means, factors = statistics.repair(statistics.add_noise(sweep.exact, sweep.unit, scales))
        X = _invented(sweep, means, factors, np.random.default_rng((seed, 5)))
        labels.append(RidgeClassifier().fit(X, y).predict((problem.X_test + 1) / 2))
    return np.array(labels)


def sums_noise(epsilon: float, delta: float, clip_norm: float) -> tuple[float, float, float]:
    """Return the noise scales of class sizes, sums and second moments under replace_one.

    The scales are twice as large as for adding or removing a record, since a replacement is a
    removal and an addition.
    """
    sizes, sums, moments = statistics.noise_scales(epsilon, delta, clip_norm)
    return 2 * sizes, 2 * sums, 2 * moments


def _invented(
    sweep: GaussianSweep, means: Any, factors: Any, rng: np.random.Generator
) -> NDArray[np.float64]:
    codes = means[:, None] + rng.standard_normal(
        (len(means), _INVENTED, means.shape[-1])
    ) @ factors.swapaxes(-1, -2)
    flat = codes.reshape(-1, codes.shape[-1]) @ sweep.basis + sweep.grey
    return np.asarray(np.clip(flat, 0, 1), float)


# As long as a problem lives, and no longer: a person's own data have to be gone with their session.
_SUMS: WeakKeyDictionary[Problem, GaussianSweep] = WeakKeyDictionary()


def _sums(problem: Problem) -> GaussianSweep:
    if problem not in _SUMS:
        _SUMS[problem] = _summed(problem)
    return _SUMS[problem]


def _summed(problem: Problem) -> GaussianSweep:
    """Return the exact class sizes, sums and second moments of the records, scaled to [0, 1].

    For images only the low frequencies are used.
    """
    shape, d = problem.dataset.image_shape, problem.X.shape[1]  # type: ignore[union-attr]
    picture = shape is not None and shape[0] * shape[1] == d
    return GaussianSweep.of(
        (problem.X + 1) / 2, problem.y, delta=1e-5, clip_norm=0.25 * math.sqrt(d),
        n_frequencies=6 if picture else d, grey=0.3 if picture else 0.5,
        image_shape=shape if picture else (1, d), classes=range(problem.n_classes), random_state=0,
    )  # fmt: skip


def _hulls(problem: Problem, epsilons: NDArray[np.float64], delta: float, seed: int) -> Labels:
    d, labels = problem.X.shape[1], []
    for epsilon in epsilons:
        model = KAHMClassifier(
            n_components=min(5, d), epsilon=element_epsilon(float(epsilon), d, delta),
            random_state=seed,
        )  # fmt: skip
        labels.append(_fitted(model, (problem.X + 1) / 2, problem, unit=True))
    return np.array(labels)


@lru_cache(maxsize=4096)
def element_epsilon(epsilon: float, n_features: int, delta: float) -> float:
    """Return the largest ε of one feature value for which a whole record is (``epsilon``, δ)-DP.

    The result is found by bisection of `record_epsilon`, and rounded down. The guarantee covers the
    features of a record, not its label.

    Examples
    --------
    >>> element_epsilon(2.0, 1, 1e-5) >= 2.0
    True
    """
    low, high = epsilon / n_features, epsilon + 1e-3
    while (high - low) > 1e-3 * low:
        middle = (low + high) / 2
        good = record_epsilon(middle, n_features, delta=delta).tight <= epsilon
        low, high = (middle, high) if good else (low, middle)
    return low


CLASSIFIER_RUNS: dict[str, ClassifierRun] = {
    "softmax": _descent_classifier("softmax"),
    "generator": _generator,
    "glvq": _prototypes(DPGLVQ),
    "gmlvq": _prototypes(DPGMLVQ),
    "network": _descent_classifier("network"),
    "hulls": _hulls,
}
"""Functions that run one classifier with one noise draw, by the classifier's name.

They return the predicted classes (E, m) of m test people at E values of ε.
"""


Floats = NDArray[np.float64]
RegressorRun = Callable[[Problem, Floats, float, int], Floats]
_REPAIR = Repair(kind="floor", floor=2.0)  # for few records, whatever the data
DESCENT: dict[str, Any] = {"n_steps": 20, "learning_rate": 0.5, "clip_norm": 1.0}


def _joint(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return joint_release(p.sums, epsilons, n_draws=1, rng=rng, repair=_REPAIR)


def _gaussian(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return gaussian_statistics(p.sums, epsilons, delta=delta, n_draws=1, rng=rng, repair=_REPAIR)


def _adassp(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return ada_ssp(p.sums, epsilons, delta=delta, n_draws=1, rng=rng)


def _output(p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator) -> Draws:
    return output_perturbation(p.sums, epsilons, delta=delta, n_draws=1, rng=rng)


def _descent_regressor(
    p: Problem, epsilons: Floats, delta: float, rng: np.random.Generator
) -> Draws:
    y = p.bounds.scale_target(p.y)
    return gradient_descent(p.X, y, epsilon=epsilons, delta=delta, n_draws=1, rng=rng, **DESCENT)


_FITS: dict[str, Callable[..., Draws]] = {
    "joint": _joint,
    "gaussian": _gaussian,
    "adassp": _adassp,
    "output": _output,
    "descent": _descent_regressor,
}


def coefficients(
    method: str, problem: Problem, epsilons: Floats, delta: float, seed: int
) -> Floats:
    """Return the weights (E, d + 1) that a regression method fits in one noise draw, for E values of ε.

    The weights are for d features and a target scaled to [-1, 1]. The first one is the intercept.
    """
    fit = _FITS[method](problem, epsilons, delta, np.random.default_rng((seed, 7)))
    return np.asarray(fit.coefficients[0])


def predicted(problem: Problem, theta: Floats, X: Floats) -> Floats:
    """Return the predictions (E, m) of weights (E, d + 1) for m records (m, d).

    The predictions are in the target's unit and clipped to the target's bounds.
    """
    rows = np.column_stack([np.ones(len(X)), X])
    # A weight far out says as much as one at the end: predictions are put on the bounds.
    predictions = np.clip(np.nan_to_num(theta), -1e30, 1e30) @ rows.T
    return problem.bounds.unscale_target(np.clip(predictions, -1, 1))


def _run(method: str) -> RegressorRun:
    def run(problem: Problem, epsilons: Floats, delta: float, seed: int) -> Floats:
        theta = coefficients(method, problem, epsilons, delta, seed)
        return predicted(problem, theta, problem.X_test)

    return run


REGRESSOR_RUNS: dict[str, RegressorRun] = {method: _run(method) for method in _FITS}
"""Functions that run one regression method with one noise draw, by the method's name.

They return the predicted targets (E, m) of m test people at E values of ε.
"""


_NOISE = {"joint": "Laplace noise on all sums", "hulls": "Laplace noise on every value"}


def method_event(problem: Problem, method: str, epsilon: float, delta: float) -> Event:
    """Return the event of one result of a method at (ε, δ), for an accountant under replace_one.

    The event has the noise scales that the method's sampler uses.

    The method "joint" adds Laplace noise to many numbers, but its event is one Laplace noise. The
    event dominates the noise on many numbers, which a replaced record shifts by amounts with the
    sum Δ (in units of the noise scale). Proof for two shifts a + b = Δ, b ≤ a:

    - For 0 ≤ t ≤ Δ the composed privacy profile is δ(t) = 1 - (1 + r) e^{(t-Δ)/2}, with r = (Δ - t)/4
      for t ≥ a - b and r = b/2 for smaller t.
    - Both values of r are ≥ 0, so δ(t) is at most 1 - e^{(t-Δ)/2}, the profile of one Laplace noise
      with the shift Δ.
    - More shifts follow by induction.

    Parameters
    ----------
    problem : Problem
        Learning problem; only its number of features is used, for affine hulls.
    method : str
        A key of `CLASSIFIERS` or `REGRESSORS`.
    epsilon, delta : float
        Privacy cost of one result.

    Returns
    -------
    Event
    """
    if method in RECIPES:
        steps = RECIPES[method].n_steps
        return Repeated(GaussianEvent(step_noise(epsilon, delta, steps)), steps)
    if method in ("glvq", "gmlvq"):
        steps = LVQ_STEPS
        return Repeated(GaussianEvent(step_noise(epsilon, delta, steps)), steps)
    if method == "hulls":
        d = problem.n_features
        return Repeated(LaplaceEvent(2 / element_epsilon(epsilon, d, delta)), d)
    if method == "joint":
        return LaplaceEvent(2 * float(laplace_scales(epsilon)[0]))
    if method == "descent":
        steps = DESCENT["n_steps"]
        return Repeated(
            GaussianEvent(float(descent_noise(epsilon, delta, n_steps=steps)[0])), steps
        )
    # Noisy sums of the generator, noisy statistics, AdaSSP, noise on the result: one Gaussian at their sensitivity.
    return GaussianEvent(2 * float(gaussian_scales(epsilon, delta)[0]))


def signal(event: Event) -> float | None:
    """Return the distance by which replacing a record shifts Gaussian releases, in standard deviations.

    ``event`` has one or more releases. The result is None if one of them has other noise.
    """
    parts = list(leaves(event))
    if not all(isinstance(one, GaussianEvent) for one, _ in parts):
        return None
    precision = sum(
        n / one.noise_multiplier**2 for one, n in parts if isinstance(one, GaussianEvent)
    )
    return 2 * math.sqrt(precision)


def noise_of(method: str) -> str:
    """Return the name of the noise that a method uses, such as "Gaussian noise"."""
    return _NOISE.get(method, "Gaussian noise")


_STEPS = "Gaussian noise on the clipped sum of every step"
_MECHANISMS = {
    "softmax": _STEPS,
    "network": _STEPS,
    "glvq": _STEPS,
    "gmlvq": _STEPS,
    "generator": "Gaussian noise on sizes, sums and moments of the classes",
    "hulls": "Laplace noise on every value of every record",
    "joint": "Laplace noise on all numbers of the objective together",
    "gaussian": "Gaussian noise on the sums that regression depends on",
    "adassp": "Gaussian noise on the sums and on their smallest eigenvalue",
    "output": "Gaussian noise on the coefficients of ridge regression",
    "descent": _STEPS,
}
_COMPARED = "Gaussian or Laplace noise, as the method has it"


def guarantee(params: ChooseParams, problem: Problem, method: str | None = None) -> Guarantee:
    """Return the guarantee of one result of a method, at the ε and δ of ``params``.

    The guarantee is only nominal if facts that count as public, such as bounds, were read from the
    records.

    Parameters
    ----------
    params : ChooseParams
        ε and δ.
    problem : Problem
        The data, and the facts declared about them.
    method : str or None
        The method. If None, the guarantee holds for any of the methods. Several results together
        then cost at most the sum of their ε.
    """
    data = problem.dataset
    estimated = data.estimated
    facts = {
        "n": "the number of records",
        "classes": "the list of classes" if problem.classifies else "",
        "bounds": "the smallest and largest value of each column"
        + " and of what is predicted" * (not problem.classifies),
    }
    public = tuple(words for key, words in facts.items() if words and key not in estimated)
    hulls = method in (None, "hulls") and problem.classifies
    fields: dict[str, Any] = {
        "neighbouring": "replace_one",
        "status": "proved",
        "argument": f"{_MECHANISMS.get(method or '', _COMPARED)}, as much as its account asks for at this ε and "
        "δ where one record is replaced by any other."
        + " The method was chosen on made-up data with the declared facts." * _is_chosen(params, problem),
        "public": (*data.public, *public, *(("everybody's class, with affine hulls",) if hulls else ())),
        "not_protected": (
            *_unprotected(params, problem),
            "what can be learned about everybody in general, whether or not one record is there",
        ),
        "unit": problem.unit,
        "n_records": None if "n" in estimated else problem.n_declared,
    }  # fmt: skip
    if method is None:
        claim = Guarantee(epsilon=params.epsilon, delta=params.delta, **fields)
    else:
        event = method_event(problem, method, params.epsilon, params.delta)
        claim = from_event(event, params.delta, at_most=params.epsilon, **fields)
    read = (facts[key] for key in estimated if facts[key])
    claim = claim.having_read(*read, *mismatch(data, "replace_one"))
    named = params.chosen(problem.methods) != "best"
    if problem.is_own and named and params.beforehand == "yes":
        return claim.assuming("the method was fixed before any result on this table was seen")
    return claim


def _is_chosen(params: ChooseParams, problem: Problem) -> bool:
    return problem.is_own and params.chosen(problem.methods) == "best"


def _unprotected(params: ChooseParams, problem: Problem) -> tuple[str, ...]:
    if problem.is_synthetic:
        return ("nothing yet: no record of the table has been used, beyond what is declared",)
    if not problem.is_own:
        return ("the curves that are shown: they are drawn from the data, again and again",)
    named = params.chosen(problem.methods) != "best" and params.beforehand == "no"
    return (
        "the curves that are shown: they are drawn from your table, again and again, for your eyes alone",
        "an ε that was chosen by looking at these curves",
        *(
            ("the choice of the method, if it was made by looking at these curves",)
            if named
            else ()
        ),
    )
