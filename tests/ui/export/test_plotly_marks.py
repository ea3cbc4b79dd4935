"""What a plot taken along shares with the live figure: colours by role, labels at the curves."""

import re
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from ui.export import plotly_marks as marks
from ui.export.plotly_annotations import annotate
from ui.export.plotly_marks import spread
from ui.live import Axis, Panel, layers

THEME = Path(__file__).resolve().parents[3] / "assets" / "live" / "draw" / "theme.js"


def test_colours_are_those_of_the_live_figure_on_a_light_ground():
    script = THEME.read_text("utf-8")
    for role, colour in marks.ROLES.items():
        line = next(line for line in script.splitlines() if re.match(rf"\s+{role}: ", line))
        assert colour in line, role
    listed = re.search(r"const CLASSES = \[(.*?)\]", script, re.S)
    assert listed
    assert tuple(re.findall(r"#\w{6}", listed[1])) == marks.CLASSES


def test_curves_are_named_in_the_margin_apart_from_each_other():
    found = [
        layers.Line(x=[1.0, 2.0], y=[0.0, 0.5], label="one", role="other"),
        layers.Line(x=[1.0, 2.0], y=[0.0, 0.5001], label="two"),
        layers.HLine(at=0.5002, label="three", role=1),
        layers.Line(x=[1.0, 2.0], y=[np.nan, np.nan], label="unknown"),
        layers.Line(x=[1.0, 2.0], y=[0.1, 0.2]),
    ]
    panel = Panel(key="k", title="t", layers=found, y=Axis(range=(0, 1)))
    made = go.Figure()
    marks.name_curves(made, panel, lambda slot: np.asarray(slot, float))
    assert [note.text for note in made.layout.annotations] == ["one", "two", "three"]
    heights = [note.y for note in made.layout.annotations]
    assert np.diff(heights).min() > 0.05
    assert [note.font.color for note in made.layout.annotations] == [
        marks.ROLES["other"], marks.ROLES["private"], marks.CLASSES[1],
    ]  # fmt: skip


def test_a_curve_that_leaves_a_logarithmic_axis_is_named_at_its_end():
    panel = Panel(
        key="k", title="t", y=Axis(range=(0.1, 10), log=True),
        layers=[layers.Line(x=[1.0], y=[1e9], label="up"), layers.Line(x=[1.0], y=[0.0], label="down"),
                layers.Line(x=[1.0], y=[1.0], label="middle")],
    )  # fmt: skip
    made = go.Figure()
    marks.name_curves(made, panel, lambda slot: np.asarray(slot, float))
    assert {note.text: round(note.y, 3) for note in made.layout.annotations} == {
        "down": 0.0, "middle": 0.5, "up": 1.0,
    }  # fmt: skip


def test_names_of_curves_stay_apart_and_inside():
    places = spread([0.9, 0.97, 0.98, 1.0], marks._APART)
    assert np.diff(places) == pytest.approx([marks._APART] * 3)
    assert places[-1] <= 1
    assert spread([0.1, 0.5], marks._APART) == [0.1, 0.5]
    assert spread([], marks._APART) == []


def test_bands_and_bars_are_named_where_they_are_and_need_no_key():
    found = [
        layers.Band(x=[1.0, 2.0], low=[0.0, 0.4], high=[0.2, 0.8], label="8 of 10 tries"),
        layers.Bars(edges=[0.0, 1.0, 2.0], heights=[0.1, 0.9], label="without Ada", role="other"),
        layers.Bars(edges=[0.0, 1.0, 2.0], heights=[0.1, 0.9], label="with Ada"),
    ]
    panel = Panel(key="k", title="t", layers=found, x=Axis(range=(0, 2)), y=Axis(range=(0, 1)))
    made, read = go.Figure(), lambda slot: np.asarray(slot, float)
    for layer in found:
        marks.draw(made, read, layer)
    marks.name_curves(made, panel, read)
    assert not any(trace.showlegend for trace in made.data)
    notes = {note.text: note for note in made.layout.annotations}
    assert notes["8 of 10 tries"].y == pytest.approx(0.6)
    assert (notes["with Ada"].x, notes["with Ada"].y) == (1.5, 0.9)
    assert notes["with Ada"].ay < notes["without Ada"].ay - 15


@pytest.mark.parametrize(("spent", "left"), [(0.5, 0.75), (2.0, 0.0), (9.0, 0.0)])
def test_a_purse_is_a_bar_of_what_is_left(spent, left):
    made = go.Figure()
    purse = layers.Coins(x=1.5, width=0.6, spent=spent, budget=2.0, label="true cost")
    marks.draw(made, lambda slot: np.asarray(slot, float), purse)
    (bar,) = made.data
    assert (bar.x[0], bar.y[0], bar.name) == (1.5, left, "true cost")


@pytest.mark.parametrize(("upto", "n_discs"), [(1.6, 2), (0.0, 0), (np.nan, 0)])
def test_a_number_as_discs_has_as_many_marks(upto, n_discs):
    made = go.Figure()
    layer = layers.Counted(xy=[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], upto=upto, radius=0.4)
    marks.draw(made, lambda slot: np.asarray(slot, float), layer)
    assert len(made.data[0].x) == n_discs


def test_annotations_stand_at_their_places_and_nothing_is_written_at_an_unknown_one():
    panel = Panel(
        key="k", title="t", x=Axis(range=(1, 1000), log=True), y=Axis(range=(0, 1)),
        layers=[
            layers.Annotation(x=100.0, y=0.5, words="caught {n}", role="danger", stamped=True, dy=10.0),
            layers.Annotation(x=10.0, y=float("nan"), words="not yet"),
        ],
    )  # fmt: skip
    made = go.Figure()
    annotate(
        made, panel, lambda slot: np.asarray(slot, float), lambda text: text.replace("{n}", "50")
    )
    (note,) = made.layout.annotations
    assert (note.text, note.x, note.y, note.yshift) == ("caught 50", 2.0, 0.5, -10.0)
    assert note.bgcolor == marks.ROLES["danger"]
