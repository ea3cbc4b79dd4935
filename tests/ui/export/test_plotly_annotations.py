"""Names of points, marks and lines of maps in a plot taken along: at a place of theirs, and no key."""

import numpy as np
import plotly.graph_objects as go
import pytest

from ui.export import plotly_annotations as heaps
from ui.export import plotly_marks as marks
from ui.live import Axis, Panel, layers


def test_heaps_of_points_are_named_at_a_point_of_theirs_and_need_no_key():
    rng = np.random.default_rng(0)
    found = [
        layers.Points(
            xy=rng.normal(-0.5, 0.1, (40, 2)), labels=[0.0], role="other", label="people"
        ),
        layers.Cloud(xy=rng.normal(0.5, 0.1, (8, 5, 2)), labels=[0.0] * 5, label="other outcomes"),
        layers.Markers(xy=[[5.0, 0.0]], labels=[0.0], label="outside"),
    ]
    panel = Panel(key="k", title="t", kind="map", layers=found)
    made, read = go.Figure(), lambda slot: np.asarray(slot, float)
    for layer in found:
        marks.draw(made, read, layer)
    heaps.name_heaps(made, panel, read)
    assert not any(trace.showlegend for trace in made.data)
    notes = {note.text: note for note in made.layout.annotations}
    assert set(notes) == {"people", "other outcomes"}
    for layer, note in zip(found, notes.values(), strict=False):
        places = np.asarray(layer.xy).reshape(-1, 2)
        assert np.abs(places - [note.x, note.y]).sum(axis=1).min() < 1e-9
        assert note.showarrow


def test_a_record_on_a_logarithmic_axis_is_named_where_it_is_drawn():
    layer = layers.Points(xy=[[10.0, 0.5]], labels=[0.0], label="one")
    panel = Panel(
        key="k", title="t", x=Axis(range=(1, 100), log=True), y=Axis(range=(0, 1)), layers=[layer]
    )
    made = go.Figure()
    heaps.name_heaps(made, panel, lambda slot: np.asarray(slot, float))
    (note,) = made.layout.annotations
    assert (note.x, note.y) == pytest.approx((1.0, 0.5))


def test_a_line_of_a_map_is_named_where_it_is():
    line = layers.Line(x=[-0.5, 0.0, 0.5], y=[0.2, 0.4, np.nan], label="image of a class")
    made = go.Figure()
    heaps.name_heaps(
        made,
        Panel(key="k", title="t", kind="map", layers=[line]),
        lambda slot: np.asarray(slot, float),
    )
    (note,) = made.layout.annotations
    assert (note.x, note.y) in ((-0.5, pytest.approx(0.2)), (0.0, pytest.approx(0.4)))
