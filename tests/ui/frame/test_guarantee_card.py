"""The odds sentence never promises more than the proof, and the card gives two verdicts."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dpcore.accounting import GaussianEvent, LaplaceEvent, Repeated
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee, odds_bound
from dpcore.units import Unit
from ui.frame.guarantee_card import (
    _claim,
    _how_often,
    _large_delta,
    _of_a_person,
    badges,
)
from ui.words import numbers
from ui.words.guarantees import LOOKING, on_page
from ui.words.odds import odds_sentence
from ui.words.protection import tells


def stated(epsilon=1.0, delta=1e-5, status="proved", **more):
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status=status, argument="Because.",
        **more,
    )  # fmt: skip


def test_the_sentence_of_epsilon_one():
    assert odds_sentence(stated()) == (
        "Suppose somebody thinks it is 50 to 50 that Ada is in the data. After seeing this result they can "
        "be at most 73.2 % sure. Results beyond this limit are possible: the risk is no worse than if 1 of "
        "100\u202f000 results gave everything away."
    )


def test_without_delta_the_limit_has_no_exception():
    assert odds_sentence(stated(delta=0.0)).endswith("at most 73.2 % sure.")


@pytest.mark.parametrize("epsilon", [0.0, 2.3e-5, 0.05])
def test_a_bound_that_many_results_exceed_is_not_said(epsilon):
    """P[L > ε] is 0.5 at ε = 0: what ε and δ allow together is said instead, and it holds for every result."""
    said = odds_sentence(stated(epsilon, 1e-3))
    assert "at most 50" not in said
    points = 100 * (math.expm1(epsilon) + 2e-3) / (math.exp(epsilon) + 1)
    found = float(re.search(r"by at most ([\d.]+) percentage point", said)[1])
    assert points - 1e-9 <= found <= points + 0.1


def test_a_record_is_called_what_it_is():
    digits = Unit(singular="picture", plural="pictures", records_per_person=150, n_people=13)
    said = odds_sentence(stated(unit=digits))
    assert "one certain picture is in the data" in said
    assert "Ada" not in said
    told = tells(stated(unit=digits))
    assert told == "tells little about any one picture (at most 73.2 % right guesses)"
    replaced = replace(
        stated(unit=Unit(singular="team", plural="teams")), neighbouring="replace_one"
    )
    assert "a record is one certain team and not another one" in odds_sentence(replaced)
    assert "a record belongs to Ada and not to Ben" in odds_sentence(
        replace(stated(), neighbouring="replace_one")
    )


@given(st.floats(0.01, 7), st.integers(1, 99))
def test_percentages_are_rounded_up_for_every_prior(epsilon, percent):
    bound = odds_bound(epsilon, percent / 100)
    found = re.search(
        r"at most ([\d.]+) % sure", odds_sentence(stated(epsilon, 0.0), percent / 100)
    )
    # The odds are those of the ε that is shown, three digits of it, rounded up.
    shown = odds_bound(max(epsilon, float(format(epsilon, ".3g"))), percent / 100)
    if found is None:  # “at most 100 %” would say nothing
        assert shown > 0.999
        return
    assert bound <= 0.999
    high = float(found.group(1)) / 100
    assert bound - 1e-9 <= high <= shown + 0.0011


@pytest.mark.parametrize("epsilon", [20.0, math.inf])
def test_huge_epsilon_is_called_certain_and_the_verdict_is_left_to_the_scale(epsilon):
    sentence = odds_sentence(stated(epsilon))
    assert sentence.endswith("This result may make them practically certain.")
    assert "100" not in sentence


@given(st.floats(1e-12, 0.49))
def test_a_rare_event_is_rounded_up_by_less_than_a_half(probability):
    few, many = numbers.one_in(probability).replace("\u202f", "").split(" of ")
    assert probability * (1 - 1e-8) <= int(few) / int(many) <= 1.51 * probability


@pytest.mark.parametrize(
    ("epsilon", "colour", "level"),
    [(0.5, "green", "strong"), (3.0, "blue", "moderate"), (8.0, "orange", "weak"),
     (16.0, "red", "none"), (512.0, "red", "none")],
)  # fmt: skip
def test_a_proof_of_much_is_not_green(epsilon, colour, level):
    found = badges(stated(epsilon))
    assert f":{colour}-badge[protection: {level}]" in found
    assert ":gray-badge[proof: holds]" in found


def test_a_large_delta_is_no_protection_and_a_number_without_proof_none():
    assert "red-badge[protection: none]" in badges(stated(0.5, 0.02))
    assert "red-badge[protection: none]" in badges(stated(0.5, status="nominal"))


def test_a_page_needs_another_seed_for_a_release():
    found = on_page(stated())
    assert found.status == "proved_under_assumption"
    assert "public seed" in found.assumptions[0]
    nominal = stated(status="nominal")
    assert on_page(nominal) is nominal


def test_a_number_without_a_proof_is_not_told_as_one():
    assert odds_sentence(stated(status="nominal")).startswith(
        "Nothing is proved. If this ε were correct, somebody who thinks it is 50 to 50 that Ada is in the data "
        "could, after seeing this result, be at most 73.2 % sure."
    )
    assert tells(stated(status="nominal"), plural=True) == "are not proved to hide any one person"


@pytest.mark.parametrize(("n", "level"), [(10_000, "none"), (1001, "none"), (999, "strong")])
def test_a_delta_that_lets_whole_records_be_published_protects_nobody(n, level):
    found = stated(delta=1e-3, n_records=n)
    assert f"protection: {level}" in badges(found)
    assert ("little" in tells(found)) == (level == "strong")


def test_how_much_is_told_follows_protection_and_rises_step_by_step():
    order = ["hardly anything", "little", "something", "much", "nearly all"]
    levels = ["strong", "strong", "moderate", "moderate", "weak", "none"]
    steps = []
    for epsilon in EPSILON_GRID:
        one = stated(epsilon)
        (step,) = (k for k, word in enumerate(order) if f" {word} about" in tells(one))
        assert one.protection in levels[step : step + 2]
        steps.append(step)
    assert steps[0] == 0
    assert steps[-1] == 4
    assert set(np.diff(steps)) == {0, 1}, "a neighbour on the slider is at most one step away"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.1, 3.0, 6.0])
def test_the_share_of_right_guesses_stands_beside_the_word(epsilon):
    one = stated(epsilon, 1e-5)
    assert f"(at most {numbers.percent_at_most(one.accuracy_bound())} right guesses)" in tells(one)


def test_no_share_is_told_where_nothing_is_proved_or_practically_everything_is_allowed():
    for one in (stated(20.0), stated(0.5, 0.02), stated(status="nominal")):
        assert "%" not in tells(one)


def _card():
    from dpcore.guarantee import Guarantee
    from ui.frame.guarantee_card import card

    made = Guarantee(
        epsilon=1.0, delta=1e-5, neighbouring="add_remove", status="proved", argument="Because.",
        loss_tail=1.6e-4,
    )  # fmt: skip
    card(made, shown="two releases cost 2.")


def test_the_card_says_the_odds_and_what_everything_costs_together():
    page = AppTest.from_function(_card).run()
    text = " ".join(item.value for item in page.markdown)
    assert not page.exception
    assert "at most 73.2 % sure" in text
    assert "two releases cost 2." in text


def _summary():
    from dpcore.guarantee import Guarantee
    from ui.frame.guarantee_card import summary

    summary(
        Guarantee(
            epsilon=2.0, delta=0.0, neighbouring="add_remove", status="proved", argument="Because.",
            claimed_epsilon=1.0, not_protected=("the weather",), public=("n",),
        )
    )  # fmt: skip


def test_a_summary_gives_both_verdicts_and_says_when_a_claim_does_not_hold():
    page = AppTest.from_function(_summary).run()
    text = " ".join(item.value for item in page.markdown)
    assert not page.exception
    assert "protection: moderate" in text
    assert "proof: holds under an assumption" in text
    assert "the weather" in text
    assert "Because." not in text
    assert "does not hold here" in page.error[0].value
    assert [one.value for one in page.caption] == [LOOKING]


def _unseeded():
    from dpcore.guarantee import Guarantee
    from ui.frame.guarantee_card import summary

    found = Guarantee(
        epsilon=2.0, delta=1e-3, neighbouring="add_remove", status="proved", argument="A."
    )
    summary(found, draws=False)


def test_a_page_without_noise_of_its_own_has_no_line_about_it_and_a_large_delta_one():
    page = AppTest.from_function(_unseeded).run()
    assert not page.caption
    assert any(":orange[δ = 0.001 is large.]" in one.value for one in page.markdown)


def test_the_two_sentences_about_delta_are_joined():
    steps = stated(1.0, 1e-5, event=GaussianEvent(3.73063))
    said = odds_sentence(steps) + _how_often(steps)
    assert said.endswith(
        "gave everything away. They come in about 2 of 10\u202f000 releases, mostly by little: δ counts together "
        "how often and how far."
    )
    assert not _how_often(stated(delta=0.0, event=LaplaceEvent(1.0)))
    certain = stated(
        20.0, 1e-5, event=GaussianEvent(0.3)
    )  # no limit was named that results could go beyond
    assert "practically certain" in odds_sentence(certain)
    assert not _how_often(certain)
    assert not _how_often(stated(status="nominal", event=GaussianEvent(3.73063)))


def test_whoever_has_several_records_sees_what_they_cost_together():
    digits = Unit(
        singular="picture", plural="pictures", records_per_person=3, n_people=13, people="writers"
    )
    (said,) = _of_a_person(stated(0.5, 0.0, event=LaplaceEvent(2.0), unit=digits))
    assert "The pictures are by 13 writers, up to 3 by each." in said
    assert "together: up to ε = 1.5, δ = 0, protection: moderate" in said
    assert _of_a_person(stated()) == []


def test_a_delta_is_called_large_only_where_it_is_not_far_below_one_over_n(monkeypatch):
    said = []
    monkeypatch.setattr("streamlit.markdown", said.append)
    _large_delta(stated(1.0, 1e-3, n_records=10))
    assert said == []
    _large_delta(stated(1.0, 1e-3, n_records=100))
    assert "far below one over the number of records" in said.pop()
    _large_delta(stated(1.0, 1e-3, n_records=10_000))
    assert "publishes 10 of them whole" in said.pop()


def _claimed(guarantee, monkeypatch):
    said = []
    monkeypatch.setattr("streamlit.error", said.append)
    _claim(1.0, guarantee)
    return said[0]


def test_one_exact_release_refutes_a_claim_and_a_sum_of_bounds_does_not(monkeypatch):
    known = {"delta": 1e-5, "neighbouring": "replace_one", "status": "proved", "argument": "A."}
    one = Guarantee(epsilon=29.6, event=GaussianEvent(0.3), **known)
    assert "an exact account gives 29.6. The claim does not hold here" in _claimed(one, monkeypatch)
    many = Guarantee(epsilon=29.6, event=Repeated(LaplaceEvent(2.0), 9), **known)
    assert "Nothing proves the claim here" in _claimed(many, monkeypatch)
