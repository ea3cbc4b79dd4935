"""The page of exercises: own numbers, a named mistake, hints, solution when earned, receipt."""

import re
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from dpcore.exercises import Receipt, server_key
from dpcore.mechanisms import gaussian_sigma
from pages.exercises import beside
from pages.exercises.checked import faults
from pages.exercises.session import SOLUTIONS
from tests.pages.visits import app
from ui.classroom import housekeeping
from ui.classroom.activities import Together, on_a_phone
from ui.classroom.models import Away
from ui.classroom.store import Store
from ui.exercises.files import SETS, folder, load_all, load_all_paths
from ui.words.guarantees import LOOKING
from ui.words.typeset import typeset

EXERCISES = load_all()
NAME = {"name": "otter", "course": "dp26"}


def texts(found):
    return "\n".join(item.value for item in found.markdown)


def answer(found, key, given, number=0, name="otter"):
    """Fill in an answer to an exercise of text fields and choices, and check it."""
    place = f"answer.dp26.{name}.{key}.{number}"
    for part, value in given.items():
        field = f"{place}.{part}"
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
    assert "It looks as if you took $C\\cdot \\varepsilon$." in texts(found)
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
    assert "0.5 of 1 point" in texts(found)
    (line,) = [item.value for item in found.code]
    assert line.startswith("dpx1:dp26:otter:gaussian-sigma:0.5:")


def test_half_a_point_takes_nothing_from_a_whole_one_in_the_link():
    whole = Receipt(course="dp26", pseudonym="otter", exercise="gaussian-sigma", score=1.0)
    key = server_key().secret
    found = app("exercises", exercise="gaussian-sigma", done=whole.mark(key), **NAME)
    found = answer(found, "gaussian-sigma", loose_sigma())
    assert "0.5 of 1 point" in texts(found)
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
    assert any("is not read" in item.value for item in found.warning)
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


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("two-layers", "σ in each layer"), ("laplace-scale", "How likely, relative to the top"),
        ("many-steps", "ε at δ = 10⁻⁵"),
    ],
)  # fmt: skip
def test_the_title_of_curves_begins_with_a_capital_unless_it_is_a_symbol(key, title):
    (panel,) = beside.own(EXERCISES[key].draw("dp26", "otter").curves).panels
    assert panel.title == title


def test_a_figure_of_curves_says_their_heights_at_the_slider_and_a_handle_its_gauge():
    drawn = EXERCISES["odds"].draw("dp26", "otter")
    figure = beside.own(drawn.curves)
    middle = drawn.curves.x.index(figure.values["x"])
    for readout, heights in zip(figure.readouts, drawn.curves.heights.values(), strict=True):
        assert figure.evaluate(readout.value) == pytest.approx(heights[middle], rel=1e-6)
    moving = EXERCISES["laplace-scale"].draw("dp26", "otter").curves.moving
    figure = beside.own(EXERCISES["laplace-scale"].draw("dp26", "otter").curves)
    (gauge,) = figure.readouts
    assert f"{moving.goal:g}" in gauge.note
    before = beside.own(EXERCISES["laplace-scale"].draw("dp26", "otter").curves, tried=False)
    assert before.controls[0].band == ()
    assert "green" in gauge.note
    assert "green" not in before.readouts[0].note
    for place in moving.grid:
        assert np.isnan(before.evaluate("good0", {"handle": place})).all()
    (handle,) = figure.controls
    low, high = handle.band
    for place, value in zip(moving.grid, moving.gauge, strict=True):
        inside = low <= place <= high
        assert inside == (abs(value - moving.goal) <= 0.15 * moving.goal)
        green, plain = (figure.evaluate(name, {"handle": place}) for name in ("good0", "area0"))
        assert np.isfinite(green).all() == inside
        assert np.isfinite(plain).all() != inside
    for at, label in enumerate(moving.heights):
        values = {"handle": moving.grid[3]}
        assert figure.evaluate(f"curve{at}", values) == pytest.approx(
            moving.heights[label][3], abs=1e-6
        )
        assert figure.evaluate(gauge.value, values) == pytest.approx(moving.gauge[3], rel=1e-6)


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


def test_right_parts_earn_their_share_and_a_receipt():
    drawn = EXERCISES["differencing"].draw("dp26", "otter")
    found = app("exercises", exercise="differencing", **NAME)
    found = answer(found, "differencing", drawn.right_answer() | {"sd": 77})
    assert "0.67 of 1 point" in texts(found)
    (line,) = [item.value for item in found.code]
    assert line.startswith("dpx1:dp26:otter:differencing:0.67:")
    mark = "".join(found.query_params["done"])
    again = app("exercises", done=mark, **NAME)
    assert [item.value for item in again.code] == [line]
    found = answer(found, "differencing", drawn.right_answer())
    assert "Right: 1 point." in texts(found)
    assert found.code[0].value.startswith("dpx1:dp26:otter:differencing:1:")


def test_a_path_offers_its_exercises_in_order_and_leads_to_the_next():
    (path, *_) = load_all_paths().values()
    found = app("exercises", path=path.key, course="dp26", name="stork")
    assert len(found.selectbox(key="exercises.chosen").options) == len(path.exercises)
    assert found.selectbox(key="exercises.chosen").value == path.exercises[0]
    drawn = EXERCISES[path.exercises[0]].draw("dp26", "stork")
    found = answer(found, path.exercises[0], drawn.right_answer(), name="stork")
    found.button(key="next_exercise").click().run()
    assert not found.exception
    assert found.selectbox(key="exercises.chosen").value == path.exercises[1]
    found.selectbox(key="exercises.path").set_value("").run()
    assert len(found.selectbox(key="exercises.chosen").options) == len(EXERCISES)
    assert found.query_params["path"] == "all"
    other = app("exercises", path="none", **NAME)
    assert len(other.selectbox(key="exercises.chosen").options) == len(EXERCISES)


def test_a_link_opens_the_path_of_its_exercise_and_every_exercise_on_demand():
    paths = load_all_paths()
    first, *_ = paths
    for link, key, n in (
        ({}, first, 8),
        ({"exercise": "glvq-cost"}, "relevance", 8),
        ({"exercise": "proof-laplace"}, "", len(EXERCISES)),  # in no path
        ({"path": "all"}, "", len(EXERCISES)),
        ({"only": "odds,group"}, None, 2),
    ):
        found = app("exercises", **link, **NAME)
        assert not found.warning
        assert len(found.selectbox(key="exercises.chosen").options) == n, link
        stars = next(one.proto.body for one in found.get("html") if "dp-stars" in one.proto.body)
        assert stars.count("<span") == n
        assert stars.count("dp-star-now") == 1
        chosen = [one.value for one in found.selectbox if one.key == "exercises.path"]
        assert chosen == ([] if key is None else [key])


def test_what_can_be_read_in_two_ways_is_asked_about_and_uses_up_no_try():
    found = app("exercises", exercise="value-record", course="dp26", name="stork")
    found = answer(found, "value-record", {"record": "1,000"}, name="stork")
    assert any("Do you mean 1000 or 1.0?" in item.value for item in found.warning)
    assert "Hint" not in texts(found)
    right = EXERCISES["value-record"].draw("dp26", "stork").right_answer()["record"]
    found = answer(found, "value-record", {"record": f"2*{right / 2}"}, name="stork")
    assert "Right: 1 point." in texts(found)


def test_a_bad_link_is_taken_as_none():
    found = app("exercises", exercise="x" * 9000, name="<b>", course="../..", done="x,y", only=",,")
    assert not found.exception
    assert "<b>" not in texts(found)
    assert len(found.selectbox(key="exercises.chosen").options) == 8


def warned(found):
    return [item.value for item in found.warning]


def test_a_link_to_exercises_that_are_gone_says_so():
    found = app("exercises", exercise="gone", **NAME)
    (first,) = warned(found)
    assert "There is no exercise “gone” on this server. “How much Laplace noise”" in first
    assert warned(found.run()) == [first], "it stays until another one is chosen"
    assert warned(found.selectbox(key="exercises.chosen").set_value("odds").run()) == []
    (said,) = warned(app("exercises", only="gone", **NAME))
    assert said.startswith("The link names “gone”: there is no such exercise here. All ")
    (said,) = warned(app("exercises", only="gone,odds", **NAME))
    assert "The others are offered." in said
    found = app("exercises", only="odds", exercise="group", **NAME)
    assert ["not among those" in said for said in warned(found)] == [True]


def test_points_that_another_key_has_signed_do_not_vanish_without_a_word():
    mine = Receipt(course="dp26", pseudonym="otter", exercise="odds", score=1.0)
    marks = [mine.mark(server_key().secret), mine.mark(b"the key before the restart")]
    found = app("exercises", exercise="odds", done=",".join(marks), **NAME)
    (said,) = warned(found)
    assert said.startswith(
        "This server has not signed 1 point of this link for otter in the course dp26"
    )
    assert [item.value for item in found.code] == [mine.sign(server_key().secret)]


def test_the_points_of_the_largest_set_stand_in_one_link():
    keys = [f"{'s' * 40}.{'e' * 36}-{number}" for number in range(100, 300)]
    mine = [Receipt(course="dp26", pseudonym="otter", exercise=key, score=0.67) for key in keys]
    marks = ",".join(one.mark(server_key().secret) for one in mine)
    found = app("exercises", done=marks, **NAME)
    assert warned(found) == []
    assert found.code[0].value.count("dpx1:") == 200


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """Two lecturers with an exercise of the same name, and one whose exercises cannot be used."""
    monkeypatch.setenv(SETS, str(tmp_path))
    text = (folder() / "value-record.yaml").read_text("utf-8")
    for name, title in (("alice", "Alice's"), ("bob", "Bob's"), ("carol", "[")):
        (tmp_path / name).mkdir()
        content = re.sub("^title: .*", f"title: {title}", text)
        (tmp_path / name / "value-record.yaml").write_text(content, "utf-8")
    return tmp_path


def chosen(found):
    return found.selectbox(key="exercises.chosen").options


def test_two_lecturers_on_one_server_have_their_own_exercises(sets):
    found = app("exercises", set="alice", **NAME)
    assert not found.exception
    assert warned(found) == []
    assert [option.partition(" (")[0] for option in chosen(found)] == ["Alice's"]
    drawn = load_all()["alice.value-record"].draw("dp26", "otter")
    found = answer(found, "alice.value-record", drawn.right_answer())
    (line,) = [item.value for item in found.code]
    assert line.startswith("dpx1:dp26:otter:alice.value-record:1:")
    assert Receipt.read(line, server_key().secret).exercise == "alice.value-record"
    for link in ({"set": "bob", "exercise": "value-record"}, {"exercise": "bob.value-record"}):
        found = app("exercises", **link, **NAME)
        assert warned(found) == []
        assert [option.partition(" (")[0] for option in chosen(found)] == ["Bob's"]
    assert len(chosen(app("exercises", path="all", **NAME))) == len(EXERCISES), (
        "only a link shows a set"
    )
    found = app("teach", set="bob")
    assert not found.exception
    offered = next(item for item in found.multiselect if item.label == "Exercises").options
    assert "Bob's" in offered
    assert "Alice's" not in offered


def test_a_set_that_cannot_be_used_is_said_and_disturbs_no_other(sets):
    found = app("exercises", set="carol", **NAME)
    (said,) = warned(found)
    assert (
        "The set “carol” of exercises cannot be used. `value-record.yaml:` this is not YAML" in said
    )
    assert len(chosen(found)) == 8, "a path of the app's exercises"
    (said,) = warned(app("exercises", set="dave", **NAME))
    assert "There is no set “dave”" in said


def test_a_set_has_learning_paths_of_its_own(sets):
    text, keys = (folder() / "value-record.yaml").read_text("utf-8"), "abcde"
    for key in keys:
        (sets / "bob" / f"{key}.yaml").write_text(text, "utf-8")
    listed = ", ".join(f'"{key}"' for key in reversed(keys))
    path = f'[[path]]\nkey = "back"\ntitle = "Backwards"\nexercises = [{listed}]\n'
    (sets / "bob" / "paths.toml").write_text(path, "utf-8")
    (sets / "alice" / "paths.toml").write_text(path, "utf-8")  # alice has no such exercises
    (said,) = warned(app("exercises", set="alice", **NAME))
    assert "name an exercise of this folder" in said
    found = app("exercises", exercise="bob.a", **NAME)
    assert len(chosen(found)) == 5, "the path of the exercise that the link names"
    found.selectbox(key="exercises.path").set_value("").run()
    assert len(chosen(found)) == 6
    found.selectbox(key="exercises.path").set_value("back").run()
    assert not found.exception
    assert warned(found) == []
    assert found.selectbox(key="exercises.chosen").value == "bob.e"
    assert len(chosen(found)) == 5
    again = app("exercises", **{key: "".join(value) for key, value in found.query_params.items()})
    assert len(chosen(again)) == 5, "the link keeps the set and the path"
    found.selectbox(key="exercises.path").set_value("").run()
    assert len(chosen(found)) == 6, "all of the set, not of the app"
    (said,) = warned(app("exercises", path="back", **NAME))
    assert "There is no learning path “back”" in said


def test_a_mistake_is_told_with_the_part_in_which_it_was_made():
    name = "stork"
    drawn = EXERCISES["differencing"].draw("dp26", name)
    given = drawn.right_answer() | {"ada": 2 * drawn.parameters["epsilon"]}
    found = app("exercises", exercise="differencing", course="dp26", name=name)
    found = answer(found, "differencing", given, name=name)
    assert "**Not quite** at “ε for Ada”. It looks as if you took" in texts(found).replace(
        "$\\varepsilon$", "ε"
    )


def test_a_star_fills_with_each_solved_exercise():
    def stars(found):
        body = next(item.proto.body for item in found.get("html") if "dp-star-" in item.proto.body)
        return (
            body.count("dp-star-full"),
            body.count("dp-star-half"),
            body.count("★") + body.count("☆"),
        )

    found = app("exercises", exercise="gaussian-sigma", **NAME)
    assert stars(found) == (0, 0, len(EXERCISES))
    found = answer(found, "gaussian-sigma", loose_sigma())
    assert stars(found) == (0, 1, len(EXERCISES))
    right = EXERCISES["gaussian-sigma"].draw("dp26", "otter").right_answer()
    assert stars(answer(found, "gaussian-sigma", right)) == (1, 0, len(EXERCISES))


def test_the_star_of_the_exercise_that_is_shown_is_marked(sets):
    def marked(found):
        body = next(
            item.proto.body for item in found.get("html") if "dp-star-now" in item.proto.body
        )
        return re.findall('dp-star-now" title="(.*?)"', body)

    text = (sets / "bob" / "value-record.yaml").read_text("utf-8")
    (sets / "bob" / "zero.yaml").write_text(re.sub("^title: .*", "title: Last", text), "utf-8")
    for link in ({"set": "bob", "exercise": "zero"}, {"exercise": "bob.zero"}):
        found = app("exercises", **link, **NAME)
        assert found.selectbox(key="exercises.chosen").value == "bob.zero"
        assert marked(found) == ["Last"]
    found.selectbox(key="exercises.chosen").set_value("bob.value-record").run()
    assert marked(found) == ["Bob&#x27;s"]


def test_what_a_class_is_working_on_is_solved_on_no_page_until_it_has_ended(tmp_path, monkeypatch):
    store = Store(f"sqlite:///{tmp_path / 'rooms.sqlite'}")
    monkeypatch.setattr(housekeeping, "store", lru_cache(lambda: store))
    housekeeping.store()
    code, key = store.open()
    together = Together("laplace-scale", 0)
    housekeeping.start_activity(code, key, together)
    solution = typeset(together.instance.solution)
    found = app("exercises", exercise="laplace-scale", course="room", name="class")
    assert typeset(together.instance.text) in texts(found), "the same numbers"
    field = "answer.room.class.laplace-scale.0.b"
    for _ in range(3):
        found.text_input(key=field).set_value("1e6")
        next(item for item in found.button if item.label == "Check the answer").click()
        found.run()
    assert "show_solution" not in [item.key for item in found.button]
    assert any("A class is working" in item.value for item in found.info)
    assert housekeeping.withheld(Together("laplace-scale", 1).instance) == ""
    store.show(code, key)
    found.run()
    found.button(key="show_solution").click().run()
    assert solution in texts(found)
    housekeeping.start_activity(code, key, together)  # again: who has seen it sees it no longer
    found.run()
    assert solution not in texts(found)
    store.dispose()


def away():
    raise Away("The server cannot reach its rooms now.", 503)


@pytest.mark.parametrize(
    ("key", "given", "is_shown"),
    [("laplace-scale", {"b": "1e6"}, False), ("proof-laplace", None, True)],
)
def test_while_the_store_is_away_a_solution_that_a_class_may_work_on_is_withheld(
    monkeypatch, key, given, is_shown
):
    assert on_a_phone(EXERCISES[key]) != is_shown
    monkeypatch.setenv(housekeeping.ROOMS, "postgresql://localhost/rooms")
    monkeypatch.setattr(housekeeping, "store", lru_cache(away))
    drawn = EXERCISES[key].draw("dp26", "heron")
    page = app("exercises", exercise=key, course="dp26", name="heron")
    found = answer(page, key, given or drawn.right_answer(), name="heron")
    for _ in range(2 if given else 0):
        found = answer(found, key, given, name="heron")
    assert (typeset(drawn.solution) in texts(found)) == is_shown
    assert "show_solution" not in [item.key for item in found.button]
    assert any("cannot tell now whether a class" in item.value for item in found.info) != is_shown
    if given:
        monkeypatch.delenv(housekeeping.ROOMS)
        monkeypatch.setenv("DPCORE_CACHE", "/nowhere")  # a server on which no room was opened
        found.run().button(key="show_solution").click().run()
        assert typeset(drawn.solution) in texts(found)
