"""Layers: one class each, and everything that is written from them is as they are now."""

import dataclasses
from pathlib import Path

import pytest

from ui.live import describe, layers
from ui.live.depth import Depth

LIVE = Path(__file__).resolve().parents[3] / "assets" / "live"


@pytest.mark.parametrize("path", describe.FILES, ids=lambda path: path.name)
def test_what_is_written_from_the_classes_is_not_stale(path):
    assert path.read_text("utf-8") == describe.FILES[path](), "run `python -m ui.live.describe`"


def test_a_table_that_was_edited_is_stale():
    text = next(path for path in describe.FILES if path.name == "live.md").read_text("utf-8")
    assert describe.with_table(text.replace("A histogram", "A heap of bars")) == text


@pytest.mark.parametrize("kind", layers.LAYERS)
def test_a_misspelt_option_is_an_error_at_once(kind):
    layer = layers.LAYERS[kind]
    required = {
        field.name: "name"
        for field in dataclasses.fields(layer)
        if field.default is dataclasses.MISSING
    }
    assert layer(**required).arguments() == required
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        layer(**required, colour="red")
    with pytest.raises(TypeError, match="missing 1 required"):
        layer(**dict(list(required.items())[1:]))


def test_only_arguments_that_were_given_travel():
    line = layers.Line(x="x", y=[1.0], dash=True, keep=False, front=False)
    assert line.arguments() == {"x": "x", "y": [1.0], "dash": True, "keep": False}


def test_names_are_told_by_what_they_name():
    handle = layers.Handle(x="dx", y="dy", origin="home", label="Ada")
    assert handle.array_names() == ["home"]  # dx and dy are sliders
    paths = layers.Paths(xy="path", labels=[0, 1], upto="t")
    assert (paths.array_names(), paths.dimension_names()) == (["path"], ["t"])
    assert layers.HLine(at=0.5).array_names() == []


def test_every_layer_is_drawn_by_the_browser():
    drawn = "".join(path.read_text("utf-8") for path in LIVE.glob("draw/*.js"))
    for kind in layers.LAYERS:
        assert f"\n  {kind}(" in drawn, kind


def test_the_depth_of_a_layer_stays_on_the_server():
    line = layers.Line(x="x", y="y", depth=Depth.CHECK)
    assert line.arguments() == {"x": "x", "y": "y"}
    assert line.depth is Depth.CHECK
    assert "depth" not in {field.name for field in layers.Line.sent()}
