"""With how many people it would be good enough: in a sentence, a readout, and what is extrapolated says so."""

import math
import re

import numpy as np
import pytest

from dpcore.audit import PointedAt
from dpcore.experiments import choose
from dpcore.experiments.choose import NODES, ChooseParams
from dpcore.experiments.choose.selection import extrapolated
from dpcore.experiments.grids import EPSILON_GRID
from pages.choose import backwards, others
from pages.choose.backwards import people
from pages.choose.page import PAGE
from tests.pages.visits import app, on_tab
from ui.words.numbers import show
from ui.words.odds import with_odds

SIZES = np.array([15.0, 25, 50, 100])
GOALS = {20: "we found no number", 120: "about {} flowers (extrapolated, not measured)",
         300: "50 flowers (measured)", 500: "25 flowers (measured)"}  # fmt: skip


def promised(params):
    """What one result of any method promises."""
    return choose.guarantee(params, choose.named_problem(params.dataset))


@pytest.fixture(scope="module")
def found():
    """Errors of 0.05 + 10/n at every ε."""
    return extrapolated(
        "glvq", SIZES, np.broadcast_to((0.05 + 10 / SIZES)[:, None], (7, 4, len(NODES))), 0
    )


@pytest.mark.parametrize("goal", GOALS)
def test_the_sentence_names_method_epsilon_goal_and_what_is_extrapolated(found, goal):
    params = ChooseParams(dataset="iris", goal=goal, epsilon=2.0)
    said = people(choose.named_problem("iris"), params, found)
    assert said.startswith(f"At ε = 2 and at most {goal} (of 1000 flowers), with DP-GLVQ: ")
    n, beyond = found.smallest(goal / 1000, 2.0) or (0, False)
    assert GOALS[goal].format(f"{n:.0f}") in said
    assert ("extrapolated" in said) == beyond


def test_the_readout_follows_epsilon_and_goal_and_says_from_where_it_is_extrapolated(found):
    params = ChooseParams(dataset="iris")
    state = PAGE.pipeline.still(params)
    (before,) = [
        one
        for one in PAGE.figure(state).readouts
        if one.label == "flowers needed to stay within your limit"
    ]
    assert before.note == "comes with the tab “How much data”"
    state.results["people"] = found
    figure = PAGE.figure(state)
    (after,) = [
        one for one in figure.readouts if one.label == "flowers needed to stay within your limit"
    ]
    assert after.note == "measured up to 100, extrapolated beyond"
    assert figure.arrays[after.value].dims == ("goal", "epsilon")


def test_the_page_asks_and_answers():
    page = on_tab(app("choose", dataset="iris", depth="check"), "How much data")
    (said,) = [one.value for one in page.markdown if "With how many flowers" in one.value]
    assert "At ε = 1 and at most 100 (of 1000 flowers), with DP-SGD, logistic: " in said


def test_there_is_one_way_to_pin_and_it_feeds_the_memo():
    state = PAGE.pipeline.still(ChooseParams(dataset="iris", epsilon=2.0))
    (row,) = [one for one in PAGE.figure(state).controls if hasattr(one, "actions")]
    pins = [(name, label) for name, label, _ in row.actions if label.startswith("Pin")]
    assert pins == [("keep", "Pin for the memo")]
    assert PAGE.act("keep", state.params).other.epsilon == 2.0


def test_the_attackers_beside_the_curves_are_said_to_be_at_50_to_50():
    figure = PAGE.figure(PAGE.pipeline.still(ChooseParams(dataset="iris")))
    (risk,) = [panel for panel in figure.panels if panel.key == "risk"]
    assert "50 to 50" in risk.y.title
    assert "50 to 50" in risk.caption


def test_the_most_an_attacker_reaches_is_one_number_and_never_below_the_proof():
    params = ChooseParams(dataset="iris")
    figure = PAGE.figure(PAGE.pipeline.still(params))
    (most,) = [one for one in figure.readouts if one.label == "an attacker is right at most"]
    said = [float(figure.evaluate(most.value, {"epsilon": epsilon})) for epsilon in EPSILON_GRID]
    proved = np.array([one.accuracy_bound() for one in promised(params).tabulated(EPSILON_GRID)])
    assert np.all(said >= proved)
    assert said == pytest.approx(proved, abs=1.01e-3)
    number = show(said[EPSILON_GRID.index(1.0)], most.format)
    (text,) = figure.texts
    assert f"at most {number} sure" in with_odds(
        text.strings[EPSILON_GRID.index(1.0)], promised(params), 0.5
    )
    (risk,) = [panel for panel in figure.panels if panel.key == "risk"]
    assert f"{{{most.value}}}" in risk.alt


def test_attacks_follow_the_readers_prior_below_the_proof():
    """The share of right guesses at 50 to 50 is the exact one; at 1 % both fall, and the proof stays above."""
    params = ChooseParams(dataset="iris", method="softmax")
    state = PAGE.pipeline.still(params)
    (text,) = PAGE.figure(state).texts
    exact = choose.best_attack(state.problem, ["softmax"] * 50, params.delta)
    assert 1 / (1 + np.exp(-np.array(text.reached))) == pytest.approx(exact)
    assert np.all(np.array(text.reached) < text.bounds)
    at = EPSILON_GRID.index(1.0)
    even, rare = (with_odds(text.strings[at], promised(params), prior) for prior in (0.5, 0.01))
    assert f"is right in {math.floor(1000 * exact[at]) / 10:g} % of its accusations" in even
    assert "at most 2.7 % sure" in rare
    assert re.search(r"is right in 1\.\d % of its accusations", rare)


def test_the_best_attack_is_named_with_its_noise_and_none_is_made_up():
    """55.3 in 100 is Gaussian noise: nothing of the kind is said of Laplace noise, or where no attack is known."""
    at = EPSILON_GRID.index(1.0)
    for method, said in {
        "gaussian": "on Gaussian noise (noisy sums) is right in 55.3 %",
        "joint": "on Laplace noise on all sums (noisy objective, repaired) is right in 53",
        "output": "We know of no attack on noise on the result",
    }.items():
        state = PAGE.pipeline.still(ChooseParams(dataset="diabetes", method=method))
        (text,) = PAGE.figure(state).texts
        assert said in with_odds(text.strings[at], promised(state.params), 0.5)
    state = PAGE.pipeline.still(ChooseParams(dataset="diabetes"))
    (text,) = PAGE.figure(state).texts  # which method is best is not known yet
    assert "best attack" not in text.strings[at]


def test_results_together_are_accounted_for_by_the_noise_of_the_method_shown():
    where = {"epsilon": 1.0, "releases": 4, "years": 3, "tables": 1}
    for method, total, each in (("joint", 11.96, 0.0863), ("gaussian", 4.02, 0.258)):
        figure = PAGE.figure(PAGE.pipeline.still(ChooseParams(dataset="diabetes", method=method)))
        assert figure.evaluate("together_now", where) == pytest.approx(total, rel=2e-3)
        assert figure.evaluate("each_now", where) == pytest.approx(each, rel=6e-3)


def test_no_more_records_are_promised_to_help_where_even_without_privacy_the_limit_is_missed():
    """A limit of 0.5 % where 3.92 % are wrong without privacy."""
    params = ChooseParams(dataset="iris", goal=5, unit="percent")
    problem = choose.named_problem("iris")
    said = backwards.enough(problem, params, next(choose.grow(problem, params)))
    assert (
        "without privacy the best method of this page already has 3.92 (per cent of flowers)"
        in said
    )
    assert "would help" not in said


def test_there_is_one_scale_of_protection():
    said = others.bands()
    assert "up to 10 *weak*" in said
    assert "no consensus" in said
    assert "about 10 the end" not in said


def test_who_has_only_the_model_is_told_by_whom_it_points_at_and_not_by_pairs():
    """A test that points at 32 of 100 who were learned from, and at 10 of 100 others: right about 32 of 42."""
    state = PAGE.pipeline.still(ChooseParams(dataset="iris"))
    shares = np.ones(len(EPSILON_GRID))
    each = PointedAt(members=np.outer([0.2, 0.5], shares), others=np.full((2, len(shares)), 0.2))
    state.results["attack"] = PointedAt(members=0.32 * shares, others=0.1 * shares, each=each)
    figure = PAGE.figure(state)
    (text,) = figure.texts
    low, high = np.quantile(np.log([1, 2.5]), (0.1, 0.9))
    assert (round(low, 3), round(high, 3)) == (0.092, 0.825)
    ranged = {0.5: ("76.1 %", "52.2 % to 69.5 %"), 0.1: ("26.2 %", "10.8 % to 20.2 %")}
    for prior, (said, middle) in ranged.items():
        whole = f"{said} of the accusations ({middle} in the middle 80 % of 8 trainings)"
        assert f"model of DP-SGD, logistic was right in {whole}" in with_odds(
            text.strings[0], promised(state.params.but(epsilon=0.05)), prior
        )
    assert figure.evaluate("seen_now") == pytest.approx(0.61)


def test_an_attacker_who_does_worse_than_guessing_is_told_as_a_number_too():
    """Log odds below 0 have a minus sign, and the browser fills in no place that it cannot read."""
    state = PAGE.pipeline.still(ChooseParams(dataset="iris"))
    shares = np.ones(len(EPSILON_GRID))
    each = PointedAt(members=np.outer([0.1, 0.2], shares), others=np.full((2, len(shares)), 0.2))
    state.results["attack"] = PointedAt(members=0.15 * shares, others=0.2 * shares, each=each)
    (text,) = PAGE.figure(state).texts
    said = with_odds(text.strings[0], promised(state.params.but(epsilon=0.05)), 0.5)
    assert "was right in 42.8 % of the accusations (34.8 % to 48.2 % in the middle 80 %" in said
    assert "{" not in said


def test_bottles_are_not_counted_as_people():
    state = PAGE.pipeline.still(ChooseParams(dataset="wine"))
    shown = PAGE.figure(state)
    told = [
        text
        for panel in shown.panels
        for text in (panel.title, panel.x.title, panel.y.title, panel.alt)
    ]
    told += [layer.label for panel in shown.panels for layer in panel.layers]
    told += [readout.label + readout.note for readout in shown.readouts]
    assert not [text for text in told if "people" in text]
    assert "wrong out of 1000 bottles" in told
