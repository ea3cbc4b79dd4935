"""Marked words: explained once a page, by one explanation."""

import pytest

from ui.words import glossary
from ui.words.glossary import TERMS, first_marks, marked, plain, to_html


def test_only_the_first_mark_of_a_word_is_left():
    text = "[[noise]] and [[noise|more noise]] against an [[adversary]]"
    assert first_marks(text) == "[[noise]] and more noise against an [[adversary]]"
    assert first_marks(text, ["adversary"]) == "[[noise]] and more noise against an adversary"
    assert marked(text) == ["noise", "noise", "adversary"]
    assert plain(text) == "noise and more noise against an adversary"


def test_a_word_without_an_explanation_is_an_error():
    with pytest.raises(KeyError, match="does not explain “nonsense”"):
        first_marks("some [[nonsense]]")


def test_a_word_becomes_a_button_that_names_its_explanation():
    found = to_html("a <b> [[noise|little noise]], **bold**", prefix="p")
    assert (
        '<button type="button" class="dp-term" aria-describedby="p-0">little noise</button>'
        in found
    )
    assert f'role="tooltip" id="p-0">{TERMS["noise"]}</span> <a href="./?words=open#noise"' in found
    assert "a &lt;b&gt; " in found
    assert "<strong>bold</strong>" in found


def test_every_word_has_a_place_of_its_own():
    assert len({glossary.anchor(term) for term in TERMS}) == len(TERMS)
    assert glossary.link("central privacy") == "./?words=open#central-privacy"


@pytest.mark.parametrize("term", TERMS)
def test_an_explanation_is_a_sentence_or_two_and_marks_nothing(term):
    text = TERMS[term]
    assert text.endswith(".")
    assert len(text.split()) <= 40
    assert not glossary.MARK.search(text)
