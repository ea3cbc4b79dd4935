"""Right answers of every exercise, computed a second time from the definitions, without dpcore."""

import itertools
import math
import random

import pytest

from dpcore.exercises import ExerciseInstance
from ui.exercises.files import load_all

EXERCISES = load_all()
ROOT2 = math.sqrt(2)


def phi(x):
    """The distribution function of the standard normal distribution."""
    return math.erfc(-x / ROOT2) / 2


def bisected(function, low, high):
    """The zero of an increasing function between two places."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return middle


def gauss_delta(sigma, D, e):
    """The mass of N(D, sigma) above e^e times that of N(0, sigma)."""
    return phi(D / (2 * sigma) - e * sigma / D) - math.exp(e) * phi(
        -D / (2 * sigma) - e * sigma / D
    )


def gauss_sigma(D, e, delta):
    return bisected(lambda sigma: delta - gauss_delta(sigma, D, e), 1e-3 * D, 1e4 * D)


def gauss_epsilon(sigma, D, delta):
    return bisected(lambda e: delta - gauss_delta(sigma, D, e), 0.0, 200.0)


def clip_error(m, C, n, e):
    return math.hypot(m * math.exp(-C / m), ROOT2 * C / (n * e))


def least(function, low, high):
    """The place where a function with one valley is least, by golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if function(a) < function(b) else (a, high)
    return (low + high) / 2


def best_clip(m, n, e):
    return least(lambda C: clip_error(m, C, n, e), 0.1 * m, 30 * m)


def clip_range(m, n, e):
    C = best_clip(m, n, e)
    most = 2 * clip_error(m, C, n, e)
    low = bisected(lambda c: most - clip_error(m, c, n, e), 0.0, C)
    return low, bisected(lambda c: clip_error(m, c, n, e) - most, C, 100 * C)


def softmax(scores, e):
    weights = [math.exp(e * score / 2) for score in scores]
    return weights[0] / sum(weights)


def cost(x, own, other):
    near, far = (sum((a - b) ** 2 for a, b in zip(x, w, strict=True)) for w in (own, other))
    return (near - far) / (near + far)


def slope(function, place, step=1e-5):
    return (function(place + step) - function(place - step)) / (2 * step)


def glvq_gradient(x1, x2, b):
    """The derivatives of the cost by the four coordinates of both prototypes, by differences."""
    x, start = (x1, x2), [0.0, 0.0, b, 0.0]

    def at(k, value):
        w = [*start[:k], value, *start[k + 1 :]]
        return cost(x, w[:2], w[2:])

    return [slope(lambda value, k=k: at(k, value), start[k]) for k in range(4)]


def memberships(kernel, ridge):
    """The memberships of the first of two points: h = c₁ k(·, x¹) + c₂ k(·, x²) with the c that make the loss least.

    Gauss and Seidel's iteration on the normal equations, without a matrix inverse.
    """
    values = []
    for target in ((1.0, 0.0), (0.0, 1.0)):
        c1 = c2 = 0.0
        for _ in range(500):
            c1 = (target[0] - kernel * c2) / (1 + ridge)
            c2 = (target[1] - kernel * c1) / (1 + ridge)
        values.append(c1 + kernel * c2)
    return values


def membership_score(shares):
    shares = [*shares, 1 - sum(shares)]
    attacked = [(p, q) for p, q in zip(shares, reversed(shares), strict=True) if p > q]
    found, flagged = (sum(column) for column in zip(*attacked, strict=True))
    return {"score": found - flagged, "hit": found / 2 + (1 - flagged) / 2, "proof": "nothing"}


def loss_above(sigma, e):
    """The probability that the loss exceeds e: that the output of N(1, sigma) lies beyond sigma² e + 1/2."""
    return phi((1 - (sigma**2 * e + 0.5)) / sigma)


def histogram_distance(p, q):
    gaps = [(math.sqrt(a) - math.sqrt(b)) ** 2 for a, b in zip(p, q, strict=True)]
    return {"bc": 1 - sum(gaps) / 2, "h": math.sqrt(sum(gaps) / 2), "shuffled": "one"}


def lowest(n, c):
    """The w that minimises n w² - c w."""
    return least(lambda w: n * w * w - c * w, -10.0, 10.0)


def poll(t, n, s):
    """Count answers: of each hundred people who mean yes, and of each hundred who mean no."""
    yes, no = t + (1 - t) / 2, (1 - t) / 2
    share = bisected(lambda x: x * yes + (1 - x) * no - s, 0.0, 1.0)
    return {
        "epsilon": math.log(yes / no),
        "share": share,
        "error": math.sqrt(s * (1 - s) / n) / (yes - no),
    }


def farthest_minimum(G, lam, n):
    """How far the minimum of (1/n)Σ loss + lam w² moves for the worst pair of linear losses, G w against -G w."""

    def minimum(last):
        return least(lambda w: last * w / n + lam * w * w, -100.0, 100.0)

    return minimum(-G) - minimum(G)


def best_of_drawn(returned, stop):
    """The probability of each result to be the best, from the worst one on, when each run is the last one by chance.

    By the sum over the number of runs k: stop (1 - stop)^(k-1) times the probability that all k are no better.
    """
    below = [sum(returned[:k]) for k in range(len(returned) + 1)]
    best = [stop * share / (1 - (1 - stop) * share) for share in below]
    return [after - before for before, after in itertools.pairwise(best)]


def drawn_cost(e):
    """The ε of the best of a drawn number of runs, for a pair of distributions that is nearly the worst."""
    middle, top, stop = 1e-9, 1e-3, 1e-9
    with_one = [1 - math.exp(e) * middle - top, math.exp(e) * middle, top]
    without = [1 - middle - math.exp(e) * top, middle, math.exp(e) * top]
    (_, p, _), (_, q, _) = (best_of_drawn(one, stop) for one in (with_one, without))
    return math.log(p / q)


def relevance(p):
    columns = [(p["o11"], 0.0), (p["o12"], p["o22"])]
    diagonal = [sum(entry**2 for entry in column) for column in columns]
    mapped = (p["o11"] * p["u1"] + p["o12"] * p["u2"], p["o22"] * p["u2"])
    return {"distance": mapped[0] ** 2 + mapped[1] ** 2, "relevance": diagonal[0] / sum(diagonal)}


ANSWERS = {
    "amplification": lambda p: {"epsilon": math.log1p(p["q"] * math.expm1(p["epsilon"])), "model": "fails"},
    "averaging": lambda p: {
        "curve": [ROOT2 / p["epsilon"] / r for r in (1, 2, 3, 4, 5)], "total": 25 * p["epsilon"]},
    "bias-noise-audit": lambda p: {
        "epsilon": bisected(lambda e: (1 - 1 / (1 + math.exp(e))) ** p["n"] - 0.025, 0.0, 20.0), "finite": "none"},
    "bias-noise-leak": lambda p: {
        "left": "nothing", "averaged": math.sqrt(2 / p["epsilon"] ** 2 / p["n"])},
    "budget-split": lambda p: {"first": least(
        lambda e: (p["d"] + 1) ** 6 / e**2 + 4 * (p["d"] + 1) ** 3 / (p["epsilon"] - e) ** 2,
        1e-3, p["epsilon"] - 1e-3)},
    "clip-range": lambda p: {"range": clip_range(p["m"], p["n"], p["epsilon"])},
    "clipping-bias": lambda p: {
        "bias": -p["m"] * math.exp(-p["C"] / p["m"]), "sd": ROOT2 * p["C"] / p["n"] / p["epsilon"],
        "best": best_clip(p["m"], p["n"], p["epsilon"])},
    "composition": lambda p: composition(p["k"], p["epsilon"]),
    "differencing": lambda p: {
        "sd": 2 * p["C"] / p["epsilon"], "colleague": 2 * p["epsilon"], "ada": p["epsilon"]},
    "exponential-choice": lambda p: {"p": softmax((p["a"], p["b"], p["c"]), p["epsilon"])},
    "functional-sensitivity": lambda p: {"sensitivity": 2 * (1 + math.sqrt(p["d"])) ** 2},
    "gaussian-sigma": lambda p: {"sigma": gauss_sigma(p["D"], p["epsilon"], p["delta"])},
    "group": lambda p: {"epsilon": p["k"] * p["epsilon"], "delta": p["delta"] * sum(
        math.exp(i * p["epsilon"]) for i in range(int(p["k"])))},
    "linkage": lambda p: {
        name: math.prod([1 - 1 / (2 * births * p["A"])] * int(p["N"] - 1))
        for name, births in (("fine", 60), ("coarse", 6))},
    "reconstruction": lambda p: {
        "ways": sum(x <= p["w"] and 0 <= p["s"] - x <= p["m"] for x in range(10)), "b": 3 / p["epsilon"]},
    "laplace-scale": lambda p: {"b": p["C"] / p["epsilon"]},
    "no-minimum": lambda p: {"p": math.exp(-p["a"] * p["epsilon"] / p["D"]) / 2, "then": "repair"},
    "odds": lambda p: {"posterior": 1 / (1 + (1 - p["p"]) / p["p"] / p["r"])},
    "post-processing": lambda p: {
        "epsilon": p["epsilon"], "negative": math.exp(-p["c"] * p["epsilon"]) / 2,
        "mean": p["c"] + math.exp(-p["c"] * p["epsilon"]) / (2 * p["epsilon"])},
    "prototype-noise": lambda p: {"sigma": gauss_sigma(2 * p["R"] / p["n"], 1, 1e-5)},
    "random-subset": lambda p: {
        "reach": 2 * p["C"], "reading": "poisson", "sigma": gauss_sigma(2 * p["C"], 1, 1e-5)},
    "value-record": lambda p: {"record": p["p"] * p["epsilon"]},
    "glvq-cost": lambda p: {
        "cost": cost((p["x1"], p["x2"]), (0, 0), (p["b"], 0)),
        "class": "correct" if p["x1"] < p["b"] / 2 else "wrong"},
    "glvq-update": lambda p: {
        name: -p["rate"] * glvq_gradient(p["x1"], p["x2"], p["b"])[k] for name, k in (("own", 0), ("other", 2))},
    "glvq-clip": lambda p: (lambda length: {"length": length, "factor": p["C"] / length})(
        math.hypot(*glvq_gradient(p["x1"], p["x2"], p["b"]))),
    "relevance-matrix": relevance,
    "noisy-start": lambda p: {
        "scale": 2 * p["d"] / p["epsilon"], "sd": ROOT2 * 2 * p["d"] / p["epsilon"] / p["N"]},
    "printed-noise": lambda p: {
        "steps": p["E"] / p["q"], "accountant": "check",
        "sigma": 2 * math.sqrt(p["q"] * p["E"] * math.log(1e5)) / (0.8 * p["epsilon"])},
    "kernel-membership": lambda p: dict(zip(("own", "other"), memberships(p["kernel"], p["ridge"]), strict=True)),
    "hull-image": lambda p: (lambda own, other: {
        "weight": other / (own + other), "image": (own * p["first"] + other * p["second"]) / (own + other)})(
        *memberships(p["kernel"], p["ridge"])),
    "smoothing-noise": lambda p: {
        "sd": math.sqrt(p["m"] * 2 / p["epsilon"] ** 2) / p["m"], "epsilon": p["epsilon"], "stop": "reads"},
    "atom-values": lambda p: {
        "mean": p["N"] * p["p"] * p["delta"], "once": 1 - (1 - p["delta"]) ** (p["N"] * p["p"])},
    "membership-score": lambda p: membership_score([p["a"], p["b"], p["c"]]),
    "parties": lambda p: {
        "one": p["epsilon"], "two": 2 * p["epsilon"],
        "class": min((p[name], name[0].upper()) for name in ("a1", "a2", "b1", "b2"))[1]},
    "local-central": lambda p: {
        "local": math.sqrt(p["n"] * 2 / p["epsilon"] ** 2) / p["n"], "central": ROOT2 / p["n"] / p["epsilon"]},
    "classical-limit": lambda p: (lambda sigma: {
        "sigma": sigma, "real": gauss_epsilon(sigma, 1, 1e-5),
        "enough": "enough" if gauss_delta(sigma, 1, p["epsilon"]) <= 1e-5 else "short"})(
        math.sqrt(2 * math.log(1.25e5)) / p["epsilon"]),
    "delta-meaning": lambda p: {
        "once": 1 - (1 - p["c"] / p["n"]) ** p["n"],
        "most": bisected(lambda d: 0.99 - (1 - d) ** p["n"], 0.0, 1.0)},
    "loss-tail": lambda p: {
        "tail": loss_above(gauss_sigma(1, p["epsilon"], p["delta"]), p["epsilon"]), "follows": "loss"},
    "two-layers": lambda p: (lambda c: {
        "each": 2 * c / p["epsilon"], "total": p["delta"] + p["delta"], "joint": math.hypot(c, c) / p["epsilon"]})(
        math.sqrt(2 * math.log(1.25 / p["delta"]))),
    "histogram-distance": lambda p: histogram_distance(
        (p["p1"], p["p2"], 1 - p["p1"] - p["p2"]), (p["q1"], p["q2"], 1 - p["q1"] - p["q2"])),
    "picture-noise": lambda p: {
        "reach": math.dist([0.0] * int(p["d"]), [1.0] * int(p["d"])),
        "sigma": gauss_sigma(math.sqrt(p["d"]), p["epsilon"], 1e-5)},
    "best-of-many": lambda p: {
        "total": sum(p["epsilon"] for _ in range(int(p["m"]))), "each": p["epsilon"] / p["m"],
        "drawn": bisected(lambda e: drawn_cost(e) - p["epsilon"], 0.0, p["epsilon"])},
    "noise-bracket": lambda p: {
        "printed": math.sqrt(p["L"] * (p["sigma"] * p["C"]) ** 2) / p["L"], "once": p["sigma"] * p["C"] / p["L"],
        "empty": "bare"},
    "clip-person-batch": lambda p: {
        "first": p["C"] * math.cos(math.atan2(p["b"], p["a"])), "person": p["C"],
        "batch": math.dist((p["C"], 0.0), (-p["C"], 0.0))},
    "objective-noise": lambda p: {
        "scale": 2 / p["epsilon"], "compare": "same",
        "sd": ROOT2 * 2 / p["epsilon"] * slope(lambda c: lowest(p["n"], c), 0.7 * p["n"], 1e-2 * p["n"])},
    "many-steps": lambda p: {
        "multiplier": 1 / math.dist([0.0] * int(p["T"]), [1 / p["sigma"]] * int(p["T"])),
        "epsilon": gauss_epsilon(p["sigma"], math.sqrt(p["T"]), 1e-5)},
    "randomised-response": lambda p: poll(p["t"], p["n"], p["s"]),
    "choosing-epsilon": lambda p: {"range": (
        bisected(lambda e: 0.05 - math.exp(-e * p["t"]), 0.0, 50.0),
        bisected(lambda e: p["p"] * math.exp(e) / (p["p"] * math.exp(e) + 1 - p["p"]) - p["top"], 0.0, 50.0))},
    "laplace-or-gauss": lambda p: (lambda laplace, gauss: {
        "laplace": laplace, "gauss": gauss, "less": "laplace" if laplace < gauss else "gauss"})(
        ROOT2 * p["k"] / p["epsilon"], gauss_sigma(math.sqrt(p["k"]), p["epsilon"], 1e-5)),
    "output-perturbation": lambda p: (lambda reach: {"reach": reach, "sigma": gauss_sigma(reach, 1, 1e-5)})(
        farthest_minimum(p["G"], p["lam"], p["n"])),
    "share-the-budget": lambda p: {"histogram": bisected(
        lambda e: 1 / (p["epsilon"] - e) / (p["n"] / 2) - 2 / e / (p["n"] / p["m"]),
        1e-6, p["epsilon"] - 1e-6)},
}  # fmt: skip
STATES = {"error-goal", "protect-group"}  # one value of a slider: test_kinds.py
PROOFS = {key for key, one in EXERCISES.items() if {part.kind for part in one.parts} == {"steps"}}


def composition(k, e):
    basic = k * e
    better = math.sqrt(2 * k * math.log(1e5)) * e + k * e * math.expm1(e)
    return {"basic": basic, "advanced": better, "report": "basic" if basic < better else "advanced"}


def test_every_exercise_has_an_answer_of_its_own():
    assert ANSWERS.keys() | STATES | PROOFS == EXERCISES.keys()


@pytest.mark.parametrize("key", ANSWERS)
def test_every_draw_has_the_answer_of_a_second_computation(key):
    exercise = EXERCISES[key]
    for parameters in exercise.draws:
        right = ExerciseInstance(exercise=exercise, parameters=parameters).right_answer(
            letters=False
        )
        second = ANSWERS[key](parameters)
        assert right.keys() == second.keys()
        for name, value in second.items():
            if isinstance(value, str):
                assert right[name] == value, parameters
            else:
                assert right[name] == pytest.approx(value, rel=1e-4), parameters


def test_the_best_of_a_drawn_number_of_runs_costs_three_times_as_much_at_most():
    generator = random.Random(5)
    for _ in range(300):
        e, stop = generator.uniform(0.1, 2), 10 ** generator.uniform(-6, -0.3)
        ratios = [math.exp(generator.choice((-e / 2, e / 2))) for _ in range(5)]
        weights = [10 ** generator.uniform(-6, 0) for _ in range(5)]
        other = [w * r for w, r in zip(weights, ratios, strict=True)]
        pair = [[w / sum(one) for w in one] for one in (weights, other)]
        shift = max(abs(math.log(p / q)) for p, q in zip(*pair, strict=True))
        best = [best_of_drawn(one, stop) for one in pair]
        for p, q in zip(*best, strict=True):
            assert abs(math.log(p / q)) <= 3 * shift + 1e-4
    assert drawn_cost(1.0) == pytest.approx(3, abs=0.01)  # and no less is enough


CROSSING = [
    key for key, one in EXERCISES.items() if any("cross" in hint.text for hint in one.hints)
]


@pytest.mark.parametrize(
    "key", [key for key in CROSSING if EXERCISES[key].figure and EXERCISES[key].figure.plot]
)
def test_curves_that_a_hint_says_to_cross_do_so_for_every_draw(key):
    for parameters in EXERCISES[key].draws:
        curves = ExerciseInstance(exercise=EXERCISES[key], parameters=parameters).curves
        first, second, *_ = curves.heights.values()
        gaps = [a - b for a, b in zip(first, second, strict=True)]
        assert min(gaps) < 0 < max(gaps), parameters


@pytest.mark.parametrize(
    ("key", "curve", "height"),
    [
        ("local-central", "noise on every value", lambda p: ROOT2 / p["epsilon"] / 25),
        ("picture-noise", "needed", lambda p: gauss_sigma(math.sqrt(p["d"]), p["epsilon"], 1e-5) / 2),
        ("smoothing-noise", "noise of a smoothed value", lambda p: ROOT2 / p["epsilon"] / 2),
        ("delta-meaning", "at least one record", lambda p: 0.01),
        ("atom-values", "at least one in the table", lambda p: 0.5),
        ("randomised-response", "with coins", lambda p: p["s"]),
    ],
)  # fmt: skip
def test_a_height_that_a_hint_asks_for_lies_on_the_curve_for_every_draw(key, curve, height):
    for parameters in EXERCISES[key].draws:
        curves = ExerciseInstance(exercise=EXERCISES[key], parameters=parameters).curves
        heights = curves.heights[curve]
        assert min(heights) < height(parameters) < max(heights), parameters


HANDLED = [
    key
    for key, one in EXERCISES.items()
    if one.figure and one.figure.plot and one.figure.plot.handle
]


@pytest.mark.parametrize("key", HANDLED)
def test_the_gauge_of_a_handle_passes_its_goal_for_every_draw(key):
    for parameters in EXERCISES[key].draws:
        moving = ExerciseInstance(exercise=EXERCISES[key], parameters=parameters).curves.moving
        assert min(moving.gauge) < moving.goal < max(moving.gauge), parameters
