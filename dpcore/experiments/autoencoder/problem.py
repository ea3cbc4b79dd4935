"""Parameters of the Autoencoder page, trained networks, released pictures and their guarantees.

The networks for the small digits are shipped (``python -m dpcore.experiments.autoencoder``
recreates the files). The networks for MNIST are trained at first use.
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
"""Sampling rates q of the networks that are trained by DP-SGD; `CLIP_NORMS` are their clipping norms."""


@dataclass(frozen=True, kw_only=True)
class AutoencoderParams(Params):
    """Parameters of the page: the pictures, the biases that get noise, and the noise level.

    - ``epsilon`` in [0.05, 20] and ``delta`` in [1e-8, 1e-3]: the guarantee that Jain et al. claim for
      a release.
    - ``digit``, 0 to 9, and ``person``, the number of a writer, choose a picture.
    - ``draws``: number of averaged releases.
    - ``clip_norm`` and ``sample_rate``: settings of the networks trained by DP-SGD.

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
    """A trained network with its training pictures and an attacker's candidates; pixels in [0, 1].

    - ``weights``: the published network.
    - ``shape``: height and width of a picture, which has d pixels.
    - ``nodes`` (K,): values of ε, at δ = 1e-5, for which releases are computed.
    - ``pixels`` (n, d), ``training_labels`` (n,): training pictures as integers, and their digits. The
      network is trained on the first ``n_members`` of these pictures.
    - ``everyone`` (N, d), ``labels`` (N,): candidate pictures of the attacker, and their digits. The
      first ``unseen`` candidates were not used in training.
    - ``people`` (10, 10): rows in ``everyone`` of ten pictures of each digit that were not used in
      training. The second axis is the number of a writer.
    - ``loss`` and ``test_loss``: mean squared error per pixel on training and on unseen pictures.
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
        """Privacy unit: one picture, although one writer has many."""
        return external.UNITS["mnist"] if self.name == "mnist" else bundled.UNITS["digits"]

    @property
    def training(self) -> Images:
        """All training pictures (n, d) as floats.

        ``pixels`` are converted at each access and the floats are not kept, since they need four times
        the memory.
        """
        return _images(self.name, self.pixels)

    @property
    def members(self) -> Images:
        """At most 1,000 pictures (m, d) that the network was trained on."""
        return _images(self.name, self.pixels[: min(self.n_members, 1000)])

    @property
    def public(self) -> Images:
        """Public pictures (p, d) that an attacker knows: the last candidates among those not used in training."""
        return self.everyone[self.unseen - self._n_public : self.unseen]

    @property
    def outsiders(self) -> Images:
        """At most 1,000 candidate pictures (o, d) used neither in training nor by the attacker."""
        return self.everyone[: min(self.unseen - self._n_public, 1000)]

    @property
    def _n_public(self) -> int:
        return min(500, self.unseen * 2 // 5)


def effective_epsilon(epsilon: ArrayLike, delta: ArrayLike) -> NDArray[np.float64]:
    """Return the ε' for which (ε', 1e-5) has the same noise as (ε, δ) by the formula of Jain et al.

    The formula is σ = √(2 ln(1.25/δ))/ε, so ε' = ε √(ln(1.25/1e-5)/ln(1.25/δ)). ε and δ may be
    arrays of any shape.
    """
    there, here = np.log(1.25 / np.asarray(delta, float)), np.log(1.25 / _USUAL_DELTA)
    return cast(Floats, np.asarray(epsilon, float) * np.sqrt(here / there))


def place_of(epsilon: ArrayLike, delta: ArrayLike, nodes: ArrayLike) -> NDArray[np.float64]:
    """Return the fractional index of each (ε, δ) in the grid ``nodes`` (K,) of values of ε.

    The grid is for δ = 1e-5. `effective_epsilon` converts (ε, δ) to the ε' with the same noise at
    this δ. The index is interpolated in log ε'. ε and δ may be arrays of any shape.
    """
    grid = np.asarray(nodes, float)
    logs = np.log(effective_epsilon(epsilon, delta))
    return np.interp(logs, np.log(grid), np.arange(len(grid)))


def shipped_file(trained_on: str) -> Path:
    """Return the path of the shipped network of the small digits, trained on "all" or "few" pictures."""
    return Path(__file__).with_name(f"digits_{trained_on}.npz")


def make_shipped(trained_on: str, file: Path) -> None:
    """Train the network of the small digits and write it to a file; needs torch.

    ``trained_on``: "all" or "few" pictures.
    """
    pixels = _numbers(datasets.load("digits").X)
    weight_cache.write(file, *_trained("digits", trained_on, pixels))


def _trained(
    name: str,
    trained_on: str,
    pixels: NDArray[np.uint8],
    progress: Callable[[float, float], None] | None = None,
) -> tuple[Weights, NDArray[np.float64]]:
    from dpcore.autoencoder import Autoencoder

    model = Autoencoder(**RECIPES[name, trained_on], cache=name == "mnist", random_state=0)
    seen = pixels[: _n_members(pixels, trained_on)]
    model.fit(_images(name, seen), progress=progress)
    return model.weights_, model.loss_curve_


def _numbers(values: ArrayLike) -> NDArray[np.uint8]:
    return np.asarray(values).astype(np.uint8)


def _images(name: str, pixels: ArrayLike) -> Images:
    images = np.asarray(pixels).astype(np.float32)
    images /= _LEVELS[name]
    return images


def _n_members(pixels: NDArray[np.uint8], trained_on: str) -> int:
    return len(pixels) if trained_on == "all" else N_FEW


@lru_cache(maxsize=2)
def digits_problem(trained_on: str = "all") -> Problem:
    """Return the problem of the small digits with the shipped network, trained on "all" or "few" pictures."""
    data = datasets.load("digits")
    pixels, test = _numbers(data.X), _images("digits", data.X_test)
    training = weight_cache.read(shipped_file(trained_on))
    if training is None:  # damaged or missing: train, as the command does
        training = _trained("digits", trained_on, pixels)
    return _problem(
        "digits", "Digits 8×8", training[0], (pixels, data.y), trained_on,
        everyone=np.concatenate([test, _images("digits", pixels)]),
        labels=np.concatenate([data.y_test, data.y]), unseen=len(test),
    )  # fmt: skip


def named_problem(
    dataset: str,
    trained_on: str = "all",
    *,
    progress: Callable[[float, float], None] | None = None,
) -> Problem:
    """Return the pictures of a data set with the trained network, which is shipped or trained at first use.

    Parameters
    ----------
    dataset : "digits" or "mnist"
        Name of the data set.
    trained_on : "all" or "few"
        Whether the network is trained on all training pictures or on a few.
    progress : callable, optional
        Called with the fraction done and the loss after every epoch. It may raise to stop the work.

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
    """Releases of pictures at K noise levels for 3 kinds of noise (``KINDS``).

    The same noise draws are scaled for each noise level.

    - ``originals`` (10, d): one picture, of d pixels, of each digit.
    - ``clean`` (10, d): reconstructions of these pictures without noise.
    - ``released`` (K, 3, 10, d): one release of all ten pictures, with the same noise.
    - ``draws`` (K, 3, 30, d): thirty releases of the chosen picture, the first with the noise of
      ``released``.
    - ``seven`` (7, 3, 10, d): the release of all ten pictures at δ = 1e-5 and the seven ε of Jain
      et al.
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
        """The chosen picture (d,) before its release."""
        return cast(Images, self.originals[self.digit])

    def mean_of(self, count: int) -> Images:
        """Return the average (K, 3, d) of the chosen picture's first ``count`` releases.

        Axes: K noise levels, 3 kinds of noise, d pixels.
        """
        return cast(Images, self.draws[:, :, :count].mean(2))


def noise_of(problem: Problem, seed: int) -> BiasNoise:
    """Return the noise of thirty releases at standard deviation 1.

    All pictures of a release have the same noise.
    """
    return draw_noise(problem.weights, N_DRAWS, rng=np.random.default_rng(seed))


def chosen(problem: Problem, params: AutoencoderParams) -> int:
    """Return the index in ``Problem.everyone`` of the picture that the parameters choose.

    ``digit`` and ``person`` determine the picture.
    """
    return int(problem.people[params.digit, params.person - 1])


def run(params: AutoencoderParams) -> Sweep:
    """Return the releases of the pictures chosen by the parameters, at every noise level.

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
    """Return the releases of a problem's chosen pictures at every noise level and for all kinds of noise."""
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
    """Return the guarantee of a release: nominal for noisy biases, proved (ε, δ)-DP for the generator."""
    if params.real:
        from dpcore.autoencoder import GENERATOR_PRESETS, gaussians_guarantee

        reach = GENERATOR_PRESETS[problem.name]["clip_norm"]
        base = gaussians_guarantee(
            params.epsilon, params.delta, clip_norm=reach, unit=unit_of(problem)
        )
        return replace(
            base,
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
    base = nominal_guarantee(params.epsilon, params.delta, kind=params.kind)
    return replace(
        base,
        unit=unit_of(problem),
        argument=(
            "The picture itself and all other weights go in without noise, and nothing bounds how "
            "far one picture moves the numbers that get noise: Jain et al. (2021) set it to 1. "
            "All pictures of a release carry the same noise, so it can be cancelled."
        ),
        public=("the weights of the network", "which biases carry noise, ε and δ"),
    )


def guarantees(params: AutoencoderParams, problem: Problem) -> list[Guarantee]:
    """Return the guarantee of a release at every ε of `EPSILON_GRID`."""
    base = guarantee(params, problem)
    return base.tabulated(EPSILON_GRID if params.real else [math.inf] * len(EPSILON_GRID))


def unit_of(problem: Problem) -> Unit:
    """Return the privacy unit, one picture, with the number of pictures per writer."""
    return _digits() if problem.name == "digits" else PICTURE


@lru_cache(maxsize=1)
def _digits() -> Unit:
    return datasets.load("digits").unit
