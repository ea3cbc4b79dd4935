"""Names at curves: every trace has one, apart from each other, and no key is left."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpcore.plots import name_curves


def notes(figure):
    return {note.text: note for note in figure.layout.annotations}


def test_curves_are_named_at_their_ends_apart_and_in_their_colours():
    figure = go.Figure()
    for name, end in (("one", 5.0), ("two", 5.01), ("three", 0.3)):
        figure.add_scatter(x=[0.1, 1.0, 10.0], y=[9.0, 7.0, end], name=name)
    figure.add_hline(y=12.0)
    figure.update_xaxes(type="log")
    found = notes(name_curves(figure))
    assert set(found) == {"one", "two", "three"}
    assert abs(found["one"].y - found["two"].y) > 0.05
    assert found["one"].font.color == figure.data[0].line.color != figure.data[1].line.color
    assert figure.layout.showlegend is False
    assert figure.layout.yaxis.range[1] > 12.0
    top = found["three"]  # it ends on the floor
    assert top.showarrow
    assert (top.x, top.y) == pytest.approx((-1.0, 9.0))


def test_on_a_logarithmic_axis_names_stand_at_the_exponent():
    figure = go.Figure()
    figure.add_scatter(x=[1.0, 2.0], y=[0.01, 100.0], name="up")
    figure.update_yaxes(type="log")
    (note,) = name_curves(figure).layout.annotations
    low, high = figure.layout.yaxis.range
    assert note.y == pytest.approx((2 - low) / (high - low))


def test_points_in_a_row_are_pointed_at_from_above():
    figure = go.Figure()
    figure.add_scatter(x=[0.0, 1.0, 2.0], y=[0.0, 0.0, 1.0], name="curve")
    figure.add_scatter(x=[0.0, 1.0], y=[0.0, 0.0], mode="markers", name="row")
    note = notes(name_curves(figure))["row"]
    assert note.ax == 0
    assert note.ay < 0


def test_heaps_bars_and_single_points_are_pointed_at():
    rng, figure = np.random.default_rng(0), go.Figure()
    for name in ("original", "noisy", "published"):
        places = rng.standard_normal((50, 2))
        figure.add_scatter(x=places[:, 0], y=places[:, 1], mode="markers", name=name)
    figure.add_bar(x=["a", "b"], y=[1.0, 2.0], name="bars")
    figure.add_scatter(x=[0.5], y=[0.5], mode="markers", name="here")
    found = notes(name_curves(figure))
    for trace in figure.data:
        note = found[trace.name]
        assert any(
            (x, y) == (note.x, pytest.approx(note.y)) for x, y in zip(trace.x, trace.y, strict=True)
        )
        assert note.showarrow
    assert (
        len({(found[name].ax, found[name].ay) for name in ("original", "noisy", "published")}) == 3
    )
