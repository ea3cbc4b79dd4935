"""A lesson's file: read back as written, and refused with a sentence where it cannot be used."""

import pytest

from pages import handout, specs
from ui.embed.lesson import Lesson, LessonError, Shown, check, read, written
from ui.frame.page_spec import PageSpec

SPECS = {spec.key: spec for spec in specs() if isinstance(spec, PageSpec)}
FIRST = next(iter(SPECS))
LESSON = Lesson(
    title="Was heißt ε?", parts=(Shown(page=FIRST, link="epsilon=0.5&locked=all", text="Look: yes?"),),
    exercises=("laplace-scale",), solutions=True,
)  # fmt: skip


def test_a_lesson_is_read_back_as_it_was_written():
    assert read(written(LESSON)) == LESSON
    assert read('{"parts": [{"page": "x"}]}') == Lesson(parts=(Shown(page="x"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parts: [", "neither YAML nor JSON"),
        ("just words", "not a list of names and values"),
        ("parts: []", "0 are given, 1 to 12"),
        ("parts: [{link: a}]", "Part 1: page is missing"),
        ("parts: [{page: 3}]", "Part 1: page has to be of the kind str"),
        ("parts: [{page: x, code: y}]", "Part 1: “code” is not known"),
        ("colour: red", "“colour” is not known"),
        ("version: 2\nparts: [{page: x}]", "this app reads version 1"),
        ("parts: [{page: x}]\nexercises: [3]", "3 is not the name"),
        ("a: &a [1]\nb: *a", "anchors, aliases and tags"),
        ("a: !!python/name:os.system x", "anchors, aliases and tags"),
        ("x" * 30_000, "at most 20000"),
        ("{" * 9000, "neither YAML nor JSON"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(text, said):
    with pytest.raises(LessonError, match=said):
        read(text)


def test_what_is_not_there_is_named():
    found = check(
        Lesson(
            parts=(Shown(page="none"), Shown(page=FIRST, link="epsilon=x&locked=lid")),
            exercises=("nine",),
        ),
        SPECS,
        ("laplace-scale",),
    )
    assert [text.partition(":")[0] for text in found] == ["Part 1", "Part 2", "Part 2", "exercises"]
    assert check(LESSON, SPECS, ("laplace-scale",)) == []


def test_a_handout_holds_solutions_only_where_the_lesson_says_so():
    solved = handout.tasks(LESSON)[0]
    assert solved[3]
    assert (
        handout.tasks(read(written(LESSON).replace("solutions: true", "solutions: false")))[0][3]
        == ""
    )


def test_a_lesson_of_what_is_not_there_is_refused():
    with pytest.raises(LessonError, match="there is no page"):
        handout.write("parts: [{page: none}]", "", lambda name: None)
