"""The page of exercises: own numbers, a named mistake, hints, solution when earned, receipt."""

from dataclasses import replace

import pytest

from dpcore.exercises import Receipt, server_key
from dpcore.mechanisms import gaussian_sigma
from pages.exercises import beside
from pages.exercises.checked import faults
from pages.exercises.session import SOLUTIONS
from tests.pages.visits import app
from ui.exercises.files import load_all
from ui.words.guarantees import LOOKING
from ui.words.typeset import typeset

EXERCISES = load_all()
NAME = {"name": "otter", "course": "dp26"}


def texts(found):
    return "\n".join(item.value for item in found.markdown)


def answer(found, key, given, number=0):
    """Fill in an answer to an exercise of text fields and choices, and check it."""
    place = f"answer.dp26.otter.{key}.{number}"
    for name, value in given.items():
        field = f"{place}.{name}"
        if any(item.key == field for item in found.text_input):
            found.text_input(key=field).set_value(str(value))
        elif any(item.key == field for item in found.radio):
            found.radio(key=field).set_value(value)
        else:
            found.multiselect(key=field).set_value(value)
    next(item for item in found.button if item.label == "Check the answer").click()
    return found.run()


@pytest.mark.parametrize("key", EXERCISES)
def test_every_exercise_opens_by_its_link_and_tells_nothing(key):
    found = app("exercises", exercise=key, **NAME)
    assert not found.exception
    assert not found.warning
    drawn = EXERCISES[key].draw("dp26", "otter")
    assert typeset(drawn.text) in texts(found)
    told = [drawn.solution, *(drawn.hint(k) for k in range(3))]
    for early in ("Hint", "Solution", *told, *map(typeset, told)):
        assert early not in texts(found)
    assert len(found.get("bidi_component")) == 1
    link = drawn.figure
    noisy = bool(link and link.panel) and beside.draws(link)
    said = [item.value for item in found.caption]
    assert (LOOKING in said) == noisy, "noise of a figure beside an exercise is for looking"


@pytest.mark.parametrize(
    "key", [key for key in EXERCISES if EXERCISES[key].figure and EXERCISES[key].figure.page]
)
def test_the_state_of_every_figure_is_one_that_its_page_takes(key):
    exercise = EXERCISES[key]
    assert faults(exercise) == []
    figure = beside.of_page(exercise.draw("dp26", "otter").figure)
    shown = {control.name for control in figure.controls if not control.hidden}
    locked = {control.name for control in figure.controls if control.disabled}
    assert set(exercise.figure.keep) | locked == shown
    assert set(exercise.figure.lock) == locked


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"page": "mechanism"}, "figure.page: there is no “mechanism”. There are mechanisms, "),
        ({"state": {"eps": "1"}}, "figure.state: there is no “eps”. There are "),
        ({"state": {"epsilon": "-4"}}, "figure.state: The link sets “privacy parameter ε” to “-4”"),
        ({"panel": "world"}, "figure.panel: there is no “world”. There are worlds, "),
        ({"keep": ("eps",)}, "figure.keep: there is no “eps”. There are "),
    ],
)
def test_a_figure_that_cannot_be_had_is_named_and_the_page_goes_without(change, told):
    exercise = EXERCISES["error-goal"]
    (fault,) = faults(replace(exercise, figure=replace(exercise.figure, **change)))
    assert fault.startswith(f"error-goal: {told}")
    if "panel" in change:
        assert beside.of_page(replace(exercise.draw("a", "b").figure, **change)) is None


def test_a_figure_has_what_its_page_computes_and_says_so_while_it_is_not_there(monkeypatch):
    quick = [e.draw("dp26", "otter").figure for e in EXERCISES.values() if e.figure]
    for link in [link for link in quick if link.page in ("mechanisms", "budget") and link.panel]:
        drawn = beside.computed(link)
        assert drawn.values == {name: drawn.values[name] for name in beside.of_page(link).values}
    waiting = [True, True]

    def made(link):
        if waiting and waiting.pop():
            raise beside.Waits
        return beside.of_page(link)

    monkeypatch.setattr(beside, "computed", made)
    found = app("exercises", exercise="bias-noise-leak", **NAME)
    assert not found.exception
    assert any("is being computed" in item.value for item in found.caption)
    assert not any("is being computed" in item.value for item in found.run().caption)


def test_a_known_mistake_is_named_and_then_the_answer_gives_a_receipt():
    found = app("exercises", exercise="laplace-scale", **NAME)
    drawn = EXERCISES["laplace-scale"].draw("dp26", "otter")
    wrong = drawn.parameters["C"] * drawn.parameters["epsilon"]
    found = answer(found, "laplace-scale", {"b": wrong})
    assert "The likely mistake: *More ε, more noise.*" in texts(found)
    assert "Hint 1" in texts(found)
    assert "Hint 2" not in texts(found)
    assert found.code == []
    found = answer(found, "laplace-scale", drawn.right_answer())
    assert not found.exception
    assert "Right: 1 point." in texts(found)
    assert typeset(drawn.solution) in texts(found)
    (line,) = [item.value for item in found.code]
    receipt = Receipt.read(line, server_key().secret)
    assert (receipt.course, receipt.pseudonym, receipt.exercise) == (
        "dp26",
        "otter",
        "laplace-scale",
    )
    mark = "".join(found.query_params["done"])
    again = app("exercises", done=mark, **NAME)  # the link proves the point, in a new session
    assert [item.value for item in again.code] == [line]
    for link in ({"done": mark[:-1] + "x"}, {"done": mark, "name": "heron"}):
        assert app("exercises", **{**NAME, **link}).code == []


def loose_sigma():
    given = EXERCISES["gaussian-sigma"].draw("dp26", "otter").parameters
    sensitivity, epsilon, delta = given.values()
    return {"sigma": gaussian_sigma(sensitivity, epsilon, delta=delta, calibration="classical")}


def test_half_a_point_has_its_receipt_at_once():
    found = app("exercises", exercise="gaussian-sigma", **NAME)
    found = answer(found, "gaussian-sigma", loose_sigma())
    assert "half a point" in texts(found)
    (line,) = [item.value for item in found.code]
    assert line.startswith("dpx1:dp26:otter:gaussian-sigma:0.5:")


def test_half_a_point_takes_nothing_from_a_whole_one_in_the_link():
    whole = Receipt(course="dp26", pseudonym="otter", exercise="gaussian-sigma", score=1.0)
    key = server_key().secret
    found = app("exercises", exercise="gaussian-sigma", done=whole.mark(key), **NAME)
    found = answer(found, "gaussian-sigma", loose_sigma())
    assert "half a point" in texts(found)
    for _ in range(2):
        assert [item.value for item in found.code] == [whole.sign(key)]
        found.run()


def test_three_tries_close_the_numbers():
    found = app("exercises", exercise="value-record", **NAME)
    for _ in range(3):
        found = answer(found, "value-record", {"record": 1e6})
    (check,) = [item for item in found.button if item.label == "Check the answer"]
    assert check.disabled


def test_a_figure_that_is_ready_while_an_answer_is_checked_does_not_lose_it(monkeypatch):
    found = app("exercises", exercise="value-record", **NAME)
    calls = []

    def late(link):
        calls.append(link)
        if len(calls) == 1:
            raise beside.Waits
        return beside.of_page(link)

    monkeypatch.setattr(beside, "computed", late)
    found = answer(found, "value-record", {"record": 1e6})
    assert len(calls) > 1
    assert "Hint 1" in texts(found)


def test_what_cannot_be_read_uses_up_no_try_and_three_tries_earn_the_solution():
    found = app("exercises", exercise="value-record", **NAME)
    drawn = EXERCISES["value-record"].draw("dp26", "otter")
    found = answer(found, "value-record", {"record": "many"})
    assert any("is no number" in item.value for item in found.warning)
    assert "Hint" not in texts(found)
    for _ in range(3):
        found = answer(found, "value-record", {"record": 1e6})
    assert "Hint 3" in texts(found)
    assert typeset(drawn.solution) not in texts(found)
    found.button(key="show_solution").click().run()
    assert typeset(drawn.solution) in texts(found)
    (check,) = [item for item in found.button if item.label == "Check the answer"]
    assert check.disabled
    assert found.code == []
    other = app("exercises", exercise="value-record", **NAME)  # the same student, a new session
    assert typeset(drawn.text) not in texts(other)
    found.button(key="new_numbers").click().run()
    again = EXERCISES["value-record"].draw("dp26", "otter", 1)
    assert typeset(again.text) in texts(found)
    found = answer(found, "value-record", again.right_answer(), number=1)
    assert "Right: 1 point." in texts(found)


def test_an_exercise_with_one_set_of_numbers_gives_no_point_after_its_solution():
    drawn = EXERCISES["proof-composition"].draw("dp26", "otter")
    found = app("exercises", exercise="proof-composition", **NAME)
    letters = drawn.right_answer()["order"]
    for _ in range(3):
        found = answer(found, "proof-composition", {"order": letters[:3]})
    found.button(key="show_solution").click().run()
    found = answer(found, "proof-composition", {"order": letters})
    assert "no point, as the solution was shown" in texts(found)
    assert found.code == []
    other = app("exercises", exercise="proof-composition", **NAME)
    assert any("give no point any more" in item.value for item in other.caption)


def test_steps_and_choices_are_answered_by_letters():
    drawn = EXERCISES["proof-laplace"].draw("dp26", "otter")
    found = app("exercises", exercise="proof-laplace", **NAME)
    letters = drawn.right_answer()["order"]
    found = answer(found, "proof-laplace", {"order": [*letters[:4], letters[5], letters[4]]})
    assert "From sets to points" in texts(found)
    found = answer(found, "proof-laplace", {"order": letters})
    assert "Right: 1 point." in texts(found)
    leak = EXERCISES["bias-noise-leak"].draw("dp26", "otter")
    found = app("exercises", exercise="bias-noise-leak", **NAME)
    found = answer(found, "bias-noise-leak", leak.right_answer())
    assert "Right: 1 point." in texts(found)


def test_the_points_of_a_curve_are_its_answer():
    drawn = EXERCISES["averaging"].draw("dp26", "otter")
    figure = beside.curve(drawn.public()["parts"][0])
    right = drawn.right_answer()
    set_to = {f"y{k}": height for k, height in enumerate(right["curve"])}
    near = {control.name: control.allowed(set_to[control.name]) for control in figure.controls[:5]}
    assert drawn.grade({**right, "curve": beside.heights(near, 5)}).right
    flat = drawn.grade({**right, "curve": beside.heights(figure.values, 5)})
    assert not flat.right


def test_a_lecturers_link_offers_what_it_names_and_no_solution():
    found = app(
        "exercises", only="odds,group,nonsense", solutions="no", exercise="laplace-scale", **NAME
    )
    assert len(found.selectbox(key="exercises.chosen").options) == 2
    drawn = EXERCISES["odds"].draw("dp26", "otter")
    assert typeset(drawn.text) in texts(found)
    found = answer(found, "odds", drawn.right_answer())
    assert "Right: 1 point." in texts(found)
    assert typeset(drawn.solution) not in texts(found)


@pytest.mark.parametrize(("course", "server"), [("dp26.closed", "yes"), ("open", "no")])
def test_no_link_opens_the_solutions_of_a_closed_course_or_server(course, server, monkeypatch):
    monkeypatch.setenv(SOLUTIONS, server)
    closed = {"name": "otter", "course": course, "exercise": "value-record"}
    found = app("exercises", solutions="yes", **closed)
    drawn = EXERCISES["value-record"].draw(course, "otter")
    field = f"answer.{course}.otter.value-record.0.record"
    for _ in range(3):
        found.text_input(key=field).set_value("1e6")
        next(item for item in found.button if item.label == "Check the answer").click()
        found.run()
        assert "solution" not in "\n".join(item.value for item in found.caption)
    assert "Hint 3" in texts(found)
    assert "show_solution" not in [item.key for item in found.button]
    assert typeset(drawn.solution) not in texts(found)
    assert "new_numbers" in [item.key for item in found.button]


def test_a_bad_link_is_taken_as_none():
    found = app("exercises", exercise="x" * 9000, name="<b>", course="../..", done="x,y", only=",,")
    assert not found.exception
    assert "<b>" not in texts(found)
    assert len(found.selectbox(key="exercises.chosen").options) == len(EXERCISES)


def test_a_star_fills_with_each_solved_exercise():
    def stars(found):
        body = next(item.proto.body for item in found.get("html") if "dp-star-" in item.proto.body)
        return body.count("dp-star-full"), body.count("dp-star-half"), body.count("★")

    found = app("exercises", exercise="gaussian-sigma", **NAME)
    assert stars(found) == (0, 0, len(EXERCISES))
    found = answer(found, "gaussian-sigma", loose_sigma())
    assert stars(found) == (0, 1, len(EXERCISES))
    right = EXERCISES["gaussian-sigma"].draw("dp26", "otter").right_answer()
    assert stars(answer(found, "gaussian-sigma", right)) == (1, 0, len(EXERCISES))
