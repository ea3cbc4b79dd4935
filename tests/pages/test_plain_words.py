"""What a page says: plain words, short sentences, and each word of the field explained where it first stands."""

import ast
import re
import tomllib
from pathlib import Path

import pyphen
import pytest

from pages import PAGES, specs
from ui import live
from ui.frame.page_spec import PageSpec, shown
from ui.live.depth import Depth
from ui.words import glossary

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [spec for spec in specs() if isinstance(spec, PageSpec)]
STILTED = (
    "pay for",
    "pays for",
    "paid for",
    "to be had",
    "take it along",
    "taken along",
    "errs",
    "amid",
)
"""Words that everyday language does not use in this sense (rule 8 in CONTRIBUTING.md)."""
LONGEST = 28  # words of a sentence at Look
EASIEST = 50  # Flesch reading ease, at least
_SYLLABLES = pyphen.Pyphen(lang="en_US")


def syllables(word):
    return len(_SYLLABLES.positions(word)) + 1


def words_of(text):
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)


def sentences_of(text):
    return [part for part in re.split(r"(?<=[.!?:;])\s+", text) if words_of(part)]


def reading_ease(text):
    """Flesch: 206.835 − 1.015 words a sentence − 84.6 syllables a word."""
    words, sentences = words_of(text), re.split(r"(?<=[.!?])\s+", text.strip())
    return (
        206.835
        - 1.015 * len(words) / len(sentences)
        - 84.6 * sum(map(syllables, words)) / len(words)
    )


def figure_of(spec):
    state = spec.pipeline.still(spec.params(), *(spec.card.stages if spec.card else ()))
    return shown(spec, state, Depth.LOOK)


def prose(spec, figure):
    """What stands at Look in whole sentences, marks and all, in the order in which it is read."""
    found = [spec.opening, *(panel.caption for panel in figure.panels)]
    found += [line for text in figure.texts if text.role == "meaning" for line in text.strings]
    return [text for text in found if text]


def helps(figure):
    seen = [control for control in figure.controls if not control.hidden]
    return [item.help for item in (*seen, *figure.readouts) if item.help]


def told_in(folder):
    """The files of a folder that hold words: its modules, and the prose that stands beside them."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".toml")]


def strings_of(path):
    """All text of a module but its docstrings and names, or of a file of prose."""
    if path.suffix == ".toml":
        yield from leaves_of(tomllib.loads(path.read_text("utf-8")))
        return
    tree = ast.parse(path.read_text("utf-8"))
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node)
    }
    for node in ast.walk(tree):
        text = (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        )
        if text and " " in node.value:  # a single word may be a name: of an array, a role, a colour
            yield node.value


def leaves_of(found):
    """The sentences of a table of prose."""
    if isinstance(found, dict | list):
        for part in found.values() if isinstance(found, dict) else found:
            yield from leaves_of(part)
    elif isinstance(found, str):
        yield found


@pytest.mark.parametrize("key", PAGES)
def test_a_page_uses_no_word_that_only_we_understand(key):
    for path in told_in(ROOT / "pages" / key):
        for text in strings_of(path):
            for word in STILTED:
                assert not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE), (
                    path.name,
                    text,
                )


def test_who_attacks_has_one_name_wherever_a_reader_meets_them():
    said = []
    for folder in ("pages", "ui"):
        for path in told_in(ROOT / folder):
            said += [(path.name, glossary.plain(text).lower()) for text in strings_of(path)]
    assert any("attacker" in text for _, text in said)
    assert [found for found in said if "adversar" in found[1]] == []


def test_no_figure_is_said_to_be_beside_another_which_a_phone_puts_below():
    beside = re.compile(
        r"\b(that|those|(figure|picture|panel|map)s?) (on|to) the (left|right)\b", re.I
    )
    assert beside.search("The noise on a sum grows with d, that on the right with √d.")
    for folder in ("pages", "ui"):
        for path in told_in(ROOT / folder):
            assert [text for text in strings_of(path) if beside.search(text)] == [], path.name


def test_no_two_numbers_stand_side_by_side_as_if_they_were_one():
    """“at ε = 5 148 times” reads as five thousand: a space is what parts thousands here."""
    joined = re.compile(r"= ?\d[\d.]* \d")
    assert joined.search("at ε = 5 148 times")
    for folder in ("pages", "ui"):
        for path in told_in(ROOT / folder):
            assert [text for text in strings_of(path) if joined.search(text)] == [], path.name


@pytest.mark.parametrize(
    "path", told_in(ROOT / "ui"), ids=lambda path: f"{path.parent.name}.{path.stem}"
)
def test_the_kit_uses_no_word_that_only_we_understand(path):
    for text in strings_of(path):
        for word in STILTED:
            assert not re.search(rf"\b{word}\b", text, re.IGNORECASE), text


@pytest.mark.parametrize("spec", WRITTEN, ids=lambda spec: spec.key)
def test_at_look_there_are_few_things_and_epsilon_comes_first(spec):
    figure = figure_of(spec)
    seen = [c for c in figure.controls if not c.hidden and not isinstance(c, live.Buttons)]
    grouped = [control for control in seen if control.group]
    assert len(seen) - len(grouped) <= 3
    assert len(grouped) <= 3
    assert len({control.group for control in grouped}) <= 1, "one row of small handles"
    if "epsilon" in spec.params.controls():
        assert seen[0].name == "epsilon"
    assert len(figure.readouts) <= 3
    assert sum(text.role == "meaning" for text in figure.texts) == 1
    assert len(sentences_of(glossary.plain(spec.opening))) <= 4


@pytest.mark.parametrize("spec", WRITTEN, ids=lambda spec: spec.key)
def test_a_page_as_it_opens_is_as_usual(spec):
    told = [line for text in figure_of(spec).texts for line in text.strings]
    assert not [line for line in told if line.startswith("Not as usual")]


@pytest.mark.parametrize("spec", WRITTEN, ids=lambda spec: spec.key)
def test_at_look_sentences_are_short_and_easy(spec):
    figure = figure_of(spec)
    texts = [glossary.plain(text) for text in (*prose(spec, figure), *helps(figure))]
    for text in texts:
        for sentence in re.split(r"(?<=[.!?])\s+", text):
            assert len(words_of(sentence)) <= LONGEST, sentence
    told = " ".join(text if text.endswith((".", "?", "!")) else f"{text}." for text in texts)
    assert reading_ease(told) >= EASIEST, reading_ease(told)


@pytest.mark.parametrize("spec", WRITTEN, ids=lambda spec: spec.key)
def test_at_look_a_word_of_the_field_is_explained_where_it_first_stands(spec):
    figure = spec.figure(
        spec.pipeline.still(spec.params(), *(spec.card.stages if spec.card else ()))
    )
    meaning = spec.meaning(
        spec.pipeline.still(spec.params(), *(spec.card.stages if spec.card else ()))
    )
    lines = [meaning] if isinstance(meaning, str) else list(meaning.strings)
    captions = [panel.caption for panel in figure.panels if panel.depth is Depth.LOOK]
    for first in (lines[0], lines[-1]):  # a reader meets one of them
        text = " ".join([spec.opening, *captions, first])
        for term in glossary.TERMS:
            use = re.search(rf"\b{re.escape(term)}s?\b", glossary.plain(text), re.IGNORECASE)
            if use:
                assert term in glossary.marked(text), term


def names_of(spec):
    """Every curve's name and its shorter one, panel by panel, as they stand at the last depth."""
    state = spec.pipeline.still(spec.params(), *(spec.card.stages if spec.card else ()))
    for panel in shown(spec, state, Depth.CHECK).panels:
        named = [
            layer
            for layer in panel.layers
            if isinstance(layer, live.layers.Line | live.layers.HLine)
        ]
        yield [(x.label, x.label_short or x.label) for x in named if x.label]


@pytest.mark.parametrize("spec", WRITTEN, ids=lambda s: s.key)
def test_a_shorter_name_is_no_other_one_and_says_whose_number_it_is(spec):
    for names in names_of(spec):
        shorter = [short for _, short in names]
        assert len(set(shorter)) == len(shorter), shorter
        for label, short in names:
            whose = {"published", "printed", "smoothed"} & set(words_of(label))
            assert whose <= set(words_of(short)), (label, short)


def test_reading_ease_knows_easy_from_hard():
    easy = "The cat sat on the mat. It was warm there. She slept all day."
    hard = "Differential privacy necessitates calibrating multidimensional perturbations appropriately."
    assert reading_ease(easy) > 90
    assert reading_ease(hard) < 0
