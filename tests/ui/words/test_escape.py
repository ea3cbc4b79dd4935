"""Foreign text is shown and does nothing: no link, picture, formula, colour or emoji comes of it."""

import random
import re

import pytest

from ui.words import escape

HOSTILE = [
    "![x](http://a.example/x.png)",
    "[Log in](http://a.example)",
    "<img src=http://a.example/x.png onerror=alert(1)>",
    "<http://a.example>",
    "www.a.example",
    "http://a.example",
    "somebody@a.example",
    ":smile:",
    ":material/lock:",
    ":red[proved]",
    ":green-badge[proved]",
    "$\\href{http://a.example}{x}$",
    "**bold** _slant_ ~~gone~~",
    "`code` ``more`` [x](y)",
    "a\n\n# heading\n\n[x]: http://a.example",
    "| a | b |\n|---|---|\n| c | d |",
    "&lt;b&gt; \\[x\\](y)",
    "\u202egnp.x\u2066\u200b",
]


def outside(markdown):
    """What Markdown reads as text: everything but code in backticks."""
    return re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", markdown)


@pytest.mark.parametrize("value", HOSTILE)
@pytest.mark.parametrize("frame", ["{}", "epsilon={} is not allowed: give 0.1.", "x {} y"])
def test_nothing_of_a_hostile_value_is_left_to_markdown(value, frame):
    left = outside(escape.plain(frame.format(value)))
    assert not re.search(r"[\[\]<>!$*`|&\\#@~]|www|://|:\w|\w_\W|\n", left)
    assert outside(escape.code(value)) == ""
    assert all(mark.isprintable() for mark in escape.plain(value) + escape.code(value))


def test_random_texts_leave_nothing_to_markdown():
    draw = random.Random(7)
    marks = "ab1 .:/[]()!<>`$*_~#|\\&@=-\n\t\u202ewww"
    for _ in range(4000):
        text = "".join(draw.choice(marks) for _ in range(draw.randrange(1, 40)))
        left = outside(escape.plain(text))
        assert not re.search(r"[\[\]<>$*`|&\\#@~\n]|www\.|://|:\w", left), text


@pytest.mark.parametrize(
    "sentence",
    [
        "epsilon=9 is not allowed: give a value of the grid from 0.01 to 10. The nearest is 8.",
        "The link sets “privacy parameter ε” to “-9”. It can be any value, from 0.01 to 10 "
        "(the nearest is 8); we use 1.",
        "sample_rate=1e-05 is not allowed; give 0.5 (of 1,000).",
        "learning_rate=-3 is not allowed.",
        "At most 100 MB and 200,000 rows: a “class” per row, σ = 2.5, ε ≤ 10 %.",
    ],
)
def test_an_ordinary_sentence_stays_as_it_is(sentence):
    assert escape.plain(sentence) == sentence


def test_length_is_cut_and_emptiness_is_said():
    assert len(escape.plain("x" * 10**6)) < 700
    assert len(escape.code("`" * 10**6)) < 200
    assert escape.code("") == escape.code("\n") == "(empty)"
    assert escape.code("a|b", table=True) == "`a\\|b`"


def test_a_label_of_plotly_holds_no_tag_and_no_formula():
    assert escape.hyper("<a href='http://a'>$x$</a>&b") == (
        "&lt;a href='http://a'&gt;&#36;x&#36;&lt;/a&gt;&amp;b"
    )


def test_units_of_money_and_measure_are_plain():
    for name in ("Einkommen (Tsd. €)", "price in £", "18 °C", "5 ‰"):
        assert escape.plain(name) == name
