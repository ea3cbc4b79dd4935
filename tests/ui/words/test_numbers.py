"""Numbers as a reader meets them; tests/js/data/numbers.test.js holds the browser to the same table."""

import ast
import json
import math
from pathlib import Path

import pytest

from ui.words.numbers import one_in, percent, short, show, size, tex

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT / "tests" / "js" / "numbers.json"
# Not read as numbers by a person: coordinates, names of files, templates, notes of tables in plain ASCII.
NOT_READ = {
    "pages/choose/figure.py": {"odds"},
    "pages/commands/site.py": {"passed", "left", "file", "page['states']", "page['megabytes']",
                               "page['first_figure_kilobytes']", "report['megabytes']", "seconds"},
    "pages/choose/others.py": {"high - low"},
    "pages/choose/words.py": {"state.params.epsilon"},
    "pages/regression/words.py": {"params.epsilon", "together", "params.delta"},
    "pages/exercises/view.py": {"share"},  # the width of a bar, in the style sheet
    "pages/room/pictures.py": {"x", "y", "width", "height", "x(k / 4)", "_LEFT + (k + 0.5) * wide",
                               "_BOTTOM - (_BOTTOM - _TOP) * part"},
    "ui/embed/markup.py": {"ord(sign)"},
    "ui/export/downloads.py": {"epsilon"},
    "ui/runner/preparation.py": {"self.whole"},
}  # fmt: skip
CASES = json.loads(TABLE.read_text("utf-8"))["cases"]
THIN = "\u202f"


@pytest.mark.parametrize(("value", "code", "expected"), CASES)
def test_a_number_is_written_as_in_the_browser(value, code, expected):
    assert show(float(value), code) == expected


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        (0.1234, ".1%", "12.3 %"),
        (-0.0001, ".1%", "0.0 %"),
        (-1.005, ".1f", "−1.0"),
        (1234.5, "d", "1235"),
        (1797, "d", "1797"),
        (41188, "d", f"41{THIN}188"),
        (1234567, "d", f"1{THIN}234{THIN}567"),
        (0.05, "points", "gains 5.0 points"),
        (-0.05, "points", "costs 5.0 points"),
        (1e-5, "points", "gains less than 0.1 points"),
        (0.123, "cost", "costs 0.12"),
        (0.125, ".0%", "13 %"),  # a tie goes up, as in JavaScript
        (5e-6, ".3g", "5·10⁻⁶"),
        (0.0005, ".4g", "5·10⁻⁴"),
        (0.52, "in 100", "52 in 100"),
        (math.inf, ".3g", "∞"),
    ],
)
def test_the_table_is_right_where_it_was_thought_about(value, code, expected):
    assert show(value, code) == expected


def test_words_around_numbers():
    assert (percent(0.5), percent(0.7311)) == ("50 %", "73.1 %")
    assert one_in(1.61e-4) == f"2 of 10{THIN}000"
    assert size(8, 8) == "8×8"
    assert short(0.41666) == "0.417"


def test_a_code_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="code='x' is not allowed"):
        show(1.0, "x")


def test_numbers_in_formulas_are_those_beside_them():
    assert tex(5e-06) == r"5\cdot 10^{-6}"
    assert tex(0.25, ".0%") == r"25\,\%"
    assert tex(41188, "d") == r"41\,188"
    assert tex(math.inf) == r"\infty"


def _formats(path):
    """The values that an f-string of a module formats by a code of its own."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            yield ast.unparse(node.value)


@pytest.mark.parametrize("part", ["pages", "ui"])
def test_no_page_formats_a_number_by_itself(part):
    found = {
        name: rest
        for path in sorted((ROOT / part).rglob("*.py"))
        if (
            rest := set(_formats(path))
            - NOT_READ.get(name := path.relative_to(ROOT).as_posix(), set())
        )
        and name != "ui/words/numbers.py"
        and path.name != "program.py"  # runs beside dpcore alone, without ui
    }
    assert not found, f"use ui.words.numbers: {found}"
