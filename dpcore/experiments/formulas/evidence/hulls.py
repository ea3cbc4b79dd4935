"""Evidence on the formulas of Kumar, Moser and Fischer (kernel affine hull machines).

Each function compares numbers from a formula printed in the paper with computed numbers, and returns
the verdict.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np

from dpcore import accounting
from dpcore._types import AnyArray, Floats
from dpcore.experiments.formulas.evidence import kinds
from dpcore.experiments.formulas.evidence.kinds import (
    Evidence,
    Trial,
    as_right,
    at_least,
    at_most,
    equal,
    readings,
)
from dpcore.experiments.formulas.numbers import DELTA
from dpcore.kahm import KAHM
from dpcore.kahm.denominator import least_denominator, random_machine
from dpcore.kahm.hull import kernel
from dpcore.kahm.ridge import fixed_point, training_error
from dpcore.mechanisms import staircase

__all__ = ["EVIDENCE", "vanishing"]

_FACTORS = (2.0, 1.0, 0.5)  # λ = R(λ) + c mean squares, all larger than the training error R(λ)
_SETS = 80


def _after(epsilon: float, n: int) -> list[Trial]:
    rng = np.random.default_rng(0)
    p, q = kinds.responses(epsilon)
    return [
        Trial(at=f"further step {k}", printed=epsilon, real=kinds.mutual_epsilon(*one))
        for k, one in enumerate(kinds.random_steps(p, q, rng, n))
    ]


def _any_algorithm() -> Evidence:
    return at_most(
        _after(1.0, 200),
        "ε after a random step that sees the noisy data only, the first changes nothing",
    )


def _protected() -> Evidence:
    interpretations = []
    for name, p in (
        ("neighbours differ in one value", 1),
        ("neighbours differ in a record of 64 values", 64),
    ):
        worlds = kinds.responses(1.0)
        loss = p * kinds.mutual_epsilon(*worlds)
        interpretations.append(
            (name, at_most([Trial(at="ε = 1 for each value", printed=1.0, real=loss)], "ε"))
        )
    return readings(interpretations)


def _smallest() -> Evidence:
    tried = [
        Trial(
            at=f"ε = {e:g}, staircase noise with δ = 0",
            printed=(1 - DELTA) / e,
            real=staircase(1.0, e).mean_error(),
        )
        for e in (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)
    ]
    return at_least(tried, "Mean size of noise of the same ε, against the printed minimum")


def _small_epsilon() -> Evidence:
    sizes = [staircase(1.0, e).mean_error() for e in (0.05, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0)]
    tried = [
        Trial(at="a step from one ε of 0.05 to 8 to the next larger", printed=before, real=after)
        for before, after in itertools.pairwise(sizes)
    ]
    evidence = at_most(tried, "The least mean noise at the larger ε, against that at the smaller")
    return (
        evidence if evidence.verdict == "wrong" else Evidence(verdict="right", says=evidence.says)
    )


def _smoothing() -> Evidence:
    blind = at_most(_after(1.0, 50), "ε after smoothing that sees the noisy data only")
    p, q = kinds.responses(1.0)
    look = kinds.mutual_epsilon(np.outer(p, p).ravel(), np.outer(q, q).ravel())
    again = at_most(
        [Trial(at="one further answer of ε = 1 about the original data", printed=1.0, real=look)],
        "ε of the noisy data and a rule that looks at the original again",
    )
    return readings(
        [("a fixed number of rounds", blind), ("a stop at the error of the original data", again)]
    )


def _labels() -> Evidence:
    before, after = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1])
    sizes = [np.bincount(y, minlength=2) for y in (before, after)]
    epsilon = math.inf if (sizes[0] != sizes[1]).any() else 0.0
    return readings(
        [
            (
                "neighbours differ in a feature",
                at_most(_after(1.0, 5), "ε of the fabricated features"),
            ),
            (
                "neighbours differ in a label",
                at_most(
                    [
                        Trial(
                            at="class sizes 2 and 3, or 3 and 2, published without noise",
                            printed=1.0,
                            real=epsilon,
                        )
                    ],
                    "ε",
                ),
            ),
        ]
    )


def _functions() -> Evidence:
    """Check the paper's sensitivity of a function that is released with Gaussian-process noise.

    The paper's sensitivity is the RKHS norm of the function's change. It is compared with the exact
    distance between the function before and after the change, in standard deviations of the noise.
    """
    rng = np.random.default_rng(0)
    tried = []
    for n in (3, 6, 10):
        x = rng.uniform(-2, 2, (n, 2))
        K = np.exp(-((x[:, None] - x[None]) ** 2).sum(2))
        weights = rng.normal(size=n)
        change = K @ weights
        tried.append(
            Trial(
                at=f"a change spanned by {n} kernels",
                printed=math.sqrt(weights @ K @ weights),
                real=math.sqrt(change @ np.linalg.solve(K, change)),
            )
        )
    return equal(
        tried, "RKHS norm of the change, and its distance in deviations of the noise", within=1e-5
    )


def _moments() -> Evidence:
    tried = [
        Trial(
            at=f"σ = {s:g}, q = 0.01, T = 5000",
            printed=accounting.epsilon(
                noise_multiplier=s, sample_rate=0.01, n_steps=5000, delta=DELTA, accountant="rdp"
            ),
            real=accounting.epsilon(
                noise_multiplier=s, sample_rate=0.01, n_steps=5000, delta=DELTA
            ),
        )
        for s in (1.0, 2.0, 4.0)
    ]
    return at_most(
        tried, "ε by privacy loss distributions, against the moments accountant’s (in Rényi form)"
    )


def _risks() -> Evidence:
    """Check whether ε limits the success of two attackers on a private answer.

    The private answer is the number of people with a trait. The first attacker guesses whether a
    person took part. The second attacker knows the answer and guesses the trait of a person who is
    not in the data.
    """
    rng = np.random.default_rng(0)
    n, trials = 10_000, 4000
    taken = rng.random(trials) < 0.5
    inside = float(np.mean((taken + rng.laplace(size=trials) > 0.5) == taken))
    limit = math.e / (1 + math.e)
    answers = n * 0.95 + rng.laplace(size=trials)
    trait = float(np.mean((answers / n > 0.5) & (rng.random(trials) < 0.95)))
    return readings(
        [
            (
                "the risk of taking part",
                as_right(
                    at_most(
                        [
                            Trial(
                                at="who took part, by 4000 noisy counts of ε = 1",
                                printed=limit,
                                real=inside,
                            )
                        ],
                        "Share of right guesses, against what ε = 1 allows",
                    )
                ),
            ),
            (
                "arbitrary risks",
                at_most(
                    [
                        Trial(
                            at="a trait that 95 in 100 have, guessed of somebody who is not in the data",
                            printed=limit,
                            real=trait,
                        )
                    ],
                    "Share of right guesses, against what ε = 1 allows",
                ),
            ),
        ]
    )


def _outside(Y: Floats, points: Floats) -> float:
    """Return the largest deviation, in any coordinate, of ``points`` from the affine hull of the rows of Y."""
    base = (Y[1:] - Y[0]).T
    gap = (points - Y[0]).T
    return float(np.abs(gap - base @ np.linalg.lstsq(base, gap, rcond=None)[0]).max())


def _affine_set() -> Evidence:
    rng = np.random.default_rng(0)
    Y = rng.random((4, 6))
    w = rng.normal(size=(500, 4))
    w = w[np.abs(w.sum(1)) > 0.05]
    inside = _outside(Y, (w / w.sum(1, keepdims=True)) @ Y)
    zero = np.array([1.0, -1.0, 2.0, -2.0])
    with np.errstate(all="ignore"):
        there = bool(np.isfinite((zero / zero.sum()) @ Y).all())
    return readings(
        [
            (
                "weights that do not sum to 0",
                equal(
                    [Trial(at="500 random weights", printed=0.0, real=inside)],
                    "Distance of L from the affine hull",
                ),
            ),
            (
                "all real weights, as printed",
                equal(
                    [
                        Trial(
                            at="the weights 1, −1, 2, −2: whether the point exists (1) or not (0)",
                            printed=1.0,
                            real=float(there),
                        )
                    ],
                    "Whether the formula gives a point",
                ),
            ),
        ]
    )


def _indicators() -> Evidence:
    rng = np.random.default_rng(0)
    tried = []
    for n in (2, 5, 20):
        x, Y = rng.random((n, 2)), rng.random((n, 3))
        same = (x[:, None] == x[None]).all(2).astype(float)
        tried.append(
            Trial(at=f"{n} distinct points", printed=0.0, real=float(np.abs(same @ Y - Y).max()))
        )
    return equal(tried, "Distance of yⁱ from the sum of indicators")


def _ridge_problem(labels: Floats) -> Evidence:
    """Check the paper's solution of kernel ridge regression.

    The objective at this solution is compared with the objective at 600 other functions.
    """
    rng = np.random.default_rng(0)
    tried = []
    for n, lam in ((6, 0.1), (12, 0.5), (30, 2.0)):
        x = rng.random((n, 2))
        K = kernel(2 * x)
        y = labels[:n] if len(labels) else rng.normal(size=n)
        best = np.linalg.solve(K + lam * np.eye(n), y)

        def loss(a: AnyArray, K: Floats = K, y: AnyArray = y, lam: float = lam) -> float:
            return float(np.square(y - K @ a).sum() + lam * a @ K @ a)

        others = [
            loss(best + scale * rng.normal(size=n))
            for scale in (1e-3, 0.1, 1.0)
            for _ in range(200)
        ]
        tried.append(
            Trial(
                at=f"{n} points, λ = {lam:g}, 600 other functions",
                printed=min(others),
                real=loss(best),
            )
        )
    evidence = at_most(
        tried, "The objective at the printed solution, against the least at other functions"
    )
    return as_right(evidence)


def _membership() -> Evidence:
    return _ridge_problem(np.eye(30)[0])


def _representer() -> Evidence:
    return _ridge_problem(np.zeros(0))


@cache
def vanishing(factor: float, n_sets: int = _SETS) -> int:
    """Return the number of random record sets with a denominator Σh that takes both signs.

    The kernel affine hull machine maps x to A(x), the average of its records with weights h(x)/Σh.
    Σh is continuous and positive at the records. If it is negative anywhere it has a zero, near
    which A is unbounded.

    Parameters
    ----------
    factor : float
        c > 8/27: the regularisation λ is the training error plus c times the records' mean square.
    n_sets : int
        Number of sets of 5 to 40 records with 1 to 3 features, uniform in [0, 1].

    Returns
    -------
    int
    """
    return sum(least_denominator(random_machine(seed, factor)) <= 0 for seed in range(n_sets))


def _images() -> list[tuple[Floats, KAHM, Floats]]:
    cases = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        Y = rng.random((4, 6))
        cases.append((Y, KAHM(2).fit(Y), rng.random((50, 6))))
    return cases


def _image() -> Evidence:
    tried = [
        Trial(at=f"set {k}, 50 points", printed=0.0, real=_outside(Y, model.transform(x)))
        for k, (Y, model, x) in enumerate(_images())
    ]
    return equal(tried, "Distance of the image from the affine hull", within=1e-6)


def _machine() -> Evidence:
    sums = [float(np.abs(model.weights(x).sum(1) - 1).max()) for _, model, x in _images()]
    lost = vanishing(0.5)
    return readings(
        [
            (
                "where the sum of the hⁱ(x) is not 0",
                equal(
                    [Trial(at=f"set {k}", printed=0.0, real=one) for k, one in enumerate(sums)],
                    "How far the weights of A(x) are from summing to 1",
                ),
            ),
            (
                "at every x, as printed",
                equal(
                    [
                        Trial(
                            at=f"{_SETS} random sets, λ half a mean square above the training error",
                            printed=0.0,
                            real=float(lost),
                        )
                    ],
                    "Sets in which the sum vanishes somewhere",
                ),
            ),
        ]
    )


def _bounded() -> Evidence:
    tried = [
        Trial(
            at=f"λ = training error + {c:g} mean squares, {_SETS} random sets",
            printed=0.0,
            real=float(vanishing(c)),
        )
        for c in _FACTORS
    ]
    return equal(
        tried,
        "Sets in which the denominator of A takes both signs within 64 deviations of the records: A has no bound",
    )


def _fixed_points() -> Evidence:
    tried = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        Y = rng.random((int(rng.integers(4, 20)), 2))
        K = kernel(Y * 3)
        square = float(np.square(Y).mean())
        lams = np.geomspace(1e-3, 10, 120)
        gap = [training_error(K, Y, lam) + 2 * square - lam for lam in lams]
        roots = int((np.diff(np.sign(gap)) != 0).sum())
        solution = fixed_point(K, Y).lam
        tried += [
            Trial(at=f"set {seed}: fixed points", printed=1.0, real=float(roots)),
            Trial(
                at=f"set {seed}: whether λ is above its training error",
                printed=1.0,
                real=float(solution > training_error(K, Y, solution)),
            ),
        ]
    return equal(tried, "Fixed points of the training error plus two mean squares")


EVIDENCE = {
    "1.1": _any_algorithm,
    "1.2": _protected,
    "1.3": _smallest,
    "1.5": _small_epsilon,
    "1.6": _smoothing,
    "1.7": _labels,
    "1.8": _functions,
    "1.9": _moments,
    "1.10": _risks,
    "1.11": _affine_set,
    "1.12": _indicators,
    "1.13": _membership,
    "1.14": _machine,
    "1.15": _image,
    "1.16": _representer,
    "1.17": _bounded,
    "1.18": _fixed_points,
}
