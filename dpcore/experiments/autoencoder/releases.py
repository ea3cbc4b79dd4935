"""Released pictures: their similarity to the originals (Jain et al.), a guessing game, and further noise draws.

The pictures of the game are the first ones of the first batch that `run_attacks` attacks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import (
    EPSILONS,
    KINDS,
    BiasNoise,
    Weights,
    draw_noise,
    paper,
    perturb_biases,
    sigmas,
    similarity,
)
from dpcore.experiments.autoencoder.attacks import N_ROUNDS, first_batch, second_person
from dpcore.experiments.autoencoder.problem import (
    AutoencoderParams,
    Problem,
    Sweep,
    chosen,
    effective_epsilon,
    noise_of,
)

__all__ = [
    "ANOTHER",
    "N_CANDIDATES",
    "N_OUTCOMES",
    "ROWS",
    "STEPS",
    "Baselines",
    "FaceOff",
    "Irregular",
    "Outcomes",
    "Similarity",
    "baselines",
    "compare_tables",
    "picked_among",
    "run_face_off",
    "run_irregular",
    "run_outcomes",
    "similarity_of",
    "wrong_steps",
]

Floats = NDArray[np.float64]
BINS = 16


@dataclass(frozen=True, kw_only=True, eq=False)
class Similarity:
    """Histograms and errors of thirty releases of the chosen picture.

    There are K noise levels and 3 kinds of noise. H is the Hellinger distance to the original.

    - ``own`` and ``clean`` (16,): histograms of the original and of its reconstruction without
      noise.
    - ``bins`` (K, 3, 16): histogram of the first release.
    - ``first`` (K, 3): H of the first release.
    - ``low``, ``middle``, ``high`` (K, 3): 5, 50 and 95 % quantiles of H over the releases.
    - ``error`` (K, 3): mean squared error per pixel over the releases.
    - ``clean_error``: mean squared error of the reconstruction without noise.
    """

    own: Floats
    clean: Floats
    bins: Floats
    low: Floats
    middle: Floats
    high: Floats
    first: Floats
    error: Floats
    clean_error: float


def similarity_of(sweep: Sweep) -> Similarity:
    """Return the similarity of releases to their original, by Hellinger distance and pixel error."""
    own = similarity.histogram(sweep.original, BINS)
    clean = sweep.clean[sweep.digit]
    bins = similarity.histogram(sweep.draws, BINS)
    distances = similarity.hellinger(own, bins)
    low, middle, high = np.quantile(distances, [0.05, 0.5, 0.95], axis=-1)
    return Similarity(
        own=own,
        clean=similarity.histogram(clean, BINS),
        bins=bins[:, :, 0],
        low=low,
        middle=middle,
        high=high,
        first=distances[:, :, 0],
        error=np.square(sweep.draws - sweep.original).mean((-2, -1), dtype=float),
        clean_error=float(np.square(clean - sweep.original).mean()),
    )


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """Median Hellinger distances from pictures of one digit to other pictures, as baselines.

    The other pictures are:

    - ``clean``: the reconstruction without noise,
    - ``shuffled``: the same picture with shuffled pixels,
    - ``same_digit``: another picture of the same digit,
    - ``other_digit``: a picture of another digit.
    """

    clean: float
    shuffled: float
    same_digit: float
    other_digit: float


def baselines(problem: Problem, digit: int) -> Baselines:
    """Return the median Hellinger distances from pictures of a digit to reconstructions and unrelated pictures."""
    unseen = slice(0, min(problem.unseen, 1500))
    X = problem.everyone[unseen]
    distances = similarity.baselines(
        X, problem.labels[unseen], problem.weights.reconstruct(X), digit, np.random.default_rng(0)
    )
    middle = {name: float(np.median(values)) for name, values in distances.items()}
    return Baselines(
        clean=middle["clean reconstruction"],
        shuffled=middle["the same, shuffled"],
        same_digit=middle["another of its class"],
        other_digit=middle["another class"],
    )


def compare_tables(
    problem: Problem, params: AutoencoderParams, kind: str
) -> dict[str, tuple[float, ...]]:
    """Return a table that compares the values of Jain et al. with ours, as a dictionary of named columns.

    The table is for one kind of noise and has a row for each ε. H is the Hellinger distance between a
    release and its original, and BC their Bhattacharyya coefficient. Our values are for the selected
    picture. As in the paper, the histogram of the original leaves out a fraction of the pixels, and the
    "best of 10" is the release with the largest BC.
    """
    picture = problem.everyone[[chosen(problem, params)]]
    noise = noise_of(problem, params.seed)
    draws = perturb_biases(
        problem.weights, picture, kind=kind, epsilon=EPSILONS, delta=params.delta, noise=noise
    )[:, 0, :10]  # fmt: skip
    size = picture.shape[1]
    lost = round(similarity.MISSING * size / 784)
    H, BC = (quantity[..., 0] for quantity in similarity.printed(picture, draws, missing=lost))
    best = BC.argmax(1)[:, None]
    table = paper.TABLES[kind]
    columns = {
        "ε": EPSILONS,
        "paper: H": table.hellinger,
        "paper: BC": table.bhattacharyya,
        "paper: BC + H²": paper.complement()[KINDS.index(kind)],
        "ours: H, one draw": H[:, 0],
        "ours: H, mean of 10": H.mean(1),
        "ours: H, best of 10": np.take_along_axis(H, best, 1)[:, 0],
        "ours: BC, best of 10": np.take_along_axis(BC, best, 1)[:, 0],
        "ours: BC + H²": (BC + H**2)[:, 0],
    }
    return {name: tuple(float(v) for v in values) for name, values in columns.items()}


ROWS = 300  # rows of seven ε that are drawn anew
_RUNS = 10  # of which Jain et al. print the best
STEPS = len(EPSILONS) - 1
"""Number of steps between consecutive values of ε in ``EPSILONS``."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Irregular:
    """Counts of how often releases become less similar to the original although ε increases, for 3 kinds of noise.

    A row is seven releases of the chosen picture, one for each ε of Jain et al., at δ = 10⁻⁵. H is
    the Hellinger distance to the original. It should decrease at each of the six steps to the next
    larger ε. These fields (3,) have the number of steps at which H increases:

    - ``printed``: in the table of Jain et al.
    - ``fresh``: on average over rows with independent noise in each release.
    - ``same``: on average over rows with one noise draw, scaled for each ε.
    - ``linear``: as ``fresh``, for the linearised network.
    - ``medians``: in the medians ``middle``.

    The other fields are:

    - ``middle`` (3, 7): median H over rows with independent noise.
    - ``hellinger``, ``bhattacharyya`` (3, 7): H and Bhattacharyya coefficient of the best of ten
      releases, selected as in the paper.
    """

    hellinger: Floats
    bhattacharyya: Floats
    middle: Floats
    printed: Floats
    fresh: Floats
    same: Floats
    medians: Floats
    linear: Floats


def wrong_steps(hellinger: NDArray[np.floating]) -> Floats:
    """Return how often the Hellinger distance (..., 7) increases along its last axis, though the noise decreases.

    Examples
    --------
    >>> wrong_steps(np.array([0.5, 0.4, 0.45, 0.3, 0.2, 0.2, 0.1])).tolist()
    1.0
    """
    return np.asarray((np.diff(hellinger, axis=-1) > 0).sum(-1), float)


def run_irregular(problem: Problem, params: AutoencoderParams, *, rows: int = ROWS) -> Irregular:
    """Return how often releases become less similar to the chosen picture although ε increases.

    Similarity is measured by the Hellinger distance H to the original. The result also has our
    values for Figure 5 of Jain et al.

    Parameters
    ----------
    problem : Problem
        The published network.
    params : AutoencoderParams
        The picture and the seed are used.
    rows : int
        Number of rows, ≥ 10, each of seven releases, one per ε.

    Returns
    -------
    Irregular
    """
    x = problem.everyone[[chosen(problem, params)]]
    own, rng = similarity.histogram(x[0]), np.random.default_rng((params.seed, 14))
    noise = draw_noise(problem.weights, len(EPSILONS) * rows, rng=rng)
    split = [_part(noise, e, rows) for e in range(len(EPSILONS))]
    releases = [perturb_biases(problem.weights, x, kind=KINDS, epsilon=e, noise=n)[0, :, :, 0]
             for e, n in zip(EPSILONS, split, strict=True)]  # fmt: skip
    fresh = _distances(own, releases)
    scaled = perturb_biases(problem.weights, x, kind=KINDS, epsilon=EPSILONS, noise=split[0])[
        ..., 0, :
    ]
    straight = [_tangent(problem.weights, x[0], e, n) for e, n in zip(EPSILONS, split, strict=True)]
    best = _best(x, np.array([part[:, :_RUNS] for part in releases]), x.shape[1])
    return Irregular(
        hellinger=best[0], bhattacharyya=best[1], middle=np.median(fresh, axis=1),
        printed=np.array([float(wrong_steps(np.array(paper.TABLES[k].hellinger))) for k in KINDS]),
        fresh=wrong_steps(fresh).mean(1),
        same=wrong_steps(_distances(own, list(scaled))).mean(1),
        medians=wrong_steps(np.median(fresh, axis=1)),
        linear=wrong_steps(_distances(own, straight)).mean(1),
    )  # fmt: skip


def _part(noise: BiasNoise, e: int, rows: int) -> BiasNoise:
    part = slice(e * rows, (e + 1) * rows)
    return BiasNoise(hidden=noise.hidden[part], output=noise.output[part])


def _distances(own: Floats, pictures: list[NDArray[np.float32]]) -> Floats:
    """Return the Hellinger distances (3, rows, 7) of releases to the original's histogram ``own``.

    The axes are kind of noise, row of releases, ε. ``pictures`` has the released pictures (3, rows,
    d) for each of the seven ε.
    """
    return np.stack(
        [similarity.hellinger(own, similarity.histogram(part)) for part in pictures], -1
    )


def _best(
    x: NDArray[np.float32], releases: NDArray[np.float32], size: int
) -> tuple[Floats, Floats]:
    """Return H and BC, (3, 7) each, of the release with the largest BC among ten.

    H is the Hellinger distance to the original ``x`` and BC the Bhattacharyya coefficient. Both are
    computed from histograms as in the paper. ``releases`` (7, 3, 10, d): released pictures.
    """
    lost = round(similarity.MISSING * size / 784)
    H, BC = (v[..., 0] for v in similarity.printed(x, releases[..., None, :], missing=lost))
    pick = BC.argmax(-1)[..., None]
    first, second = (np.take_along_axis(v, pick, -1)[..., 0].T for v in (H, BC))
    return first, second


def _tangent(
    weights: Weights, x: NDArray[np.float32], epsilon: float, noise: BiasNoise
) -> NDArray[np.float32]:
    """Return releases (3, rows, d) of picture x at ε by the network linearised at x, clipped to [0, 1].

    Axes: kind of noise, noise draw, pixel.
    """
    before, out = weights.hidden(x), weights.reconstruct(x)
    inner = (noise.hidden[:, 0] * (before > 0)) @ weights.W2
    slope = out * (1 - out)
    releases = []
    for kind in KINDS:
        first, second = sigmas(epsilon, kind=kind)[0]
        releases.append(out + slope * (first * inner + second * noise.output[:, 0]))
    return np.asarray(np.clip(np.array(releases), 0, 1), np.float32)


N_CANDIDATES = 6
ANOTHER = N_CANDIDATES
"""Result of `picked_among` for a picture that is not one of the six candidates."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceOff:
    """Rounds of a game in which an attacker finds a published picture among six candidates.

    There are R rounds, K noise levels and 3 kinds of noise. The candidates of a round show
    different digits.

    - ``candidates`` (R, 6): rows in the attacker's list of pictures.
    - ``truth`` (R,): index 0..5 of the published picture among the candidates.
    - ``released`` (K, 3, R, d): the d pixels of the published picture with the noise of its batch.
    """

    candidates: NDArray[np.int64]
    truth: NDArray[np.int64]
    released: NDArray[np.float32]


def run_face_off(problem: Problem, seed: int) -> FaceOff:
    """Return the rounds of a game in which an attacker finds a published picture among six.

    The published pictures are the first ones of the first batch that `run_attacks` attacks.

    Parameters
    ----------
    problem : Problem
        The published network and the list of pictures.
    seed : int
        Seed of the noise and of the five candidates that were not published in each round. With
        the same seed `run_attacks` attacks the same releases.
    """
    rows, noise = first_batch(problem, seed)
    rng = np.random.default_rng((seed, 7))
    truth = rng.integers(N_CANDIDATES, size=N_ROUNDS)
    rounds = zip(rows[:N_ROUNDS], truth, strict=True)
    candidates = np.array([_six(problem, int(row), int(at), rng) for row, at in rounds])
    shown = problem.everyone[rows[:N_ROUNDS]]
    released = perturb_biases(problem.weights, shown, epsilon=problem.nodes, noise=noise)[:, :, 0]
    return FaceOff(candidates=candidates, truth=truth, released=released)


def _six(problem: Problem, row: int, at: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the rows of six candidate pictures of six different digits.

    The candidate at index ``at`` is ``row``. The five others are random.
    """
    digits = rng.permutation(np.setdiff1d(problem.labels, problem.labels[row]))
    others = [
        rng.choice(np.flatnonzero(problem.labels == digit)) for digit in digits[: N_CANDIDATES - 1]
    ]
    return np.insert(np.array(others), at, row)


def picked_among(face_off: FaceOff, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the index 0..5 (..., R) of each picture among the six candidates of its round.

    ``rows`` (..., R): rows in the list of pictures, for R rounds. The index is `ANOTHER` for a picture
    that is no candidate, and NaN where ``rows`` is NaN.
    """
    same = rows[..., None] == face_off.candidates
    places = np.where(same.any(-1), same.argmax(-1), ANOTHER)
    return np.where(np.isnan(rows), np.nan, places)


N_OUTCOMES = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """Releases of ten pictures at one ε and δ in D noise draws, before and after one picture is replaced.

    All pictures of a release have the same noise. A picture has d pixels.

    - ``released`` (D, 3, 10, d): releases of the ten pictures, for 3 kinds of noise.
    - ``other`` (D, 3, 10, d): releases with the same noise after the selected picture is replaced.
      `second_person` returns the replacement.
    - ``people`` (2, 10, d): the ten pictures after the replacement: originals, then reconstructions
      without noise.
    """

    released: NDArray[np.float32]
    other: NDArray[np.float32]
    people: NDArray[np.float32]


def run_outcomes(problem: Problem, params: AutoencoderParams) -> Outcomes:
    """Return releases of ten pictures before and after one of them is replaced, with the same noise draws.

    The first releases in `Sweep` have the same noise.
    """
    rows = problem.people[:, params.person - 1]
    others = rows.copy()
    others[params.digit] = second_person(problem, params)
    noise = noise_of(problem, params.seed)
    few = BiasNoise(hidden=noise.hidden[:N_OUTCOMES], output=noise.output[:N_OUTCOMES])
    here = effective_epsilon([params.epsilon], params.delta)
    both = [problem.everyone[rows], problem.everyone[others]]
    made = [perturb_biases(problem.weights, X, epsilon=here, noise=few)[0] for X in both]
    first, second = (np.moveaxis(one, 1, 0) for one in made)
    clean = problem.weights.reconstruct(both[1])
    return Outcomes(released=first, other=second, people=np.stack([both[1], clean]))
