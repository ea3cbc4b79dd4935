"""Sentences by their path: what is filled, what is left to the browser, what is refused."""

import math
from dataclasses import replace

import pytest

from ui.live import Axis, Panel, Readout, layers
from ui.words.text import FieldText, Text, load_text

T = Text(
    {
        "cost": "All {n:count answer} together cost ε = {epsilon:.3g}.",
        "formula": r"$\frac{n}{m}\sum_{i}$ of {who}",
        "tasks": ["one", "two"],
        "doors": {"a": "first", "b": "second"},
        "meaning": {"now": "{accuracy} are right. It {tells}."},
        "fields": {"clip_norm": {"label": "cap", "ends": ["hard", "soft"], "options": {"yes": "on"}}},
        "panels": {
            "worlds": {
                "title": "Two worlds", "caption": "{n:d} trainings", "caption_one": "one training",
                "alt": "at {noise_now}", "x": "score", "rows": ["with", "without"],
            }
        },
        "readouts": {"best": {"label": "without privacy", "note": "of {n:d}", "note_own": "of yours"}},
    }
)  # fmt: skip


def test_a_sentence_is_filled_with_numbers_as_readers_meet_them():
    assert T("cost", n=1, epsilon=1e-5) == "All 1 answer together cost ε = 10⁻⁵."
    assert T("cost", n=20, epsilon=math.inf) == "All 20 answers together cost ε = ∞."


def test_braces_of_a_formula_stay():
    assert T("formula", who="Ada") == r"$\frac{n}{m}\sum_{i}$ of Ada"


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("cost", {"n": 1}), ("cost", {"n": 1, "epsilon": 1.0, "delta": 1.0}), ("price", {}), ("doors", {}),
        ("tasks", {}), ("cost.n", {}),
    ],
)  # fmt: skip
def test_a_field_too_many_a_field_too_few_and_an_unknown_path_are_refused(path, fields):
    with pytest.raises(LookupError, match=r"text\.toml"):
        T(path, **fields)


def test_what_the_browser_fills_stays():
    assert T("meaning.now", tells="may tell much") == "{accuracy} are right. It may tell much."


def test_words_of_a_field():
    assert T.field("clip_norm") == FieldText(
        label="cap", ends=("hard", "soft"), options={"yes": "on"}
    )
    assert T.field("delta") == FieldText()


def test_a_panel_gets_its_words_and_keeps_the_rest():
    made = T.panel(Panel(key="worlds", x=Axis(range=(0, 2)), height=300), n=40)
    assert (made.title, made.caption, made.alt) == ("Two worlds", "40 trainings", "at {noise_now}")
    assert (made.x, made.height, made.rows) == (
        Axis(range=(0, 2), title="score"), 300, ("with", "without"),
    )  # fmt: skip
    assert T.panel(Panel(key="worlds"), "one").caption == "one training"
    with pytest.raises(LookupError, match=r"panels\.other"):
        T.panel(Panel(key="other"))


def test_a_text_alternative_made_of_a_panels_words_is_made_of_those_it_gets():
    text = Text({"panels": {"a": {"title": "Time", "y": "seconds"}}})
    curve = layers.Line(x=[1.0, 2.0], y="seconds", label="s")
    panel = Panel(key="a", x=Axis(title="ε"), layers=[curve])
    assert text.panel(panel).alt.startswith("Time: seconds against ε.")
    assert text.panel(replace(panel, alt="A curve.")).alt == "A curve."


def test_a_readout_gets_its_words():
    made = T.readout(Readout(value="best", role="private"), n=3)
    assert (made.label, made.note, made.role) == ("without privacy", "of 3", "private")
    assert T.readout(Readout(value="now"), "own", key="best").note == "of yours"


def test_lists_and_tables():
    assert T.lines("tasks") == ("one", "two")
    assert T.group("doors") == {"a": "first", "b": "second"}
    assert "doors.a" in T
    assert "doors.c" not in T
    assert dict(T.templates())["tasks.1"] == "two"


def test_a_folder_without_prose_is_named(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_text(str(tmp_path / "page.py"))
