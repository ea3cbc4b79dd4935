"""A journey through exercises: a named mistake, then the point; and an answer that is a state of the figure."""

import pytest

from dpcore.experiments.grids import EPSILON_GRID
from tests.browser.journey import PATIENCE, live_figure, settled
from tests.browser.test_all_readers import DARK, settled_findings
from ui.exercises.files import load_all

pytestmark = pytest.mark.browser
EXERCISES = load_all()


def opened(page, address, key, name):
    page.goto(f"{address}/exercises?exercise={key}&course=dp26&name={name}")
    page.wait_for_selector(".dp-figure.dp-ready", timeout=PATIENCE)
    return EXERCISES[key].draw("dp26", name)


def checked(page):
    page.get_by_role("button", name="Check the answer").click()


def test_a_student_fails_by_a_named_misconception_then_solves_it(page, address, axe):
    drawn = opened(page, address, "laplace-scale", "journey")
    field = page.get_by_role("textbox", name="Scale b of the noise")
    field.fill(str(drawn.parameters["C"] * drawn.parameters["epsilon"]))
    checked(page)
    page.get_by_text("It looks as if you took").wait_for()
    page.get_by_text("Hint 1, the idea.").wait_for()
    page.get_by_text("After 2 more tries").wait_for()
    page.evaluate(axe)
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_function(DARK, arg=theme == "dark")
        assert settled_findings(page) == []
    assert page.get_by_text("dpx1:").count() == 0
    field.fill(str(drawn.right_answer()["b"]))
    checked(page)
    page.get_by_text("Right: 1 point.").wait_for()
    page.get_by_text("dpx1:dp26:journey:laplace-scale:1:").wait_for()
    assert page.locator(".dp-star-pop").count() == 1, "the star that is earned grows"
    page.wait_for_function("location.search.includes('done=laplace-scale')")
    assert page.get_by_role("heading", name="Solution").is_visible()
    page.get_by_role("button", name="New numbers").click()
    page.get_by_text("Right: 1 point.").wait_for(state="hidden")
    assert page.locator(".dp-star-full.dp-star-now").count() == 1
    assert page.locator(".dp-star-pop").count() == 0, "it grows once"


def test_an_answer_is_the_state_of_the_figure(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    drawn = opened(page, address, "error-goal", "journey")
    assert page.locator(".dp-stars").bounding_box()["height"] < 40, "one line of a phone"
    checked(page)
    page.get_by_text("The likely mistake: More precise than needed").wait_for()
    name = "exercise_error-goal_0"
    handle = page.get_by_role("slider", name="privacy parameter")
    handle.focus()
    wanted = drawn.right_answer()["state"]["epsilon"]
    for _ in EPSILON_GRID:
        if live_figure(page, "figure.values.epsilon", name=name) > wanted:
            handle.press("ArrowLeft")
    settled(page, name=name)
    checked(page)
    page.get_by_text("Right: 1 point.").wait_for()


def test_on_a_phone_the_figure_stands_between_the_question_and_the_answer(page, address):
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address, "laplace-scale", "journey")
    tops = [
        page.locator(f".st-key-exercise_{name}").bounding_box()["y"]
        for name in ("text", "figure", "answer")
    ]
    assert tops == sorted(tops)
    handle = page.locator(".st-key-exercise_figure input[type=range]").first.bounding_box()
    assert handle["y"] + handle["height"] < 844, "the handle is on the first screen"
    plot = page.locator(".st-key-exercise_figure .dp-plot").bounding_box()
    assert plot["y"] < 0.8 * 844, "question and figure meet on a screen"


def test_the_wanted_range_is_green_after_a_first_answer(page, address):
    opened(page, address, "laplace-scale", "journey")
    handle = page.locator(".st-key-exercise_figure input[type=range]").first
    handle.wait_for()
    assert page.locator("input.dp-banded").count() == 0
    page.get_by_role("textbox", name="Scale b of the noise").fill("1")
    checked(page)
    page.locator("input.dp-banded").wait_for()
    assert "the green part of the track" in page.locator(".dp-note").first.inner_text()
