"""The sentences of Budget at the ends of its handles."""

import math

import pytest

from dpcore.experiments import budget
from dpcore.experiments.budget import BudgetParams
from pages.budget import words
from pages.budget.figure import figure
from pages.budget.pipeline import PIPELINE
from tests.programs import drawn


def said(params):
    """The sentence of the figure, filled as the browser fills it."""
    state = PIPELINE.still(params)
    shown, (sentence,) = figure(state), words.meaning(state).strings
    return shown.filled(sentence)


@pytest.mark.parametrize(
    ("options", "words_of_the_count"),
    [
        ({"mechanism": "laplace", "epsilon": 20.0, "answer_epsilon": 0.01}, "at least 10000 answers by"),
        ({}, "about 1196 answers by what they cost together"),
        ({"noise_multiplier": 0.4, "epsilon": 0.05, "sample_rate": 1.0}, "no answer by what they cost together"),
    ],
)  # fmt: skip
def test_a_count_that_ends_is_at_least_and_one_that_is_read_between_is_about(
    options, words_of_the_count
):
    assert words_of_the_count in said(BudgetParams(**options)).replace("\u202f", "")


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_amplification_says_at_which_delta_it_holds(mechanism):
    params = BudgetParams(mechanism=mechanism, sample_rate=0.01)
    text = words.amplification(params, 1.0)
    assert ("qδ = 10⁻⁷" in text) == (mechanism == "gaussian")
    assert "0.017" in text
    everybody = words.amplification(params.but(sample_rate=1.0), 1.0)
    assert "Everybody takes part here" in everybody
    assert "\\ln" not in everybody


def test_where_no_noise_is_enough_no_dash_is_said():
    assert "No σ of our tables gives" in words.inverse(BudgetParams(), math.nan)
    state = PIPELINE.still(BudgetParams())
    text = words.inverse(state.params, words.needed(state))
    assert "is enough" in text


@pytest.mark.parametrize(
    "options",
    [
        {"noise_multiplier": 0.4, "n_steps": 10_000, "sample_rate": 1.0},
        {"n_steps": 1, "sample_rate": 0.01},
        {"mechanism": "laplace", "answer_epsilon": 8.0, "n_steps": 10_000, "sample_rate": 0.5},
    ],
)
def test_card_and_readout_are_one_number(options):
    params = BudgetParams(**options)
    shown = float(figure(PIPELINE.still(params)).evaluate("pld_now"))
    assert budget.guarantee(params).epsilon == pytest.approx(shown, rel=1e-6)


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
@pytest.mark.parametrize("rate", [0.5, 1.0])
def test_the_program_runs_for_both_mechanisms(mechanism, rate):
    params = BudgetParams(mechanism=mechanism, sample_rate=rate, n_steps=10)
    assert "true cost" in [trace.name for trace in drawn(words.program(params)).data]
