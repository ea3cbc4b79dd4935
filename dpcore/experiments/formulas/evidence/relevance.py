"""Evidence on the formulas of Brinkrolf, Berger and Hammer (2018).

Each function compares numbers from a formula printed in the paper with computed numbers, and returns
the verdict.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from dpcore import accounting
from dpcore._types import AnyArray, Floats
from dpcore.experiments.formulas.evidence import kinds
from dpcore.experiments.formulas.evidence.kinds import (
    Evidence,
    Trial,
    as_right,
    at_most,
    equal,
    readings,
)
from dpcore.experiments.formulas.numbers import DELTA
from dpcore.experiments.table1.settings_sweep import AXES, PRINTED_SPREAD
from dpcore.experiments.table1.training import PRINTED
from dpcore.lvq import gradients
from dpcore.mechanisms import calibration

__all__ = ["EVIDENCE"]

_RATE, _EPOCHS, _STEPS, _CLIP = 0.01, 50, 5000, 0.5
_TABLE = (0.75, 1.5, 2.5)  # ε of Table 1
_SWEPT = (0.75, 1.0, 2.5)  # ε of the sweep over C, E and q
_CURVE = (5.0, 10.0)  # larger ε, of which the paper says nothing
_FEATURES = (19, 561, 784)  # of Segment, Motion and MNIST


def _sigma(claimed: float, rate: float = _RATE, epochs: float = _EPOCHS) -> float:
    return accounting.paper_noise_multiplier(
        claimed, DELTA, sample_rate=rate, n_steps=round(epochs / rate)
    )


def _cost(sigma: float, rate: float = _RATE, epochs: float = _EPOCHS) -> float:
    return accounting.epsilon(
        noise_multiplier=sigma, sample_rate=rate, n_steps=round(epochs / rate), delta=DELTA
    )


def _definition() -> Evidence:
    rng = np.random.default_rng(0)
    tried = []
    for k in range(12):
        p, q = rng.dirichlet(np.ones(6), size=2)
        e = 0.2 * (k + 1)
        every, single = kinds.definition_gap(p, q, e)
        tried.append(
            Trial(
                at=f"two random distributions on six results, ε = {e:.1f}",
                printed=every,
                real=single,
            )
        )
    return equal(tried, "The least δ by all subsets of the results, and by the standard formula")


def _excludes() -> Evidence:
    p, q = kinds.responses(1.0)
    pure = Trial(at="randomised response, ε = 1, δ = 0", printed=math.e, real=float(max(p / q)))
    rare = Trial(
        at="an event of probability 10⁻⁶, ε = 1, δ = 10⁻⁵",
        printed=math.e,
        real=(math.e * 1e-6 + DELTA) / 1e-6,
    )
    what = "Factor by which one record changes a probability, against e^ε"
    return readings([("δ = 0", at_most([pure], what)), ("δ > 0", at_most([rare], what))])


def _sum() -> Evidence:
    tried = []
    for k, e in itertools.product((2, 3, 5, 8), (0.1, 0.5, 1.0)):
        p, q = kinds.responses(e)
        both = p, q
        for _ in range(k - 1):
            both = np.outer(both[0], p).ravel(), np.outer(both[1], q).ravel()
        real = kinds.mutual_epsilon(*both)
        tried.append(
            Trial(at=f"{k} randomised responses of ε = {e:g} each", printed=k * e, real=real)
        )
    return at_most(tried, "ε of all answers together at δ = 0, against the sum")


def _named() -> Evidence:
    laplace = kinds.responses(1.0)
    what = "Largest privacy loss that occurs with a probability above δ, against ε"
    tail = accounting.gaussian_tail(1.0, DELTA)
    return readings(
        [
            (
                "pure ε: a bound that no loss exceeds",
                at_most(
                    [
                        Trial(
                            at="randomised response, ε = 1",
                            printed=1.0,
                            real=kinds.mutual_epsilon(*laplace),
                        )
                    ],
                    what,
                ),
            ),
            (
                "the loss itself, with a δ",
                at_most(
                    [
                        Trial(
                            at="probability of a loss above ε = 1, Gaussian noise",
                            printed=DELTA,
                            real=tail,
                        )
                    ],
                    "Probability that the loss exceeds ε, against δ",
                ),
            ),
        ]
    )


def _laplace() -> Evidence:
    tried = []
    x = np.linspace(-30, 30, 60_001)
    for e in (0.1, 0.5, 1.0, 2.0):
        scale = calibration.laplace_scale(1.0, e)
        loss = (np.abs(x - 1) - np.abs(x)) / scale
        tried.append(Trial(at=f"a count, ε = {e:g}", printed=e, real=float(np.abs(loss).max())))
    return at_most(tried, "Largest privacy loss of the printed noise, against ε")


def _lots() -> Evidence:
    poisson = [
        Trial(at=f"ε = {e:g}", printed=0.8 * e, real=_cost(_sigma(0.8 * e)), own=True)
        for e in _TABLE
    ]
    fixed = [
        Trial(at=f"ε = {e:g}", printed=0.8 * e, real=_cost(_sigma(0.8 * e) / 2), own=True)
        for e in _TABLE
    ]
    return readings(
        [
            ("each record joins with probability q", at_most(poisson, "ε₂ of the printed σ")),
            (
                "every lot has L records, so that another record leaves when one joins and the sum moves by 2C",
                at_most(fixed, "ε₂ of the printed σ, at least"),
            ),
        ]
    )


def _dimensions() -> Evidence:
    sigma, lots = _sigma(0.6), ((18, "Segment"), (82, "Motion"), (140, "MNIST"))
    once = [
        Trial(at=f"{name}, L = {n}", printed=sigma * _CLIP / n, real=sigma * _CLIP / n, own=True)
        for n, name in lots
    ]
    each = [
        Trial(
            at=f"{name}, L = {n}",
            printed=sigma * _CLIP / math.sqrt(n),
            real=sigma * _CLIP / n,
            own=True,
        )
        for n, name in lots
    ]
    what = "Standard deviation of the noise in the averaged gradient that privacy needs, against this reading’s"
    return readings(
        [
            ("noise once on the sum", at_most(once, what)),
            ("noise on each gradient", at_most(each, what)),
        ]
    )


def _average() -> Evidence:
    sigma, lots = _sigma(0.6), ((18, "Segment"), (82, "Motion"), (140, "MNIST"))
    before = [
        Trial(at=f"{name}, L = {n}", printed=sigma * _CLIP / n, real=sigma * _CLIP / n, own=True)
        for n, name in lots
    ]
    after = [
        Trial(at=f"{name}, L = {n}", printed=sigma * _CLIP, real=sigma * _CLIP / n, own=True)
        for n, name in lots
    ]
    what = "Standard deviation of the noise in the averaged gradient that privacy needs, against this reading’s"
    return readings(
        [
            ("noise on the sum, divided by L with the sum", at_most(before, what)),
            ("noise on the average, not divided", at_most(after, what)),
        ]
    )


def _order() -> Evidence:
    interpretations = []
    for constant in (2.0, 1.0):
        tried = [
            Trial(
                at=f"ε = {e:g}",
                printed=0.8 * e,
                real=_cost(_sigma(0.8 * e) * constant / 2),
                own=True,
            )
            for e in _TABLE
        ]
        interpretations.append(
            (f"the constant {constant:g}", at_most(tried, "ε₂ at the settings of Table 1"))
        )
    return readings(interpretations)


def _noise() -> Evidence:
    """Check whether the paper's noise multiplier of the gradient steps gives the claimed ε.

    The settings are from Table 1 and from the authors' sweep.
    """
    tried = [
        Trial(
            at=f"Table 1, ε = {e:g} (σ = {_sigma(0.8 * e):.3g})",
            printed=0.8 * e,
            real=_cost(_sigma(0.8 * e)),
        )
        for e in _TABLE
    ]
    table = ", ".join(f"{one.real:.2f} of {one.printed:g}" for one in tried)
    for e in _SWEPT:
        settings = [(_RATE, epochs) for epochs in AXES["epochs"]]
        settings += [(rate, _EPOCHS) for rate in AXES["sample_rate"]]
        for rate, epochs in settings:
            sigma = _sigma(0.8 * e, rate, epochs)
            tried.append(
                Trial(
                    at=f"q = {rate:g}, E = {epochs:g}, ε = {e:g} (σ = {sigma:.3g})",
                    printed=0.8 * e,
                    real=_cost(sigma, rate, epochs),
                )
            )
    result = at_most(
        tried, "ε₂ of the steps at Table 1 and at the values of C, E and q that the authors sweep"
    )
    beyond = "; ".join(f"{_cost(_sigma(0.8 * e)):.3g} of {0.8 * e:g}" for e in _CURVE)
    return Evidence(
        verdict=result.verdict,
        says=f"The settings of Table 1 hold: {table}. {result.says} At q = 0.01, E = 50 and the larger ε = 5 and 10, "
        f"which the paper does not use: {beyond}.",
    )


def _steps() -> Evidence:
    own = Trial(at="q = 0.01, E = 50: T", printed=_EPOCHS / _RATE, real=_STEPS, own=True)
    joins = [
        Trial(
            at=f"q = {q:g}: how often a record is used in E = 50 passes",
            printed=50.0,
            real=q * round(50 / q),
        )
        for q in AXES["sample_rate"]
    ]
    return equal([own, *joins], "Steps, and passes over the records", within=0.005)


def _brute(moved: list[Floats]) -> float:
    return max(float(np.abs(one).sum()) for one in moved)


def _counts() -> Evidence:
    tried = []
    for k in (2, 7, 10):
        moved = [np.eye(k)[j] for j in range(k)]
        tried.append(Trial(at=f"{k} classes, one record removed", printed=1.0, real=_brute(moved)))
    return at_most(tried, "L1 change of all class counts")


def _sums() -> Evidence:
    tried = []
    for d in (1, 2, 3, 6, 10):
        corners = [
            np.array(corner) for corner in itertools.product((-1.0, 0.3, 1.0), repeat=min(d, 6))
        ]
        moved = [np.pad(corner, (0, d - len(corner)), constant_values=1.0) for corner in corners]
        tried.append(Trial(at=f"d = {d}, one record removed", printed=float(d), real=_brute(moved)))
    return at_most(tried, "L1 change of all class sums on [−1, 1]^d")


def _start_noise() -> Evidence:
    """Check the paper's noise on the initial prototypes S/N, with class sums S and class counts N.

    The paper's noise is compared with one joint Laplace release of S and N, by the standard
    deviation of a coordinate (delta method). The coordinates are w = S/N with |w| = 1.
    """
    tried = []
    for d in _FEATURES:
        both = math.hypot(2 * d, 2)
        joint = math.hypot(d + 1, d + 1)
        tried.append(Trial(at=f"d = {d}", printed=both, real=joint))
    return at_most(
        tried,
        "Deviation of a prototype’s coordinate that the same ε₁ needs (counts and sums in one Laplace "
        "release, in units of √2/(ε₁N)), against the printed start’s",
    )


def _ratio() -> Evidence:
    interpretations = []
    for name, n in (("264 records of a class (Segment)", 264), ("50 records of a class", 50)):
        bad = 0.5 * math.exp(-n * 0.15 / 2)
        trial = Trial(at=f"N = {n}, ε₁ = 0.15", printed=1e-6, real=bad)
        interpretations.append(
            (
                name,
                at_most(
                    [trial],
                    "Probability that the noisy count is not positive, against one in a million",
                ),
            )
        )
    return readings([(name, as_right(one)) for name, one in interpretations])


def _scaled(X: Floats) -> Floats:
    low, high = X.min(0), X.max(0)
    return np.asarray(2 * (X - low) / (high - low) - 1)


def _bounds() -> Evidence:
    rng = np.random.default_rng(0)
    X, new = rng.uniform(-1, 1, (100, 4)), np.ones((1, 4))
    public = float(np.abs(np.vstack([X, new]).sum(0) - X.sum(0)).sum())
    far = 3 * new
    read = float(np.abs(_scaled(np.vstack([X, far])).sum(0) - _scaled(X).sum(0)).sum())
    what = "L1 change of the class sums when one record joins, d = 4, against d"
    return readings(
        [
            (
                "bounds that are declared beforehand",
                at_most([Trial(at="100 random records", printed=4.0, real=public)], what),
            ),
            (
                "the least and largest value of the data",
                at_most(
                    [Trial(at="100 random records, one joins at 3", printed=4.0, real=read)], what
                ),
            ),
        ]
    )


def _whole() -> Evidence:
    tried = []
    for e in _TABLE:
        start = accounting.LaplaceEvent(2 / (0.2 * e))
        step = accounting.sampled(accounting.GaussianEvent(_sigma(0.8 * e)), _RATE)
        event = accounting.Sequence((start, start, accounting.Repeated(step, _STEPS)))
        tried.append(
            Trial(at=f"ε = {e:g}", printed=e, real=accounting.spent(event, DELTA), own=True)
        )
    return at_most(tried, "ε of start and training with the printed noise")


def _joint_clip() -> Evidence:
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(2000):
        parts = np.concatenate([rng.normal(size=8) * 10 ** rng.uniform(-3, 3), rng.normal(size=16)])
        worst = max(worst, float(np.linalg.norm(parts / max(1, np.linalg.norm(parts) / _CLIP))))
    return at_most(
        [Trial(at="2000 random gradients, C = 0.5", printed=_CLIP, real=worst, own=True)],
        "Length of the clipped gradient of prototypes and Ω together",
    )


def _impact() -> Evidence:
    """Check the authors' ranking of clipping norm C, number of epochs E and sampling rate q by impact.

    For comparison the settings are ranked by how much C²qE/ε² varies over the authors' range of
    each setting.
    """
    ranges = {"C": (0.05, 2.0, 2), "q": (0.0005, 0.1, 1), "E": (10.0, 100.0, 1)}
    times = {name: (high / low) ** power for name, (low, high, power) in ranges.items()}
    names = {"C": "clip_norm", "q": "sample_rate", "E": "epochs"}
    order = {name: rank for rank, name in enumerate(sorted(times, key=lambda n: -times[n]))}
    seen = sorted(names, key=lambda name: -PRINTED_SPREAD[names[name]][0])
    tried = [
        Trial(
            at=f"rank of {name} (C²qE/ε² varies {times[name]:.0f}-fold)",
            printed=float(seen.index(name)),
            real=float(order[name]),
            own=True,
        )
        for name in ("C", "q", "E")
    ]
    what = "Order of C, q and E by how far C²qE/ε² varies over the authors’ ranges, and by "
    what += "their measured spread at ε = 0.75"
    return equal(tried, what)


def _tuning() -> Evidence:
    interpretations = []
    for n, name in (
        (1, "one training"),
        (20, "the 20 of 25 trainings that a record takes part in"),
    ):
        cost = accounting.epsilon(
            noise_multiplier=_sigma(1.2), sample_rate=_RATE, n_steps=_STEPS * n, delta=DELTA
        )
        trial = Trial(at="ε = 1.5", printed=1.2, real=cost, own=True)
        interpretations.append((name, at_most([trial], "ε₂ of all that is published")))
    return readings(interpretations)


def _variance() -> Evidence:
    std = math.sqrt(0.025)
    return readings(
        [
            (
                "0.025 is the deviation",
                equal(
                    [Trial(at="deviation of the noise", printed=0.025, real=0.025)],
                    "Noise on the matrix",
                ),
            ),
            (
                "0.025 is the variance",
                equal(
                    [Trial(at="deviation of the noise", printed=0.025, real=std)],
                    "Noise on the matrix",
                ),
            ),
        ]
    )


def _as_good(model: str) -> Evidence:
    cells = PRINTED["mnist", model]
    tried = []
    for rival, title in (("sgd", "SGD"), ("bfgs", "BFGS")):
        mean, spread = cells[2.5]
        best, deviation = cells[rival]
        tried.append(
            Trial(
                at=f"ε = 2.5 against {title}, {mean:.4f} and {best:.4f}",
                printed=max(spread, deviation),
                real=mean - best,
                own=True,
            )
        )
    what = "What privacy adds to the error on MNIST in the authors’ Table 1, against a printed standard deviation"
    return as_right(at_most(tried, what))


def _cost_function() -> Evidence:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    tried = []
    for k in range(6):
        W, labels = rng.normal(size=(3, 3)), np.arange(3)
        d = ((X[:, None] - W[None]) ** 2).sum(2)
        own = labels[None] == y[:, None]
        right, wrong = (np.where(mask, d, np.inf).min(1) for mask in (own, ~own))
        mu = (right - wrong) / (right + wrong)
        errors = float(np.mean(gradients.predict(X, W, labels=labels) != y))
        tried += [
            Trial(
                at=f"prototypes {k}: share of negative terms, and share classified rightly",
                printed=float(np.mean(mu < 0)),
                real=1 - errors,
            ),
            Trial(
                at=f"prototypes {k}: E by the printed sum, and by the training’s own function, a record",
                printed=float(mu.mean()),
                real=float(gradients.cost(X, y, W, labels)) / _scale(X, y, W, labels, mu),
            ),
        ]
    return equal(tried, "GLVQ’s cost with Φ(x) = x")


def _scale(X: Floats, y: AnyArray, W: Floats, labels: AnyArray, mu: Floats) -> float:
    """Return 1 if our cost function is the mean of the records' costs ``mu`` (n,), and n if it is their sum."""
    whole = float(gradients.cost(X, y, W, labels))
    return 1.0 if abs(whole - mu.mean()) < abs(whole - mu.sum()) else float(len(X))


def _euclidean() -> Evidence:
    rng = np.random.default_rng(1)
    tried = []
    for d in (2, 16, 64):
        X, W = rng.normal(size=(5, d)), rng.normal(size=(4, d))
        used = gradients.squared_distances(X, W)
        k = int(rng.integers(5)), int(rng.integers(4))
        gap = X[k[0]] - W[k[1]]
        tried.append(Trial(at=f"d = {d}", printed=float(gap @ gap), real=float(used[k])))
    return equal(tried, "The squared distance, as printed and as the training uses it")


def _relevance_matrix() -> Evidence:
    rng = np.random.default_rng(2)
    tried = []
    for d in (2, 8, 19):
        omega = rng.normal(size=(d, d))
        matrix = omega.T @ omega
        gap = rng.normal(size=d)
        tried += [
            Trial(
                at=f"d = {d}: (x−w)ᵀΛ(x−w), and |Ω(x−w)|²",
                printed=float(gap @ matrix @ gap),
                real=float(np.square(omega @ gap).sum()),
            ),
            Trial(
                at=f"d = {d}: negative eigenvalues of Λ",
                printed=0.0,
                real=float((np.linalg.eigvalsh(matrix) < -1e-9).sum()),
            ),
        ]
    return equal(tried, "The distance of GMLVQ")


EVIDENCE = {
    "0.1": _definition,
    "0.2": _excludes,
    "0.3": _sum,
    "0.4": _named,
    "0.5": _laplace,
    "0.6": _lots,
    "0.7": _dimensions,
    "0.8": _order,
    "0.9": _noise,
    "0.10": _steps,
    "0.11": _counts,
    "0.12": _sums,
    "0.13": _start_noise,
    "0.14": _ratio,
    "0.15": _bounds,
    "0.16": _average,
    "0.17": _whole,
    "0.18": _joint_clip,
    "0.19": _impact,
    "0.20": _tuning,
    "0.21": _variance,
    "0.22": lambda: _as_good("glvq"),
    "0.23": lambda: _as_good("gmlvq"),
    "0.24": _cost_function,
    "0.25": _euclidean,
    "0.26": _relevance_matrix,
}
