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
        (control,) = figure.controls  # one thing to move
        assert control.mode == "local"
        assert len(json.dumps(message(figure))) < 600_000


def test_a_reader_bets_on_one_person_against_the_bound_that_the_step_tells():
    figure = FIGURES["noise"]()
    bets = figure.panels[0].bets
    assert "**Bet**" in next(step.text for step in STEPS if step.key == "noise")
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
    for truth in (0.55, 0.75, 0.99):
        at = {"truth": truth}
        places = [figure.evaluate(name, at) for name in ("cards_yes", "cards_no", "ada")]
        seen = np.concatenate([place[np.isfinite(place[:, 0])] for place in places])
        assert len(np.unique(seen, axis=0)) == len(seen) == 100
        said = np.isfinite(places[0][:, 0]).sum() + figure.evaluate("ada_says", at).item()
        assert figure.evaluate("say_yes", at) == said
    assert figure.evaluate("ada_says").item() == 1
