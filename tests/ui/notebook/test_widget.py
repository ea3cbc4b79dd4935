"""The widget's messages: arrays as bytes, values in both directions, answers to the view that asked."""

import gzip
import json
import sys

import numpy as np
import pytest

from dpcore._missing import MissingPackage
from ui import live
from ui.live import layers

GRID = [0.5, 1.0, 2.0]
X = np.linspace(0, 1, 50)


@pytest.fixture(scope="module")
def widget():
    pytest.importorskip("anywidget", reason="anywidget is not installed: pip install anywidget")
    from ui.notebook import widget

    return widget


@pytest.fixture
def figure(widget):
    """A figure, with what it sends in ``figure.sent``."""
    made = widget.Figure(
        controls=[live.Slider(name="power", grid=GRID), live.Slider(name="factor", grid=[1, 2, 3])],
        arrays={"x": X, "y": ([X**k for k in GRID], "power")},
        compute=lambda values: {"more": values["factor"] * X + 5},
        panels=[live.Panel(key="p", layers=[layers.Line(x="x", y="y"), layers.Line(x="x", y="more")])],
    )  # fmt: skip
    made.sent = []
    made.send = lambda content, buffers=None: made.sent.append((content, buffers or []))
    return made


def tell(figure, view="one", phase="commit", seq=1, held=(), **values):
    event = {"phase": phase, "seq": seq, "values": values, "held": list(held), "wanted": []}
    figure._hear(figure, {"view": view, "event": event}, [])
    return figure.sent[-1]


def digests(message):
    return {spec["id"] for spec in message["arrays"].values()}


def test_the_first_view_has_all_arrays_as_compressed_bytes(figure):
    message = figure._opening["message"]
    assert {one for file in message["files"] for one in file["ids"]} == digests(message)
    for file in message["files"]:
        assert isinstance(file["packed"], bytes)
        assert len(gzip.decompress(file["packed"])) > 4
        assert "data" not in file
    assert all("data" not in spec for spec in message["arrays"].values())
    json.dumps({**message, "files": []}, allow_nan=False)


def test_an_answer_has_the_missing_arrays_beside_it_and_goes_to_the_view_that_asked(figure):
    known = digests(figure._opening["message"])
    content, buffers = tell(figure, "two", seq=4, held=known, power=2.0, factor=3)
    assert content["view"] == "two"
    assert content["message"]["seq"] == 4
    assert [file["packed"] for file in content["message"]["files"]] == list(range(len(buffers)))
    (ids,) = (file["ids"] for file in content["message"]["files"])
    assert ids == [content["message"]["arrays"]["more"]["id"]]
    json.dumps(content, allow_nan=False)
    _, again = tell(figure, "two", seq=5, held={*known, *ids}, power=2.0, factor=3)
    assert again == []


def test_values_follow_a_handle_that_is_let_go_but_not_a_drag(figure):
    heard = []
    figure.observe(lambda change: heard.append(dict(change["new"])), "values")
    tell(figure, phase="drag", power=0.5, factor=2)
    assert figure.values == {"power": 0.5, "factor": 1}
    tell(figure, power=2.0, factor=2)
    assert figure.values == {"power": 2.0, "factor": 2}
    assert heard == [{"power": 2.0, "factor": 2}]


def test_values_set_in_python_change_what_is_given_and_are_those_of_the_next_answer(figure):
    figure.values = {"factor": 3}
    assert figure.values == {"power": 0.5, "factor": 3}
    content, _ = tell(figure, phase="tick")
    assert content["message"]["values"] == {"power": 0.5, "factor": 3}


def test_a_wrong_value_is_refused_in_words_and_changes_nothing(figure):
    for wrong, error, said in [
        ({"power": 7}, ValueError, "power=7 is not allowed: .* from 0.5 to 2"),
        ({"speed": 1}, ValueError, "no control “speed”. There are power, factor"),
    ]:
        with pytest.raises(error, match=said):
            figure.values = wrong
    with pytest.raises(TypeError, match=r"fig.values = dict\(power=...\)"):
        figure.values["power"] = 1.0
    with pytest.raises(TypeError, match="Assign a new dictionary"):
        figure.values.update(power=1.0)
    assert figure.values == {"power": 0.5, "factor": 1}


def test_a_poll_without_news_is_answered_without_a_figure(figure):
    tell(figure, seq=1, power=1.0, factor=1)
    content, buffers = tell(figure, phase="tick", seq=2)
    assert content["message"]["same"] == 1
    assert content["message"]["seq"] == 2
    assert buffers == []
    other, _ = tell(figure, "other", phase="tick", seq=2)
    assert "same" not in other["message"], "another view has not seen it"


def test_what_fails_in_python_is_said_above_the_figure(figure):
    def fails(values):
        raise ValueError("no such record")

    figure._source._compute = fails
    content, _ = tell(figure, seq=9, factor=2)
    assert content["notes"] == ["Python could not draw this: no such record"]
    assert content["message"]["seq"] == 9
    assert figure.values["factor"] == 1


@pytest.mark.parametrize("content", [None, [], {}, {"view": 3}, {"view": "x", "event": "commit"}])
def test_a_malformed_message_is_no_error(figure, content):
    figure._hear(figure, content, [])
    assert figure.values == {"power": 0.5, "factor": 1}


def test_the_module_is_one_with_all_that_it_imports(widget):
    text = widget.script()
    assert "import " not in "\n".join(
        line for line in text.splitlines() if line.startswith("import")
    )
    assert 'import("' not in text
    assert text.endswith("export default widget;\n")
    assert ".dp-notebook" in widget.styles()


def test_without_anywidget_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "ui.notebook.widget", raising=False)
    with pytest.raises(MissingPackage, match=r"pip install 'dp-explorer\[notebook\]'"):
        import ui.notebook.widget  # noqa: F401
