"""The first lesson: six figures, questions before the reveals, answers in the link."""

import json

import numpy as np
import pytest

from dpcore.experiments import lesson
from pages.lesson import steps
from pages.lesson.figures import FIGURES
from pages.lesson.steps import STEPS
from tests.pages.test_plain_words import EASIEST, LONGEST, reading_ease, words_of
from tests.pages.visits import app
from ui.live.transport import message
from ui.words import glossary


def htmls(found):
    return " ".join(item.proto.body for item in found.get("html"))


def test_every_step_has_a_figure_that_asks_nobody():
    assert [step.key for step in STEPS] == list(FIGURES)
    for make in FIGURES.values():
        figure = make()
        moved = [one for one in figure.controls if one.name != "ada" and not one.hidden]
        assert len(moved) <= 1, "one thing to move"
        assert all(control.mode == "local" for control in figure.controls)
        assert len(json.dumps(message(figure))) < 600_000


def test_a_reader_bets_on_one_person_against_the_bound_that_the_step_tells():
    figure = FIGURES["noise"]()
    bets = figure.panels[0].bets
    assert "**Can you tell?**" in next(step.text for step in STEPS if step.key == "noise")
    drawn = {
        name
        for layer in figure.panels[0].layers
        for name in vars(layer).values()
        if isinstance(name, str)
    }
    assert drawn.isdisjoint(
        {bets.inside, bets.outside}
    )  # a dot that is seen would tell which it was
    for name in (bets.inside, bets.outside):
        assert figure.evaluate(name, {"epsilon": 1.0}).shape == (80, 2)
    assert bets.best == "guesses"


def test_no_reason_is_told_before_its_question_is_answered():
    found = app("lesson")
    assert not found.exception
    assert len(found.get("bidi_component")) == len(STEPS)
    assert "Right." not in htmls(found)
    step = STEPS[0]
    found.radio(key=f"lesson.{step.key}").set_value(step.options[step.right]).run()
    assert not found.exception
    assert "<strong>Right.</strong>" in htmls(found)
    assert "much about everybody, little about each" in htmls(found)
    assert found.query_params["coin"] == str(step.right)


def test_a_link_brings_its_answers_and_nonsense_is_no_answer():
    found = app("lesson", coin="0", count="2", noise="7", again="-1", learning="x" * 9000)
    assert not found.exception
    assert htmls(found).count("<strong>Not quite.</strong>") == 1
    assert htmls(found).count("<strong>Right.</strong>") == 1
    assert found.radio(key="lesson.noise").value is None


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_the_words_of_a_step_are_short_and_easy(step):
    told = glossary.plain(f"{step.text}\n\n{step.reveal}").replace("**", "")
    parts = told.replace("\n\n", " ").replace("! ", ". ").replace("? ", ". ").split(". ")
    assert max(len(words_of(part)) for part in parts) <= LONGEST
    assert reading_ease(told.replace("\n\n", " ")) >= EASIEST + 10
    assert 0 <= step.right < len(step.options)
    if step.key in ("coin", "count"):
        assert "ε" not in told  # no formula before the third step
    glossary.first_marks(step.text + step.reveal)


def test_the_numbers_that_are_told_are_those_that_are_drawn():
    told = steps.numbers()
    noise = FIGURES["noise"]()
    assert told["noise"]["guess_one"] == pytest.approx(
        100 * float(noise.evaluate("guesses", {"epsilon": 1.0}))
    )
    assert told["noise"]["off_tenth"] == pytest.approx(
        float(noise.evaluate("off", {"epsilon": 0.1}))
    )
    again = FIGURES["again"]()
    assert told["again"]["spent"] == float(again.evaluate("spent", {"asked": 100})) == 50
    assert again.evaluate("means", {"asked": 100})[-1] == pytest.approx(
        lesson.ask_again().means[-1]
    )


def test_each_student_raises_one_card_and_ada_says_yes_as_the_lesson_opens():
    figure = FIGURES["coin"]()
    cards, her = figure.panels[0].layers
    for truth in (0.55, 0.75, 0.99):
        answers = figure.evaluate("answers", {"truth": truth})
        for ada in (True, False):
            at = {"truth": truth, "ada": ada}
            there = np.isfinite(figure.evaluate(cards.xy, at)[:, 0])
            assert there.sum() == figure.evaluate("answer_all", at) == 99 + ada
            assert answers[there].sum() == figure.evaluate("say_yes", at)
            assert there[cards.person] == np.isfinite(figure.evaluate(her.xy, at)).all() == ada
    assert figure.evaluate("answers")[cards.person] == 1


def test_numbers_grow_with_the_cards_and_end_at_those_of_the_whole_class():
    figure = FIGURES["coin"]()
    cards, _ = figure.panels[0].layers
    for ada in (True, False):
        there = np.isfinite(figure.evaluate(cards.xy, {"ada": ada})[:, 0])
        answers = figure.evaluate("answers") * there
        for raised in (0, 1, 9, 10, cards.person, cards.person + 1, 100):
            at = {"ada": ada, "raised": float(raised)}
            assert figure.evaluate("say_yes", at) == answers[:raised].sum()
            assert figure.evaluate("answer_all", at) == there[:raised].sum()
            share = figure.evaluate("say_yes", at) / max(there[:raised].sum(), 1)
            found = figure.evaluate("worked_out", at)
            assert np.isnan(found) if raised < 10 else found == pytest.approx(200 * share - 50)


def test_the_sentence_works_the_share_out_from_the_cards_that_are_raised():
    figure = FIGURES["coin"]()
    (told,) = figure.texts
    for truth in (0.55, 0.75, 0.99):
        for ada, raised in ((True, 100), (False, 100), (True, 40)):
            at = {"truth": truth, "ada": ada, "raised": float(raised)}
            yes, none, every = (
                float(figure.evaluate(name, at)) for name in ("yes_in_100", "if_none", "if_all")
            )
            assert figure.evaluate("worked_out", at) == pytest.approx(
                100 * (yes - none) / (every - none), rel=1e-4
            )
    assert told.dims == ("raised",)
    assert ["{worked_out" in one for one in told.strings] == [n >= 10 for n in range(101)]


def test_a_raised_card_and_a_wheel_stay_within_the_frame():
    above = 0.36 + 0.21  # of a head, to the upper edge of its wheel, in assets/live/draw/cards.js
    for name in ("coin", "count"):
        (panel,) = FIGURES[name]().panels
        heads = FIGURES["coin"]().evaluate("her_seat")
        top = max(FIGURES["coin"]().evaluate("seats")[:, 1].max(), heads[0, 1])
        assert top + above < panel.y.range[1] - 0.1


def test_a_click_on_ada_does_what_the_switch_does():
    for name in ("coin", "count", "learning"):
        figure = FIGURES[name]()
        (switch,) = [control for control in figure.controls if control.name == "ada"]
        assert switch.panel == figure.panels[0].key
        her = {"coin": "ada_at", "count": "her", "learning": "ada_at"}[name]
        here = figure.evaluate(her, {"ada": True})[0]
        assert figure.evaluate(switch.place)[0] == pytest.approx(here, abs=1e-6)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.key)
def test_ada_can_be_left_out_at_each_step_and_what_is_drawn_says_so(step):
    figure = FIGURES[step.key]()
    assert figure.values["ada"] is True
    drawn = {
        name for panel in figure.panels for layer in panel.layers for name in layer.array_names()
    }
    moved = [
        name
        for name in drawn
        if not np.array_equal(
            *(figure.evaluate(name, {"ada": ada}) for ada in (True, False)), equal_nan=True
        )
    ]
    assert moved


def test_without_ada_the_same_noise_falls_one_person_lower():
    noise, again = FIGURES["noise"](), FIGURES["again"]()
    here, there = (
        noise.evaluate(name, {"ada": ada})
        for name, ada in (("draws", True), ("draws_other", False))
    )
    np.testing.assert_allclose(here - there, np.array([[1.0, 0.0]] * len(here)), atol=1e-5)
    means = [again.evaluate("means", {"ada": ada, "asked": 100}) for ada in (True, False)]
    np.testing.assert_allclose(means[0] - means[1], 1, atol=1e-5)
    assert [again.evaluate("truth", {"ada": ada}) for ada in (True, False)] == [100, 99]


def test_what_is_learned_without_ada_is_the_same_training_with_one_record_less():
    figure = FIGURES["learning"]()
    points = [figure.evaluate("points", {"ada": ada}) for ada in (True, False)]
    (row,) = np.flatnonzero(np.isnan(points[1]).any(axis=1))
    np.testing.assert_array_equal(points[0][row], figure.evaluate("ada_at")[0])
    assert row == lesson.prototypes_without()[0]


def test_the_name_of_ada_has_room_left_of_her():
    drawn = FIGURES["coin"]().panels[0].layers[0]
    assert drawn.words[3] == "Ada"
    figure = FIGURES["coin"]()
    x, _ = figure.evaluate("her_seat", figure.values)[0]
    left, _ = figure.panels[0].x.range
    assert x < 1, "in the first column: further right her neighbour would be under the name"
    assert x - left >= 1
