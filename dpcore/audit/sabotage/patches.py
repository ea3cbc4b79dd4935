"""Fault injection, which replaces single functions of the library by versions with a bug.

For every replacement, the names of the deterministic checks are listed that must fail while the bug is present. The
other modules of this package use small copies of mechanisms; here the functions that estimators use are replaced.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcore import sgd

__all__ = ["HALVES", "PATCHES", "Patch"]

Breakage = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Patch:
    """Bug in one function of the library, and the deterministic checks that must detect it.

    Parameters
    ----------
    name : str
        The bug in a few words.
    places : tuple of str
        Locations of the function, as "module:attribute" or "module:Class.attribute".
    breakage : callable (original) -> replacement
        Function that returns a version of the original function with the bug.
    caught_by : tuple of str
        Prefixes of check names. For each prefix, at least one such check must fail while the bug is present.
    missed_before : bool
        Whether all checks outside ``caught_by`` pass although the bug is present.
    is_slow : bool
        Whether a check in ``caught_by`` is slow because it trains a network or fits hundreds of models.
    """

    name: str
    places: tuple[str, ...]
    breakage: Breakage
    caught_by: tuple[str, ...]
    missed_before: bool = True
    is_slow: bool = False

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Replace the function by its buggy version inside the ``with`` block."""
        undo = []
        for place in self.places:
            module, _, path = place.partition(":")
            owner: Any = importlib.import_module(module)
            *outer, name = path.split(".")
            for part in outer:
                owner = getattr(owner, part)
            original = vars(owner)[name] if isinstance(owner, type) else getattr(owner, name)
            undo.append((owner, name, original))
            setattr(owner, name, self.breakage(original))
        try:
            yield
        finally:
            for owner, name, original in undo:
                setattr(owner, name, original)


def _times(factor: float) -> Breakage:
    """Return a function that replaces a function by a version whose result is multiplied by ``factor``."""

    def breakage(original: Any) -> Any:
        return lambda *args, **named: factor * original(*args, **named)

    return breakage


def _argument(index: int, change: Callable[[Any], Any]) -> Breakage:
    """Return a function that replaces a function by a version that changes an argument by ``change``.

    The argument is the positional argument with the number ``index``.
    """

    def breakage(original: Any) -> Any:
        def bent(*args: Any, **named: Any) -> Any:
            arguments = list(args)
            arguments[index] = change(arguments[index])
            return original(*arguments, **named)

        return bent

    return breakage


def _named(name: str, change: Callable[[Any], Any]) -> Breakage:
    """Return a function that replaces a function by a version that changes the keyword argument ``name``.

    ``change`` is applied to the argument.
    """

    def breakage(original: Any) -> Any:
        return lambda *args, **named: original(*args, **{**named, name: change(named[name])})

    return breakage


def _repeated_lots(original: Any) -> Any:
    """Return a sampler of lots (batches) that uses the lot of the previous step again in every second step."""

    def bent(*args: Any, **named: Any) -> sgd.Lots:
        lots = original(*args, **named)
        steps = [lots.at(t - t % 2) for t in range(len(lots.offsets) - 1)]
        return sgd.Lots(np.concatenate(steps), np.cumsum([0, *map(len, steps)]))

    return bent


def _coins_in_pairs(original: Any) -> Any:
    """Return a sampler of lots (batches) that always puts records 2i and 2i + 1 into the same lots."""

    def bent(n: int, q: float, *, n_steps: int, rng: np.random.Generator) -> sgd.Lots:
        half = original(max(n // 2, 1), q, n_steps=n_steps, rng=rng)
        steps = [np.sort(np.r_[2 * lot, 2 * lot + 1]) for lot in map(half.at, range(n_steps))]
        steps = [lot[lot < n].astype(np.int32) for lot in steps]
        return sgd.Lots(np.concatenate(steps), np.cumsum([0, *map(len, steps)]))

    return bent


def _noise_of_two_steps(original: Any) -> Any:
    return lambda self, step: original(self, step - step % 2)


def _noise_of_two_numbers(original: Any) -> Any:
    def bent(self: Any, step: int) -> Any:
        noise = original(self, step)
        return noise[np.arange(len(noise)) // 2 * 2]

    return bent


def _quiet_tail(original: Any) -> Any:
    """Return a version of a noise source that halves the noise on the second half of the parameters.

    The second half contains the entries of the matrix Ω.
    """

    def bent(self: Any, step: int) -> Any:
        noise = original(self, step).copy()
        noise[len(noise) // 2 :] /= 2
        return noise

    return bent


def _clipped_sum_of_all(original: Any) -> Any:
    """Return a version of a training step that clips the sum of the lot instead of the gradient of each record."""

    def bent(model: Any, W: Any, X: Any, y: Any, recipe: Any, noise: Any, n: int) -> Any:
        whole = recipe.sample_rate * n
        plain = replace(recipe, clipping="none")
        total = whole * original(model, W, X, y, plain, np.zeros_like(noise), n)
        length = np.sqrt(np.square(total).sum(-1, keepdims=True))
        return (total / np.maximum(1, length / recipe.clip_norm) + noise * recipe.clip_norm) / whole

    return bent


def _over_the_lot(original: Any) -> Any:
    """Return a version of a training step that additionally divides the noise by the actual lot size."""

    def bent(model: Any, W: Any, X: Any, y: Any, recipe: Any, noise: Any, n: int) -> Any:
        return original(model, W, X, y, recipe, noise / max(len(y), 1), n)

    return bent


def _actual_size(original: Any) -> Any:
    """Return a version of a training function that divides by the actual, not the declared number of records."""
    return lambda *args, **named: original(*args, **{**named, "expected_n": None})


def _longest_layer(original: Any) -> Any:
    """Return a version of a norm function that returns the largest norm of a layer instead of the whole norm."""
    return lambda factors: np.max([original([part]) for part in factors], axis=0)


def _no_counts(original: Any) -> Any:
    """Return a version of a sensitivity function that leaves out the class counts, and halves the sensitivity.

    The original function returns the L2 sensitivity of class counts and class sums that are released together, which
    is a multiple of √(d + 1) for d features. This version returns half of the same multiple of √d.
    """

    def bent(n_features: int, **named: Any) -> float:
        return float(original(n_features, **named)) * math.sqrt(n_features / (n_features + 1)) / 2

    return bent


def _same_seed(original: Any) -> Any:
    """Return a version of a seed function that always uses seed 0 instead of fresh entropy."""
    return lambda state: original(0 if state is None else state)


def _sums_by_length(original: Any) -> Any:
    """Return a version of a sensitivity function that returns the L2 sensitivity D instead of the L1 sensitivity D².

    The sensitivity is that of regression sums with D coefficients, whose Laplace noise requires the L1 sensitivity.
    """
    return lambda d: math.sqrt(original(d))


def _quiet_vector(original: Any) -> Any:
    def bent(*args: Any, **named: Any) -> Any:
        unit_noise = original(*args, **named)
        return replace(unit_noise, vector=unit_noise.vector / 2)

    return bent


def _half_linear(original: Any) -> Any:
    """Return a version of the noise scale function of AdaSSP that halves the scale for the sums Σyx.

    The halved scale is too small for a replaced record.
    """

    def bent(*args: Any) -> Any:
        sigma, quadratic, linear = original(*args)
        return sigma, quadratic, linear / 2

    return bent


def _moments_by_norm(original: Any) -> Any:
    """Return a version of a noise scale function that uses the sensitivity R instead of R² for second moments.

    R is the upper bound on the norms of the records.
    """

    def bent(*args: Any, **named: Any) -> Any:
        sizes, sums, _ = original(*args, **named)
        return sizes, sums, sums

    return bent


def _half_gumbel(original: Any) -> Any:
    """Return a sampler for the exponential mechanism that uses half of the required Gumbel noise."""

    def bent(self: Any, scores: Any, rng: Any, size: int = 1) -> Any:
        logs = np.log(self.probabilities(scores))
        return np.argmax(logs + rng.gumbel(size=(size, len(logs))) / 2, axis=-1)

    return bent


def _half_pull(original: Any) -> Any:
    """Return a version of a function that adds noise to a sum; the version adds only half of the noise."""

    def bent(total: Any, *args: Any, **named: Any) -> Any:
        return total + (original(total, *args, **named) - total) / 2

    return bent


def _quiet_unit(original: Any) -> Any:
    """Return a version of a function that draws noise; the version halves the noise on the matrix and the vector."""

    def bent(*args: Any, **named: Any) -> Any:
        unit_noise = original(*args, **named)
        return replace(unit_noise, matrix=unit_noise.matrix / 2, vector=unit_noise.vector / 2)

    return bent


def _quiet_start(original: Any) -> Any:
    def bent(*args: Any, **named: Any) -> Any:
        scales = {key: np.asarray(named[key]) / 2 for key in ("count_scale", "sum_scale")}
        return original(*args, **{**named, **scales})

    return bent


def _quiet_sigma(original: Any) -> Any:
    def bent(*args: Any) -> Any:
        sigma, quadratic, linear = original(*args)
        return sigma / 2, quadratic, linear

    return bent


def _half(place: str, breakage: Breakage) -> Patch:
    return Patch(
        name=f"half the noise of {place}", places=(place,), breakage=breakage, caught_by=()
    )


HALVES = (
    _half("dpcore.mechanisms.additive:Additive.quantile", _times(0.5)),
    _half("dpcore.lvq.train:sweep", _named("noise_multiplier", lambda s: np.asarray(s) / 2)),
    _half("dpcore.lvq.matrix_train:sweep", _named("noise_multiplier", lambda s: np.asarray(s) / 2)),
    _half("dpcore.lvq.init:start", _quiet_start),
    _half("dpcore.descent.train:step", _argument(5, lambda noise: noise / 2)),
    _half("dpcore._noise:Normals.__call__", _times(0.5)),
    _half("dpcore.kahm.noise:element_noise", _times(0.5)),
    _half("dpcore.per_sample:noisy", _argument(1, lambda sigma: sigma / 2)),
    _half("dpcore.autoencoder.statistics:add_noise",
          _argument(2, lambda scales: tuple(scale / 2 for scale in scales))),
    _half("dpcore.regression.noise:functional_noise", _quiet_unit),
    _half("dpcore.regression.noise:joint_noise", _quiet_unit),
    _half("dpcore.regression.noise:gaussian_noise", _quiet_unit),
    _half("dpcore.regression.baselines:_ada_scales", _quiet_sigma),
    _half("dpcore.regression.descent:descent_noise", _times(0.5)),
    _half("dpcore.experiments.regression.fits:noise_multipliers", _times(0.5)),
    _half("dpcore.regression.perturbed_solution:gaussian_scales", _times(0.5)),
)  # fmt: skip
"""Patches that halve the noise of releases, one for every function that draws noise or sets the scale of noise.

If all of these patches are applied, the measured noise of a release must no longer agree with the guarantee of the
release (`dpcore.audit.claims`).
"""

PATCHES = (
    Patch(
        name="Poisson lots at 2.5 q", places=("dpcore.sgd:poisson_lots",),
        breakage=_argument(1, lambda q: min(1.0, 2.5 * q)),
        caught_by=("Poisson lots, q = 0.2: share", "DPGLVQ, poisson lots", "DPGMLVQ, poisson lots",
                   "descend: share", "autoencoder by DP-SGD: share", "convolutional network: share"), is_slow=True,
    ),
    Patch(
        name="lots that grow with q at 2.5 q", places=("dpcore.sgd:growing_lots",),
        breakage=_argument(1, lambda q: min(1.0, 2.5 * q)),
        caught_by=("Poisson lots that grow with q, q = 0.2: share", "regression by descent, 20 steps, q"),
    ),
    Patch(
        name="fixed lots of twice the size", places=("dpcore.sgd:fixed_lots",),
        breakage=_argument(1, lambda size: 2 * size),
        caught_by=("fixed lots: different records", "DPGLVQ, fixed lots", "DPGMLVQ, fixed lots"),
    ),
    Patch(
        name="a lot serves two steps", places=("dpcore.sgd:poisson_lots",), breakage=_repeated_lots,
        caught_by=("Poisson lots, q = 0.2: records in two lots",),
    ),
    Patch(
        name="two records share a coin", places=("dpcore.sgd:poisson_lots",), breakage=_coins_in_pairs,
        caught_by=("Poisson lots, q = 0.2: variance",),
    ),
    Patch(
        name="σ of the steps for half the rate", places=("dpcore.accounting:noise_multiplier",),
        breakage=_named("sample_rate", lambda q: q / 2),
        caught_by=("DPGLVQ, poisson lots", "DPGMLVQ, poisson lots", "DPGLVQ, fixed lots"),
    ),
    Patch(
        name="one step is not counted", places=("dpcore.accounting:noise_multiplier",),
        breakage=_named("n_steps", lambda n_steps: max(1, n_steps - 1)),
        caught_by=("DPGLVQ, fixed lots", "DPGMLVQ, fixed lots"),
    ),
    Patch(
        name="one step of regression is not counted", places=("dpcore.regression.descent:descent_noise",),
        breakage=_named("n_steps", lambda n_steps: max(1, n_steps - 1)),
        caught_by=("regression by descent, 2 steps",),
    ),
    Patch(
        name="noise drawn once for two steps", places=("dpcore._noise:Normals.__call__",),
        breakage=_noise_of_two_steps, caught_by=("GLVQ loop, numpy: noise shared", "GMLVQ loop, numpy: least"),
    ),
    Patch(
        name="noise shared by two numbers", places=("dpcore._noise:Normals.__call__",),
        breakage=_noise_of_two_numbers, caught_by=("GLVQ loop, numpy: noise shared", "GMLVQ loop, numpy: least"),
    ),
    Patch(
        name="half the noise on Ω", places=("dpcore._noise:Normals.__call__",), breakage=_quiet_tail,
        caught_by=("GMLVQ loop, numpy: least", "convolutional network, steps"), missed_before=False, is_slow=True,
    ),
    Patch(
        name="noise divided by the size of the lot", places=("dpcore.descent.train:step",),
        breakage=_over_the_lot, caught_by=("descend: ησC/(qN)", "descend: length of steps"),
        missed_before=False, is_slow=True,
    ),
    Patch(
        name="the sum is clipped, not the records", places=("dpcore.descent.train:step",),
        breakage=_clipped_sum_of_all, caught_by=("descend, one record among others",),
    ),
    Patch(
        name="each layer clipped to C", places=("dpcore.descent.train:norms",), breakage=_longest_layer,
        caught_by=("descend, clipped gradient",), missed_before=False,
    ),
    Patch(
        name="the true number of records in the denominator", places=("dpcore.descent:descend",),
        breakage=_actual_size, caught_by=("descend: length of steps",),
    ),
    Patch(
        name="counts left out of the start's sensitivity",
        places=("dpcore.sensitivity:counts_and_sums",), breakage=_no_counts,
        caught_by=("DPGLVQ, gaussian start",),
    ),
    Patch(
        name="the seed of a preview for the release", places=("dpcore._random_state:seed_sequence",),
        breakage=_same_seed, caught_by=("DPGLVQ: numbers that two fits", "DPGMLVQ: numbers that two fits"),
    ),
    Patch(
        name="the tilt of the objective halved", places=("dpcore.descent.objective:ObjectiveNoise.tilt",),
        breakage=_times(0.5), caught_by=(
            "objective perturbation, Gaussian b, replace_one", "objective perturbation, Gaussian b, add_remove",
            "objective perturbation, Algorithm 2",
        ), is_slow=True,
    ),
    Patch(
        name="half the curvature of the objective",
        places=("dpcore.descent.private:objective_noise",),
        breakage=_named("regularisation", lambda strength: strength / 4),
        caught_by=("objective perturbation, Gaussian b, replace_one",), is_slow=True,
    ),
    Patch(
        name="sensitivity of add and remove where a record is replaced",
        places=("dpcore.regression.sensitivity:output",), breakage=_times(0.5),
        caught_by=("output perturbation of regression",),
    ),
    Patch(
        name="the same in logistic regression", places=("dpcore.sensitivity:minimiser",), breakage=_times(0.5),
        caught_by=("output perturbation of logistic regression",),
    ),
    Patch(
        name="a Laplace scale from the L2 norm", places=("dpcore.regression.sensitivity:quadratic",),
        breakage=_sums_by_length, caught_by=("functional mechanism, tight",), missed_before=False,
    ),
    Patch(
        name="half the noise on the linear part", places=("dpcore.regression.noise:functional_noise",),
        breakage=_quiet_vector, caught_by=("functional mechanism, printed", "functional mechanism, tight"),
    ),
    Patch(
        name="half the noise on the sums yx", places=("dpcore.regression.noise:gaussian_noise",),
        breakage=_quiet_vector, caught_by=("sufficient statistics",),
    ),
    Patch(
        name="the same in AdaSSP", places=("dpcore.regression.baselines:_ada_scales",),
        breakage=_half_linear, caught_by=("AdaSSP, exact",), is_slow=True,
    ),
    Patch(
        name="noise of sums on second moments",
        places=("dpcore.autoencoder.statistics:noise_scales",), breakage=_moments_by_norm,
        caught_by=("ClassGaussians: ε",), is_slow=True,
        missed_before=False,
    ),
    Patch(
        name="half the noise on the sums of the network's steps", places=("dpcore.per_sample:noisy",),
        breakage=_half_pull, caught_by=("autoencoder by DP-SGD, steps",), is_slow=True,
    ),
    Patch(
        name="the noisy maximum with half the noise", places=("dpcore.mechanisms:Exponential.sample",),
        breakage=_half_gumbel, caught_by=("Exponential, drawn",),
    ),
    Patch(
        name="element noise for 2ε", places=("dpcore.kahm.noise:_staircase",),
        breakage=_argument(1, lambda epsilon: 2 * epsilon), caught_by=("element noise, staircase",),
    ),
    Patch(
        name="half the noise of a mechanism", places=("dpcore.mechanisms.additive:Additive.quantile",),
        breakage=_times(0.5), caught_by=("Laplace: ln", "Gaussian: ε", "Staircase: ln"),
    ),
    Patch(
        name="half the noise on the biases", places=("dpcore.autoencoder.bias_noise:sigmas",),
        breakage=_times(0.5), caught_by=("bias noise",),
    ),
)  # fmt: skip
"""Patches that the deterministic checks must detect.

The field ``missed_before`` of a patch was determined by running all checks except those in ``caught_by``.
"""
