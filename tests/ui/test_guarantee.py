"""The odds sentence never promises more than the proof, and the card gives two verdicts."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from dpcore.guarantee import Guarantee, odds_bound
from ui import numbers_in_words
from ui.guarantee import badges, on_page, plain
from ui.odds import odds_sentence


def stated(epsilon=1.0, delta=1e-5, status="proved", **more):
    return Guarantee(
        epsilon=epsilon, delta=delta, neighbouring="add_remove", status=status, argument="Because.",
        **more,
    )  # fmt: skip


def test_the_sentence_of_epsilon_one():
    assert odds_sentence(1.0, 1e-5, tail=1.612e-4) == (
        "Suppose somebody thinks it is 50 to 50 that Ada is in the data. After seeing this result they can "
        "be at most 73.2 % sure. (In about 2 of 10\u202f000 releases the result may give away more.)"
    )


@pytest.mark.parametrize(("delta", "tail"), [(0.0, None), (1e-5, 0.0), (0.0, 0.0)])
def test_where_nothing_gives_away_more_nothing_is_said(delta, tail):
    assert "more" not in odds_sentence(1.0, delta, tail=tail)


@given(st.floats(0.01, 7), st.integers(1, 99))
def test_percentages_are_rounded_up_for_every_prior(epsilon, percent):
    bound = odds_bound(epsilon, percent / 100)
    found = re.search(r"at most ([\d.]+) % sure", odds_sentence(epsilon, 0, prior=percent / 100))
    if bound > 0.999:  # “at most 100 %” would say nothing
        assert found is None
        return
    high = float(found.group(1)) / 100
    assert bound - 1e-9 <= high <= bound + 0.0011


@pytest.mark.parametrize("epsilon", [20.0, math.inf])
def test_huge_epsilon_is_called_certain_and_the_verdict_is_left_to_the_scale(epsilon):
    sentence = odds_sentence(epsilon, 1e-5)
    assert sentence.endswith("they can be practically certain.")
    assert "100" not in sentence


@given(st.floats(1e-12, 0.49))
def test_a_rare_event_is_rounded_up_by_less_than_a_half(probability):
    few, many = numbers_in_words.one_in(probability).replace("\u202f", "").split(" of ")
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
    assert plain(stated(status="nominal")).startswith("Nothing is proved.")


def _card():
    from dpcore.guarantee import Guarantee
    from ui.guarantee import card

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
    from ui.guarantee import summary

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
