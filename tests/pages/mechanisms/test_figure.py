"""The page Mechanisms: what is drawn is what was computed, and its exports say what they cost."""

import io
import json
import re

import numpy as np
import pandas as pd
import pytest

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams
from dpcore.experiments.mechanisms.params import GROUP_GRID
from pages.mechanisms.figure import figure
from pages.mechanisms.pipeline import PIPELINE
from pages.mechanisms.words import draw_table, meaning, program, words
from tests.programs import drawn, program_figure
from ui.export import downloads
from ui.live.depth import Depth
from ui.live.transport import message

NOISES = ("laplace", "gaussian", "classical", "staircase")


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("question", ["salaries", "mean"])
def test_densities_are_in_the_units_of_the_question(noise, question):
    params = MechanismsParams(noise=noise, question=question, epsilon=2.0, group=3)
    live_figure = figure(PIPELINE.still(params))
    asked, made = mechanisms.query(params), mechanisms.mechanism(params)
    x = live_figure.evaluate("x")
    if noise != "staircase":  # whose corners fall on either side in single precision
        top = made.density(asked.answer, asked.answer)
        assert live_figure.evaluate("density") == pytest.approx(
            made.density(x, asked.answer) / top, abs=2e-3
        )
    apart = x - live_figure.evaluate("x_other")
    assert apart == pytest.approx(np.full(len(x), 3 * asked.sensitivity), rel=1e-3)
    assert live_figure.evaluate("scale_now") == pytest.approx(made.scale, rel=1e-5)
    assert live_figure.evaluate("guesses") == pytest.approx(
        (1 + made.delta_at(0.0, 3)) / 2, rel=1e-5
    )


@pytest.mark.parametrize("k", GROUP_GRID)
def test_the_loss_of_a_group_stays_on_its_axis(k):
    live_figure = figure(PIPELINE.still(MechanismsParams(noise="laplace", group=k)))
    panel = next(panel for panel in live_figure.panels if panel.key == "loss")
    assert np.abs(live_figure.evaluate("loss")).max() == pytest.approx(
        1, rel=1e-3
    )  # in units of kε
    assert panel.y.range[0] < -1 < 1 < panel.y.range[1]
    assert live_figure.evaluate("one_person") == pytest.approx(1 / k)


@pytest.mark.parametrize(("question", "unit"), [("count", "person"), ("heights", "feet")])
def test_one_person_is_no_people(question, unit):
    asked = mechanisms.query(MechanismsParams(question=question))
    assert asked.unit_of(asked.sensitivity) == unit
    assert mechanisms.query(MechanismsParams()).unit_of(2.0) == "people"


def test_the_numbers_from_which_gaussian_noise_is_smaller_are_whole():
    shown = figure(PIPELINE.still(MechanismsParams(epsilon=1.0, delta=1e-5)))
    assert shown.evaluate("crossing") == pytest.approx(6.959, abs=1e-3)
    assert shown.evaluate("crossing_whole") == 7


def test_the_message_stays_small():
    shown = figure(PIPELINE.still(MechanismsParams(noise="gaussian")))
    assert len(json.dumps(message(shown))) < 3_000_000


def test_the_program_draws_the_densities_and_the_answers():
    params, shown = MechanismsParams(), program_figure("mechanisms")
    asked, noise = mechanisms.query(params), mechanisms.mechanism(params)
    for mine, at in zip(shown.data, (asked.answer, asked.answer - asked.sensitivity), strict=False):
        assert mine.y == pytest.approx(noise.density(np.asarray(mine.x), at))
    draws = draw_table(PIPELINE.still(params))["with"]
    assert shown.data[2].x == pytest.approx(draws)


@pytest.mark.parametrize(("noise", "together"), [("laplace", "80"), ("gaussian", "12.5")])
def test_the_answers_of_the_mechanisms_name_their_sum(noise, together):
    params = MechanismsParams(noise=noise, epsilon=1.0, delta=1e-5)
    text = downloads._csv(lambda: draw_table(PIPELINE.still(params)))
    assert text.startswith("# 80 answers")
    assert f"together epsilon = {together}" in text.splitlines()[0]
    assert len(pd.read_csv(io.StringIO(text), comment="#")) == 80


@pytest.mark.parametrize(
    ("relation", "other", "question"),
    [
        ("add_remove", "without Ada", "Was Ada in"),
        ("replace_one", "with somebody else", "somebody else?"),
    ],
)
def test_the_two_worlds_are_called_after_the_relation(relation, other, question):
    shown = figure(PIPELINE.still(MechanismsParams(question="heights", relation=relation)))
    panel = shown.panels[0]
    assert other in [layer.label for layer in panel.layers]
    assert question in panel.bets.question


def test_of_a_private_mean_one_person_moves_the_curve_whatever_the_group():
    params = MechanismsParams(question="mean", relation="add_remove", group=5)
    shown = figure(PIPELINE.still(params))
    apart = shown.evaluate("x") - shown.evaluate("x_other")
    assert apart == pytest.approx(np.full(len(apart), 0.5), rel=1e-5)
    assert shown.evaluate("truth") - shown.evaluate("truth_other") == pytest.approx(0.5)
    (group,) = (control for control in shown.controls if control.name == "group")
    assert group.disabled
    table = draw_table(PIPELINE.still(params))
    assert (table["with"] - table["without"]).to_numpy() == pytest.approx(np.full(80, 0.5))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("group", [1, 10])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 20.0])
def test_both_curves_leave_the_panel_on_both_sides(noise, group, epsilon):
    shown = figure(PIPELINE.still(MechanismsParams(noise=noise, group=group, epsilon=epsilon)))
    low, high = shown.panels[0].x.range
    for name in ("x", "x_other"):
        x = shown.evaluate(name)
        assert x.min() < low
        assert x.max() > high
        assert (np.diff(x) >= 0).all()


@pytest.mark.parametrize("relation", ["add_remove", "replace_one"])
def test_a_group_is_not_called_by_the_name_of_one_of_them(relation):
    params = MechanismsParams(question="heights", relation=relation, group=10)
    panel = figure(PIPELINE.still(params)).panels[0]
    told = [layer.label for layer in panel.layers] + [panel.bets.question, panel.caption, panel.alt]
    assert not any("Ada" in text or "somebody" in text for text in told)
    assert "with the 10" in told


@pytest.mark.parametrize("noise", NOISES)
def test_the_sentence_and_the_guarantee_speak_of_one_scale(noise):
    words = {
        "strong": ("tells hardly anything", "tells little"),
        "moderate": ("tell something", "tell much"),
        "weak": ("tell nearly all",),
        "none": ("tell nearly all",),
    }
    params = MechanismsParams(noise=noise)
    said = np.reshape(meaning(PIPELINE.still(params)).strings, (len(EPSILON_GRID), -1))[:, 0]
    for sentence, epsilon in zip(said, EPSILON_GRID, strict=True):
        level = mechanisms.guarantee(params.but(epsilon=epsilon)).protection
        assert any(word in sentence for word in words[level]), epsilon


@pytest.mark.parametrize("example", sorted(mechanisms.EXAMPLES))
def test_the_options_that_are_named_differ_by_the_largest_factor(example):
    params = MechanismsParams(example=example)
    (caption,) = (p.caption for p in figure(PIPELINE.still(params)).panels if p.key == "right")
    named = caption.rpartition(" is for ")[2].partition(",")[0].split(" and ")
    options, found = mechanisms.EXAMPLES[example].options, mechanisms.choices(params)
    apart = np.abs(np.log(found.right / found.right_other))
    at = [options.index(name) for name in named]
    np.testing.assert_allclose(
        apart[:, at], np.tile(apart.max(1), (len(at), 1)).T, rtol=1e-9, atol=1e-12
    )
    assert len(at) < len(options)


@pytest.mark.parametrize("group", [1, 5])
def test_where_a_record_is_a_team_ada_is_in_no_sentence(group):
    """A team of four is there or not: ε counts teams, and a person is no record of its own."""
    params = MechanismsParams(question="salaries", group=group)
    state = PIPELINE.still(params)
    found = figure(state)
    (panel,) = [panel for panel in found.panels if panel.key == "worlds"]
    said = [
        panel.caption,
        panel.alt,
        panel.bets.question,
        *(layer.label for layer in panel.layers if hasattr(layer, "label")),
    ]
    said += [words(state).shown]
    said += [
        text for one in found.readouts if one.depth is Depth.LOOK for text in (one.label, one.help)
    ]
    assert [text for text in said if re.search(r"\b(Ada|her|person)\b", text or "")] == []


@pytest.mark.parametrize("noise", NOISES)
def test_the_program_runs_for_every_noise_and_prints_its_guarantee(noise, capsys):
    drawn(program(MechanismsParams(noise=noise, group=3)))
    assert "counted for    one record" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("relation", "name"), [("add_remove", "D′: without"), ("usual", "D′: replaced")]
)
def test_the_program_names_what_differs(relation, name):
    params = MechanismsParams(question="mean", relation=relation, group=5)
    assert drawn(program(params)).data[1].name == name


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 20.0])
def test_an_answer_falls_from_the_curve_and_the_newest_is_the_last_that_fell(noise, epsilon):
    params = MechanismsParams(noise=noise, epsilon=epsilon, n_answers=7)
    shown, asked = figure(PIPELINE.still(params)), mechanisms.query(params)
    draws, made = shown.evaluate("draws"), mechanisms.mechanism(params)
    exact = asked.answer + made.quantile(np.random.default_rng(params.seed).random(len(draws)))
    assert draws[:, 0] == pytest.approx(exact, rel=1e-3)
    falls_from = made.density(exact, asked.answer) / made.density(asked.answer, asked.answer)
    if noise != "staircase":  # whose answers stand at its corners for large ε
        assert draws[:, 1] == pytest.approx(falls_from, abs=5e-3)
    assert ((draws[:, 1] >= 0) & (draws[:, 1] <= 1 + 1e-6)).all()
    assert shown.evaluate("fallen") == 7
    assert shown.evaluate("newest") == pytest.approx(draws[6, 0], rel=1e-3)
    assert draw_table(PIPELINE.still(params))["with"].to_numpy() == pytest.approx(
        draws[:7, 0], rel=1e-3
    )


def test_what_has_fallen_is_what_the_card_adds_up():
    told = words(PIPELINE.still(MechanismsParams(n_answers=12, epsilon=0.5))).shown
    assert "12 answers" in told
    assert "ε = **6**" in told
