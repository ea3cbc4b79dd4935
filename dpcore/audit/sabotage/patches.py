"""Fault injection: patches of single library functions, which the deterministic checks must detect.

The other modules of this package contain small copies of mechanisms that are attacked by many trainings. The
patches here change functions of the library that pages and estimators call; each patch names the deterministic
checks that must then fail.
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

Bend = Callable[[Any], Any]


@dataclass(frozen=True, kw_only=True)
class Patch:
    """Bug that replaces one function of the library, and the deterministic checks that detect it.

    Parameters
    ----------
    name : str
        The bug in a few words.
    places : tuple of str
        Locations of the function, "module:attribute" or "module:Class.attribute".
    bend : callable (original) -> replacement
        Returns the buggy version of the original function.
    caught_by : tuple of str
        Prefixes of the names of checks; for each prefix at least one check must fail under the bug.
    missed_before : bool
        Whether no check failed under the bug before the checks in ``caught_by`` were written.
    dear : bool
        Whether a check in ``caught_by`` is slow: it trains a network or fits hundreds of models.
    """

    name: str
    places: tuple[str, ...]
    bend: Bend
    caught_by: tuple[str, ...]
    missed_before: bool = True
    dear: bool = False

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
            setattr(owner, name, self.bend(original))
        try:
            yield
        finally:
            for owner, name, original in undo:
                setattr(owner, name, original)


def _times(factor: float) -> Bend:
    """Return a patch that multiplies the result of a function by a factor."""

    def bend(original: Any) -> Any:
        return lambda *args, **named: factor * original(*args, **named)

    return bend


def _argument(index: int, change: Callable[[Any], Any]) -> Bend:
    """Return a patch that changes the positional argument number ``index`` of a function."""

    def bend(original: Any) -> Any:
        def bent(*args: Any, **named: Any) -> Any:
            arguments = list(args)
            arguments[index] = change(arguments[index])
            return original(*arguments, **named)

        return bent

    return bend


def _named(name: str, change: Callable[[Any], Any]) -> Bend:
    """Return a patch that changes the keyword argument ``name`` of a function."""

    def bend(original: Any) -> Any:
        return lambda *args, **named: original(*args, **{**named, name: change(named[name])})

    return bend


def _repeated_lots(original: Any) -> Any:
    """Return a version of a lot sampler that reuses the previous step's lot in every second step."""

    def bent(*args: Any) -> sgd.Lots:
        lots = original(*args)
        steps = [lots.at(t - t % 2) for t in range(len(lots.offsets) - 1)]
        return sgd.Lots(np.concatenate(steps), np.cumsum([0, *map(len, steps)]))

    return bent


def _coins_in_pairs(original: Any) -> Any:
    """Return a version of a lot sampler in which records 2i and 2i + 1 join the same lots."""

    def bent(n: int, q: float, n_steps: int, rng: np.random.Generator) -> sgd.Lots:
        half = original(max(n // 2, 1), q, n_steps, rng)
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
    """Return a noise source that halves the noise on the last half of the trained numbers, which contains Ω."""

    def bent(self: Any, step: int) -> Any:
        noise = original(self, step).copy()
        noise[len(noise) // 2 :] /= 2
        return noise

    return bent


def _clipped_sum_of_all(original: Any) -> Any:
    """Return a training step that clips the sum of the lot instead of each record's gradient."""

    def bent(model: Any, W: Any, X: Any, y: Any, recipe: Any, noise: Any, n: int) -> Any:
        whole = recipe.sample_rate * n
        plain = replace(recipe, clipping="none")
        total = whole * original(model, W, X, y, plain, np.zeros_like(noise), n)
        length = np.sqrt(np.square(total).sum(-1, keepdims=True))
        return (total / np.maximum(1, length / recipe.clip_norm) + noise * recipe.clip_norm) / whole

    return bent


def _over_the_lot(original: Any) -> Any:
    """Return a training step that divides the noise by the actual lot size in addition to the declared one."""

    def bent(model: Any, W: Any, X: Any, y: Any, recipe: Any, noise: Any, n: int) -> Any:
        return original(model, W, X, y, recipe, noise / max(len(y), 1), n)

    return bent


def _actual_size(original: Any) -> Any:
    """Return a training function that ignores the declared number of records and divides by the actual number."""
    return lambda *args, **named: original(*args, **{**named, "expected_n": None})


def _longest_layer(original: Any) -> Any:
    """Return a function that computes the largest norm of a single layer instead of the norm over all layers."""
    return lambda factors: np.max([original([part]) for part in factors], axis=0)


def _no_counts(original: Any) -> Any:
    """Return the sensitivity of class sums alone, although class counts are released with them."""

    def bent(n_features: int, **named: Any) -> float:
        return float(original(n_features, **named)) * math.sqrt(n_features / (n_features + 1)) / 2

    return bent


def _same_seed(original: Any) -> Any:
    """Return a version of a seed function that uses the fixed seed 0 instead of fresh entropy (state None)."""
    return lambda state: original(0 if state is None else state)


def _sums_by_length(original: Any) -> Any:
    """Return the L2 sensitivity D of the regression sums instead of the L1 sensitivity D², for Laplace noise.

    D is the number of coefficients.
    """
    return lambda d: math.sqrt(original(d))


def _quiet_vector(original: Any) -> Any:
    def bent(*args: Any, **named: Any) -> Any:
        unit_noise = original(*args, **named)
        return replace(unit_noise, vector=unit_noise.vector / 2)

    return bent


def _half_linear(original: Any) -> Any:
    """Return a function whose noise scales are too small for a replaced record.

    They use the sensitivity B of the sums yx for an added record, not 2B for a replaced one.
    """

    def bent(*args: Any) -> Any:
        sigma, quadratic, linear = original(*args)
        return sigma, quadratic, linear / 2

    return bent


def _moments_by_norm(original: Any) -> Any:
    """Return noise scales with the sensitivity R of sums, instead of R², for second moments; R bounds the norms."""

    def bent(*args: Any, **named: Any) -> Any:
        sizes, sums, _ = original(*args, **named)
        return sizes, sums, sums

    return bent


def _half_gumbel(original: Any) -> Any:
    """Return a sampler of report noisy max with half of the Gumbel noise."""

    def bent(self: Any, scores: Any, rng: Any, size: int = 1) -> Any:
        logs = np.log(self.probabilities(scores))
        return np.argmax(logs + rng.gumbel(size=(size, len(logs))) / 2, axis=-1)

    return bent


def _half_pull(original: Any) -> Any:
    """Return a version of a noise function that adds only half of its noise to its argument, the sum ``total``."""

    def bent(total: Any, *args: Any, **named: Any) -> Any:
        return total + (original(total, *args, **named) - total) / 2

    return bent


def _quiet_unit(original: Any) -> Any:
    """Return a copy of a noise function, with half the unit noise of the original on the matrix and on the vector."""

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


def _half(place: str, bend: Bend) -> Patch:
    return Patch(name=f"half the noise of {place}", places=(place,), bend=bend, caught_by=())


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
"""Half of the noise, wherever a page draws it: with all of them no page may agree with its card."""

PATCHES = (
    Patch(
        name="Poisson lots at 2.5 q", places=("dpcore.sgd:poisson_lots",),
        bend=_argument(1, lambda q: min(1.0, 2.5 * q)),
        caught_by=("Poisson lots, q = 0.2: share", "DPGLVQ, poisson lots", "DPGMLVQ, poisson lots",
                   "descend: share", "autoencoder by DP-SGD: share", "convolutional network: share"), dear=True,
    ),
    Patch(
        name="lots that grow with q at 2.5 q", places=("dpcore.sgd:growing_lots",),
        bend=_argument(1, lambda q: min(1.0, 2.5 * q)),
        caught_by=("Poisson lots that grow with q, q = 0.2: share", "regression by descent, 20 steps, q"),
    ),
    Patch(
        name="fixed lots of twice the size", places=("dpcore.sgd:fixed_lots",),
        bend=_argument(1, lambda size: 2 * size),
        caught_by=("fixed lots: different records", "DPGLVQ, fixed lots", "DPGMLVQ, fixed lots"),
    ),
    Patch(
        name="a lot serves two steps", places=("dpcore.sgd:poisson_lots",), bend=_repeated_lots,
        caught_by=("Poisson lots, q = 0.2: records in two lots",),
    ),
    Patch(
        name="two records share a coin", places=("dpcore.sgd:poisson_lots",), bend=_coins_in_pairs,
        caught_by=("Poisson lots, q = 0.2: variance",),
    ),
    Patch(
        name="σ of the steps for half the rate", places=("dpcore.accounting:noise_multiplier",),
        bend=_named("sample_rate", lambda q: q / 2),
        caught_by=("DPGLVQ, poisson lots", "DPGMLVQ, poisson lots", "DPGLVQ, fixed lots"),
    ),
    Patch(
        name="one step is not counted", places=("dpcore.accounting:noise_multiplier",),
        bend=_named("n_steps", lambda n_steps: max(1, n_steps - 1)),
        caught_by=("DPGLVQ, fixed lots", "DPGMLVQ, fixed lots"),
    ),
    Patch(
        name="one step of regression is not counted", places=("dpcore.regression.descent:descent_noise",),
        bend=_argument(2, lambda n_steps: max(1, n_steps - 1)),
        caught_by=("regression by descent, 2 steps",),
    ),
    Patch(
        name="noise drawn once for two steps", places=("dpcore._noise:Normals.__call__",),
        bend=_noise_of_two_steps, caught_by=("GLVQ loop, numpy: noise shared", "GMLVQ loop, numpy: least"),
    ),
    Patch(
        name="noise shared by two numbers", places=("dpcore._noise:Normals.__call__",),
        bend=_noise_of_two_numbers, caught_by=("GLVQ loop, numpy: noise shared", "GMLVQ loop, numpy: least"),
    ),
    Patch(
        name="half the noise on Ω", places=("dpcore._noise:Normals.__call__",), bend=_quiet_tail,
        caught_by=("GMLVQ loop, numpy: least", "convolutional network, steps"), missed_before=False, dear=True,
    ),
    Patch(
        name="noise divided by the size of the lot", places=("dpcore.descent.train:step",),
        bend=_over_the_lot, caught_by=("descend: ησC/(qN)", "descend: length of steps"),
        missed_before=False, dear=True,
    ),
    Patch(
        name="the sum is clipped, not the records", places=("dpcore.descent.train:step",),
        bend=_clipped_sum_of_all, caught_by=("descend, one record among others",),
    ),
    Patch(
        name="each layer clipped to C", places=("dpcore.descent.train:norms",), bend=_longest_layer,
        caught_by=("descend, clipped gradient",), missed_before=False,
    ),
    Patch(
        name="the true number of records in the denominator", places=("dpcore.descent:descend",),
        bend=_actual_size, caught_by=("descend: length of steps",),
    ),
    Patch(
        name="counts left out of the start's sensitivity",
        places=("dpcore.sensitivity:counts_and_sums",), bend=_no_counts,
        caught_by=("DPGLVQ, gaussian start",),
    ),
    Patch(
        name="the seed of a preview for the release", places=("dpcore._random_state:seed_sequence",),
        bend=_same_seed, caught_by=("DPGLVQ: numbers that two fits", "DPGMLVQ: numbers that two fits"),
    ),
    Patch(
        name="the tilt of the objective halved", places=("dpcore.descent.objective:ObjectiveNoise.tilt",),
        bend=_times(0.5), caught_by=(
            "objective perturbation, Gaussian b, replace_one", "objective perturbation, Gaussian b, add_remove",
            "objective perturbation, Algorithm 2",
        ), dear=True,
    ),
    Patch(
        name="half the curvature of the objective",
        places=("dpcore.descent.private:objective_noise",), bend=_argument(2, lambda strength: strength / 4),
        caught_by=("objective perturbation, Gaussian b, replace_one",), dear=True,
    ),
    Patch(
        name="sensitivity of add and remove where a record is replaced",
        places=("dpcore.regression.sensitivity:output",), bend=_times(0.5),
        caught_by=("output perturbation of regression",),
    ),
    Patch(
        name="the same in logistic regression", places=("dpcore.sensitivity:minimiser",), bend=_times(0.5),
        caught_by=("output perturbation of logistic regression",),
    ),
    Patch(
        name="a Laplace scale from the L2 norm", places=("dpcore.regression.sensitivity:quadratic",),
        bend=_sums_by_length, caught_by=("functional mechanism, tight",), missed_before=False,
    ),
    Patch(
        name="half the noise on the linear part", places=("dpcore.regression.noise:functional_noise",),
        bend=_quiet_vector, caught_by=("functional mechanism, printed", "functional mechanism, tight"),
    ),
    Patch(
        name="half the noise on the sums yx", places=("dpcore.regression.noise:gaussian_noise",),
        bend=_quiet_vector, caught_by=("sufficient statistics",),
    ),
    Patch(
        name="the same in AdaSSP", places=("dpcore.regression.baselines:_ada_scales",),
        bend=_half_linear, caught_by=("AdaSSP, exact",), dear=True,
    ),
    Patch(
        name="noise of sums on second moments",
        places=("dpcore.autoencoder.statistics:noise_scales",), bend=_moments_by_norm,
        caught_by=("ClassGaussians: ε",), dear=True,
        missed_before=False,
    ),
    Patch(
        name="half the noise on the sums of the network's steps", places=("dpcore.per_sample:noisy",),
        bend=_half_pull, caught_by=("autoencoder by DP-SGD, steps",), dear=True,
    ),
    Patch(
        name="the noisy maximum with half the noise", places=("dpcore.mechanisms:Exponential.sample",),
        bend=_half_gumbel, caught_by=("Exponential, drawn",),
    ),
    Patch(
        name="element noise for 2ε", places=("dpcore.kahm.noise:_staircase",),
        bend=_argument(1, lambda epsilon: 2 * epsilon), caught_by=("element noise, staircase",),
    ),
    Patch(
        name="half the noise of a mechanism", places=("dpcore.mechanisms.additive:Additive.quantile",),
        bend=_times(0.5), caught_by=("Laplace: ln", "Gaussian: ε", "Staircase: ln"),
    ),
    Patch(
        name="half the noise on the biases", places=("dpcore.autoencoder.bias_noise:sigmas",),
        bend=_times(0.5), caught_by=("bias noise",),
    ),
)  # fmt: skip
"""All of them. ``missed_before`` was seen by running the other checks under each."""
