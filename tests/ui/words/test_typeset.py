"""Formulas in plain sentences, typeset: what is a formula, what stays as it is, and all exercises."""

import re

import pytest

from ui.exercises.files import load_all
from ui.words.typeset import typeset

EXERCISES = load_all()


@pytest.mark.parametrize(
    ("plain", "made"),
    [
        ("ε = 0.5", r"$\varepsilon =0.5$"),
        ("e^(ε·u/Δ) grows", r"$e^{\varepsilon \cdot u/\Delta }$ grows"),
        ("4^(1/3)", "$4^{1/3}$"),
        ("√(2k ln(1/δ′))", r"$\sqrt{2k\,\ln (1/\delta')}$"),
        ("‖x‖₂ ≤ 1", r"$\lVert x\rVert_{2}\le 1$"),
        ("Σxxᵀ", r"$\sum xx^{\top}$"),
        ("|w_j| ≤ 1", r"$|w_{j}|\le 1$"),
        ("p₂(y₂ | y₁)", r"$p_{2}(y_{2}\mid y_{1})$"),
        ("e^( … )", r"$e^{(\,\ldots\,)}$"),
        ("so ε = **0.25**.", r"so $\varepsilon =\mathbf{0.25}$."),
        ("the mean of n values", "the mean of $n$ values"),
        ("of **3 people**, or L1", "of **3 people**, or L1"),
        ("A person, and I, in 2018", "A person, and I, in 2018"),
        ("Ada's well-known rule; don’t", "Ada's well-known rule; don’t"),
        ("`e^x` and $e^x$", "`e^x` and $e^x$"),
        ("bias² + (unknown", "bias² + (unknown"),
        ("e^(" * 900, "e^(" * 900),
        ("|x + " * 900, "|x + " * 900),
        ("", ""),
    ],
)
def test_a_formula_is_typeset_and_words_stay(plain, made):
    assert typeset(plain) == made


def told(exercise):
    """All that a student may read of an exercise with one set of numbers."""
    drawn = exercise.draw("dp26", "otter")
    yield from (drawn.text, drawn.solution, *(drawn.hint(k) for k in range(3)))
    for part in drawn.public()["parts"]:
        yield from (part.get("options") or part.get("steps") or {}).values()
    for part in exercise.parts:
        yield from (wrong.misconception for wrong in part.wrong)


@pytest.mark.parametrize("key", EXERCISES)
def test_the_formulas_of_every_exercise_are_whole(key):
    for plain in told(EXERCISES[key]):
        made = typeset(plain)
        formulas = re.findall(r"\$([^$]*)\$", made)
        assert made.count("$") == 2 * len(formulas)
        for formula in formulas:
            assert formula.count("{") == formula.count("}")
            assert formula == formula.strip(), "a dollar sign beside a space is no formula"
            assert not re.search("[ε-ωΔ-Ω√^]{2}|[₀-₉⁰-⁹²³ᵀ′]", formula)
        assert not re.search(r"[\^√]|\w_\w", re.sub(r"\$[^$]*\$", "", made)), "left plain"
