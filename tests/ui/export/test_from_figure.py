"""What is taken along of a live figure: its curves as columns, its panels in Plotly, its numbers in words."""

from dataclasses import replace

import numpy as np
import pytest

from ui import live
from ui.export import from_figure
from ui.export.from_figure import facts, plot, table, words
from ui.live import Array, Axis, Panel, Readout, layers

GRID = [1.0, 2.0, 4.0]


@pytest.fixture
def figure():
    curves = [
        layers.Band(x=GRID, low="low", high="high"),
        layers.Line(x=GRID, y="loss", dash=True, label="$x$"),
        layers.VLine(at=2.0, label="here"),
        layers.HLine(at="now"),
        layers.Dot(x=2.0, y="now"),
    ]
    records = [
        layers.Points(xy="places", labels="classes"),
        layers.Line(x=[0.0, 1.0], y="now_twice"),
    ]
    x = Axis(range=(1, 4), title="<a href='http://a.example'>ε</a>", log=True)
    words = Axis(range=(0, 2), ticks=(0.5,), words=("<b>$x$</b>",))
    return live.Figure(
        controls=[live.Slider(name="epsilon", grid=GRID)],
        values={"epsilon": 2.0},
        arrays={
            "low": Array([0, 1, 2], (None,)),
            "high": Array([4, 5, 6], (None,)),
            "loss": Array([[1, 1, 1], [2, 3, 4], [5, 5, 5]], ("epsilon", None)),
            "now": Array([1, 3, 5], ("epsilon",)),
            "now_twice": Array([1, 1], (None,)),
            "places": Array([[0, 1], [2, 3]], (None, None)),
            "classes": Array(np.array([0, 1], np.int32), (None,)),
            "heights": Array([0.25, 0.75], (None,)),
            "tiles": Array(np.arange(12, dtype=float).reshape(3, 4), (None, None)),
        },
        panels=[
            Panel(key="curves", title="<b>Loss</b>", x=x, layers=curves),
            Panel(key="map", title="Map", kind="map", layers=records),
            Panel(key="bars", title="Bars", x=words, layers=[
                layers.Bars(edges=[0.0, 1.0, 2.0], heights="heights", alpha=0.5)]),
            Panel(key="tiles", title="Tiles", kind="mosaic", tiles="tiles", shape=(2, 2), columns=2),
        ],
        readouts=[Readout(label="loss", value="now", format=".1f", note="at ε")],
    )  # fmt: skip


def test_curves_are_columns_at_the_values_of_the_controls(figure):
    found = table(figure, "curves")
    assert found.iloc[:, 0].tolist() == GRID
    assert found.loss.tolist() == [2, 3, 4]
    assert list(found.columns[1:]) == ["low", "high", "loss"]
    assert table(figure, "bars").heights.dropna().tolist() == [0.25, 0.75]


def test_of_a_map_the_records_are_the_table(figure):
    found = table(figure, "map")
    assert found.to_dict("list") == {"places_x": [0, 2], "places_y": [1, 3], "classes": [0, 1]}


def test_what_is_drawn_live_is_drawn_for_taking_along(figure):
    low, high, loss, dot = plot(figure, "curves").data
    assert (list(dot.x), list(dot.y)) == ([2.0], [3.0])
    assert (list(low.y), list(high.y), list(loss.y)) == ([0, 1, 2], [4, 5, 6], [2, 3, 4])
    assert (high.fill, loss.line.dash) == ("tonexty", "dash")
    assert len(plot(figure, "curves").layout.shapes) == 2
    assert plot(figure, "curves").layout.xaxis.range == pytest.approx((0, np.log10(4)))
    assert plot(figure, "bars").data[0].x.tolist() == [0.5, 1.5]
    assert plot(figure, "map").data[0].mode == "markers"


def test_pictures_lie_side_by_side_from_the_top(figure):
    (shown,) = plot(figure, "tiles").data
    expected = [[8, 9, np.nan, np.nan], [10, 11, np.nan, np.nan]]
    np.testing.assert_array_equal(shown.z[::-1], [[0, 1, 4, 5], [2, 3, 6, 7], *expected])


def test_pictures_are_whole_and_their_rows_named(figure):
    tiles = replace(figure.panels[-1], rows=("<b>first</b>", "second"), captions=("left", "right"))
    made = plot(replace(figure, panels=[tiles]), "tiles")
    assert made.layout.xaxis.range is None
    assert made.layout.yaxis.range is None
    assert (made.data[0].zmin, made.data[0].zmax) == tiles.range
    assert dict(zip(made.layout.yaxis.tickvals, made.layout.yaxis.ticktext, strict=True)) == {
        2.5: "&lt;b&gt;first&lt;/b&gt;",
        0.5: "second",
    }
    assert made.layout.xaxis.tickvals == (0.5, 2.5)
    assert made.layout.xaxis.ticktext == ("left", "right")
    many = plot(replace(figure, panels=[replace(tiles, captions=("a", "b", "c"))]), "tiles")
    assert not many.layout.xaxis.ticktext  # each under its own picture: there is no room in an axis


def test_words_in_it_are_inert(figure):
    shown = plot(figure, "curves").layout
    texts = [shown.title.text, shown.xaxis.title.text, *plot(figure, "bars").layout.xaxis.ticktext]
    texts += [trace.name or "" for trace in plot(figure, "curves").data]
    assert not any(mark in text for text in texts for mark in "<>$")


def test_numbers_are_told_as_under_the_figure(figure):
    assert facts(figure) == {"loss (at ε)": "3.0"}


def test_a_number_that_waits_for_its_tab_is_left_out(figure):
    later = replace(figure, arrays=figure.arrays | {"now": Array([np.nan] * 3, ("epsilon",))})
    assert facts(later) == {}


def test_settings_have_the_words_of_the_page(figure):
    assert words(figure) == {}
    stage = live.Slider(name="stage", grid=[0, 1, 2], words=("start", "middle", "end"))
    group = live.Choice(name="group", options=[(0, "age"), (1, "sex")])
    known = replace(
        figure,
        controls=[*figure.controls, stage, group],
        values={"epsilon": 2.0, "stage": 2, "group": 1},
    )
    assert words(known) == {"stage": "end", "group": "sex"}


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((0.0, 1.0), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]),
        ((0.0, 0.121), ["0 %", "2 %", "4 %", "6 %", "8 %", "10 %", "12 %"]),
        ((0.45, 1.02), ["50 %", "60 %", "70 %", "80 %", "90 %", "100 %"]),
    ],
)
def test_shares_have_a_space_before_per_cent_as_on_the_page(ends, words):
    made = from_figure._axis(Axis(range=ends, format=".0%"))
    assert made["ticktext"] == words


@pytest.mark.parametrize("high", [0.05, 0.3, 0.7, 0.832, 0.99, 1.0, 1.4, 6.9, 10.0])
def test_every_width_of_an_axis_has_round_places(high):
    places = from_figure._round_places(0.0, high)
    assert 2 <= len(places) <= 8
    assert max(places) <= high * (1 + 1e-9)
