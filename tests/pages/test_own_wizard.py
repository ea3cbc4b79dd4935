"""The wizard on every page that takes an own table: the figure stays, then shows what came of it."""

import json
import types

import pytest

from pages import specs
from tests.pages.visits import app, data
from tests.ui.upload.own_tables import table_of
from ui.figure_kit.nominal import MARK
from ui.frame.page_spec import PageSpec
from ui.upload import files

OWN = [spec for spec in specs() if isinstance(spec, PageSpec) and spec.own_task]
N = 80
TABLE = {
    "age": [20 + i % 50 for i in range(N)],
    "visits": [(7 * i) % 13 for i in range(N)],
    "name": [f"n{i}" for i in range(N)],
    "score": [(7 * i) % 13 + i % 50 for i in range(N)],
    "kind": ["ab"[(7 * i) % 13 > 6] for i in range(N)],
}
PAIRS = {"age": "0, 120", "visits": "0, 20", "score": "0, 100"}


@pytest.fixture
def given(monkeypatch):
    give(monkeypatch)


def give(monkeypatch):
    """Let the uploader hold the table."""
    file = types.SimpleNamespace(file_id="1", getvalue=lambda: table_of(TABLE))
    monkeypatch.setattr(files.st, "file_uploader", lambda *_, **__: file)


def widget(kind, words):
    (found,) = [one for one in kind if words in one.label]
    return found


def through(found, spec, *, declares):
    """Go through the three steps."""
    target = "kind" if spec.own_task == "classification" else "score"
    widget(found.selectbox, "to predict").select(target).run()
    widget(found.button, "step 2").click().run()
    widget(found.radio, "Lowest").set_value("each" if declares else "estimate").run()
    if declares:
        for box in found.checkbox:
            box.check().run()
        for name, pair in PAIRS.items():
            widget(found.text_input, name).input(pair).run()
    widget(found.button, "step 3").click().run()
    widget(found.button, "Use this table").click().run()
    return found


@pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.key)
def test_the_wizard_opens_where_own_data_are_chosen_and_the_figure_stays(spec, given):
    assert spec.pipeline.data.own
    assert not [one for one in app(spec.key).header if "Your own table" in one.value]
    found = app(spec.key, **{spec.pipeline.data.choice: "own"})
    assert not found.exception
    assert [one.value for one in found.header] == ["Your own table"]
    first = data(found)["panels"][0]["key"]
    widget(found.selectbox, "to predict").select(
        "kind" if spec.own_task == "classification" else "score"
    ).run()
    assert data(found)["panels"][0]["key"] == first
    assert spec.pipeline.data.own not in found.session_state


@pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.key)
def test_who_has_no_table_goes_back_to_public_data(spec):
    found = app(spec.key, **{spec.pipeline.data.choice: "own"})
    widget(found.button, "public data").click().run()
    assert not found.exception
    assert not found.header
    instead = spec.pipeline.data.instead[spec.pipeline.data.choice]
    assert getattr(found.session_state[f"params.{spec.key}"], spec.pipeline.data.choice) == instead


@pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.key)
@pytest.mark.parametrize("declares", [True, False])
def test_a_table_goes_through_three_steps_and_every_epsilon_says_what_it_is(spec, given, declares):
    found = app(spec.key, depth="check", **{spec.pipeline.data.choice: "own"})
    through(found, spec, declares=declares)
    assert not found.exception
    made = found.session_state[spec.pipeline.data.own]
    assert bool(made.status) != declares
    figure = data(found)
    axes = [panel[axis]["title"] for panel in figure["panels"] for axis in "xy"]
    axes = [title for title in axes if "ε" in title]
    said = json.dumps(figure, ensure_ascii=False)
    assert (MARK in said) != declares
    if not declares:
        shown = [title for title in axes if MARK in title]
        assert shown if spec.own_in_tabs else shown == axes
        (epsilon,) = [one for one in figure["controls"] if one["name"] == "epsilon"]
        assert epsilon["why"] == ("" if spec.own_in_tabs else f"ε is {made.status}.")
        odds = [line for text in figure["texts"] if text.get("bounds") for line in text["strings"]]
        assert odds  # what nobody has proved is not said as a fact
        assert spec.own_in_tabs or all("Nothing is proved. If this ε" in line for line in odds)
        lines = [line for text in figure["texts"] for line in text["strings"]]
        assert spec.own_in_tabs or not any(" about any one " in line for line in lines)
        assert any("proof: none" in one.value for one in found.markdown)
        (head,) = [one.value for one in found.markdown if one.value.startswith("## Guarantee")]
        assert spec.own_in_tabs or " (nominal), δ = " in head
    else:
        assert not any("proof: none" in one.value for one in found.markdown)
        assert not any("(nominal)" in one.value for one in found.markdown)
