"""The topic "four statistics" of Budget: the figure at all weights is the account and the errors of the library."""

import itertools

import numpy as np
import pytest

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams, split
from dpcore.experiments.budget.curves import WEIGHT_GRID
from dpcore.experiments.budget.split import STATISTICS
from dpcore.experiments.grids import EPSILON_GRID
from pages.budget import split_words, words
from pages.budget.figure import figure
from pages.budget.page import PAGE
from pages.budget.pipeline import PIPELINE
from tests.pages.visits import app
from tests.programs import drawn
from ui.words.numbers import show

NAMES = [one.name for one in STATISTICS]
OPENING = BudgetParams(topic="split")
SHOWN = figure(PIPELINE.still(OPENING))
FOUND = split.run(OPENING)


def at(epsilon, weights):
    chosen = {f"weight_{name}": weight for name, weight in zip(NAMES, weights, strict=True)}
    return OPENING.but(epsilon=epsilon, **chosen)


def samples():
    rng = np.random.default_rng(0)
    ends = itertools.product((1, 100), repeat=4)
    some = [[int(w) for w in rng.choice(WEIGHT_GRID, 4)] for _ in range(60)]
    return [at(float(rng.choice(EPSILON_GRID)), weights) for weights in [*ends, *some]]


def relative(params):
    return FOUND.error * [one.scale for one in split.mechanisms(params)] / FOUND.truth


@pytest.mark.parametrize("params", samples(), ids=str)
def test_the_browser_draws_the_errors_and_shares_of_the_library(params):
    def seen(name):
        return SHOWN.evaluate(name, {k: getattr(params, k) for k in SHOWN.values})

    parts, errors = split.shares(params), relative(params)
    for k, name in enumerate(NAMES):
        assert seen(f"epsilon_{name}") == pytest.approx(parts[k], rel=1e-5)
        assert seen(f"relative_{name}") == pytest.approx(errors[k], rel=1e-5)
        assert seen(f"error_{name}") == pytest.approx(errors[k] * FOUND.truth[k], rel=1e-5)
        left = 1 - seen(f"others_{name}") / seen("sum_now")
        assert left == pytest.approx(parts[k] / params.epsilon, rel=1e-4)
    assert sum(float(seen(f"epsilon_{name}")) for name in NAMES) == pytest.approx(params.epsilon)
    noise = FOUND.noise * split.mechanisms(params)[-1].scale
    assert seen("published") == pytest.approx(FOUND.bars + noise, rel=1e-4, abs=1e-3)


@pytest.mark.parametrize("params", samples(), ids=str)
def test_the_sentence_names_the_worst_and_computes_what_more_weight_would_do(params):
    def seen(name):
        return float(SHOWN.evaluate(name, {k: getattr(params, k) for k in SHOWN.values}))

    errors, weights = relative(params), list(split.weights(params))
    worst, second = (int(k) for k in np.argsort(-errors, kind="stable")[:2])
    assert errors[int(seen("worst_now"))] == pytest.approx(errors[worst])
    assert errors[int(seen("second_now"))] == pytest.approx(errors[second])
    twice = np.array(weights, float)
    twice[int(seen("worst_now"))] *= 2
    after = errors * (np.array(weights) / sum(weights)) / (twice / twice.sum())
    for name, value in (
        ("worst_error", errors[worst]), ("second_error", errors[second]),
        ("worst_error_twice", after[int(seen("worst_now"))]),
        ("second_error_twice", after[int(seen("second_now"))]),
    ):  # fmt: skip
        assert seen(name) == pytest.approx(value, rel=1e-5)


def test_the_sentence_says_whose_error_is_the_largest():
    (sentence,) = words.meaning(PIPELINE.still(OPENING)).strings
    assert "{worst_now:name the count|the total|the mean|the histogram}" in sentence
    names = "name the count|the total|the mean|the histogram"
    assert show(float(SHOWN.evaluate("worst_now")), names) == "the histogram"
    changed = {**SHOWN.values, "weight_histogram": 100}
    assert show(float(SHOWN.evaluate("worst_now", changed)), names) == "the mean"


def test_card_odds_and_formula_have_the_budget():
    state = PIPELINE.still(OPENING.but(epsilon=4.0, weight_mean=100))
    assert words.words(state).bundle.guarantee.epsilon == 4.0
    text = split_words.formula(state)
    assert "= **4**" in text
    assert "8 : 8 : 8 : 100" in text
    assert "ε = **4**" in split_words.account(state)


@pytest.mark.parametrize("action", list(split.PRESETS))
def test_a_button_sets_the_weights_and_nothing_else(action):
    before = at(0.5, (1, 2, 3, 4))
    after = PAGE.act(action, before)
    assert split.weights(after) == split.PRESETS[action]()
    assert after.but(**{f"weight_{name}": 12 for name in NAMES}) == at(0.5, (12, 12, 12, 12))
    assert PAGE.act("something else", before) == before


def test_a_button_leads_to_the_other_topic_and_keeps_the_rest():
    before = at(0.5, (1, 2, 3, 4))
    there = PAGE.act("same", before)
    assert there == before.but(topic="same")
    assert PAGE.act("split", there) == before
    for topic, other in (("same", "split"), ("split", "same")):
        row = figure(PIPELINE.still(BudgetParams(topic=topic))).controls[-1]
        assert other in [action for action, _, _ in row.actions]


def test_the_program_draws_the_errors_of_the_figure():
    params = at(1.0, (1, 2, 3, 4))
    median = drawn(words.program(params)).data[0]
    assert list(median.x) == NAMES
    assert median.y == pytest.approx(relative(params))


def test_the_page_opens_with_the_weights_of_its_link_and_refuses_others():
    found = app("budget", topic="split", weight_mean="24", weight_total="7", depth="check")
    assert not found.exception
    (problem,) = [item.value for item in found.warning]
    assert "weight of the total" in problem
    assert "from 1 to 100" in problem
    assert "the nearest is" in problem
    texts = "\n".join(item.value for item in found.markdown)
    assert "One budget." in texts
    assert "0.4 + 0.4 + 0.8 + 0.4 = **2**" in texts


@pytest.mark.parametrize("epsilon", [EPSILON_GRID[0], EPSILON_GRID[-1]])
def test_no_error_leaves_its_axis_at_the_ends_of_the_handles(epsilon):
    low, high = next(panel for panel in SHOWN.panels if panel.key == "errors").y.range
    for ends in itertools.product((1, 100), repeat=4):
        errors = relative(at(epsilon, ends))
        assert low < errors.min()
        assert errors.max() < high


def test_each_topic_opens_with_a_task_of_its_own():
    assert "purse" in PAGE.opening_at(BudgetParams())
    assert "Four statistics" in PAGE.opening_at(OPENING)


def test_equal_answers_need_no_seed_and_have_no_weights():
    same = figure(PIPELINE.still(BudgetParams()))
    assert not [name for name in same.values if name.startswith("weight") or name == "seed"]
    assert not [control.name for control in same.controls if control.name.startswith("weight")]
    assert not words.words(PIPELINE.still(BudgetParams())).bundle.draws
    assert budget.guarantee(BudgetParams()).neighbouring == "add_remove"
    assert budget.guarantee(OPENING).neighbouring == "replace_one"
