"""Files of exercises: what is wrong is said with file, key, value and remedy; nothing in them is executed."""

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
GOOD = FILE[: FILE.index("figure:")] + FIGURE + FILE[FILE.index("examples:") :]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("topic: mechanism", "topic: cooking", "topic='cooking' is not allowed: choose one of attack"),
        ("topic: mechanism\n", "", "the key topic is missing"),
        ("title: How", "titel: How", "titel is not a key that means something"),
        ("kind: number", "kind: guess", "parts[0].kind='guess' is not allowed: choose one of number"),
        ("right: b", "right: 500", "let a function of dpcore compute it"),
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
        ("  - Start from", "  - x\n  - Start from", "give a list of 3 items"),
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
    text = GOOD[: GOOD.index("figure:")] + "figure:\n  plot: "
    curves = read(text + PLOT, "mine.yaml").draw("a", "b").curves
    assert (curves.x[0], curves.x[-1]) == (1, 9)
    noise = curves.heights["noise"]
    assert noise[-1] == pytest.approx(9 * noise[0])
    with pytest.raises(ExerciseError) as error:
        read(text + PLOT.replace(old, new), "mine.yaml")
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
    "text", ["1 / 0", "9 ** 9 ** 9", "log(0)", "y", "sqrt(-1)", "'a' - 1", "exp(999)"]
)
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
        ("10^-5", 1e-5), ("−2", -2), ("25 000", 25000), (".5", 0.5), (3, 3),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text, value):
    assert read_number(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["", "five", "5 %", "1e999", "nan", None, True, "1/3", "0x10", "1" * 400, []]
)
def test_what_is_no_number_is_said(text):
    with pytest.raises(ValueError):
        read_number(text)


@pytest.mark.parametrize("value", [0.5, 1e-6, 1.3e-5, -2.5, 123456.0, 3.7306, -1e-9, 2e9])
def test_what_is_said_can_be_read_again(value):
    assert read_number(say(value)) == pytest.approx(value, rel=5e-3)


def test_a_verdict_is_plain():
    assert Verdict(score=1.0, right=True).misconception == ""
