"""Attacks on released pictures, and their success.

Four attacks are measured: finding the original of a release, membership inference, distinguishing
two pictures, and an attack on the generator. The module also computes the privacy of adding noise
to a release that already has noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore._types import AnyArray
from dpcore.autoencoder import (
    KINDS,
    Weights,
    attacks,
    draw_noise,
    membership,
    noise_cancelling,
    pairwise_epsilon,
    perturb_biases,
    sigmas,
    statistics,
)
from dpcore.autoencoder.batch_reidentification import link_batch
from dpcore.autoencoder.bias_noise import BiasNoise
from dpcore.autoencoder.pairwise_epsilon import certified_epsilon, gaussian_epsilons
from dpcore.experiments.autoencoder.problem import (
    DRAWS,
    AutoencoderParams,
    Problem,
    chosen,
    noise_of,
    unit_of,
)
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.guarantee import Guarantee
from dpcore.mechanisms import gaussian_sigma

__all__ = [
    "BATCH",
    "CONFIDENCE",
    "FALSE_ALARMS",
    "LEVELS",
    "N_RELEASES",
    "N_ROUNDS",
    "RENOISED_TRIALS",
    "TRIALS",
    "Attacks",
    "Audit",
    "Pair",
    "Renoised",
    "first_batch",
    "no_attacks",
    "noise_table",
    "pair_guarantees",
    "run_attacks",
    "run_audit",
    "run_pair",
    "run_renoised",
    "second_person",
]

Floats = NDArray[np.float64]
LEVELS: tuple[float, ...] = (0.039, 0.1, 0.2, 0.4, 0.8, 1.6, 2.4, 3.2, 4.0, 6.0, 8.0, 12.0, 26.0)
"""Values of ε at which attacks are run, for δ = 1e-5: the seven of Jain et al., and values around them."""
BATCH = 100
N_ROUNDS = 10
"""Number of pictures for which `Attacks.linked` stores the attacker's choice.

They are the first pictures of the first batch.
"""
FALSE_ALARMS = np.linspace(0, 1, 41)
_PEOPLE, _SINGLES, _BATCHES, _MODELS = 120, 4, 5, 8
_ORDER = sorted(range(len(LEVELS)), key=lambda v: abs(v - 5))  # the paper's ε first


@dataclass(frozen=True, kw_only=True, eq=False)
class Attacks:
    """Success rates of attacks at V noise levels for 3 kinds of noise; NaN until computed.

    In re-identification the attacker looks for the original of a release among N candidate
    pictures. The success rates are:

    - ``alone`` (V, 3): for one picture with its own noise, by an attacker who compares
      similarities.
    - ``informed`` (V, 3): for one picture, by an attacker who knows the network.
    - ``batch`` (V, 3): for a batch of 100 pictures with the same noise, by an attacker who does not
      know the network.
    - ``cancelled`` (V, 3): for such a batch, by an attacker who knows the network.
    - ``averages`` (V, 3, 4): for the mean of 1, 3, 10 and 30 releases of a picture, by similarity.

    ``linked`` (V, 3, 10) is no rate. It is the candidate that the attack ``cancelled`` names for
    each of the first ten pictures of the first batch.

    In membership inference the attacker distinguishes training pictures from others by their
    reconstruction error:

    - ``area`` (V, 3): area under the ROC curve.
    - ``hits`` (V, 3, 41): hit rates at the false-alarm rates `FALSE_ALARMS`.
    - ``plain_area``, ``plain_hits`` (41,): area and hit rates without noise.
    - ``refit_area``, ``refit_hits`` (41,): area and hit rates of an attacker who replaces the noisy
      biases by refitted ones.

    ``done``: fraction of the work done.
    """

    alone: Floats
    informed: Floats
    batch: Floats
    cancelled: Floats
    averages: Floats
    linked: Floats
    area: Floats
    hits: Floats
    plain_area: float
    plain_hits: Floats
    refit_area: float
    refit_hits: Floats
    done: float


def run_attacks(problem: Problem, seed: int) -> Iterator[Attacks]:
    """Yield the results of the attacks so far, after each noise level and kind of noise.

    Parameters
    ----------
    problem : Problem
        The published network and the list of candidates.
    seed : int
        Seed of the noise and of the selection of targets.

    Yields
    ------
    Attacks
        Results so far; all pictures on the list are candidates, including the true originals.
    """
    results = _start(problem)
    yield results
    cells = [(v, k) for v in _ORDER for k in range(3)]
    steps = [partial(_quick, problem, seed), partial(_slow, problem, seed)]
    work = [(step, cell) for step in steps for cell in cells]
    for number, (step, cell) in enumerate(work, start=1):
        results = _with(results, cell, step(*cell), number / len(work))
        yield results


def no_attacks() -> Attacks:
    """Return the `Attacks` before any attack is computed: NaN everywhere."""
    empty = np.full((len(LEVELS), 3), np.nan)
    curve = np.full(len(FALSE_ALARMS), np.nan)
    return Attacks(
        alone=empty, informed=empty, batch=empty, cancelled=empty, area=empty,
        averages=np.full((*empty.shape, len(DRAWS)), np.nan),
        linked=np.full((*empty.shape, N_ROUNDS), np.nan),
        hits=np.full((*empty.shape, len(FALSE_ALARMS)), np.nan),
        plain_area=np.nan, plain_hits=curve, refit_area=np.nan, refit_hits=curve, done=0.0,
    )  # fmt: skip


def _start(problem: Problem) -> Attacks:
    w = problem.weights
    refitted = membership.refit_biases(w, problem.public)
    plain, refit = (_roc(problem, model) for model in (w, refitted))
    return replace(
        no_attacks(), plain_area=plain.area, plain_hits=_at(plain), refit_area=refit.area,
        refit_hits=_at(refit),
    )  # fmt: skip


def _with(
    results: Attacks, cell: tuple[int, int], news: dict[str, AnyArray | float], done: float
) -> Attacks:
    changed = {}
    for name, value in news.items():
        changed[name] = getattr(results, name).copy()
        changed[name][cell] = value
    return replace(results, done=done, **changed)


def _roc(problem: Problem, model: Weights) -> membership.Roc:
    errors = [
        np.square(model.reconstruct(X) - X).mean(1) for X in (problem.members, problem.outsiders)
    ]
    return membership.roc(*errors)


def _at(roc: membership.Roc) -> Floats:
    return np.interp(FALSE_ALARMS, roc.false_positive_rate, roc.true_positive_rate)


def _quick(problem: Problem, seed: int, v: int, k: int) -> dict[str, AnyArray | float]:
    rng = np.random.default_rng((seed, 1))
    w, table, kind, epsilon = problem.weights, problem.everyone, KINDS[k], LEVELS[v]
    rows = rng.permutation(len(table))[:_PEOPLE]
    noise = draw_noise(w, DRAWS[-1], rng=rng, images=len(rows))
    released = perturb_biases(w, table[rows], kind=kind, epsilon=epsilon, noise=noise)[0, 0]
    singles = released[:_SINGLES]
    alone = attacks.linked_share(attacks.link_pixels(singles, table), rows).mean()
    informed = attacks.link_weights(w, singles, table, kind=kind, epsilon=epsilon)
    more = attacks.linked_share(noise_cancelling.link_averages(released, table, DRAWS[1:]), rows)
    who, batches = _batches(problem, seed, v, k)
    return {
        "alone": float(alone),
        "informed": float(attacks.linked_share(informed, rows).mean()),
        "batch": float(attacks.linked_share(attacks.link_centred(batches, table), who).mean()),
        "averages": np.array([alone, *more]),
        **_membership(problem, seed, kind, epsilon),
    }


def _batches(problem: Problem, seed: int, v: int, k: int) -> tuple[AnyArray, AnyArray]:
    """Return five random batches: indices of the candidates (5, 100), and their releases (5, 100, d).

    The noise has the level with index ``v`` and the kind with index ``k``. Released pictures, of d
    pixels each, are rounded to 8 bits.
    """
    rng = np.random.default_rng((seed, 2))
    who, out = [], []
    for _ in range(_BATCHES):
        rows = rng.permutation(len(problem.everyone))[:BATCH]
        batch = perturb_biases(
            problem.weights,
            problem.everyone[rows],
            kind=KINDS[k],
            epsilon=LEVELS[v],
            draws=1,
            rng=rng,
        )[0, 0, 0]
        who.append(rows)
        out.append(attacks.quantise(batch))
    return np.array(who), np.array(out)


def _membership(
    problem: Problem, seed: int, kind: str, epsilon: float
) -> dict[str, AnyArray | float]:
    X = np.concatenate([problem.members, problem.outsiders])
    rng = np.random.default_rng((seed, 3))
    out = perturb_biases(problem.weights, X, kind=kind, epsilon=epsilon, draws=_MODELS, rng=rng)[
        0, 0
    ]
    errors = np.square(out - X).mean(-1)
    cut = len(problem.members)
    rocs = [membership.roc(row[:cut], row[cut:]) for row in errors]
    return {
        "area": float(np.mean([roc.area for roc in rocs])),
        "hits": np.mean([_at(roc) for roc in rocs], axis=0),
    }


def _slow(problem: Problem, seed: int, v: int, k: int) -> dict[str, AnyArray | float]:
    who, batches = _batches(problem, seed, v, k)
    some = 2 if len(problem.everyone) < 5000 else 1
    matches = [
        link_batch(problem.weights, batches[b], problem.everyone, kind=KINDS[k], epsilon=LEVELS[v])
        for b in range(some)
    ]
    shares = [attacks.linked_share(rows, who[b]) for b, rows in enumerate(matches)]
    return {
        "cancelled": float(np.mean(shares)),
        "linked": np.asarray(matches[0][..., :N_ROUNDS], float).reshape(N_ROUNDS),
    }


def first_batch(problem: Problem, seed: int) -> tuple[AnyArray, BiasNoise]:
    """Return the indices (100,) of the candidates in the first batch, and the noise of all its pictures.

    The noise has standard deviation 1.
    """
    rng = np.random.default_rng((seed, 2))
    rows = rng.permutation(len(problem.everyone))[:BATCH]
    return rows, draw_noise(problem.weights, 1, rng=rng)


N_RELEASES = 40
_TYPICAL = 400


@dataclass(frozen=True, kw_only=True, eq=False)
class Pair:
    """Measures of how well releases of two pictures can be distinguished, for 3 kinds of noise and K noise levels.

    A picture has d pixels. Distances are in the layer of the network that gets the noise. The ε of two
    pictures is the exact ε of the mechanism if its input is one of these two pictures.

    - ``row``: index of the second picture among the candidates.
    - ``distance`` (3,): distance between the two pictures.
    - ``typical`` (3,): median of the distance between two random pictures; Jain et al. assume 1.
    - ``epsilon`` (E, D, 3): ε of the two pictures, for each of E claimed values of ε and D values
      of δ.
    - ``typical_epsilon`` (E, D, 3): ε of two pictures at the distance ``typical``.
    - ``released`` (K, 3, d): releases of the second picture, with the same noise as those of the first
      picture.
    - ``ratio`` (K, 3): ``distance`` divided by the standard deviation of the noise.
    - ``here`` and ``there`` (K, 3, 40): positions of forty releases of the first and of the second
      picture, on the line from the first (0) to the second (1).
    """

    row: int
    distance: Floats
    typical: Floats
    epsilon: Floats
    typical_epsilon: Floats
    released: NDArray[np.float32]
    ratio: Floats
    here: Floats
    there: Floats


def second_person(problem: Problem, params: AutoencoderParams) -> int:
    """Return the candidate index of the picture that replaces the selected one."""
    first = chosen(problem, params)
    if params.other == "digit":
        return int(problem.people[(params.digit + 1) % 10, params.person - 1])
    if params.other == "same":
        return int(problem.people[params.digit, params.person % 10])
    alike = np.flatnonzero(problem.labels == params.digit)
    alike = alike[alike != first]
    far = np.square(problem.everyone[alike] - problem.everyone[first]).sum(1)
    return int(alike[far.argmin()])


def run_pair(problem: Problem, params: AutoencoderParams) -> Pair:
    """Return how well releases of the selected picture and of its replacement can be distinguished.

    The two releases are Gaussian with a known distance of their means, which gives the exact ε for
    this pair (`dpcore.autoencoder.pairwise_epsilon`). In addition forty releases of each picture
    are simulated without rounding. The attacker knows the weights.
    """
    w, X = problem.weights, problem.everyone
    first, second = chosen(problem, params), second_person(problem, params)
    distance = np.array([_length(w, X[first], X[second], kind) for kind in KINDS])
    typical, typical_epsilon = _typical(problem)
    scales = np.stack([sigmas(problem.nodes, kind=kind).max(1) for kind in KINDS], 1)
    noise = noise_of(problem, params.seed)
    places = [_places(problem, first, second, scales[:, k], k, params.seed) for k in range(3)]
    return Pair(
        row=second, distance=distance, typical=typical, epsilon=_table(distance),
        typical_epsilon=typical_epsilon, ratio=distance / scales,
        released=perturb_biases(w, X[[second]], epsilon=problem.nodes, noise=noise)[:, :, 0, 0],
        here=np.stack([p[0] for p in places], 1), there=np.stack([p[1] for p in places], 1),
    )  # fmt: skip


def pair_guarantees(params: AutoencoderParams, problem: Problem, pair: Pair) -> list[Guarantee]:
    """Return the guarantees that hold for two given pictures, one for each claimed ε and each kind of noise.

    The guarantee holds for these two pictures only. Nothing is proved for other pictures.
    """
    base = Guarantee(
        epsilon=0.0, delta=params.delta, neighbouring="replace_one", status="proved", unit=unit_of(problem),
        argument="Gaussian noise on the biases, as far as these two pictures differ where it is added.",
    )  # fmt: skip
    table = pair.epsilon[:, DELTA_GRID.index(params.delta)]
    return [
        replace(base, epsilon=float(cost), claimed_epsilon=float(claimed))
        for claimed, costs in zip(EPSILON_GRID, table, strict=True)
        for cost in costs
    ]


def _metric(weights: Weights) -> AnyArray:
    """Return the inverse covariance of bias noise in the space of the hidden codes.

    The biases of both layers have noise of standard deviation 1. The result is (I + (W₂ W₂ᵀ)⁻¹)⁻¹,
    with W₂ the weights of the output layer.
    """
    gram = weights.W2.astype(float) @ weights.W2.T
    return np.linalg.inv(np.eye(len(gram)) + np.linalg.pinv(gram))


def _length(weights: Weights, first: AnyArray, second: AnyArray, kind: str) -> AnyArray:
    place = weights.logits if kind == "output" else weights.hidden
    gap = place(first).astype(float) - place(second)
    if kind != "both":
        return cast(AnyArray, np.sqrt(np.square(gap).sum(-1)))
    return cast(AnyArray, np.sqrt(np.einsum("...i,ij,...j->...", gap, _metric(weights), gap)))


@lru_cache(maxsize=16)
def _typical(problem: Problem) -> tuple[Floats, Floats]:
    """Return the median distance (3,) between two random pictures, and the actual ε (E, D, 3) at this distance.

    Axes: E claimed values of ε, D values of δ, 3 kinds of noise.
    """
    w, X = problem.weights, problem.everyone
    rows = np.random.default_rng(0).integers(len(X), size=(2, _TYPICAL))
    met = [float(np.median(_length(w, X[rows[0]], X[rows[1]], kind))) for kind in KINDS]
    return np.array(met), _table(np.array(met))


@lru_cache(maxsize=1)
def noise_table() -> Floats:
    """Return the noise scales σ (E, D, 3) of Jain et al.

    Axes: E values of ε, D values of δ, 3 kinds of noise.
    """
    return np.stack(
        [
            np.stack([sigmas(EPSILON_GRID, delta, kind=kind).max(1) for kind in KINDS], -1)
            for delta in DELTA_GRID
        ],
        axis=1,
    )


def _table(distance: Floats) -> Floats:
    """Return the actual ε (E, D, 3) for two pictures at the given distance.

    Axes: E claimed values of ε, D values of δ, 3 kinds of noise. The noise is calibrated to the claimed
    (ε, δ) for pictures at distance 1, as Jain et al. do.
    """
    mu = distance / noise_table()
    return np.stack(
        [pairwise_epsilon.gaussian_epsilons(mu[:, d], delta) for d, delta in enumerate(DELTA_GRID)],
        1,
    )


def _places(
    problem: Problem, first: int, second: int, scale: Floats, kind: int, seed: int
) -> tuple[Floats, Floats]:
    """Return the positions of two pictures' releases on a line from the first picture (0) to the second (1).

    The result is two arrays (K, 40), for 40 releases of each picture at the K noise levels
    ``scale``. Positions are measured in the direction of the likelihood ratio.
    """
    w = problem.weights
    noise = draw_noise(w, 2 * N_RELEASES, rng=np.random.default_rng((seed, 7)))
    positions = []
    ends = [np.maximum(w.hidden(problem.everyone[row]), 0).astype(float) for row in (first, second)]
    if KINDS[kind] == "output":
        ends = [w.logits(problem.everyone[row]).astype(float) for row in (first, second)]
    gap = ends[1] - ends[0]
    along = _metric(w) @ gap if KINDS[kind] == "both" else gap
    back = np.linalg.pinv(w.W2.astype(float)) if KINDS[kind] == "both" else None
    for world, row in enumerate((first, second)):
        part = slice(world * N_RELEASES, (world + 1) * N_RELEASES)
        inner, outer = (scale[:, None, None] * z[part, 0] for z in (noise.hidden, noise.output))
        if KINDS[kind] == "output":
            seen = ends[world] + outer
        else:
            seen = np.maximum(w.hidden(problem.everyone[row]) + inner, 0)
        if back is not None:
            seen = seen + outer @ back
        positions.append((seen - ends[0]) @ along / max(float(gap @ along), 1e-12))
    return positions[0], positions[1]


CONFIDENCE = 0.95
TRIALS = 20_000  # releases with the person, and as many without
_CHUNK = 500
_PARTS = ("sizes", "sums", "moments")


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """Lower bounds on ε from an attack on the generator, at each of the E values of the ε grid.

    The target is one person's picture.

    - ``certified`` (E,): lower bounds, NaN until computed. Each bound has the confidence
      `CONFIDENCE`, but the bounds for all ε do not hold jointly.
    - ``reach``: distance between the scaled statistics with and without the target's picture, divided
      by the sensitivity.
    - ``digit``: digit of the target's picture.
    - ``done``: fraction of the trials done.
    """

    certified: Floats
    reach: float
    digit: int
    done: float


def run_audit(
    problem: Problem,
    params: AutoencoderParams,
    *,
    trials: int = TRIALS,
    noise: float = 1.0,
) -> Iterator[Audit]:
    """Yield the progress of the attack on the generator, and finally the lower bounds on ε.

    The target is the picture that changes the statistics most. The attacker knows all other
    pictures, and sees the noisy statistics, which are more informative than the generated pictures.
    The score is the likelihood ratio of the statistics with and without the target, which is
    optimal (Neyman and Pearson). `pairwise_epsilon.certified_epsilon` turns hits and false alarms
    into a lower bound.

    Parameters
    ----------
    problem : Problem
        Its training pictures are protected.
    params : AutoencoderParams
        δ and the seed are used.
    trials : int
        Number of releases with the target, and number of releases without the target, ≥ 8. The same
        noise draws are scaled for every ε.
    noise : float
        Factor on the noise, 1 for the correct generator. Below 1 the guarantee is violated, and the
        audit should detect this.

    Yields
    ------
    Audit
    """
    attack = _Attack.on(problem)
    unknown = np.full(len(EPSILON_GRID), np.nan)
    scales = statistics.noise_scales(1.0, params.delta, attack.clip_norm)
    rng = np.random.default_rng((params.seed, 8))
    chunks: list[Floats] = []
    for start in range(0, trials, _CHUNK):
        yield _audit_of(attack, scales, unknown, start / trials)
        chunks.append(attack.scores(scales, noise, min(_CHUNK, trials - start), rng))
    unit = np.concatenate(chunks, axis=1)
    here = gaussian_sigma(1.0, 1.0, delta=params.delta)
    certified = [
        _certified(
            unit, attack.gap(scales), here / gaussian_sigma(1.0, e, delta=params.delta), params
        )
        for e in EPSILON_GRID
    ]
    yield _audit_of(attack, scales, np.array(certified), 1.0)


def _audit_of(
    attack: _Attack, scales: tuple[float, float, float], certified: Floats, done: float
) -> Audit:
    most = 1 / float(
        np.sqrt(sum(1 / (s / r) ** 2 for s, r in zip(scales, attack.most, strict=True)))
    )
    reach = float(np.sqrt(attack.gap(scales))) * most
    return Audit(certified=certified, reach=reach, digit=attack.digit, done=done)


def _certified(unit: Floats, gap: float, louder: float, params: AutoencoderParams) -> float:
    """Return the lower bound on ε that the attack proves at one value of the claimed ε.

    Scores are computed once, with the noise for ε = 1. Here they are rescaled to the noise for the
    claimed ε.

    - ``unit`` (2, trials): scores of releases with and without the target, with the noise for ε =
      1.
    - ``gap``: squared distance between the statistics with and without the target, in units of the
      noise for ε = 1.
    - ``louder``: noise scale for ε = 1, divided by the noise scale for the claimed ε.
    """
    score = louder * unit
    score[0] += louder**2 * gap
    return pairwise_epsilon.certified_epsilon(
        score[0], score[1], params.delta, confidence=CONFIDENCE
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Attack:
    """Statistics of one digit's pictures with and without the target's picture, and their sensitivities."""

    joined: statistics.Statistics
    without: statistics.Statistics
    clip_norm: float
    digit: int

    @classmethod
    def on(cls, problem: Problem) -> _Attack:
        from dpcore.autoencoder import GENERATOR_PRESETS

        recipe = GENERATOR_PRESETS[problem.name]
        basis = statistics.cosine_basis(problem.shape, recipe["n_frequencies"])
        codes = np.asarray((problem.training - np.float32(recipe["grey"])) @ basis.T, np.float32)
        clipped_codes = statistics.clip_codes(codes, recipe["clip_norm"])
        length = np.square(clipped_codes, dtype=float).sum(1)
        # Most are clipped to one length: the last bit, another one on each processor, must not choose.
        person = int((length >= length.max() * (1 - 1e-5)).argmax())
        digit = problem.training_labels[person]
        with_person = problem.training_labels == digit
        others = with_person.copy()
        others[person] = False
        joined, without = (
            statistics.summarise(clipped_codes[rows], np.zeros(rows.sum(), np.int64), 1)
            for rows in (with_person, others)
        )
        return cls(
            joined=joined, without=without, clip_norm=recipe["clip_norm"], digit=int(digit)
        )  # fmt: skip

    @property
    def most(self) -> tuple[float, float, float]:
        return 1.0, self.clip_norm, self.clip_norm**2

    def _moves(self) -> list[Floats]:
        return [getattr(self.joined, part) - getattr(self.without, part) for part in _PARTS]

    def gap(self, scales: tuple[float, float, float]) -> float:
        """Return the squared distance between the statistics with and without the target's picture.

        The differences of the statistics are first divided by their noise scales ``scales``.
        """
        return sum(
            float(np.square(move / s).sum()) for move, s in zip(self._moves(), scales, strict=True)
        )

    def scores(
        self, scales: tuple[float, float, float], noise: float, n: int, rng: np.random.Generator
    ) -> Floats:
        """Return log-likelihood ratios (2, n) of n releases with and n releases without the target's picture.

        The expected value of each row is subtracted.
        """
        k = self.joined.sums.shape[-1]
        loud = (noise * scales[0], noise * scales[1], noise * scales[2])
        ratios = []
        for exact in (self.joined, self.without):
            seen = statistics.add_noise(exact, statistics.draw_unit(1, k, rng, (n,)), loud)
            parts = [
                (getattr(seen, part) - getattr(exact, part)).reshape(n, -1) @ (move / s**2).ravel()
                for part, move, s in zip(_PARTS, self._moves(), scales, strict=True)
            ]
            ratios.append(sum(parts, np.zeros(n)))
        return np.array(ratios)


RENOISED_TRIALS = 20_000  # releases in each of two worlds


@dataclass(frozen=True, kw_only=True, eq=False)
class Renoised:
    """ε of two releases about one person, and lower bounds from simulated attacks, at the E values of the ε grid.

    Each release adds Gaussian noise for (ε, δ). The second release is made either from the first
    one, or from the person's original value.

    - ``printed`` (E,): 2ε, the claim of Jain et al. for noise that is added twice.
    - ``alone`` (E,): exact ε at δ of the second release if it is made from the first one. Both
      releases together then have the ε of the first.
    - ``original`` (E,): exact ε at δ of both releases together if the second is made from the
      original value.
    - ``shown_release`` (E,): lower bound at 95 % confidence on the ε of the second release if it is
      made from the first one, after rounding.
    - ``shown_original`` (E,): lower bound at 95 % confidence on ``original``.
    """

    printed: Floats
    alone: Floats
    original: Floats
    shown_release: Floats
    shown_original: Floats


def run_renoised(
    params: AutoencoderParams,
    *,
    trials: int = RENOISED_TRIALS,
    progress: Callable[[float], None] = lambda part: None,
) -> Renoised:
    """Return the ε of adding noise twice, and lower bounds on ε from simulated attacks.

    The value of one person is 0 or 1. The first release adds noise for (ε, δ) to this value. Two
    kinds of second releases are compared:

    - made from the first release, which is rounded to multiples of half a standard deviation (a
      nonlinear step) before noise for (ε, δ) is added again; the attacker sees only the second release;
    - made from the original value, with noise for (ε, δ); the attacker sees both releases.

    Parameters
    ----------
    params : AutoencoderParams
        δ and the seed are used.
    trials : int
        Number of releases for each of the two values, ≥ 8.
    progress : callable
        Called with the fraction done. It may raise to stop the work.

    Returns
    -------
    Renoised
    """
    sigma = np.array([gaussian_sigma(1.0, e, delta=params.delta) for e in EPSILON_GRID])
    unit = np.random.default_rng((params.seed, 13)).standard_normal((2, 2, trials))
    shown = []
    for k, scale in enumerate(sigma):
        first = unit[:, 0] * scale + np.array([[1.0], [0.0]])  # with the person, and without
        again = unit[:, 1] * scale + np.array([[1.0], [0.0]])
        rounded = np.round(first / (scale / 2)) * (scale / 2) + unit[:, 1] * scale
        shown.append([certified_epsilon(a, b, params.delta) for a, b in (rounded, first + again)])
        progress((k + 1) / len(sigma))
    release, original = np.array(shown).T
    return Renoised(
        printed=2 * np.array(EPSILON_GRID),
        alone=gaussian_epsilons(1 / (sigma * math.sqrt(2)), params.delta),
        original=gaussian_epsilons(math.sqrt(2) / sigma, params.delta),
        shown_release=release, shown_original=original,
    )  # fmt: skip
