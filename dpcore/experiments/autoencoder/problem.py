"""Parameters, trained autoencoder, candidate pictures, releases and their guarantees.

The networks for the small digits are shipped (``python -m dpcore.experiments.autoencoder`` makes
the files again); MNIST's are trained at first use.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import datasets
from dpcore._types import Floats
from dpcore.autoencoder import (
    EPSILONS,
    BiasNoise,
    Weights,
    draw_noise,
    nominal_guarantee,
    perturb_biases,
    weight_cache,
)
from dpcore.autoencoder.gaussians import PICTURE
from dpcore.datasets import bundled, external
from dpcore.experiments import shared
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.params import Params, control
from dpcore.guarantee import Guarantee
from dpcore.units import Unit

__all__ = [
    "CLIP_NORMS",
    "DRAWS",
    "NODES",
    "N_DRAWS",
    "RECIPES",
    "SAMPLE_RATES",
    "AutoencoderParams",
    "Problem",
    "Sweep",
    "chosen",
    "digits_problem",
    "effective_epsilon",
    "guarantee",
    "guarantees",
    "make_shipped",
    "named_problem",
    "noise_of",
    "place_of",
    "run",
    "run_sweep",
    "shipped_file",
    "unit_of",
]

DRAWS: tuple[int, ...] = (1, 3, 10, 30)
CLIP_NORMS: tuple[float, ...] = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
SAMPLE_RATES: tuple[float, ...] = (0.01, 0.05, 0.1, 0.2, 0.5)
"""C and q of the networks that DP-SGD trains."""


@dataclass(frozen=True, kw_only=True)
class AutoencoderParams(Params):
    """Parameters of the page: the pictures, the biases with noise, and the noise level.

    ``epsilon`` in [0.05, 20] is what Jain et al. claim; ``delta`` in [1e-8, 1e-3]; ``digit`` in 0..9;
    ``clip_norm`` and ``sample_rate`` are those of networks trained by DP-SGD; ``person`` and ``draws`` on
    their grids.

    Examples
    --------
    >>> AutoencoderParams(kind="both", digit=3).to_link()
    {'kind': 'both', 'digit': '3'}
    """

    epsilon: float = shared.epsilon(0.8)
    kind: str = control(
        "hidden",
        choices=("hidden", "output", "both"),
    )
    real: bool = control(
        False,
        choices=(False, True),
    )
    digit: int = control(9, grid=tuple(range(10)))
    person: int = control(8, grid=tuple(range(1, 11)))
    draws: int = control(10, grid=DRAWS, symbol="k")
    delta: float = shared.delta()
    clip_norm: float = control(0.1, grid=CLIP_NORMS, symbol="C")
    sample_rate: float = shared.sample_rate(0.2, grid=SAMPLE_RATES)
    other: str = control(
        "same",
        choices=("nearest", "same", "digit"),
    )
    dataset: str = control(
        "digits",
        choices=("digits", "mnist"),
    )
    trained_on: str = control(
        "all",
        choices=("all", "few"),
    )
    seed: int = shared.seed()


Images = NDArray[np.float32]
N_FEW = 212
_USUAL_DELTA = 1e-5
_ENDS = (0.039, 26.0)  # so that every δ of the grid finds its noise between two nodes
NODES: dict[str, tuple[float, ...]] = {
    "digits": (_ENDS[0], *EPSILON_GRID, _ENDS[1]),
    # Large pictures at half as many noise levels, the paper's seven among them.
    "mnist": tuple(sorted({*_ENDS, *EPSILON_GRID[::3], 0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0})),
}
RECIPES: dict[tuple[str, str], dict[str, Any]] = {
    ("digits", "all"): {
        "n_hidden": 16,
        "epochs": 300,
        "batch_size": 32,
        "learning_rate": 1e-3,
    },
    ("digits", "few"): {
        "n_hidden": 32,
        "epochs": 1500,
        "batch_size": 32,
        "learning_rate": 3e-3,
    },
    ("mnist", "all"): {"n_hidden": 64, "epochs": 12, "batch_size": 128, "learning_rate": 2e-3},
    ("mnist", "few"): {"n_hidden": 64, "epochs": 600, "batch_size": 32, "learning_rate": 2e-3},
}
_LEVELS = {"digits": 16, "mnist": 255}  # the largest value of a pixel
_N_TEST = 10_000


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """A trained network with its data; pixels in [0, 1].

    ``weights``: the published network. ``shape``: of a picture. ``nodes`` (K,): values of ε, at δ =
    1e-5, whose noise is computed. ``pixels`` (n, d): training pictures as integers, with
    ``training_labels`` (n,). ``n_members``: number of them used to train the network. ``everyone``
    (N, d) with ``labels`` (N,): candidate pictures of the attacker. ``people`` (10, 10): rows of
    the candidates, ten writers per digit, none used in training. ``unseen``: the first rows of the
    candidates, not used in training. ``loss`` and ``test_loss``: mean squared error per pixel.
    """

    name: str
    title: str
    weights: Weights
    shape: tuple[int, int]
    nodes: NDArray[np.float64]
    pixels: NDArray[np.uint8]
    training_labels: NDArray[np.int64]
    n_members: int
    everyone: Images
    labels: NDArray[np.int64]
    people: NDArray[np.int64]
    unseen: int
    loss: float
    test_loss: float

    @property
    def unit(self) -> Unit:
        """What one record is: a picture, of which one writer has many."""
        return external.UNITS["mnist"] if self.name == "mnist" else bundled.UNITS["digits"]

    @property
    def training(self) -> Images:
        """All training pictures, (n, d), as floats; computed at each call (four times the bytes of ``pixels``)."""
        return _images(self.name, self.pixels)

    @property
    def members(self) -> Images:
        """Pictures the network was trained on, at most 1,000 of them, (m, d)."""
        return _images(self.name, self.pixels[: min(self.n_members, 1000)])

    @property
    def public(self) -> Images:
        """Public pictures known to an attacker: the last of the unseen, (p, d)."""
        return self.everyone[self.unseen - self._n_public : self.unseen]

    @property
    def outsiders(self) -> Images:
        """Pictures used neither in training nor by the attacker, at most 1,000, (o, d)."""
        return self.everyone[: min(self.unseen - self._n_public, 1000)]

    @property
    def _n_public(self) -> int:
        return min(500, self.unseen * 2 // 5)


def effective_epsilon(epsilon: ArrayLike, delta: ArrayLike) -> NDArray[np.float64]:
    """Return the ε (any shape) that at δ = 1e-5 has the noise of (ε, δ) by the paper's formula.

    σ = √(2 ln(1.25/δ))/ε depends on the two through one number.
    """
    there, here = np.log(1.25 / np.asarray(delta, float)), np.log(1.25 / _USUAL_DELTA)
    return cast(Floats, np.asarray(epsilon, float) * np.sqrt(here / there))


def place_of(epsilon: ArrayLike, delta: ArrayLike, nodes: ArrayLike) -> NDArray[np.float64]:
    """Return the fractional index of (ε, δ) (any shape) among the nodes (K,), by log ε."""
    grid = np.asarray(nodes, float)
    found = np.log(effective_epsilon(epsilon, delta))
    return np.interp(found, np.log(grid), np.arange(len(grid)))


def shipped_file(trained_on: str) -> Path:
    """Return the file that holds the small digits' network."""
    return Path(__file__).with_name(f"digits_{trained_on}.npz")


def make_shipped(trained_on: str, file: Path) -> None:
    """Train the small digits' network and write it to a file; needs torch."""
    pixels = _numbers(datasets.load("digits").X)
    weight_cache.write(file, *_trained("digits", trained_on, pixels))


def _trained(
    name: str,
    trained_on: str,
    pixels: NDArray[np.uint8],
    progress: Callable[[float, float], None] | None = None,
) -> tuple[Weights, NDArray[np.float64]]:
    from dpcore.autoencoder import Autoencoder

    made = Autoencoder(**RECIPES[name, trained_on], cache=name == "mnist", random_state=0)
    seen = pixels[: _n_members(pixels, trained_on)]
    made.fit(_images(name, seen), progress=progress)
    return made.weights_, made.loss_curve_


def _numbers(values: ArrayLike) -> NDArray[np.uint8]:
    return np.asarray(values).astype(np.uint8)


def _images(name: str, pixels: ArrayLike) -> Images:
    found = np.asarray(pixels).astype(np.float32)
    found /= _LEVELS[name]
    return found


def _n_members(pixels: NDArray[np.uint8], trained_on: str) -> int:
    return len(pixels) if trained_on == "all" else N_FEW


@lru_cache(maxsize=2)
def digits_problem(trained_on: str = "all") -> Problem:
    """Return the small digits with their shipped network, trained on "all" or "few" pictures."""
    data = datasets.load("digits")
    pixels, test = _numbers(data.X), _images("digits", data.X_test)
    kept = weight_cache.read(shipped_file(trained_on))
    if kept is None:  # damaged or missing: train, as the command does
        kept = _trained("digits", trained_on, pixels)
    return _problem(
        "digits", "Digits 8×8", kept[0], (pixels, data.y), trained_on,
        everyone=np.concatenate([test, _images("digits", pixels)]),
        labels=np.concatenate([data.y_test, data.y]), unseen=len(test),
    )  # fmt: skip


def named_problem(
    dataset: str,
    trained_on: str = "all",
    *,
    progress: Callable[[float, float], None] | None = None,
) -> Problem:
    """Return the pictures with their network, training it where need be.

    Parameters
    ----------
    dataset : "digits" or "mnist"
        Name of the data set.
    trained_on : "all" or "few"
        Number of training pictures.
    progress : callable, optional
        Called with the fraction done and the loss after every epoch; may raise to stop the work.

    Returns
    -------
    Problem

    Raises
    ------
    ValueError
        When MNIST is not available.
    """
    if dataset == "digits":
        return digits_problem(trained_on)
    X, y, X_test, labels = external.split_records("mnist")
    pixels, test = _numbers(X), _images("mnist", X_test[:_N_TEST])
    weights, _ = _trained("mnist", trained_on, pixels, progress)
    return _problem(
        "mnist", "MNIST 28×28", weights, (pixels, y), trained_on, everyone=test,
        labels=labels[:_N_TEST], unseen=len(test),
    )  # fmt: skip


def _problem(
    name: str,
    title: str,
    weights: Weights,
    training: tuple[NDArray[np.uint8], NDArray[np.int64]],
    trained_on: str,
    *,
    everyone: Images,
    labels: NDArray[np.int64],
    unseen: int,
) -> Problem:
    side = round(everyone.shape[1] ** 0.5)
    pixels, n_members = training[0], _n_members(training[0], trained_on)
    return Problem(
        name=name, title=title, weights=weights, shape=(side, side),
        nodes=np.array(NODES[name]), pixels=pixels, training_labels=training[1],
        n_members=n_members, everyone=everyone, labels=labels, unseen=unseen,
        people=np.array([np.flatnonzero(labels[:unseen] == d)[:10] for d in range(10)]),
        loss=_error(weights, _images(name, pixels[:n_members])), test_loss=_error(weights, everyone[:unseen]),
    )  # fmt: skip


def _error(weights: Weights, images: Images) -> float:
    return float(np.square(weights.reconstruct(images) - images).mean())


N_DRAWS = 30


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """Releases at K noise levels, 3 kinds (``KINDS``); the noise is the same but for its scale.

    ``originals`` and ``clean`` (10, d): one picture of each digit, and its reconstruction without
    noise. ``released`` (K, 3, 10, d): one release of all ten, which share one noise. ``draws`` (K,
    3, 30, d): thirty releases of the chosen digit, the first of them the same. ``seven`` (7, 3, 10,
    d): the release of all ten at the ε of Jain et al., δ = 1e-5.
    """

    nodes: NDArray[np.float64]
    digit: int
    originals: Images
    clean: Images
    released: Images
    draws: Images
    seven: Images

    @property
    def original(self) -> Images:
        """The chosen picture (d,)."""
        return cast(Images, self.originals[self.digit])

    def mean_of(self, count: int) -> Images:
        """Return the average of the first ``count`` releases, (K, 3, d)."""
        return cast(Images, self.draws[:, :, :count].mean(2))


def noise_of(problem: Problem, seed: int) -> BiasNoise:
    """Return the unit noise of thirty releases, each shared by all pictures of a release."""
    return draw_noise(problem.weights, N_DRAWS, np.random.default_rng(seed))


def chosen(problem: Problem, params: AutoencoderParams) -> int:
    """Return the row of the displayed picture among the candidates."""
    return int(problem.people[params.digit, params.person - 1])


def run(params: AutoencoderParams) -> Sweep:
    """Return the pictures of the parameters at every noise level.

    Examples
    --------
    >>> found = run(AutoencoderParams())
    >>> found.released.shape, found.draws.shape
    ((52, 3, 10, 64), (52, 3, 30, 64))
    """
    problem = named_problem(params.dataset, params.trained_on)
    assert problem is not None  # nobody could cancel
    return run_sweep(problem, params)


def run_sweep(problem: Problem, params: AutoencoderParams) -> Sweep:
    """Return the pictures at every noise level of the problem; ε, δ and the kind are its axes."""
    originals = problem.everyone[problem.people[:, params.person - 1]]
    noise = noise_of(problem, params.seed)
    first = BiasNoise(hidden=noise.hidden[:1], output=noise.output[:1])
    one = originals[params.digit][None]
    return Sweep(
        nodes=problem.nodes,
        digit=params.digit,
        originals=originals,
        clean=problem.weights.reconstruct(originals),
        released=perturb_biases(
            problem.weights, originals, epsilon=problem.nodes, noise=first
        )[:, :, 0],
        draws=perturb_biases(problem.weights, one, epsilon=problem.nodes, noise=noise)[:, :, :, 0],
        seven=perturb_biases(problem.weights, originals, epsilon=EPSILONS, noise=first)[:, :, 0],
    )  # fmt: skip


def guarantee(params: AutoencoderParams, problem: Problem) -> Guarantee:
    """Return the guarantee of the release: none, or (ε, δ) for the generator."""
    if params.real:
        from dpcore.autoencoder import GENERATOR_PRESETS, gaussians_guarantee

        reach = GENERATOR_PRESETS[problem.name]["clip_norm"]
        made = gaussians_guarantee(
            params.epsilon, params.delta, clip_norm=reach, unit=unit_of(problem)
        )
        return replace(
            made,
            argument=(
                "Sizes, sums and second moments of the classes, of vectors that are shortened to length R first, "
                "are released once with Gaussian noise. The pictures are drawn from that release alone, which "
                "costs nothing more."
            ),
            n_records=len(problem.pixels),
            not_protected=(
                "what is true of a digit whoever wrote it: that is what the pictures show",
                "pictures that go into several releases: each release costs ε again",
            ),
        )
    made = nominal_guarantee(params.epsilon, params.delta, kind=params.kind)
    return replace(
        made,
        unit=unit_of(problem),
        argument=(
            "The picture itself and all other weights go in without noise, and nothing bounds how "
            "far one picture moves the numbers that get noise: Jain et al. (2021) set it to 1. "
            "All pictures of a release carry the same noise, so it can be cancelled."
        ),
        public=("the weights of the network", "which biases carry noise, ε and δ"),
    )


def guarantees(params: AutoencoderParams, problem: Problem) -> list[Guarantee]:
    """Return the guarantee of a release at every ε of the grid."""
    base = guarantee(params, problem)
    return base.tabulated(EPSILON_GRID if params.real else [math.inf] * len(EPSILON_GRID))


def unit_of(problem: Problem) -> Unit:
    """Return the privacy unit: a picture, and how many of them one writer has."""
    return _digits() if problem.name == "digits" else PICTURE


@lru_cache(maxsize=1)
def _digits() -> Unit:
    return datasets.load("digits").unit
