"""Choosing among options: ratios by brute force over neighbours, limits, the printed formula."""

import itertools
import math

import numpy as np
import pytest

from dpcore import mechanisms as m
from dpcore.mechanisms import secure


def worst_ratio(scale, steps):
    """The largest log ratio of a choice probability over scores and their neighbours."""
    worst = 0.0
    for scores in itertools.product([0.0, 1.0, 2.0], repeat=3):
        p = m.exponential_probabilities(scores, 1.0, epsilon=1.0, **scale)
        for change in steps:
            q = m.exponential_probabilities(np.add(scores, change), 1.0, epsilon=1.0, **scale)
            worst = max(worst, float(np.abs(np.log(p / q)).max()))
    return worst


ANY = list(itertools.product([-1.0, 0.0, 1.0], repeat=3))
UPWARD = list(itertools.product([0.0, 1.0], repeat=3))


def test_the_mechanism_keeps_its_promise_and_the_printed_one_does_not():
    assert worst_ratio({}, ANY) <= 1
    assert worst_ratio({"as_printed": True}, ANY) > 1.3
    assert worst_ratio({"as_printed": True}, ANY) <= 2
    assert worst_ratio({"monotone": True}, UPWARD) <= 1


@pytest.mark.parametrize(
    ("options", "epsilon"), [(2, 0.566219), (10, 1.505971), (100, 1.938067), (1000, 1.99363)]
)
def test_what_the_printed_formula_costs(options, epsilon):
    assert m.printed_exponential_epsilon(options, 1.0) == pytest.approx(epsilon, abs=5e-6)
    before = m.exponential_probabilities(np.zeros(options), 1.0, epsilon=1.0, as_printed=True)
    after = np.full(options, -1.0)
    after[0] = 1.0
    moved = m.exponential_probabilities(after, 1.0, epsilon=1.0, as_printed=True)
    assert math.log(moved[0] / before[0]) == pytest.approx(epsilon, abs=5e-6)


def test_limits():
    scores = [1.0, 3.0, 3.0]
    assert m.exponential_probabilities(scores, 1.0, epsilon=math.inf).tolist() == [0, 0.5, 0.5]
    assert m.exponential_probabilities(scores, 0.0, epsilon=1.0).tolist() == [0, 0.5, 0.5]
    assert m.exponential_probabilities(scores, 1.0, epsilon=1e-12) == pytest.approx([1 / 3] * 3)
    assert m.exponential_probabilities([1e308, 0], 1.0, epsilon=1.0).tolist() == [1, 0]


@pytest.mark.parametrize("scores", [[], 3.0, [math.nan, 1.0], [math.inf]])
def test_bad_scores_are_named(scores):
    with pytest.raises(ValueError, match="give a finite number for each option"):
        m.exponential_probabilities(scores, 1.0, epsilon=1.0)


def test_draws_follow_the_probabilities():
    mechanism = m.Exponential(epsilon=2.0)
    found = mechanism.sample([3.0, 1.0, 0.0], np.random.default_rng(0), size=200_000)
    again = mechanism.sample([3.0, 1.0, 0.0], np.random.default_rng(0), size=200_000)
    assert (found == again).all()
    # Six standard errors of a share: false alarm below 1e-8.
    shares = np.bincount(found, minlength=3) / len(found)
    assert shares == pytest.approx(mechanism.probabilities([3.0, 1.0, 0.0]), abs=6 * 0.5 / 447)


def test_promises():
    assert m.Exponential(epsilon=1.0).privacy.epsilon == 1
    assert m.Exponential(epsilon=1.0, as_printed=True).privacy.epsilon == 2
    assert m.Exponential(epsilon=1.0, as_printed=True, monotone=True).privacy.epsilon == 1
    assert m.randomized_response(1.0).privacy.epsilon == 1


@pytest.mark.parametrize("options", [2, 5])
def test_randomized_response_has_the_ratio_and_is_unbiased(options):
    found = m.randomized_response(1.2, options)
    assert found.matrix.sum(axis=1) == pytest.approx(np.ones(options))
    assert np.log(found.matrix.max(0) / found.matrix.min(0)) == pytest.approx([1.2] * options)
    truth = np.zeros(100_000, int)
    truth[:30_000] = 1
    answers = found.sample(truth, np.random.default_rng(2))
    shares = found.estimate(np.bincount(answers, minlength=options) / len(truth))
    error = float(found.standard_error(0.3, len(truth)))
    assert abs(shares[1] - 0.3) < 6 * error
    draws = [
        float(found.estimate(
            np.bincount(found.sample(truth[::50], np.random.default_rng(s)), minlength=options) / 2000
        )[1])
        for s in range(300)
    ]  # fmt: skip
    assert np.std(draws) == pytest.approx(float(found.standard_error(0.3, 2000)), rel=0.25)


def test_naive_noise_betrays_and_a_grid_would_not():
    share = secure.betrayed_share(0.0, 1.0, 1.0, 4000, np.random.default_rng(0))
    # 4,000 draws: six standard errors are 0.04.
    assert share == pytest.approx(0.80, abs=0.04)
    same = secure.betrayed_share(0.0, 0.0, 1.0, 500, np.random.default_rng(0))
    assert same == 0


def test_a_draw_fit_for_release():
    pytest.importorskip("opendp", reason="the optional extra [secure] is not installed")
    draws = np.array([secure.laplace_draw(10.0, 1.0, 2.0) for _ in range(400)])
    # Mean of 400 draws, deviation 0.707/20: seven standard errors.
    assert draws.mean() == pytest.approx(10.0, abs=0.25)
    assert len(set(draws)) > 390


def test_without_opendp_a_sentence(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "opendp", None)
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(secure.OpenDPMissing, match="pip install opendp"):
        secure.laplace_draw(1.0, 1.0, 1.0)


def test_monotone_scores_are_refused_for_replaced_records():
    # A record that rated all options but one is replaced by one that rates that option alone.
    before, after = np.ones(1000), np.zeros(1000)
    before[0], after[0] = 0.0, 1.0
    p, q = (
        m.exponential_probabilities(scores, 1.0, epsilon=1.9, monotone=True)
        for scores in (after, before)
    )
    assert np.log(p[0] / q[0]) == pytest.approx(3.7935, abs=1e-3)  # at a claimed 1.9
    with pytest.raises(ValueError, match="monotone=True is not allowed with"):
        m.Exponential(epsilon=1.9, monotone=True, neighbouring="replace_one")
    assert m.Exponential(epsilon=1.9, monotone=True).privacy.epsilon == 1.9


def test_randomized_response_takes_options_alone_and_protects_answers_alone():
    yes_no = m.randomized_response(1.0)
    for wrong in ([7], [-1], [0.5], ["1"], [np.nan]):
        with pytest.raises(ValueError, match="give whole numbers from 0 to 1"):
            yes_no.sample(wrong, np.random.default_rng(0))
    assert set(yes_no.sample([0, 1.0, True], np.random.default_rng(0))) <= {0, 1}
    with pytest.raises(ValueError, match="neighbouring='add_remove' is not allowed"):
        m.RandomizedResponse(epsilon=1.0, neighbouring="add_remove")
