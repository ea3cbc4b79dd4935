"""Evidence on the formulas of Sarkar's lecture and of Jiang's slides.

Each function compares numbers from a formula printed in the lecture or on a slide with computed
numbers, and returns the verdict.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpcore import accounting
from dpcore.experiments.formulas.evidence import kinds
from dpcore.experiments.formulas.evidence.autoencoder import EVIDENCE as JAIN
from dpcore.experiments.formulas.evidence.hulls import EVIDENCE as KUMAR
from dpcore.experiments.formulas.evidence.kinds import (
    Evidence,
    Trial,
    as_right,
    at_most,
    equal,
    plain,
    readings,
)
from dpcore.experiments.formulas.evidence.relevance import EVIDENCE as BRINKROLF
from dpcore.experiments.formulas.numbers import DELTA, classical
from dpcore.mechanisms import calibration, exponential_probabilities
from dpcore.regression import sensitivity as moved

__all__ = [
    "EVIDENCE",
    "SLIDES",
]

_RATE, _STEPS = 0.01, 5000
_GRID = np.linspace(-60, 60, 120_001)


def _real(sigma: float, moved: float = 1.0, delta: float = DELTA) -> float:
    return calibration.gaussian_epsilon(sigma, moved, delta=delta)


def _shift(scale: float, k: float) -> float:
    """Return the largest privacy loss of Laplace noise when the true value changes by k."""
    return float(np.abs((np.abs(_GRID - k) - np.abs(_GRID)) / scale).max())


def _ratio() -> Evidence:
    tried = [
        Trial(at=f"k = {k}, ε = {e:g}", printed=math.exp(k * e), real=math.exp(_shift(1 / e, k)))
        for k, e in itertools.product((1, 2, 5), (0.5, 1.0))
    ]
    return at_most(tried, "Largest ratio of two densities of the noisy count")


def _group() -> Evidence:
    tried = []
    for k, e in itertools.product((2, 3, 5), (0.3, 1.0)):
        p, q = kinds.responses(e)
        one, other = np.ones(1), np.ones(1)
        for _ in range(k):
            one, other = np.outer(one, p).ravel(), np.outer(other, q).ravel()
        tried.append(
            Trial(
                at=f"{k} people who each answer by randomised response, ε = {e:g}",
                printed=k * e,
                real=kinds.mutual_epsilon(one, other),
            )
        )
    return at_most(tried, "ε of a group at δ = 0")


def _group_noise() -> Evidence:
    tried = [
        Trial(at=f"k = {k}, ε = {e:g}", printed=e, real=_shift(k / e, k))
        for k, e in itertools.product((2, 5, 10), (0.5, 1.0))
    ]
    return at_most(tried, "ε of a group under Lap(k/ε)")


def _capped() -> Evidence:
    heights = max(abs(h) for h in np.linspace(0, 7, 71))
    salaries = max(sum(team) for team in itertools.product((0.0, 25.0, 50.0), repeat=4))
    return equal(
        [
            Trial(at="heights up to 7 feet", printed=7.0, real=float(heights), own=True),
            Trial(
                at="salaries up to £50K, groups of 4, in £K",
                printed=200.0,
                real=float(salaries),
                own=True,
            ),
        ],
        "Largest change of the sum when one person, or one group, is absent",
    )


def _error() -> Evidence:
    tried = []
    for e in (0.1, 0.5, 1.0, 2.0):
        x = np.linspace(0, 60 / e, 400_001)
        density = e * np.exp(-x * e)
        tried.append(
            Trial(at=f"Δ = 1, ε = {e:g}", printed=1 / e, real=float(np.trapezoid(x * density, x)))
        )
    return equal(tried, "Mean size of Laplace noise, by integration", within=1e-4)


def _local() -> Evidence:
    tried = [
        Trial(at=f"one use more, ε = {e:g}", printed=e, real=_shift(1 / e, 1))
        for e in (0.1, 0.5, 1.0)
    ]
    return at_most(tried, "ε of a single use under Lap(1/ε) on every phone")


def _small_delta() -> Evidence:
    n = 100_000
    small, large = n**-1.5, 2 / n
    what = "Whole records of 100 000 that a mechanism may publish on average, against one"
    return readings(
        [
            (
                "δ = o(1/n), as δ = n^−1.5",
                as_right(
                    at_most([Trial(at=f"δ = {plain(small)}", printed=1.0, real=small * n)], what)
                ),
            ),
            (
                "“a bit larger”, as δ = 2/n",
                at_most([Trial(at="δ = 2·10⁻⁵", printed=1.0, real=large * n)], what),
            ),
        ]
    )


def _gaussian() -> Evidence:
    small = [Trial(at=f"ε = {e:g}", printed=e, real=_real(classical(e))) for e in (0.1, 0.5, 0.99)]
    large = [
        Trial(at=f"ε = {e:g}", printed=e, real=_real(classical(e))) for e in (2.0, 8.0, 10.0, 20.0)
    ]
    what = "ε of the printed noise, δ = 10⁻⁵"
    return readings(
        [("ε < 1, as the proof asks", at_most(small, what)), ("every ε", at_most(large, what))]
    )


def _composition() -> Evidence:
    evidence = JAIN["2.20"]()
    ten = _real(calibration.gaussian_sigma(1.0, 1.0, delta=DELTA) / math.sqrt(10))
    return Evidence(
        verdict=evidence.verdict,
        says=f"{evidence.says} For particular noise the sum may be far too much: "
        f"ten Gaussian answers of ε = 1 cost {ten:.3g}.",
    )


def _many_numbers() -> Evidence:
    tried = []
    for k, e in itertools.product((1, 3, 10), (0.5, 0.99)):
        tried.append(
            Trial(
                at=f"Laplace, all {k} numbers move by 1, ε = {e:g}",
                printed=e,
                real=k * _shift(k / e, 1),
            )
        )
        tried.append(
            Trial(
                at=f"Gaussian, all {k} numbers move by 1, ε = {e:g}",
                printed=e,
                real=_real(classical(e) * math.sqrt(k), math.sqrt(k)),
            )
        )
    return at_most(tried, "ε of k numbers with noise from Δ₁ and Δ₂, δ = 10⁻⁵")


def _smaller() -> Evidence:
    def trials(sizes: tuple[int, ...]) -> list[Trial]:
        return [
            Trial(
                at=f"k = {k}, ε = 0.99",
                printed=math.sqrt(2) * k / 0.99,
                real=classical(0.99) * math.sqrt(k),
            )
            for k in sizes
        ]

    what = "Deviation of Gaussian noise, against Laplace noise"
    return readings(
        [
            ("from 12 numbers on", as_right(at_most(trials((12, 20, 100, 1000)), what))),
            ("fewer than 12", at_most(trials((1, 2, 5, 11)), what)),
        ]
    )


def _inputs() -> Evidence:
    rng = np.random.default_rng(0)
    data = rng.random(200)
    noise = rng.laplace(size=(400, 200))
    inputs, local = (data + noise).sum(1), data.sum() + noise.sum(1)
    return equal(
        [
            Trial(
                at="a sum of 200 values, 400 draws of the noise",
                printed=float(local.std()),
                real=float(inputs.std()),
            )
        ],
        "Deviation of a sum when every record gets noise before, and when every phone adds the same noise",
    )


def _convex() -> Evidence:
    tried = []
    for lam in (0.01, 0.1, 1.0):
        h, w, v = 1e-3, np.array([0.3, -1.2]), np.array([0.6, 0.8])

        def ridge(x: float, w: np.ndarray = w, v: np.ndarray = v, lam: float = lam) -> float:
            return float(lam * np.square(w + x * v).sum())

        tried.append(
            Trial(
                at=f"λ = {lam:g}",
                printed=2 * lam,
                real=(ridge(h) - 2 * ridge(0) + ridge(-h)) / h**2,
            )
        )
    return equal(tried, "Curvature of λ‖w‖² along a direction, by differences", within=1e-6)


def _minimiser(n: int, mu: float, lipschitz: float = 1.0) -> float:
    """Return the distance by which a minimiser w moves when one record zᵢ changes from 1 to −1.

    w minimises (1/n)Σ −G zᵢ w + μw²/2 over n records. The strong convexity is μ = ``mu``, and the
    gradient bound is G = ``lipschitz``.
    """
    z = np.ones(n)
    other = z.copy()
    other[-1] = -1
    return float(abs(lipschitz * z.mean() / mu - lipschitz * other.mean() / mu))


def _moved() -> Evidence:
    rng = np.random.default_rng(0)
    tried = []
    for n, mu in ((10, 0.1), (50, 0.1), (1000, 0.01)):
        tried.append(
            Trial(
                at=f"n = {n}, λ = {mu:g}, G = 1: the pair of data sets that moves it most",
                printed=4 / (n * mu),
                real=_minimiser(n, mu),
            )
        )
        z = rng.uniform(-1, 1, n)
        other = z.copy()
        other[-1] = -z[-1]
        tried.append(
            Trial(
                at=f"n = {n}, λ = {mu:g}, G = 1: random records",
                printed=4 / (n * mu),
                real=float(abs(z.mean() - other.mean()) / mu),
            )
        )
    return at_most(tried, "Distance of two minimisers when one record is replaced")


def _weights_noise() -> Evidence:
    tried = []
    for e in (0.1, 0.5, 0.99):
        reach = _minimiser(50, 0.1)
        tried.append(
            Trial(
                at=f"ε = {e:g}, n = 50, λ = 0.1",
                printed=4 / (50 * 0.1) * classical(e),
                real=calibration.gaussian_sigma(reach, e, delta=DELTA),
            )
        )
    return at_most(tried, "σ that the published weights need, against the printed σ")


def _batch() -> Evidence:
    """Compute the actual ε of a step that clips the batch gradient, with the noise multiplier σ from the lecture.

    The ε is computed for two neighbouring batches whose clipped gradients are opposite.
    """
    clip = 1.0
    one, more = np.array([1.0, 0.0]), np.array([-3.0, 0.0])
    batch, larger = one, (one + more) / 2
    short = [g / max(1.0, float(np.linalg.norm(g)) / clip) for g in (batch, larger)]
    moved = float(np.linalg.norm(short[0] - short[1]))
    single = [np.zeros(2), one / max(1.0, float(np.linalg.norm(one)) / clip)]
    alone = float(np.linalg.norm(single[0] - single[1]))
    tried = [
        Trial(
            at=f"a batch of one record that a second one joins, ε = {e:g}: the clipped gradient turns round and "
            f"moves by {moved:g} C",
            printed=e,
            real=_real(classical(e), moved),
        )
        for e in (0.1, 0.5, 0.99)
    ]
    evidence = at_most(tried, "ε of a step that clips the gradient of a batch")
    right = at_most(
        [
            Trial(at=f"ε = {e:g}, moves by {alone:g} C", printed=e, real=_real(classical(e), alone))
            for e in (0.1, 0.5, 0.99)
        ],
        "Clipped record by record",
    )
    return Evidence(verdict=evidence.verdict, says=f"{evidence.says} {right.says}")


def _one_step() -> Evidence:
    small = [Trial(at=f"ε = {e:g}", printed=e, real=_real(classical(e))) for e in (0.1, 0.5, 0.99)]
    batch = [
        Trial(at=f"ε = {e:g}", printed=e, real=_real(classical(e), 2.0)) for e in (0.1, 0.5, 0.99)
    ]
    large = [Trial(at=f"ε = {e:g}", printed=e, real=_real(classical(e))) for e in (2.0, 8.0, 10.0)]
    what = "ε of one step, δ = 10⁻⁵"
    return readings(
        [
            ("each record’s gradient clipped, ε < 1", at_most(small, what)),
            ("the batch’s gradient clipped", at_most(batch, what)),
            ("each record’s gradient clipped, larger ε", at_most(large, what)),
        ]
    )


def _steps_sum() -> Evidence:
    """Compare the lecture's cost (qε, qδ) of one sampled step with the accountant's ε at qδ.

    The noise multiplier is the one that the lecture gives for (ε, δ).
    """
    tried = [
        Trial(
            at=f"T = 1, q = {q:g}, ε = {e:g}",
            printed=q * e,
            real=accounting.epsilon(
                noise_multiplier=classical(e), sample_rate=q, n_steps=1, delta=q * DELTA
            ),
        )
        for q in (0.01, 0.1)
        for e in (0.25, 0.5, 0.75, 0.9, 0.99)
    ]
    return at_most(tried, "ε of one sampled step at δ = q·10⁻⁵")


def _steps_root() -> Evidence:
    def trials(
        rates: tuple[float, ...], steps: tuple[int, ...], epsilons: tuple[float, ...]
    ) -> list[Trial]:
        return [
            Trial(
                at=f"q = {q:g}, T = {n}, ε = {e:g}",
                printed=q * e * math.sqrt(n),
                real=accounting.epsilon(
                    noise_multiplier=classical(e), sample_rate=q, n_steps=n, delta=DELTA
                ),
            )
            for q in rates
            for n in steps
            for e in epsilons
        ]

    what = "ε of T sampled steps, δ = 10⁻⁵"
    return readings(
        [
            (
                "ε < 1 and lots smaller than the data",
                as_right(at_most(trials((0.01, 0.1), (100, 1000, 5000), (0.5, 0.99)), what)),
            ),
            (
                "ε < 1 and all records in every step",
                at_most(trials((1.0,), (100, 1000), (0.5, 0.99)), what),
            ),
            ("larger ε", at_most(trials((0.01,), (5000,), (2.0, 4.0, 8.0)), what)),
        ]
    )


def _amplified() -> Evidence:
    tried = []
    for p, e in itertools.product((0.01, 0.1, 0.5), (0.5, 1.0, 2.0)):
        yes, no = kinds.responses(e)
        sampled = p * yes + (1 - p) * no
        tried.append(
            Trial(
                at=f"randomised response, p = {p:g}, ε = {e:g}",
                printed=math.log1p(p * math.expm1(e)),
                real=kinds.mutual_epsilon(sampled, no),
            )
        )
    return at_most(tried, "ε of an answer on a sample")


def _twice() -> Evidence:
    def trials(epsilons: tuple[float, ...]) -> list[Trial]:
        return [
            Trial(at=f"p = {p:g}, ε = {e:g}", printed=2 * p * e, real=math.log1p(p * math.expm1(e)))
            for p in (0.001, 0.01, 0.1, 0.5)
            for e in epsilons
        ]

    what = "ln(1 + p(e^ε − 1)), against 2pε"
    return readings(
        [
            ("ε up to 1.25", as_right(at_most(trials((0.1, 0.5, 1.0, 1.25)), what))),
            ("larger ε", at_most(trials((1.5, 2.0, 4.0)), what)),
        ]
    )


def _exponential() -> Evidence:
    tried = []
    for m, e in itertools.product((2, 10, 100, 1000), (0.1, 0.5, 1.0)):
        before, after = np.zeros(m), -np.ones(m)
        after[0] = 1.0
        worlds = [exponential_probabilities(s, 1.0, epsilon=2 * e) for s in (before, after)]
        tried.append(
            Trial(
                at=f"{m} options, ε = {e:g}: one score rises by Δ, all others fall by Δ",
                printed=e,
                real=kinds.mutual_epsilon(*worlds),
            )
        )
    return at_most(tried, "ε of the printed probabilities on one pair of neighbours")


def _large_networks() -> Evidence:
    def trial(n_weights: float, lot: float) -> Trial:
        return Trial(
            at=f"{plain(n_weights)} weights, lots of {plain(lot, 5)}, σ = 1",
            printed=1.0,
            real=math.sqrt(n_weights) / lot,
        )

    what = "Length of the noise over the longest possible gradient of a lot"
    return readings(
        [
            ("lots of a few hundred records", at_most([trial(1e6, 256)], what)),
            ("very large lots", as_right(at_most([trial(1e6, 16384)], what))),
        ]
    )


def _density() -> Evidence:
    tried = []
    for b in (0.5, 1.0, 3.0):
        x = np.linspace(-40 * b, 40 * b, 800_001)
        density = np.exp(-np.abs(x) / b) / (2 * b)
        tried += [
            Trial(
                at=f"b = {b:g}: total probability",
                printed=1.0,
                real=float(np.trapezoid(density, x)),
            ),
            Trial(
                at=f"b = {b:g}: variance",
                printed=2 * b**2,
                real=float(np.trapezoid(density * x**2, x)),
            ),
        ]
    return equal(tried, "The Laplace density, by integration", within=1e-5)


def _mechanism() -> Evidence:
    tried = [
        Trial(at=f"Δ = {d:g}, ε = {e:g}", printed=e, real=_shift(d / e, d))
        for d, e in itertools.product((0.5, 1.0, 7.0), (0.5, 1.0))
    ]
    return at_most(tried, "ε of one number under Lap(Δ/ε)")


EVIDENCE = {
    "3.1": _ratio,
    "3.2": _group,
    "3.3": _group_noise,
    "3.4": _capped,
    "3.5": JAIN["2.4"],
    "3.6": _error,
    "3.7": _local,
    "3.8": _small_delta,
    "3.9": _gaussian,
    "3.10": _composition,
    "3.12": KUMAR["1.1"],
    "3.14": _many_numbers,
    "3.15": _smaller,
    "3.16": _inputs,
    "3.17": _convex,
    "3.18": _moved,
    "3.19": _weights_noise,
    "3.20": _batch,
    "3.21": _one_step,
    "3.22": _steps_sum,
    "3.23": _steps_root,
    "3.24": _amplified,
    "3.25": _twice,
    "3.26": _exponential,
    "3.27": _large_networks,
    "3.28": _density,
    "3.29": _mechanism,
    "3.30": BRINKROLF["0.1"],
}


_CORNERS = (-1.0, 1.0)


def _last() -> Evidence:
    rng = np.random.default_rng(0)
    X, new = rng.uniform(-1, 1, (12, 3)), rng.uniform(-1, 1, 3)
    tried = []
    for k in (0, 5, 11):
        other = X.copy()
        other[k] = new
        swapped = np.vstack([np.delete(X, k, 0), X[k]])
        last = swapped.copy()
        last[-1] = new
        tried.append(
            Trial(
                at=f"record {k + 1} of 12 replaced, and the same record replaced as the last",
                printed=float(np.abs(swapped.T @ swapped - last.T @ last).sum()),
                real=float(np.abs(X.T @ X - other.T @ other).sum()),
            )
        )
    return equal(tried, "Change of the coefficients, wherever the record stands")


def _bracket() -> Evidence:
    tried = [
        Trial(at=f"a lot of {n}, in units of σC", printed=math.sqrt(n), real=1.0)
        for n in (10, 25, 100, 600)
    ]
    evidence = at_most(
        tried, "Deviation of the noise in the sum that privacy needs, against the printed"
    )
    empty = 0.99**1000
    return Evidence(
        verdict=evidence.verdict,
        says=f"{evidence.says} An empty lot gets no noise: with N = 1000 and L/N = 0.01 a lot is empty "
        f"with probability {plain(empty, 2)}.",
    )


def _polynomial() -> Evidence:
    rng = np.random.default_rng(0)
    tried = []
    for m, d in ((5, 1), (20, 3), (50, 8)):
        X, y = np.hstack([np.ones((m, 1)), rng.uniform(-1, 1, (m, d))]), rng.uniform(-1, 1, m)
        theta = rng.normal(size=d + 1)
        whole = np.einsum("ij,ik,j,k->", X, X, theta, theta) - 2 * (y @ X) @ theta + y @ y
        tried.append(
            Trial(
                at=f"m = {m}, d = {d}",
                printed=float(whole / (2 * m)),
                real=float(np.square(X @ theta - y).sum() / (2 * m)),
            )
        )
    return equal(tried, "J(θ) by the squares, and by its coefficients")


def _most_quadratic(d: int) -> float:
    points = [np.array((1.0, *one)) for one in itertools.product((-1.0, 0.0, 1.0), repeat=d)]
    return max(float(np.abs(np.outer(a, a) - np.outer(b, b)).sum()) for a in points for b in points)


def _quadratic() -> Evidence:
    tried = [
        Trial(
            at=f"d = {d}, all pairs of records on a grid",
            printed=2.0 * (d + 1) ** 2,
            real=_most_quadratic(d),
        )
        for d in (1, 2, 3, 4)
    ]
    return at_most(tried, "Change of the quadratic coefficients when one record is replaced")


def _linear() -> Evidence:
    tried = []
    for d in (1, 2, 3, 4):
        points = [
            (y, np.array((1.0, *one)))
            for y in _CORNERS
            for one in itertools.product(_CORNERS, repeat=d)
        ]
        most = max(float(np.abs(2 * a * x - 2 * b * z).sum()) for a, x in points for b, z in points)
        tried.append(Trial(at=f"d = {d}, all pairs of corners", printed=4.0 * (d + 1), real=most))
    return at_most(tried, "Change of the linear coefficients when one record is replaced")


def _noise(share: float, d: int) -> float:
    """Return the square root of the summed noise variances of all coefficients of an objective, at ε = 1.

    There are d features. ``share``: fraction of ε that is spent on the quadratic coefficients.
    """
    quadratic = (d + 1) ** 2 * (moved.printed_quadratic(d) / share) ** 2
    linear = (d + 1) * (moved.linear(d) / (1 - share)) ** 2
    return math.sqrt(2 * (quadratic + linear))


def _split() -> Evidence:
    interpretations = []
    for name, share in (("somewhat more, 3 to 1", 0.75), ("far more, 99 to 1", 0.99)):
        tried = [
            Trial(at=f"d = {d}", printed=_noise(0.5, d), real=_noise(share, d)) for d in (4, 8, 13)
        ]
        interpretations.append(
            (name, as_right(at_most(tried, "Total noise, against that of two equal halves")))
        )
    return readings(interpretations)


def _whole_matrix() -> Evidence:
    """Compare noise on every quadratic coefficient (j, k) with a release of each distinct coefficient only once."""
    tried = []
    for d in (5, 10, 13):
        share = (d + 1) / (d + 3)
        each = math.sqrt(2) * moved.quadratic(d) / share / math.sqrt(2)
        tried.append(Trial(at=f"d = {d}, ε = 1", printed=each, real=math.sqrt(2) * moved.joint(d)))
    return at_most(
        tried,
        "Deviation of an off-diagonal coefficient in one joint release, against noise for each (j, k)",
    )


def _signs() -> Evidence:
    """Compare the ratio of two output densities of the Laplace mechanism on the slides with the exact ratio."""
    tried = []
    for t in (-2.0, 0.5, 3.0):
        first, second = abs(0.0 - t), abs(1.0 - t)
        tried.append(
            Trial(
                at=f"a = 0 and 1, â = {plain(t)}, ε/Δ = 1",
                printed=math.exp(first - second),
                real=math.exp(-first + second),
            )
        )
    return equal(tried, "Ratio of the two densities as printed, and of Laplace noise")


SLIDES = {
    "4.1": _last,
    "4.2": _bracket,
    "4.3": _polynomial,
    "4.4": _quadratic,
    "4.5": _linear,
    "4.6": _split,
    "4.7": _whole_matrix,
    "4.8": _signs,
    "4.10": KUMAR["1.1"],
    "4.11": BRINKROLF["0.1"],
    "4.12": BRINKROLF["0.1"],
}
