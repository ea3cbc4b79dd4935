"""Legal settings and records from end to end of their ranges: a finite release, or a sentence."""

import numpy as np
import pytest

from dpcore.audit.leak_checks import leaves
from dpcore.lvq import DPGLVQ, DPGMLVQ

# Any other warning is an error, as everywhere. For the whole module: filters are the process's own, and
# changing them for every case would meet the threads of other tests.
pytestmark = [
    pytest.mark.filterwarnings("ignore::dpcore.BoundsEstimatedWarning"),
    pytest.mark.filterwarnings("ignore::dpcore.SizeFromDataWarning"),
]
RATES = (1.0, 0.5, 0.1, 1e-3)
HUGE = 1.7e308


def records(draw, n, d):
    """Equal, at the corners, mixed with denormal numbers, or anywhere; perhaps scaled."""
    pick = draw.integers(4)
    if pick == 0:
        found = np.full((n, d), 0.7)
    elif pick == 1:
        found = draw.choice([-1.0, 1.0], (n, d))
    elif pick == 2:
        found = draw.choice([0.0, -0.0, 5e-324, -1e-310, 1.0, -1.0, 1e9, -1e9], (n, d))
    else:
        found = draw.uniform(-1, 1, (n, d))
    scale = draw.choice([1.0, 1.0, 1e9, 1e99, 1e299, 1e-30, 1e-310, 0.0])
    return found * scale


def settings(draw, n, d, k):
    def pick(*values):
        return values[draw.integers(len(values))]

    q = pick(*RATES)
    found = {
        "epsilon": pick(1.0, 0.1, 1e-3, 1e-6, 100.0, np.inf),
        "delta": pick(1e-5, 1e-2, 1e-12),
        "clip_norm": pick(0.5, 1e-9, 1e-3, 1e9, 10 ** draw.uniform(-9, 9)),
        "sample_rate": q,
        "epochs": pick(q, 3 * q, 20 * q, q / 3),
        "init_share": pick(0.2, 0.5, 1e-9, 1 - 1e-9),
        "prototypes_per_class": pick(1, 1, 2, 5),
        "learning_rate": pick(0.1, 1.0, 1e-30, 1e9, 1e30, HUGE, 10 ** draw.uniform(-9, 9)),
        "schedule": pick("constant", "linear"),
        "average": pick(True, False),
        "project": pick(True, False),
        "noise": "paper",  # no search for σ, which is tested by itself
        "init": pick("gaussian", "laplace", "public"),
        "neighbouring": pick("add_remove", "replace_one"),
        "bounds": pick(
            (-1, 1), (0, 1), (-1e100, 1e100), (0, 1e-30), (0, 5e-324), (-1e-310, 1e-310),
            (1e9, 1e9 + 1e-6), (0.7, np.nextafter(0.7, 1)), None, ([-1.0] * d, [2.0] * d),
        ),
        "classes": pick(None, list(range(k))),
        "expected_n": pick(None, 1, n, 10**6, 10**18),
    }  # fmt: skip
    return found, pick(None, 1, d)


def case(number):
    draw = np.random.default_rng([1306, number])
    n, d, k = (int(draw.choice(some)) for some in ((1, 2, 3, 4, 5), (1, 2, 3, 9), (2, 3)))
    options, rank = settings(draw, n, d, k)
    kind = DPGMLVQ if draw.random() < 0.5 else DPGLVQ
    if kind is DPGMLVQ:
        options["rank"] = rank
    return kind(**options, random_state=number), records(draw, n, d), draw.integers(k, size=n)


def answered(number):
    """Whether a case is fitted; a refusal has to be a sentence of ours."""
    model, X, y = case(number)
    try:
        model.fit(X, y)
    except ValueError as error:
        refused = str(error)
        assert "give " in refused.lower(), (number, refused)
        return False
    for path, leaf in leaves(model).items():
        if leaf.dtype.kind == "f" and "_" in path and not path.startswith("privacy_"):
            assert np.isfinite(leaf).all(), (number, path)
    assert set(model.predict(np.clip(X, -1, 1)).tolist()) <= set(model.classes_.tolist())
    return True


@pytest.mark.parametrize("part", range(3))
def test_a_legal_fit_is_finite_or_refused_with_a_sentence(part):
    fitted = sum(answered(number) for number in range(40 * part, 40 * (part + 1)))
    assert fitted >= 10


@pytest.mark.slow
def test_many_legal_fits_are_finite_or_refused_with_a_sentence():
    fitted = sum(answered(number) for number in range(1000, 1500))
    assert fitted >= 100
