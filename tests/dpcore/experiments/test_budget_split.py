"""Four statistics share a budget: shares add up, errors follow a formula, sensitivities are the largest changes."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpcore.accounting import closed_form
from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, split
from dpcore.experiments.budget.curves import WEIGHT_GRID
from dpcore.experiments.budget.split import BOUNDS, STATISTICS, neighbours
from dpcore.experiments.grids import EPSILON_GRID

RNG = np.random.default_rng(0)
NAMES = [one.name for one in STATISTICS]


def split_params(epsilon=2.0, weights=(12, 12, 12, 12), **more):
    chosen = {f"weight_{name}": weight for name, weight in zip(NAMES, weights, strict=True)}
    return BudgetParams(topic="split", epsilon=epsilon, **chosen, **more)


def random_params(n):
    for _ in range(n):
        yield split_params(
            float(RNG.choice(EPSILON_GRID)), [int(w) for w in RNG.choice(WEIGHT_GRID, 4)]
        )


def errors(params):
    """Return the median errors (4,) in the statistics' own units."""
    return split.run(params).error * [one.scale for one in split.mechanisms(params)]


def test_the_shares_add_up_to_the_budget_by_the_account_of_the_events():
    for params in random_params(200):
        parts, weights = split.shares(params), split.weights(params)
        for share, weight in zip(parts, weights, strict=True):
            exact = Fraction(params.epsilon) * Fraction(weight, sum(weights))
            assert share == pytest.approx(float(exact), rel=1e-15)
        event = split.event(params)
        assert closed_form.pure(event, neighbouring="replace_one") == pytest.approx(
            params.epsilon, rel=1e-12
        )
        promised = budget.guarantee(params)
        assert (promised.epsilon, promised.delta) == (params.epsilon, 0.0)
        assert sum(part.epsilon for part in promised.parts) == pytest.approx(params.epsilon)
        for share, one in zip(parts, event.events, strict=True):
            assert closed_form.pure(one, neighbouring="replace_one") == pytest.approx(share)


@pytest.mark.parametrize("name", NAMES)
def test_more_weight_means_less_noise_for_it_and_more_for_the_others(name):
    k = NAMES.index(name)
    by_weight = np.array(
        [errors(split_params().but(**{f"weight_{name}": weight})) for weight in WEIGHT_GRID]
    )
    steps = np.diff(by_weight, axis=0)
    assert (steps[:, k] < 0).all()
    assert (np.delete(steps, k, axis=1) > 0).all()


def test_errors_fall_as_one_over_epsilon_and_do_not_depend_on_the_unit_of_weights():
    weights = (1, 2, 3, 4)
    assert errors(split_params(4.0, weights)) * 4 == pytest.approx(
        errors(split_params(1.0, weights))
    )
    assert errors(split_params(4.0, [2 * w for w in weights])) == pytest.approx(
        errors(split_params(4.0, weights))
    )


def test_the_median_errors_are_those_of_the_closed_form():
    """False alarms: five standard errors of a median of 4,000, below 1e-6 for each of twelve."""
    for seed in range(3):
        found = split.run(split_params(seed=seed))
        for one, error in zip(STATISTICS, found.error, strict=True):
            shape = one.n_numbers
            median = stats.gamma.ppf(0.5, shape) / shape
            density = shape * stats.gamma.pdf(shape * median, shape)
            assert split.closed_error(one) == pytest.approx(median)
            assert abs(error - median) < 5 / (2 * density * math.sqrt(split.N_DRAWS))
    assert split.closed_error(STATISTICS[0]) == pytest.approx(math.log(2))


def test_the_middle_of_the_draws_holds_the_median():
    found = split.run(split_params())
    assert (found.error_low < found.error).all()
    assert (found.error < found.error_high).all()


def test_sensitivities_are_the_largest_changes_by_any_other_record():
    """All records at the bounds, at the edges of the bars, and outside of the bounds, in place of each other."""
    ends = [(low, high, low - 1000, high + 1000) for low, high in BOUNDS.values()]
    ends[-1] += split.AGE_EDGES[1:-1]
    records = np.array(list(itertools.product(*ends)), float)
    others = split.survey()[1:]
    values = [
        np.array([one.values(np.vstack([record, others])) for record in records])
        for one in STATISTICS
    ]
    for one, found in zip(STATISTICS, values, strict=True):
        largest = max(np.abs(found - row).sum(-1).max() for row in np.unique(found, axis=0))
        assert largest == pytest.approx(one.sensitivity, rel=1e-12)


def test_the_audited_neighbours_change_every_statistic_by_its_sensitivity():
    low, high = neighbours()
    assert (low != high).any(1).sum() == 1
    for one in STATISTICS:
        change = np.abs(one.values(high) - one.values(low)).sum()
        assert change == pytest.approx(one.sensitivity)


def test_a_release_is_the_exact_statistics_with_noise_of_the_shares():
    params = split_params(epsilon=20.0)
    rng = np.random.default_rng(1)
    drawn = [split.release(split.survey(), params, rng) for _ in range(2000)]
    for k, (one, noise) in enumerate(zip(STATISTICS, split.mechanisms(params), strict=True)):
        away = np.array([values[k] for values in drawn]) - one.values(split.survey())
        # The mean of |noise|/b of 2,000 draws has a standard error of 0.022: six of them.
        assert np.abs(away).mean() / noise.scale == pytest.approx(1, abs=6 / math.sqrt(2000))


def test_the_survey_is_public_and_inside_its_bounds():
    low, high = np.array(list(BOUNDS.values())).T
    assert split.survey().shape == (split.N_PEOPLE, 4)
    assert (split.survey() >= low).all()
    assert (split.survey() <= high).all()
    assert sum(STATISTICS[-1].values(split.survey())) == split.N_PEOPLE


def test_the_rules_for_weights_read_no_record(monkeypatch):
    def nobody():
        raise AssertionError("the records were read")

    split.smallest_worst.cache_clear()
    monkeypatch.setattr(split, "survey", nobody)
    found = {name: split.weights(split.preset(name, split_params())) for name in split.PRESETS}
    assert found["equal"] == (12, 12, 12, 12)
    assert found["sensitivity"] == (1, 100, 1, 2)
    sizes = [one.declared for one in STATISTICS]
    unit = np.array([one.sensitivity for one in STATISTICS]) / sizes

    def worst(weights):
        return (unit * sum(weights) / np.array(weights)).max()

    best = min(map(worst, itertools.product(WEIGHT_GRID, repeat=4)))
    assert worst(found["smallest_worst"]) == pytest.approx(best, rel=1e-12)
    # Without a grid the shares are in proportion to sensitivity/size, and the worst error is their sum.
    assert unit.sum() <= best < 1.05 * unit.sum()


def test_a_rule_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="give one of equal, sensitivity, smallest_worst"):
        split.preset("best", split_params())


@pytest.mark.parametrize("text", ["0", "-1", "1e999", "nan", "101", "5", "", "12;13", "9" * 5000])
@pytest.mark.parametrize("name", NAMES)
def test_a_forged_weight_is_refused_with_what_is_allowed(name, text):
    params, (problem,) = BudgetParams.from_link({"topic": "split", f"weight_{name}": text})
    assert split.weights(params) == (12, 12, 12, 12)
    assert "from 1 to 100" in problem
    assert len(problem) < 300


def test_links_carry_the_weights_and_older_links_have_equal_answers():
    params = split_params(weights=(1, 2, 3, 100), seed=4)
    assert BudgetParams.from_link(params.to_link()) == (params, [])
    assert BudgetParams.from_link({"n_steps": "50"})[0].topic == "same"
    assert not BudgetParams().draws_noise
    assert params.draws_noise
