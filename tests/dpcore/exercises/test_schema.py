"""Files of exercises: what is wrong is said with file, key, value and remedy; nothing in them is executed."""

import math
import re

import pytest

from dpcore.exercises import ExerciseError, Verdict, faults
from dpcore.exercises.formulas import Formula
from dpcore.exercises.registry import FUNCTIONS
from dpcore.exercises.schema import read
from dpcore.exercises.words import read_number, say
from ui.exercises.files import folder

FILE = (folder() / "laplace-scale.yaml").read_text("utf-8")
FIGURE = """figure:
  page: mechanisms
  state: {noise: laplace, epsilon: "{epsilon}"}
  panel: worlds
  keep: [epsilon]
"""
GOOD = FILE[: FILE.index("\nfigure:") + 1] + FIGURE + FILE[FILE.index("examples:") :]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("topic: mechanism", "topic: cooking", "topic='cooking' is not allowed: choose one of attack"),
        ("topic: mechanism\n", "", "the key topic is missing"),
        ("level: 1", "level: 4", "level=4 is not allowed: give 1 (one formula)"),
        ("documents: [3, 0]", "documents: [5]", "give numbers of the documents, from 0 to 4"),
        ("kind: number", "kind: number\n    marks: 0", "parts[0].marks=0 is not allowed"),
        ("- idea: Start", "- ideas: Start", "hints[0].ideas is not a key that means something"),
        ("title: How", "titel: How", "titel is not a key that means something"),
        ("kind: number", "kind: guess", "parts[0].kind='guess' is not allowed: choose one of number"),
        ("right: b", "right: 500", "let it be computed, by arithmetic"),
        ("right: b", "right: c", "“c” is not known here: allowed are C, b, epsilon, n"),
        ("right: b", "right: b\n    tolerance: 0.5", "parts[0].tolerance=0.5 is not allowed: give a number in"),
        ("  b: laplace_scale", "  b: laplace", "there is no function “laplace”"),
        ("{n} people", "{m} people", "“{m}” cannot be filled in here: allowed are C, epsilon, n"),
        ("(sensitivity) / ( … )", "{b}", "“{b}” cannot be filled in here"),  # no hint holds the answer
        ("C: [20, 50, 100, 250]", "C: many", "choose one of CLIP_NORM_GRID"),
        ("C: [20, 50, 100, 250]", "C: [.inf]", "parameters.C[0]=inf is not allowed"),
        ("n: [200,", f"z: {list(range(1, 60))}\n  n: [200,", "give at most 2000 in all"),
        ("values:", "where: C > 999\nvalues:", "it leaves no draw"),
        ("title: How", "title: How\ntitle: How", "the key 'title' stands twice"),
        ("page: mechanisms", "page: ../x", "give a name of small letters"),
        ("panel: worlds", "panel: &a worlds\n  keep: [*a]", "references (*name) are not allowed"),
        ("topic: mechanism", "topic: !!python/name:os.system", "this is not YAML as it is read here"),
        ("  page: mechanisms\n", "  plot: {name: C}\n", "figure.state is not a key that means something"),
        ("  - idea: Start", "  - x\n  - idea: Start", "give a list of 3 items"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old, new, told):
    assert old in GOOD
    with pytest.raises(ExerciseError) as error:
        read(GOOD.replace(old, new, 1), "mine.yaml")
    assert str(error.value).startswith("mine.yaml: ")
    assert told in str(error.value)


PLOT = "{name: bound, label: bound, y_label: noise, from: 1, to: 9, curves: {noise: 'laplace_sd(bound, epsilon)'}}"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("name: bound", "name: C", "give a name that is neither a parameter nor a value"),
        ("to: 9", "to: 0", "figure.plot.to=0 is not allowed"),
        ("(bound, epsilon)", "(x, epsilon)", "“x” is not known here"),
        ("{noise: 'laplace_sd(bound, epsilon)'}", "{}", "give 1 to 4 of them"),
    ],
)
def test_curves_of_an_exercises_own_are_checked_and_computed(old, new, told):
    text = GOOD[: GOOD.index("\nfigure:") + 1] + "figure:\n  plot: "
    curves = read(text + PLOT, "mine.yaml").draw("a", "b").curves
    assert (curves.x[0], curves.x[-1]) == (1, 9)
    noise = curves.heights["noise"]
    assert noise[-1] == pytest.approx(9 * noise[0])
    with pytest.raises(ExerciseError) as error:
        read(text + PLOT.replace(old, new), "mine.yaml")
    assert told in str(error.value)


HANDLE = (
    "handle: {name: scale, label: scale, from: 1, to: 12, gauge_label: ε, gauge: 1 / scale, goal: epsilon}, "
    "curves: {noise: 'bound / scale'}}"
)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("name: scale", "name: C", "give a name that is neither a parameter nor a value"),
        ("name: scale", "name: bound", "give a name that is neither a parameter nor a value"),
        ("to: 12", "to: 1", "figure.plot.handle.to=1 is not allowed"),
        ("goal: epsilon", "goal: scale", "“scale” is not known here"),
    ],
)
def test_curves_follow_a_handle_whose_gauge_reaches_the_goal(old, new, told):
    text = GOOD[: GOOD.index("\nfigure:") + 1] + "figure:\n  plot: "
    plot = PLOT[: PLOT.index("curves:")] + HANDLE
    drawn = read(text + plot, "mine.yaml").draw("a", "b")
    moving = drawn.curves.moving
    assert (moving.grid[0], moving.grid[-1]) == (1, 12)
    assert moving.gauge == pytest.approx([1 / scale for scale in moving.grid])
    assert moving.goal == drawn.parameters["epsilon"]
    for scale, row in zip(moving.grid, moving.heights["noise"], strict=True):
        assert row == pytest.approx([x / scale for x in drawn.curves.x])
    assert drawn.curves.heights["noise"] in moving.heights["noise"]
    with pytest.raises(ExerciseError) as error:
        read(text + plot.replace(old, new), "mine.yaml")
    assert told in str(error.value)


def test_a_file_is_bounded_and_has_a_plain_name():
    for text, file in (
        (GOOD + "#" * 70_000, "a.yaml"),
        (GOOD, "My file.yaml"),
        ("[" * 5000, "a.yaml"),
    ):
        with pytest.raises(ExerciseError):
            read(text, file)
    assert read(GOOD, "mine.yaml").key == "mine"


def test_yes_and_no_are_words():
    text = GOOD.replace("title: How much Laplace noise", "title: No")
    assert read(text, "mine.yaml").title == "No"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("value: C * epsilon", "value: C / epsilon * 1.04", "more-epsilon-more-noise"),  # too near
        ("answer: {b: 500}", "answer: {b: 400}", "b is 500.0 and not 400"),
        ("epsilon: [0.1,", "epsilon: [0,", "epsilon"),
        (
            "right: b",
            "right: b\n    range: [100, 9000]",
            "80 lies outside of the range from 100 to 9000",
        ),
    ],
)
def test_a_check_over_all_draws_finds_faults(old, new, told):
    found = faults(read(GOOD.replace(old, new, 1), "mine.yaml"))
    assert found
    assert told in found[0]


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "().__class__", "[1, 2]", "lambda: 1", "x.y", "sqrt(x=1)", "f'{x}'", "x[0]",
        "sqrt(*x)", "1 if", "x := 1", "1j", "b'x'", "2 % 3", "1 << 9", "(" * 250 + "1" + ")" * 250,
    ],
)  # fmt: skip
def test_a_formula_is_arithmetic_and_nothing_more(text):
    with pytest.raises(ValueError):
        Formula(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4 - 1", 13), ("-x ** 2", -9), ("1 if x > 2 and not x == 4 else 0", 1), ("1 < x <= 3", True),
        ("'a' if x < 1 or x > 9 else 'b'", "b"), ("laplace_scale(x, 1.5)", 2), ("min(x, 2) / sqrt(4)", 1),
    ],
)  # fmt: skip
def test_formulas_compute(text, value):
    assert Formula(text)({"x": 3.0}) == value


@pytest.mark.parametrize(
    "text",
    [
        "1 / 0", "9 ** 9 ** 9", "log(0)", "y", "sqrt(-1)", "'a' - 1", "exp(999)", "hellinger(0.7, 0.7, 0.2, 0.2)",
        "bhattacharyya(0.2, 0.2, -0.1, 0.5)",
    ],
)  # fmt: skip
def test_what_cannot_be_computed_is_a_sentence(text):
    with pytest.raises(ValueError):
        Formula(text)({"x": 1.0})


def test_functions_are_those_of_dpcore():
    for name, function in FUNCTIONS.items():
        assert name.isidentifier()
        assert function.__module__.startswith("dpcore.")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5), (" 0,5 ", 0.5), ("1.3e-5", 1.3e-5), ("1.3·10⁻⁵", 1.3e-5), ("1.3*10^-5", 1.3e-5),
        ("10^-5", 1e-5), ("−2", -2), ("25 000", 25000), (".5", 0.5), (3, 3), ("0,125", 0.125), ("3,7306", 3.7306),
        ("1.0", 1), ("1.386", 1.386), ("0.500", 0.5), ("1'000", 1000), ("1.3x10^-5", 1.3e-5), ("007", 7), ("5.", 5),
        ("１２.５", 12.5), ("٣", 3), ("－5", -5), ("‑5", -5), ("½", 0.5), ("1⁄2", 0.5), ("（1＋2）⋅3", 9),
        ("√2,25", 1.5),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text, value):
    assert read_number(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "five", "5 %", "1e999", "nan", None, True, "0x10", "1" * 400, []]
)
def test_what_is_no_number_is_said(text):
    with pytest.raises(ValueError):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("1,000", "Do you mean 1000 or 1.0?"), ("2,500", "Do you mean 2500 or 2.5?"),
        ("-12,345e2", "Do you mean 12345e2 or 12.345e2?"), ("1.000,5", "Do you mean 1000.5?"),
        ("1,000.5", "Do you mean 1000.5?"), ("1,000,000", "Do you mean 1000000?"),
        ("1.000", "Do you mean 1000 or 1.0?"), ("2.500", "Do you mean 2500 or 2.5?"),
        ("１,０００", "Do you mean 1000 or 1.0?"), ("1.3·10-5", "Do you mean 1.3e-5?"),
        ("1,3 x 10−5", "Do you mean 1.3e-5?"), ("1½", "is not read"), ("5％", "write 5 % as 0.05"),
        ("(5%)", "write 5 % as 0.05"), ("1/1e400", "is too large"), ("1e-400", "is too small"),
        (10**400, "is too large"),
        ("1.000.000", "Do you mean 1000000?"), ("ln(1,000)", "Do you mean 1000 or 1.0?"),
    ],
)  # fmt: skip
def test_a_number_that_can_be_read_in_two_ways_is_asked_about(text, asked):
    with pytest.raises(ValueError, match=re.escape(asked)):
        read_number(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ln(3)/2", math.log(3) / 2), ("(70/100 - 1/4)/(1/2)", 0.9), ("√2·250/0.5", math.sqrt(2) * 500),
        ("e^0.5 - 1", math.expm1(0.5)), ("-2^2", -4), ("2^-3", 0.125), ("sqrt(2*30*ln(1e5))*0,1", 2.6283),
        ("2*10⁻⁵", 2e-5), ("exp(-3)/2", math.exp(-3) / 2), ("√(9)+ABS(-1)", 4), ("1/3", 1 / 3), ("2 π", None),
        ("π/4", math.pi / 4), ("1" + "+1" * 29, 30),
    ],
)  # fmt: skip
def test_an_answer_may_be_arithmetic(text, value):
    if value is None:
        with pytest.raises(ValueError, match="is not read"):
            read_number(text)
    else:
        assert read_number(text) == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("9^9^9", "exponent beyond ±400"), ("1/0", "divides by 0"), ("ln(0)", "ln of 0 is not a number"),
        ("(-8)^(1/3)", "no real value"), ("exp(exp(9))", "too large"), ("-" * 40 + "1", "nested too deeply"),
        ("laplace_scale(2, 1)", "is not read"), ("e.real", "is not read"), ("exp(1, 2)", "is not read"),
        ("(1).real", "is not read"), ("ln", "is not read"), ("1 2", "is not read"), ("1;2", "is not read"),
    ],
)  # fmt: skip
def test_arithmetic_in_an_answer_is_bounded_and_says_what_it_takes(text, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        read_number(text)


@pytest.mark.parametrize("value", [0.5, 1e-6, 1.3e-5, -2.5, 123456.0, 3.7306, -1e-9, 2e9])
def test_what_is_said_can_be_read_again(value):
    assert read_number(say(value)) == pytest.approx(value, rel=5e-3)


def test_a_verdict_is_plain():
    assert Verdict(score=1.0, right=True).misconception == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 30_000, "to a depth of 20"),
        ("0x" + "f" * 900 + ": 1", "number of 902"),
        ("? 0x" + "f" * 9000 + "\n: 1", "a number of 9002 signs"),
        ("parts: [-" + "9" * 5000 + "]", "a number of 5001 signs"),
    ],
)
def test_deep_lists_and_huge_numbers_are_refused_in_a_sentence(text, said):
    with pytest.raises(ExerciseError, match=said):
        read(text, "a.yaml")
