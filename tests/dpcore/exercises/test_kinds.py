"""The sheet's exercises by their numbers, every kind of answer, tries and the solution."""

from dataclasses import replace

import numpy as np
import pytest

from dpcore.exercises import Attempt, ExerciseInstance, Shown
from dpcore.exercises.quantities import best_clip, clamped_mean, clip_end, clipped_error
from ui.exercises.files import load_all, load_all_paths

EXERCISES = load_all()
SHEET = (
    "laplace-scale", "odds", "group", "composition", "amplification", "gaussian-sigma", "clipping-bias",
    "functional-sensitivity", "prototype-noise", "bias-noise-audit", "exponential-choice", "post-processing",
)  # fmt: skip


def drawn(key, **parameters):
    return ExerciseInstance(exercise=EXERCISES[key], parameters=parameters, seed=b"seed")


def test_each_document_has_eight_exercises_and_a_path():
    assert len(EXERCISES) >= 50
    for document in range(5):
        own = [one for one in EXERCISES.values() if one.documents[0] == document]
        assert len(own) >= 8
        paths = load_all_paths().values()
        assert any(document in EXERCISES[path.exercises[0]].documents for path in paths)


@pytest.mark.parametrize("key", EXERCISES)
def test_an_exercise_names_two_misconceptions_and_says_what_a_wrong_number_took(key):
    parts = EXERCISES[key].parts
    assert sum(len(part.wrong) for part in parts) >= 2
    for part in parts:
        for wrong in part.wrong if part.kind in ("number", "interval", "curve") else ():
            assert wrong.took, wrong.name
    assert all(hint.kind for hint in EXERCISES[key].hints)
    assert EXERCISES[key].figure or any(part.kind == "curve" for part in parts)


def test_there_are_the_twelve_of_the_sheet_each_with_its_number_and_as_many_more():
    assert set(SHEET) <= EXERCISES.keys()
    assert all(EXERCISES[key].examples for key in SHEET)  # `faults` holds them against dpcore
    kinds = {part.kind for exercise in EXERCISES.values() for part in exercise.parts}
    assert kinds == {"number", "interval", "choice", "steps", "state", "curve"}


@pytest.mark.parametrize(
    ("key", "given", "wrong"),
    [
        ("odds", {"p": 0.2, "r": 3}, {0.6: "odds-for-probability", 0.2: "hides-everything"}),
        ("amplification", {"q": 0.01, "epsilon": 2}, {0.02: "linear-rule", 2: "sampling-ignored"}),
        ("exponential-choice", {"a": 12, "b": 10, "c": 7, "epsilon": 0.5}, {0.69: "factor-two", 1: "picks-the-best"}),
        ("prototype-noise", {"n": 40, "R": 1, "dim": 9, "N": 400}, {0.0933: "add-remove"}),
    ],
)  # fmt: skip
def test_the_sheets_wrong_answers_have_their_names(key, given, wrong):
    for value, name in wrong.items():
        answer = drawn(key, **given).right_answer() | {EXERCISES[key].parts[0].name: value}
        assert drawn(key, **given).grade(answer).misconception == name


@pytest.mark.parametrize(
    ("key", "given", "loose"),
    [
        ("gaussian-sigma", {"D": 1, "epsilon": 1, "delta": 1e-5}, 4.845),
        ("functional-sensitivity", {"d": 3}, 32),
    ],
)
def test_a_valid_but_loose_answer_gives_half_a_point(key, given, loose):
    verdict = drawn(key, **given).grade(loose)
    assert (verdict.score, verdict.right) == (0.5, False)


def test_parts_are_graded_together_and_each_earns_its_share():
    one = drawn("post-processing", c=3, epsilon=0.5, k=3)
    right = one.right_answer()
    verdict = one.grade(right | {"epsilon": 1.5})
    assert verdict.misconception == "every-step-costs"
    assert verdict.parts == {"epsilon": False, "negative": True, "mean": True}
    assert (verdict.score, verdict.right) == (0.67, False)
    assert one.grade(right | {"mean": 77, "negative": 77}).score == 0.33
    weighted = replace(
        one.exercise, parts=(replace(one.exercise.parts[0], marks=2), *one.exercise.parts[1:])
    )
    assert replace(one, exercise=weighted).grade(right | {"mean": 77}).score == 0.75
    loose = drawn("group", k=5, epsilon=0.4, delta=1e-6).grade(
        {"epsilon": 2, "delta": "5*exp(4*0.4)*1e-6"}
    )
    assert loose.score == 0.75
    assert loose.took == "k·e^((k−1)ε)·δ"
    assert loose.about == "“δ of the family”"
    assert drawn("laplace-scale", n=500, C=50, epsilon=0.5).grade(25).about == "", "one part only"
    assert "Look again at “Mean" in one.grade(right | {"mean": 77}).feedback
    for answer in (3, {"epsilon": 1}, None, "x"):
        with pytest.raises(ValueError):
            one.grade(answer)


def test_steps_that_do_not_build_on_each_other_may_stand_in_any_order():
    one = drawn("proof-composition")
    keys = ["joint", "second", "first", "multiply", "sets", "more"]
    part = one.exercise.parts[0]
    letters = {key: letter for letter, key in part._letters(one._known)}
    assert one.grade([letters[key] for key in keys]).right
    for worse in (
        ["joint", "second", "multiply", "first", "sets", "more"],
        ["second", "joint", "first", "multiply", "sets", "more"],
        keys[:5],
        [*keys, "larger"],
    ):
        assert not one.grade([letters[key] for key in worse]).right


@pytest.mark.parametrize("key", ["error-goal", "protect-group"])
def test_one_value_of_a_slider_is_right(key):
    exercise = EXERCISES[key]
    for parameters in exercise.draws:
        one = ExerciseInstance(exercise=exercise, parameters=parameters, seed=b"")
        grid = exercise.parts[0].moves["epsilon"]
        right = [epsilon for epsilon in grid if one.grade({"epsilon": epsilon}).right]
        if key == "error-goal":
            assert right == [min(e for e in grid if 1 / e <= parameters["goal"])]
        else:
            assert right == [max(e for e in grid if e * parameters["k"] <= parameters["goal"])]


@pytest.mark.parametrize(
    ("key", "given", "part", "sharper"),
    [
        ("functional-sensitivity", {"d": 3}, "sensitivity", (1 + 6**0.5) ** 2),
        ("composition", {"k": 100, "epsilon": 0.1}, "advanced", (2 * np.log(1e5)) ** 0.5 + 10 * np.tanh(0.05)),
    ],
)  # fmt: skip
def test_a_sharper_bound_that_is_proved_is_right(key, given, part, sharper):
    one = drawn(key, **given)
    assert one.grade(one.right_answer() | {part: sharper}).right
    assert not one.grade(one.right_answer() | {part: sharper * 0.95}).right


def test_the_textbooks_delta_of_a_group_is_valid_but_loose():
    one = drawn("group", k=5, epsilon=0.4, delta=1e-6)
    verdict = one.grade({"epsilon": 2, "delta": "5*exp(4*0.4)*1e-6"})
    assert verdict.misconception == "delta-textbook"


def test_an_interval_needs_both_ends():
    one = EXERCISES["clip-range"].draw("a", "b")
    low, high = one.right_answer()["range"]
    assert one.grade([low * 1.02, str(high * 0.98)]).right
    assert not one.grade([low, high * 1.2]).right
    mean = one.parameters["m"]
    assert one.grade([mean / 2, 2 * mean]).misconception == "around-the-mean"
    for answer in ([high, low], [1], "12", [1, 2, 3]):
        with pytest.raises(ValueError):
            one.grade(answer)


def test_a_state_is_graded_on_the_grid_of_its_control():
    one = drawn("protect-group", k=5, goal=1)
    assert one.grade({"state": {"epsilon": 0.2}}).right
    assert one.grade({"epsilon": 0.2001}).right
    assert one.grade({"epsilon": 1.0}).misconception == "person-for-group"
    assert one.grade({"epsilon": 0.05}).misconception == "too-much-noise"
    assert one.grade({"epsilon": 20}).misconception == "too-weak"
    for answer in ({}, {"epsilon": "0.2"}, {"epsilon": True}, {"epsilon": float("nan")}, None):
        with pytest.raises(ValueError):
            one.grade(answer)


def test_a_curve_is_graded_by_its_farthest_place():
    one = drawn("averaging", epsilon=0.5)
    k = np.array([1, 4, 9, 16, 25])
    right = np.sqrt(8) / np.sqrt(k)
    for heights, name in (
        (right + 0.2, ""),
        (right[0] / k, "falls-with-k"),
        (0 * k + right[0], "noise-stays"),
    ):
        verdict = one.grade({"curve": list(heights), "total": 12.5})
        assert (verdict.right, verdict.misconception) == (not name, name)


def test_letters_of_steps_and_options_differ_between_students():
    letters = {
        tuple(EXERCISES["proof-composition"].draw("dp26", f"s{k}").right_answer()["order"])
        for k in range(9)
    }
    assert len(letters) > 5
    one = EXERCISES["proof-composition"].draw("dp26", "s0")
    for answer in ("", "ZZZ", "AAB", [], 7, None):
        with pytest.raises(ValueError):
            one.grade(answer)


def test_hints_and_solution_are_earned():
    one = EXERCISES["odds"].draw("a", "b")
    wrong, right = one.grade(0.999), one.grade(one.right_answer())
    attempt = Attempt()
    with pytest.raises(ValueError):
        attempt.solution_shown()
    for n in (1, 2, 3):
        attempt = attempt.after(wrong)
        assert (attempt.hints, attempt.earned) == (n, n == 3)
    assert attempt.after(right).score == 1
    assert attempt.solution_shown().after(right).score == 0
    assert attempt.solution_shown().again().after(right).score == 1
    assert Attempt().after(right).earned


def test_numbers_whose_solution_was_shown_are_not_given_again():
    shown, exercise = Shown(most=500), EXERCISES["group"]
    shown.add(exercise, "a", "b", 0)
    assert shown.fresh(exercise, "a", "b", Attempt()).number == 1
    assert shown.fresh(exercise, "a", "c", Attempt()) == Attempt()
    single = EXERCISES["proof-laplace"]
    shown.add(single, "a", "b", 0)
    assert shown.fresh(single, "a", "b", Attempt(number=1)).seen  # there are no other numbers
    for k in range(600):
        shown.add(exercise, "a", str(k), 0)
    assert not shown.holds(exercise, "a", "b", 0)  # what is kept is bounded


def test_the_best_clip_is_the_best():
    best = best_clip(10, 500, 1)
    least = clipped_error(10, best, 500, 1)
    assert all(
        clipped_error(10, c, 500, 1) > least
        for c in np.linspace(1, 300, 500)
        if abs(c - best) > 0.5
    )
    for side in ("low", "high"):
        assert clipped_error(10, clip_end(10, 500, 1, 2, side), 500, 1) == pytest.approx(2 * least)


def test_the_clamped_mean_is_that_of_noise():
    rng = np.random.default_rng(5)
    drawn = np.maximum(3 + rng.laplace(scale=2, size=2_000_000), 0)
    assert clamped_mean(3, 2) == pytest.approx(
        drawn.mean(), abs=0.012
    )  # 7 standard errors: below 1e-11


@pytest.mark.parametrize("d", [1, 2, 5])
def test_no_replaced_record_moves_the_coefficients_beyond_the_finer_bound_that_a_solution_names(d):
    """z = (y, -x): the coefficients of (y - xᵀw)² are the entries of zzᵀ; pairs at the edge, and any others."""
    rng = np.random.default_rng(d)
    x, y = rng.standard_normal((2, 4000, d)), rng.choice([-1.0, 1.0, 0.0], (2, 4000, 1))
    x *= rng.random((2, 4000, d)) < 0.5
    z = np.concatenate([y, x / np.maximum(np.linalg.norm(x, axis=2, keepdims=True), 1e-9)], axis=2)
    one, other = z[..., :, None] * z[..., None, :]
    most = np.abs(one - other).sum((1, 2)).max()
    solution = drawn("functional-sensitivity", d=d).solution
    assert 0.5 * (1 + np.sqrt(2 * d)) ** 2 < most <= (1 + np.sqrt(2 * d)) ** 2
    assert f"{(1 + np.sqrt(2 * d)) ** 2:.4g}"[:4] in solution
