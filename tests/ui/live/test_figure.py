"""The description of a live figure: mistakes are named, arrays travel once, slices are what they should be."""

import base64
import json

import numpy as np
import pytest

from dpcore._serialize import pack, unpack
from ui import live
from ui.live import layers
from ui.live.transport import message

GRID = (0.1, 1.0, 10.0)


def figure(**changes):
    rng = np.random.default_rng(0)
    options = {
        "controls": [
            live.Slider(name="epsilon", symbol="ε", grid=GRID, mode="local"),
            live.Choice(name="kind", options=[("a", "A"), ("b", "B")]),
            live.Toggle(name="project"),
        ],
        "values": {"epsilon": 1.0, "kind": "b", "project": True},
        "arrays": {
            "u_of": live.Array([0.0, 1.5, 3.0], ("epsilon",)),
            "w": live.Array(rng.standard_normal((4, 2, 5, 3)), ("u", "kind", None, None)),
            "flat": live.Array(rng.standard_normal((5, 2)), (None, None)),
            "labels": live.Array(np.arange(5, dtype=np.int32), (None,)),
            "pixels": live.Array(
                np.array([[0, 255], [255, 0]], np.uint8), ("project", None), scale=(-1, 1)
            ),
        },
        "coords": {"u": "u_of"},
        "panels": [
            live.Panel(key="p", title="P", layers=[layers.Points(xy="flat", labels="labels")])
        ],
    }
    return live.Figure(**{**options, **changes})


def test_slices_interpolate_along_coordinates_and_pick_along_controls():
    found = figure()
    w = found.arrays["w"].values.astype(float)
    np.testing.assert_allclose(found.evaluate("w"), (w[1, 1] + w[2, 1]) / 2)
    np.testing.assert_allclose(found.evaluate("w", {"epsilon": 10.0, "kind": "a"}), w[3, 0])
    np.testing.assert_allclose(found.evaluate("pixels"), [1, -1])
    assert found.evaluate("flat").shape == (5, 2)


def test_coordinates_beyond_the_ends_stay_at_the_ends():
    arrays = {**figure().arrays, "u_of": live.Array([-3.0, 1.0, 99.0], ("epsilon",))}
    found = figure(arrays=arrays)
    w = arrays["w"].values
    np.testing.assert_allclose(found.evaluate("w", {"epsilon": 0.1, "kind": "a"}), w[0, 0])
    np.testing.assert_allclose(found.evaluate("w", {"epsilon": 10.0, "kind": "a"}), w[3, 0])


def test_the_message_is_json_and_arrays_are_exact():
    sent = json.loads(json.dumps(message(figure())))
    spec = sent["arrays"]["w"]
    found = np.frombuffer(base64.b64decode(spec["data"]), "<f4").reshape(spec["shape"])
    assert (found == figure().arrays["w"].values).all()
    assert sent["values"] == {"epsilon": 1.0, "kind": "b", "project": True}


def test_digest_follows_content_shape_and_type():
    base = live.Array(np.zeros((2, 3), np.float32), (None, None))
    others = [
        live.Array(np.zeros((3, 2), np.float32), (None, None)),
        live.Array(np.zeros((2, 3), np.int32), (None, None)),
        live.Array(np.ones((2, 3), np.float32), (None, None)),
    ]
    assert len({base.digest, *(other.digest for other in others)}) == 4


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"coords": {"u": "w"}}, "needs a scalar array, and 'w' is none"),
        ({"coords": {}}, "no control, no coordinate"),
        ({"arrays": {"u_of": live.Array([0.0, 1.0], ("epsilon",))}}, "2 entries along 'epsilon'"),
        ({"readouts": [live.Readout(label="x", value="flat")]}, "readout 'x' needs a scalar"),
        ({"panels": [live.Panel(key="p", title="", layers=[layers.Points(xy="no", labels="labels")])]},
         "panel 'p' draws 'no', which is no array"),
        ({"values": {"epsilon": 1.0, "kind": "b"}}, "values have no 'project'"),
        ({"values": {"epsilon": 1.2, "kind": "b", "project": True}}, "1.2 is not on the grid"),
        ({"values": {"epsilon": float("nan"), "kind": "b", "project": True}}, "nan is not on the grid"),
        ({"values": {"epsilon": 1.0, "kind": "c", "project": True}}, "'c' is not one of the options"),
        ({"texts": [live.Text(strings=["a", "b"], dims=("epsilon",))]}, "has 2 sentences, not 3"),
        ({"texts": [live.Text(strings=["a"], dims=("u",))]}, "not all are controls"),
        ({"panels": [live.Panel(key="p", title=""), live.Panel(key="p", title="")]},
         "panel 'p' is there 2 times"),
        ({"panels": [live.Panel(key="p", title="", kind="pie")]}, "kind='pie'"),
        ({"panels": [live.Panel(key="p", title="", kind="mosaic")]}, "a mosaic without tiles"),
        ({"panels": [live.Panel(key="p", title="", layers=[layers.VLine(at="flat")])]},
         "at of a vline needs a scalar array, and 'flat' is none"),
        ({"panels": [live.Panel(key="p", title="", layers=[
            layers.Paths(xy="w", labels="labels", upto="kinds")])]},
         "upto='kinds' is no control"),
        ({"panels": [live.Panel(key="p", title="", layers=[
            layers.Handle(x="epsilon", y="kind", origin=(0, 0), label="z")])]},
         "y='kind' of a handle is no slider"),
        ({"panels": [live.Panel(key="p", title="", kind="mosaic", tiles="no")]}, "draws 'no'"),
        ({"previews": {"kind": {"w": "no"}}}, "preview of 'kind' draws 'no': no such array"),
        ({"previews": {"nobody": {"w": "flat"}}}, "preview of 'nobody' draws 'flat'"),
    ],
)  # fmt: skip
def test_mistakes_are_named(changes, words):
    with pytest.raises(ValueError, match=words):
        figure(**changes)


def test_a_coordinate_that_depends_on_itself_is_named():
    arrays = {
        **figure().arrays,
        "u_of": live.Array([0.0, 1.0], ("t",)),
        "t_of": live.Array([0.0, 1.0], ("u",)),
    }
    with pytest.raises(ValueError, match="coordinate 'u' depends on itself: u -> t"):
        figure(arrays=arrays, coords={"u": "u_of", "t": "t_of"})


def test_coordinates_may_depend_on_other_coordinates():
    arrays = {**figure().arrays, "t_of": live.Array([0.0, 0.5, 1.0, 3.0], ("u",)),
              "ramp": live.Array([0.0, 10.0, 20.0, 30.0], ("t",))}  # fmt: skip
    found = figure(arrays=arrays, coords={"u": "u_of", "t": "t_of"})
    assert found.evaluate("ramp") == pytest.approx(7.5)  # u = 1.5, so t = 0.75


def test_wrong_dims_are_named():
    with pytest.raises(ValueError, match="name 1 dimensions of 2"):
        live.Array(np.zeros((2, 2)), (None,))
    with pytest.raises(ValueError, match="named dimensions have to come first"):
        live.Array(np.zeros((2, 2)), (None, "u"))


def test_an_array_survives_the_disk_bit_by_bit():
    shares = live.Array(np.arange(6, dtype=np.uint8).reshape(3, 2), ("n", None), scale=(-1.0, 2.5))
    places = live.Array(np.arange(3.0), ["n"])
    again = unpack(pack({"shares": shares, "places": places}))
    for found, made in ((again["shares"], shares), (again["places"], places)):
        assert (found.dims, found.scale, found.kind) == (made.dims, made.scale, made.kind)
        assert found.digest == made.digest


def test_a_second_scale_reaches_the_browser_and_each_tick_has_its_words():
    (plain,) = message(figure())["panels"]
    assert plain["top"] is None
    top = live.Axis(ticks=(1.0, 2.0), words=("70", "88"), title="people")
    (panel,) = message(figure(panels=[live.Panel(key="p", title="P", top=top)]))["panels"]
    assert (panel["top"]["ticks"], panel["top"]["words"]) == ((1.0, 2.0), ("70", "88"))
    short = live.Axis(ticks=(1.0, 2.0), words=("70",))
    with pytest.raises(ValueError, match="'p' has a top axis whose ticks and words differ"):
        figure(panels=[live.Panel(key="p", title="P", top=short)])
