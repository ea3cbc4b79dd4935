"""Is the generator's promise kept? What an attack on the worst person demonstrates at every ε."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.autoencoder import pairwise_epsilon, statistics
from dpcore.experiments.autoencoder.params import AutoencoderParams
from dpcore.experiments.autoencoder.problem import Problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.mechanisms import gaussian_sigma

__all__ = ["CONFIDENCE", "TRIALS", "Audit", "run_audit"]

Floats = NDArray[np.float64]
CONFIDENCE = 0.95
TRIALS = 20_000  # releases with the person, and as many without
_CHUNK = 500
_PARTS = ("sizes", "sums", "moments")


@dataclass(frozen=True, kw_only=True, eq=False)
class Audit:
    """What an attack demonstrates, at each ε of the grid (E,); nan while it is at work.

    ``certified``: the releases cost more than this, at `CONFIDENCE` for each ε by itself;
    ``reach``: how far the person moves the scaled statistics, as a share of what the proof allows;
    ``digit``: of the person; ``done``: the fraction of the trials behind these numbers.
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
    """Yield how far the attack has come, and at last the ε that it demonstrates.

    The attacker knows every picture but one: that of the person who moves the statistics furthest.
    He sees the noisy statistics themselves, which is more than the pictures drawn from them, and
    scores them by their likelihood ratio with and without the person (Neyman and Pearson: no score
    does better); `pairwise_epsilon.certified_epsilon` turns hits and false alarms into a lower bound.

    Parameters
    ----------
    problem : Problem
        Whose training pictures are protected.
    params : AutoencoderParams
        δ and the seed are used.
    trials : int
        Releases with the person, and as many without, ≥ 8. One set of unit noise serves every ε.
    noise : float
        Factor on the noise: 1 is the generator; less sabotages it, and the audit has to notice.

    Yields
    ------
    Audit
    """
    attack = _Attack.on(problem)
    unknown = np.full(len(EPSILON_GRID), np.nan)
    scales = statistics.noise_scales(1.0, params.delta, attack.clip_norm)
    rng = np.random.default_rng((params.seed, 8))
    drawn: list[Floats] = []
    for start in range(0, trials, _CHUNK):
        yield _found(attack, scales, unknown, start / trials)
        drawn.append(attack.scores(scales, noise, min(_CHUNK, trials - start), rng))
    unit = np.concatenate(drawn, axis=1)
    here = gaussian_sigma(1.0, 1.0, delta=params.delta)
    certified = [
        _certified(
            unit, attack.gap(scales), here / gaussian_sigma(1.0, e, delta=params.delta), params
        )
        for e in EPSILON_GRID
    ]
    yield _found(attack, scales, np.array(certified), 1.0)


def _found(
    attack: _Attack, scales: tuple[float, float, float], certified: Floats, done: float
) -> Audit:
    most = 1 / float(
        np.sqrt(sum(1 / (s / r) ** 2 for s, r in zip(scales, attack.most, strict=True)))
    )
    reach = float(np.sqrt(attack.gap(scales))) * most
    return Audit(certified=certified, reach=reach, digit=attack.digit, done=done)


def _certified(unit: Floats, gap: float, louder: float, params: AutoencoderParams) -> float:
    """At an ε whose noise is 1/``louder`` of that at ε = 1, the same noise gives these scores."""
    score = louder * unit
    score[0] += louder**2 * gap
    return pairwise_epsilon.certified_epsilon(
        score[0], score[1], params.delta, confidence=CONFIDENCE
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Attack:
    """The statistics of one digit with and without a person, and what the person may move at most."""

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
        kept = statistics.clip_codes(codes, recipe["clip_norm"])
        length = np.square(kept, dtype=float).sum(1)
        # Most are clipped to one length: the last bit, another one on each processor, must not choose.
        person = int((length >= length.max() * (1 - 1e-5)).argmax())
        digit = problem.training_labels[person]
        with_person = problem.training_labels == digit
        others = with_person.copy()
        others[person] = False
        joined, without = (
            statistics.summarise(kept[rows], np.zeros(rows.sum(), np.int64), 1)
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
        """The squared distance of the two worlds in units of the noise."""
        return sum(
            float(np.square(move / s).sum()) for move, s in zip(self._moves(), scales, strict=True)
        )

    def scores(
        self, scales: tuple[float, float, float], noise: float, n: int, rng: np.random.Generator
    ) -> Floats:
        """Log likelihood ratios of n releases with and n without, less their mean without noise, (2, n)."""
        k = self.joined.sums.shape[-1]
        loud = (noise * scales[0], noise * scales[1], noise * scales[2])
        found = []
        for exact in (self.joined, self.without):
            seen = statistics.add_noise(exact, statistics.draw_unit(1, k, rng, (n,)), loud)
            parts = [
                (getattr(seen, part) - getattr(exact, part)).reshape(n, -1) @ (move / s**2).ravel()
                for part, move, s in zip(_PARTS, self._moves(), scales, strict=True)
            ]
            found.append(sum(parts, np.zeros(n)))
        return np.array(found)
