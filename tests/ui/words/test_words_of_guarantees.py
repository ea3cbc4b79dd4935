"""No function turns a bare ε into words: what is said of an ε is said of a guarantee."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from dpcore.guarantee import Guarantee
from ui.classroom import words as classroom
from ui.classroom.activities import Betting, Poll
from ui.figure_kit import usefulness
from ui.figure_kit.odds_pictogram import people
from ui.frame import guarantee_card
from ui.words import odds, protection

ROOT = Path(__file__).resolve().parents[3]
BARE = {"epsilon", "epsilons", "eps", "real_epsilon", "claimed_epsilon"}
WORDS = ("str", "Text", "Readout", "Explanation")
PICTURES = {
    "pages/choose/others.py": "places a mark on the axis beside published values, and says nothing of it"
}
"""Files whose functions place a number on an axis, with the reason."""
MATHEMATICS = {"odds_bound", "protection"}
"""Functions that compute a number from ε; a page that states such a number should ask its guarantee instead."""
ASKED = {
    ("ui/words/odds.py", "odds_bound"): "of the ε of a guarantee, as it is shown",
    ("pages/choose/others.py", "protection"): "the ends of the scale, in a legend",
}


NUMBERS = {
    "T",  # a template formats the numbers it is given
    "short",
    "show",
    "tex",
    "format",
    "as_shown",
    "isinf",
    "isfinite",
    "isclose",
    "max",
    "min",
    "exp",
    "float",
    "log10",
    "array",
    "moveaxis",
    "index",
    "group_privacy",
    "is_caught",
    "NoiseDraw",
}
"""Functions that format, compare or compute numbers and return no words."""
CONTROLS = ("params", "self", "poll", "entry", "before", "state")
"""Names of objects whose ε belongs to a control or a setting, and not to a guarantee."""


def functions(tree):
    return [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]


def of_a_bare_epsilon(tree):
    """The functions that take an ε and return words."""
    found = []
    for one in functions(tree):
        names = {arg.arg for arg in [*one.args.args, *one.args.kwonlyargs]}
        made = ast.unparse(one.returns) if one.returns else ""
        if names & BARE and any(word in made for word in WORDS):
            found.append(one.name)
    return found


def calls(tree):
    return {
        one.func.id if isinstance(one.func, ast.Name) else one.func.attr
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name | ast.Attribute)
    }


def handed_on(tree):
    """The functions to which the ε of a guarantee is given by itself, with where: words come of it under any name."""
    found = set()
    for one in ast.walk(tree):
        if not isinstance(one, ast.Call):
            continue
        name = one.func.id if isinstance(one.func, ast.Name) else getattr(one.func, "attr", "")
        for given in (*one.args, *(keyword.value for keyword in one.keywords)):
            if not (
                isinstance(given, ast.Attribute) and given.attr in ("epsilon", "claimed_epsilon")
            ):
                continue
            if not any(word in ast.unparse(given.value) for word in CONTROLS):
                found.add(name)
    return found


def modules():
    for top in ("ui", "pages"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text("utf-8"))


def test_the_check_finds_what_is_forbidden():
    text = "def odds(epsilon: float, *, delta: float = 0.0) -> str:\n    return f'{odds_bound(epsilon)}'\n"
    assert of_a_bare_epsilon(ast.parse(text)) == ["odds"]
    assert MATHEMATICS & calls(ast.parse(text)) == {"odds_bound"}
    fine = "def odds(guarantee: Guarantee) -> str: ...\ndef place(epsilon: float) -> float: ..."
    assert of_a_bare_epsilon(ast.parse(fine)) == []


def test_no_function_of_the_app_makes_words_of_a_bare_epsilon():
    found = {name: of_a_bare_epsilon(tree) for name, tree in modules() if name not in PICTURES}
    assert {name: one for name, one in found.items() if one} == {}


def test_no_function_of_the_app_is_given_the_epsilon_of_a_guarantee_by_itself():
    bare = "def say(real: float) -> None: ...\ndef page(privacy: Guarantee) -> None:\n    say(privacy.epsilon)"
    assert handed_on(ast.parse(bare)) == {"say"}
    found = {name: handed_on(tree) - NUMBERS for name, tree in modules()}
    assert {name: one for name, one in found.items() if one} == {}


def test_no_page_asks_for_odds_or_protection_of_a_number():
    found = {(name, one) for name, tree in modules() for one in MATHEMATICS & calls(tree)}
    assert found == set(ASKED)


@pytest.mark.parametrize(
    "maker",
    [odds.odds_sentence, odds.odds_template, odds.beyond, protection.tells,
     guarantee_card.badges, guarantee_card.card, guarantee_card.summary, classroom.price,
     classroom.known.__wrapped__, classroom.together, classroom.bets.__wrapped__],
)  # fmt: skip
def test_words_are_made_of_a_guarantee(maker):
    first = next(iter(inspect.signature(maker, eval_str=True).parameters.values()))
    assert first.annotation is Guarantee


def test_words_along_a_handle_are_made_of_guarantees():
    for maker, name in ((people, "guarantees"), (usefulness.usefulness, "guarantees")):
        assert "Guarantee" in str(inspect.signature(maker).parameters[name].annotation)


def test_phones_are_told_words_and_no_number_that_a_guarantee_holds():
    """Nothing that is sent lets a phone make a sentence of its own about ε, a belief or an attack."""
    for made in (Poll("?", 1.0), Betting(1.0)):
        told = made.brief() | made.outcome({"yes": 9, "no": 9, "right 10": 3}, 18)
        numbers = {name for name, value in told.items() if isinstance(value, float)}
        assert numbers <= {"estimate", "low", "high", "coins"}, "what was counted"
    for path in sorted((ROOT / "assets" / "room").glob("*.js")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.S)
        assert not re.findall(r"ε|epsilon|belief|bound\b|at most|attacker", text), path.name
