"""The odds sentence; tests/js/frame/odds.test.js holds the browser to the same table."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from dpcore.guarantee import Guarantee, odds_bound
from dpcore.mechanisms import Gaussian
from dpcore.units import Unit
from ui.figure_kit.odds_pictogram import people
from ui.words.odds import (
    after_odds,
    beyond,
    bound_shown,
    odds_brief,
    odds_sentence,
    odds_template,
    with_odds,
)

TABLE = Path(__file__).resolve().parents[2] / "js" / "odds.json"
CASES = json.loads(TABLE.read_text("utf-8"))["cases"]


def promised(epsilon, delta=0.0, **more):
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status="proved", argument="A.", **more
    )  # fmt: skip


@pytest.mark.parametrize(("epsilon", "percent", "template", "expected"), CASES)
def test_the_sentence_is_the_one_of_the_browser(epsilon, percent, template, expected):
    found = promised(epsilon)
    assert bound_shown(found) == epsilon  # what the browser is given
    assert with_odds(template, found, percent / 100) == expected


def test_a_template_is_filled_as_the_sentence_is():
    found = promised(1.0, 1e-5)
    assert with_odds(odds_template(found), found, 0.3) == odds_sentence(found, 0.3)
    assert with_odds("no place for odds", found, 0.3) == "no place for odds"


def test_a_hundred_people_follow_their_controls():
    told = [promised(0.5), promised(np.inf, 1e-5), promised(1.0), promised(2.0, 1e-5)]
    text = people(told, dims=("epsilon", "delta"))
    assert text.bounds == [0.5, np.inf, 1.0, 2.0]
    assert "beyond this limit" not in text.strings[0]
    assert "beyond this limit" in text.strings[1]
    assert with_odds(text.strings[2], told[2], 0.5).endswith("at most 73.2 % sure.")
    assert odds_bound(1.0) == pytest.approx(0.7311, abs=1e-4)


@pytest.mark.parametrize(
    ("epsilon", "delta", "told"),
    [
        (1.0, 1e-5, "1 of 100\u202f000 results"),
        (1.0, 1.6e-4, "2 of 10\u202f000 results"),  # up
        (60.0, 0.5, "5 of 10 results"),
        (1.0, 1e-9, "fewer than 1 of 1\u202f000\u202f000 results"),
    ],
)
def test_delta_is_said_as_results_that_tell_everything(epsilon, delta, told):
    """δ is not the probability of more: the result can be made from one that tells everything that often."""
    said = beyond(promised(epsilon, delta))
    assert said.endswith(f"the risk is no worse than if {told} gave everything away.")


def right_guesses(prior, kept, tells):
    """How often the best guess is right, from the probabilities of all results in both worlds."""
    return np.maximum(prior * np.asarray(kept), (1 - prior) * np.asarray(tells)).sum()


@pytest.mark.parametrize("prior", [0.01, 0.27, 0.5, 0.9])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.3, 1e-5), (1.0, 1e-2), (3.0, 1e-3)])
def test_nobody_gets_more_from_gaussian_noise_than_from_a_result_that_tells_everything_so_often(
    epsilon, delta, prior
):
    shift = 1 / Gaussian(epsilon=epsilon, delta=delta).scale
    cells = np.linspace(-12, 12 + shift, 40_001)
    with_her, without = np.diff(norm.cdf(cells - shift)), np.diff(norm.cdf(cells))
    likely = np.exp(epsilon) / (1 + np.exp(epsilon))

    def leaks(often):
        rest = 1 - often
        here = [often, 0, rest * likely, rest * (1 - likely)]
        return right_guesses(prior, here, [0, often, rest * (1 - likely), rest * likely])

    best = right_guesses(prior, with_her, without)
    assert best <= leaks(delta) + 1e-9
    if prior == 0.27 and epsilon == 1.0:  # whoever thinks so has to see more than ε allows
        assert best > leaks(0)


@pytest.mark.parametrize("log_odds", [-12.3456, -0.0174, 0.0, 0.2, 30.0])
def test_a_belief_of_any_size_finds_its_place_in_a_template(log_odds):
    said = with_odds(f"no bound{{also}} {after_odds(log_odds)}", promised(1.0), 0.5)
    assert "{" not in said
    assert said.endswith("%")


UNITS = (Unit(), Unit(singular="team", plural="teams"))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
@pytest.mark.parametrize("status", ["proved", "nominal"])
@pytest.mark.parametrize(
    ("epsilon", "delta"), [(1.0, 0.0), (1.0, 1e-5), (1e-3, 1e-2), (np.inf, 1e-5)]
)
def test_the_short_form_says_what_the_sentence_says(epsilon, delta, status, relation, unit):
    """The same record; that nothing is proved, and that the limit may be passed, wherever the sentence says so."""
    found = Guarantee(
        epsilon=epsilon, delta=delta, neighbouring=relation, status=status, argument="A.", unit=unit
    )  # fmt: skip
    sentence = odds_sentence(found)
    question, *limits = odds_brief(found).split("\n")
    assert question.endswith("?")
    for name in ("Ada", "Ben", "one certain team", "another one"):
        assert (name in question) == (name in sentence)
    assert any("nothing is proved" in one for one in limits) == ("Nothing is proved" in sentence)
    passed = beyond(found) != ""  # what nobody can pass "may make them practically certain" anyway
    assert any(one.startswith("δ: can fail, ") for one in limits) == passed
    if beyond(found) and beyond(found) in sentence:  # the same share, and no other, in both
        share = beyond(found).partition("no worse than if ")[2].partition(" gave")[0]
        assert f"δ: can fail, at worst as if {share} gave all away" in limits
    assert len(limits) == (passed + ("Nothing is proved" in sentence))


def test_a_condition_stands_in_the_short_form_before_what_else_limits_it():
    text = people([promised(1.0, 1e-5)], before="If it is true: ", condition="if it is true")
    assert text.brief == [
        "Is Ada in the data?\nif it is true\nδ: can fail, at worst as if 1 of 100\u202f000 results gave all away"
    ]
