"""Private alternatives to noise on the biases of an autoencoder.

- A generator draws synthetic pictures from noisy averages, at every ε.
- Autoencoders are trained by DP-SGD, on a grid of clipping norm C, sampling rate q and noise.

Both are compared with noisy biases at the same ε.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.accounting.accountant import steps_event
from dpcore.autoencoder import EPSILONS, KINDS, perturb_biases
from dpcore.experiments import epsilon_tables
from dpcore.experiments.autoencoder.problem import (
    CLIP_NORMS,
    RECIPES,
    SAMPLE_RATES,
    AutoencoderParams,
    Problem,
)
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee, from_event

if TYPE_CHECKING:
    from dpcore.autoencoder import GaussianSweep, Weights
    from dpcore.autoencoder.private_network import NetworkRecipe

__all__ = [
    "BUDGETS",
    "N_STEPS",
    "PER_DIGIT",
    "RIVAL_DELTA",
    "PrivateNetworks",
    "Rivals",
    "Synthetic",
    "fitted",
    "network_costs",
    "network_guarantee",
    "network_places",
    "no_rivals",
    "recipe_of",
    "run_private_networks",
    "run_rivals",
    "run_synthetic",
    "taught",
    "train_network",
]

Floats = NDArray[np.float64]
RIVAL_DELTA = 1e-5
_TAUGHT = 200  # invented pictures of each digit to teach a classifier with
_RELEASED = 10_000  # pictures with noise on the biases to teach it with, at most
_DRAWS = 8  # releases over which the error of noise on the biases is averaged
_ORDER = (0, 6, 3, 1, 5, 2, 4)  # the ends of the range first


@dataclass(frozen=True, kw_only=True, eq=False)
class Rivals:
    """Results of three methods at the seven ε of Jain et al. and δ = 10⁻⁵; NaN until computed.

    The methods are noise on the biases of an autoencoder (3 kinds of noise), an autoencoder trained
    by DP-SGD, and a generator of synthetic pictures. A picture has d pixels.

    - ``redrawn`` (7, 10, 10, d): reconstructions of ten pictures of each digit by the DP-SGD network.
    - ``invented`` (7, 10, d): one synthetic picture of each digit from the DP-SGD network.
    - ``generated`` (7, 10, d): one synthetic picture of each digit from the generator.
    - ``bias_error`` (3, 7), ``network_error`` (7,): mean squared error per pixel on unseen
      pictures, for noisy biases and for the DP-SGD network.
    - ``bias_taught`` (3, 7), ``network_taught``, ``generator_taught`` (7,): accuracy on real digits
      of a classifier trained on a method's released digits.
    - ``taught_real``: accuracy of a classifier trained on real digits.
    - ``bias_seconds``, ``network_seconds``, ``generator_seconds`` (7,): processor time in seconds for
      each ε, for noisy biases the mean over the kinds of noise.
    - ``once`` (2,): processor time in seconds that is needed once for all ε, to train the network
      without noise and to compute the averages for the generator.
    - ``done``: fraction of the work done.
    """

    redrawn: NDArray[np.float32]
    invented: NDArray[np.float32]
    generated: NDArray[np.float32]
    bias_error: Floats
    network_error: Floats
    bias_taught: Floats
    network_taught: Floats
    generator_taught: Floats
    bias_seconds: Floats
    network_seconds: Floats
    generator_seconds: Floats
    once: Floats
    taught_real: float
    done: float


def no_rivals(n_pixels: int) -> Rivals:
    """Return the result of `run_rivals` before any computation: NaN everywhere."""
    curve, kinds = np.full(7, np.nan), np.full((3, 7), np.nan)
    pictures = np.full((7, 10, n_pixels), np.nan, np.float32)
    return Rivals(
        redrawn=np.stack([pictures] * 10, 1), invented=pictures, generated=pictures, bias_error=kinds,
        network_error=curve, bias_taught=kinds, network_taught=curve, generator_taught=curve,
        bias_seconds=curve, network_seconds=curve, generator_seconds=curve,
        once=np.full(2, np.nan), taught_real=np.nan, done=0.0,
    )  # fmt: skip


def run_rivals(
    problem: Problem,
    params: AutoencoderParams,
    *,
    progress: Callable[[float], None] = lambda part: None,
) -> Iterator[Rivals]:
    """Yield the results of noisy biases, DP-SGD networks and the generator, after each ε.

    Parameters
    ----------
    problem : Problem
        The network that gets noise on its biases, and the training pictures that the other methods
        protect.
    params : AutoencoderParams
        The seed is used.
    progress : callable
        Called with the fraction done, also during a training. It may raise to stop the work.

    Yields
    ------
    Rivals
    """
    rivals = no_rivals(problem.everyone.shape[1])
    biases = _biases(problem, params.seed, EPSILONS[_ORDER[0]])
    yield _with(rivals, _ORDER[0], biases, 0.0)  # what needs no training is there at once
    sweep, second = _timed(lambda: _averages(problem, params.seed))
    _, first = _timed(lambda: _retrained(problem, lambda part, loss: progress(0.1 * part)))
    real = taught(problem, problem.training, problem.training_labels)
    rivals = replace(rivals, once=np.array([first, second]), taught_real=real)
    for number, e in enumerate(_ORDER):
        start = 0.1 + 0.9 * number / len(_ORDER)

        def within(part: float, start: float = start) -> None:
            progress(start + 0.9 * part / len(_ORDER))

        news = {
            **(_biases(problem, params.seed, EPSILONS[e]) if number else biases),
            **_generator(problem, sweep, params.seed, EPSILONS[e]),
            **_network(problem, params.seed, EPSILONS[e], within),
        }
        rivals = _with(rivals, e, news, start + 0.9 / len(_ORDER))
        yield rivals


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Call ``work``; return its result and the processor time of this thread, in seconds."""
    start = time.thread_time()
    return work(), time.thread_time() - start


def _with(rivals: Rivals, e: int, news: dict[str, AnyArray | float], done: float) -> Rivals:
    changed = {}
    for name, value in news.items():
        changed[name] = getattr(rivals, name).copy()
        changed[name][(..., e) if changed[name].ndim < 3 else e] = value
    return replace(rivals, done=done, **changed)


def _retrained(problem: Problem, progress: Callable[[float, float], None]) -> None:
    """Train the published network again, to measure how long it takes."""
    from dpcore.autoencoder import Autoencoder

    seen = problem.training[: problem.n_members]
    kind = "all" if len(seen) == len(problem.pixels) else "few"
    Autoencoder(**RECIPES[problem.name, kind], random_state=0).fit(seen, progress=progress)


def _averages(problem: Problem, seed: int) -> Any:
    from dpcore.autoencoder import GENERATOR_PRESETS, GaussianSweep

    return GaussianSweep.of(
        problem.training, problem.training_labels, delta=RIVAL_DELTA, classes=range(10),
        random_state=seed, **GENERATOR_PRESETS[problem.name],
    )  # fmt: skip


def _unseen(problem: Problem) -> AnyArray:
    return problem.everyone[: min(problem.unseen, 1000)]


def _biases(problem: Problem, seed: int, epsilon: float) -> dict[str, AnyArray | float]:
    """Return errors, accuracies and times of noisy biases at ε, for every kind of noise.

    All pictures of a release have the same noise.
    """
    X, y = problem.training[:_RELEASED], problem.training_labels[:_RELEASED]
    errors, scores, seconds = [], [], []
    for kind in KINDS:
        rng = np.random.default_rng((seed, 9))
        out = perturb_biases(
            problem.weights, _unseen(problem), kind=kind, epsilon=epsilon, draws=_DRAWS, rng=rng
        )
        errors.append(float(np.square(out - _unseen(problem)).mean()))
        released, took = _timed(partial(_released, problem, X, kind, epsilon, rng))
        scores.append(taught(problem, released, y))
        seconds.append(took)
    return {
        "bias_error": np.array(errors),
        "bias_taught": np.array(scores),
        "bias_seconds": float(np.mean(seconds)),
    }


def _released(
    problem: Problem, X: AnyArray, kind: str, epsilon: float, rng: np.random.Generator
) -> AnyArray:
    releases = perturb_biases(problem.weights, X, kind=kind, epsilon=epsilon, draws=1, rng=rng)
    return np.asarray(releases[0, 0, 0])


def _generator(problem: Problem, sweep: Any, seed: int, epsilon: float) -> dict[str, Any]:
    rng = np.random.default_rng((seed, 10))
    images, took = _timed(lambda: sweep.at(epsilon).sample(_TAUGHT, rng))
    return {
        "generated": images[:, 0],
        "generator_taught": _lesson(problem, images),
        "generator_seconds": took,
    }


def _lesson(problem: Problem, images: AnyArray) -> float:
    flat = images.reshape(-1, images.shape[-1])
    return taught(problem, flat, np.repeat(np.arange(10), _TAUGHT))


def _network(
    problem: Problem, seed: int, epsilon: float, progress: Callable[[float], None]
) -> dict[str, Any]:
    from dpcore.autoencoder.private_network import NETWORK_PRESETS, train_private

    def train() -> tuple[Any, AnyArray]:
        network = train_private(
            problem.training, problem.training_labels, recipe=NETWORK_PRESETS[problem.name],
            epsilon=epsilon, delta=RIVAL_DELTA, expected_n=len(problem.pixels), classes=range(10),
            random_state=np.random.default_rng((seed, 11)), progress=progress,
        )  # fmt: skip
        return network, network.sample(_TAUGHT, np.random.default_rng((seed, 12)))

    (network, images), took = _timed(train)
    unseen = _unseen(problem)
    return {
        "redrawn": network.weights.reconstruct(problem.everyone[problem.people]),
        "invented": images[:, 0],
        "network_error": float(np.square(network.weights.reconstruct(unseen) - unseen).mean()),
        "network_taught": _lesson(problem, images),
        "network_seconds": took,
    }


PER_DIGIT = 3
# Coarse first: the whole curve is there early, and grows finer.
_COARSE_FIRST = tuple(
    dict.fromkeys(k for step in (8, 4, 2, 1) for k in range(0, len(EPSILON_GRID), step))
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Synthetic:
    """Synthetic pictures at the E values of the ε grid, and the accuracy of classifiers trained on them.

    - ``pictures`` (E, 3, 10, d): three pictures, of d pixels, of each digit.
    - ``accuracy`` (E,): accuracy on real pictures of a classifier trained on synthetic ones, NaN
      until computed.
    - ``noiseless``: the same accuracy for a generator without noise.
    - ``taught_real``: the same accuracy for a classifier trained on real pictures.
    - ``done``: fraction of the work done.
    """

    pictures: NDArray[np.float32]
    accuracy: NDArray[np.float64]
    noiseless: float
    taught_real: float
    done: float


@lru_cache(maxsize=4)
def fitted(problem: Problem, delta: float, seed: int) -> GaussianSweep:
    """Return the statistics of the training pictures that the generator needs, for all ε.

    The method ``at`` of the result returns the generator for one ε.
    """
    return _summed(problem).again(delta=delta, random_state=seed)


@lru_cache(maxsize=2)
def _summed(problem: Problem) -> GaussianSweep:
    from dpcore.autoencoder import GENERATOR_PRESETS, GaussianSweep

    return GaussianSweep.of(
        problem.training, problem.training_labels, delta=1e-5, classes=range(10), random_state=0,
        **GENERATOR_PRESETS[problem.name],
    )  # fmt: skip


def run_synthetic(
    problem: Problem,
    params: AutoencoderParams,
) -> Iterator[Synthetic]:
    """Yield the synthetic pictures at every ε, and the accuracies of classifiers trained on them.

    The first result has none of these accuracies. Each later result adds the accuracy at one more ε.

    Parameters
    ----------
    problem : Problem
        Its training pictures are protected.
    params : AutoencoderParams
        δ and the seed are used.

    Yields
    ------
    Synthetic
    """
    sweep = fitted(problem, params.delta, params.seed)
    pictures = [
        sweep.at(e).sample(PER_DIGIT, np.random.default_rng((params.seed, 4))) for e in EPSILON_GRID
    ]
    result = Synthetic(
        pictures=np.swapaxes(np.array(pictures), 1, 2),
        accuracy=np.full(len(EPSILON_GRID), np.nan),
        noiseless=_useful(problem, sweep, np.inf, params.seed),
        taught_real=taught(problem, problem.training, problem.training_labels),
        done=0.0,
    )
    yield result
    for number, e in enumerate(_COARSE_FIRST):
        accuracy = result.accuracy.copy()
        accuracy[e] = _useful(problem, sweep, EPSILON_GRID[e], params.seed)
        result = replace(result, accuracy=accuracy, done=(number + 1) / len(_COARSE_FIRST))
        yield result


def _useful(problem: Problem, sweep: GaussianSweep, epsilon: float, seed: int) -> float:
    images = sweep.at(epsilon).sample(_TAUGHT, np.random.default_rng((seed, 5)))
    labels = np.repeat(sweep.classes, _TAUGHT)
    return taught(problem, images.reshape(-1, images.shape[-1]), labels)


def taught(problem: Problem, X: AnyArray, y: AnyArray) -> float:
    """Return the accuracy on unseen digits of a classifier trained on pictures X (n, d) with labels y (n,).

    The classifier is a network with 100 hidden units.
    """
    from dpcore.autoencoder import accuracy

    test = slice(0, problem.unseen)
    return accuracy(
        X, y, X_test=problem.everyone[test], y_test=problem.labels[test], classifier="mlp"
    )


N_STEPS = 100
_N_HIDDEN, _LEARNING_RATE = 16, 0.03
_USUAL_DELTA = 1e-5
BUDGETS: tuple[float, ...] = (
    0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.8, 1.0, 1.5, 2.0, 3.2, 5.0, 8.0, 12.0, 20.0,
)  # fmt: skip
"""The B values of ε, at δ = 10⁻⁵, for which networks are trained by DP-SGD.

The noise at the smallest value suffices for the smallest ε and δ of the sliders.
"""


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivateNetworks:
    """Autoencoders trained by DP-SGD for 6 clipping norms, 5 sampling rates and the B noise levels of `BUDGETS`.

    The results of a network are NaN until it is trained.

    - ``weights`` (6, 5, B, p): W₁, b₁, W₂, b₂ of each network, flattened to p numbers.
    - ``error`` (6, 5, B): mean squared error per pixel on pictures that no network was trained on.
    """

    weights: NDArray[np.float32]
    error: Floats

    def redrawn(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the reconstructions (6, 5, B, n, d) of n pictures (n, d) by every network."""
        images = np.full((*self.weights.shape[:-1], *pictures.shape), np.nan, np.float32)
        for place in zip(*np.nonzero(np.isfinite(self.error)), strict=True):
            images[place] = _weights(self.weights[place], pictures.shape[1]).reconstruct(pictures)
        return images


def recipe_of(clip_norm: float, sample_rate: float) -> NetworkRecipe:
    """Return the settings of one DP-SGD training.

    Trainings are so small that hundreds of them take a minute.
    """
    from dpcore.autoencoder.private_network import NetworkRecipe

    return NetworkRecipe(
        n_hidden=_N_HIDDEN, clip_norm=clip_norm, sample_rate=sample_rate, n_steps=N_STEPS,
        learning_rate=_LEARNING_RATE,
    )  # fmt: skip


def noise_multipliers(sample_rate: float) -> Floats:
    """Return the noise multipliers (B,) at which N_STEPS steps cost the values of ε in `BUDGETS`.

    δ is 10⁻⁵, and ``sample_rate`` is the sampling rate of the steps.
    """
    return epsilon_tables.steps_noise_multipliers(BUDGETS, _USUAL_DELTA, sample_rate, N_STEPS)


@lru_cache(maxsize=1)
def network_places() -> NDArray[np.int64]:
    """Return the index (50, 6, 5) in `BUDGETS` of the network to display for every (ε, δ, q) of the grids.

    Of all networks that cost at most (ε, δ), the one with the least noise is displayed.
    """
    places = np.zeros((len(EPSILON_GRID), len(DELTA_GRID), len(SAMPLE_RATES)), np.int64)
    for (d, delta), (k, q) in product(enumerate(DELTA_GRID), enumerate(SAMPLE_RATES)):
        needed = epsilon_tables.steps_noise_multipliers(EPSILON_GRID, delta, q, N_STEPS)
        louder = noise_multipliers(q) >= needed[:, None] * (1 - 1e-12)
        places[:, d, k] = louder.sum(axis=1) - 1
    if (places < 0).any():
        raise ValueError("BUDGETS has no network of enough noise for the smallest ε and δ.")
    return places


@lru_cache(maxsize=1)
def network_costs() -> Floats:
    """Return an upper bound (50, 6, 5) on the actual ε of the network displayed for each requested (ε, δ, q).

    The bound is at most the requested ε.
    """
    epsilons = np.empty(network_places().shape)
    for (d, delta), (k, q) in product(enumerate(DELTA_GRID), enumerate(SAMPLE_RATES)):
        costs = epsilon_tables.steps_epsilons(noise_multipliers(q), delta, q, N_STEPS)
        epsilons[:, d, k] = np.minimum(costs[network_places()[:, d, k]], EPSILON_GRID)
    return epsilons


def place_of_params(params: AutoencoderParams) -> tuple[int, int, int]:
    """Return the indices of the displayed network in `CLIP_NORMS`, `SAMPLE_RATES` and `BUDGETS`."""
    c, q = CLIP_NORMS.index(params.clip_norm), SAMPLE_RATES.index(params.sample_rate)
    e, d = EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta)
    return c, q, int(network_places()[e, d, q])


def network_guarantee(params: AutoencoderParams, problem: Problem) -> Guarantee:
    """Return the guarantee of the displayed network, for one picture added or removed."""
    _, q, at = place_of_params(params)
    sigma = float(noise_multipliers(params.sample_rate)[at])
    e, d = EPSILON_GRID.index(params.epsilon), DELTA_GRID.index(params.delta)
    base = from_event(
        steps_event(sigma, params.sample_rate, n_steps=N_STEPS), params.delta,
        calibrated_epsilon=float(network_costs()[e, d, q]), neighbouring="add_remove", unit=problem.unit,
        argument="Privacy loss distribution of sampled Gaussian steps; redrawing pictures is post-processing.",
        public=("the number of records N", "the recipe of the training"),
        not_protected=("a picture that is put into the network afterwards",),
    )  # fmt: skip
    return replace(base, n_records=len(problem.pixels))


def train_network(problem: Problem, seed: int, place: tuple[int, int, int]) -> Weights:
    """Return the network trained with one clipping norm, sampling rate and noise level.

    ``place``: indices of these three settings in `CLIP_NORMS`, `SAMPLE_RATES` and `BUDGETS`. Initial
    weights and noise depend on the seed only.
    """
    from dpcore.autoencoder.private_network import train_steps

    c, k, b = place
    q = SAMPLE_RATES[k]
    return train_steps(
        problem.training, recipe_of(CLIP_NORMS[c], q), float(noise_multipliers(q)[b]),
        len(problem.pixels), np.random.SeedSequence((seed, 14)),
    )  # fmt: skip


def run_private_networks(
    problem: Problem,
    params: AutoencoderParams,
    first: AutoencoderParams | None = None,
    *,
    progress: Callable[[float], None] = lambda part: None,
) -> Iterator[PrivateNetworks]:
    """Train networks for every clipping norm C, sampling rate q and noise level of the grids.

    All trainings take about a minute.

    Parameters
    ----------
    problem : Problem
        The networks are trained on the training pictures of this problem.
    params : AutoencoderParams
        The seed is used.
    first : AutoencoderParams, optional
        The C and q to train first, at all noise levels; by default from ``params``.
    progress : callable
        Called with the fraction done. It may raise to stop the work.

    Yields
    ------
    PrivateNetworks
        Twice: when the first C and q are trained at all noise levels (NaN elsewhere),
        and at the end.
    """
    unseen = problem.everyone[: min(problem.unseen, 1000)]
    shape = len(CLIP_NORMS), len(SAMPLE_RATES), len(BUDGETS)
    c, q, _ = place_of_params(params if first is None else first)
    order = sorted(np.ndindex(shape), key=lambda place: place[:2] != (c, q))
    d = problem.everyone.shape[1]
    flat = np.full((*shape, 2 * d * _N_HIDDEN + _N_HIDDEN + d), np.nan, np.float32)
    errors = np.full(shape, np.nan)
    for done, place in enumerate(order, start=1):
        network = train_network(problem, params.seed, place)
        flat[place] = np.concatenate([part.ravel() for part in _parts(network)])
        errors[place] = np.square(network.reconstruct(unseen) - unseen).mean()
        progress(done / errors.size)
        if done in (len(BUDGETS), errors.size):
            yield PrivateNetworks(weights=flat.copy(), error=errors.copy())


def _parts(network: Weights) -> tuple[NDArray[np.float32], ...]:
    return network.W1, network.b1, network.W2, network.b2


def _weights(flat: NDArray[np.float32], n_pixels: int) -> Weights:
    from dpcore.autoencoder import Weights

    ends = np.cumsum([n_pixels * _N_HIDDEN, _N_HIDDEN, _N_HIDDEN * n_pixels])
    W1, b1, W2, b2 = np.split(flat, ends)
    return Weights(W1.reshape(n_pixels, _N_HIDDEN), b1, W2.reshape(_N_HIDDEN, n_pixels), b2)
