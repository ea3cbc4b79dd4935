"""How the arrays of a figure reach the browser: by file, in the message, or not again."""

import gzip
import struct

import numpy as np
import pytest

from ui import live
from ui.live import array_files, layers
from ui.live.array_files import Part, Store
from ui.live.precision import ERRORS, USES, tolerances
from ui.live.purposes import purposes
from ui.live.transport import Delivery, message
from ui.live.wire import EXACT, rounded

RNG = np.random.default_rng(0)
ARRAYS = {
    "u_of": live.Array([0.0, 0.5, 1.0], ("epsilon",)),
    "accuracy": live.Array([0.1234567, 0.2, 0.3], ("epsilon",)),
    "points": live.Array(RNG.standard_normal((2, 9000, 2)), ("u", None, None)),
    "few": live.Array(RNG.standard_normal((3, 4, 2)), ("epsilon", None, None)),
    "labels": live.Array(np.arange(4, dtype=np.int32), (None,)),
    "chance": live.Array(RNG.random((3, 9, 9)), ("epsilon", None, None)),
    "x": live.Array(np.geomspace(1, 100, 30), (None,)),
    "curve": live.Array(RNG.random((3, 30)), ("epsilon", None)),
    "other": live.Array(RNG.random((3, 30)), ("epsilon", None)),
    "other_by_clip": live.Array(RNG.random((2, 30)), ("clip", None)),
    "faces": live.Array(RNG.random((3, 5, 16)), ("epsilon", None, None)),
    "unused": live.Array([1.0, 2.0], (None,)),
}


def figure(**changes):
    plot = live.Axis(range=(1.0, 100.0), log=True)
    lines = [layers.Line(x="x", y="curve")]
    options = {
        "controls": [
            live.Slider(name="epsilon", grid=(0.1, 1.0, 10.0), mode="local"),
            live.Slider(name="clip", grid=(1.0, 2.0)),
        ],
        "values": {"epsilon": 1.0, "clip": 1.0},
        "arrays": ARRAYS,
        "coords": {"u": "u_of"},
        "panels": [
            live.Panel(
                key="map", title="Map", kind="map", alt="A map.",
                layers=[
                    layers.Field(values="chance", extent=(-1, 1, -1, 1)),
                    layers.Points(xy="points", labels="labels"),
                    layers.Markers(xy="few", labels="labels"),
                ],
            ),
            live.Panel(key="a", title="A", tab="One", x=plot, layers=lines, alt="A curve."),
            live.Panel(
                key="b", title="B", tab="Two", x=plot, layers=[layers.Line(x="x", y="other")],
                alt="It {trend:other}.",
            ),
            live.Panel(key="c", title="C", tab="Two", kind="mosaic", tiles="faces", shape=(4, 4)),
        ],
        "readouts": [live.Readout(label="accuracy", value="accuracy")],
        "previews": {"clip": {"other": "other_by_clip"}},
    }  # fmt: skip
    return live.Figure(**{**options, **changes})


def sent(**how):
    return message(figure(), Delivery(store=Store(2**24), **how))


def inline(found):
    return {name for name, spec in found["arrays"].items() if "data" in spec}


def by_purpose(found):
    ids = {spec["id"]: name for name, spec in found["arrays"].items()}
    made = {}
    for file in found["files"]:
        made.setdefault(file["purpose"], []).append({ids[key] for key in file["ids"]})
    return made


def test_a_message_holds_no_arrays_and_says_what_each_file_is_for():
    found = sent()
    assert inline(found) == set()
    small = {"u_of", "accuracy", "few", "labels", "chance", "x", "curve", "unused"}
    assert by_purpose(found) == {
        "": [small, {"points"}],  # the large one by itself: other figures may share it
        "tab Two": [{"other", "faces"}],
        "preview clip": [{"other_by_clip"}],
    }
    assert [file["purpose"] for file in found["files"]][:2] == ["", ""]
    assert all(file["url"].startswith("/arrays/") for file in found["files"])


def test_what_the_browser_holds_is_neither_sent_nor_fetched():
    ids = {name: spec["id"] for name, spec in sent()["arrays"].items()}
    found = sent(known=set(ids.values()) - {ids["curve"]})
    assert by_purpose(found) == {"": [{"curve"}]}


def test_a_drag_never_waits_for_a_second_round_trip():
    found = sent(dragging=True, first=False)
    assert inline(found) == set(ARRAYS) - {"other_by_clip"}
    assert by_purpose(found) == {"preview clip": [{"other_by_clip"}]}


def test_little_news_after_the_first_message_comes_with_it():
    ids = {name: spec["id"] for name, spec in sent()["arrays"].items()}
    new = {"curve", "other"}
    found = sent(known={ids[name] for name in ids.keys() - new}, first=False)
    assert inline(found) == new
    assert found["files"] == []


def test_what_could_not_be_fetched_comes_in_the_message():
    ids = {name: spec["id"] for name, spec in sent()["arrays"].items()}
    found = sent(wanted=[ids["points"], ids["other"], "something else"])
    assert inline(found) == {"points", "other"}
    assert {"points"} not in by_purpose(found)[""]


def test_equal_content_travels_once_and_as_exactly_as_any_use_needs():
    same = live.Array(ARRAYS["curve"].values, ("epsilon", None))
    readout = live.Readout(label="one of them", value="last")
    arrays = {**ARRAYS, "again": same, "last": live.Array([0.1, 0.2, 0.3], ("epsilon",))}
    arrays["drawn"] = live.Array([0.1, 0.2, 0.3], ("epsilon",))
    found = message(figure(arrays=arrays, readouts=[readout]), Delivery(store=Store(2**24)))
    assert found["arrays"]["again"]["id"] == found["arrays"]["curve"]["id"]
    assert sum(len(file["ids"]) for file in found["files"]) == len(
        {spec["id"] for spec in found["arrays"].values()}
    )
    assert tolerances(figure(arrays=arrays))["again"] == tolerances(figure(arrays=arrays))["curve"]


def test_ids_and_urls_follow_content_and_precision():
    first, second = sent(), sent()
    assert first["files"] == second["files"]
    wide = live.Panel(
        key="map", title="Map", kind="map", x=live.Axis(range=(-9.0, 9.0)),
        layers=[layers.Points(xy="points", labels="labels")],
    )  # fmt: skip
    other = message(figure(panels=[wide], previews={}), Delivery(store=Store(2**24)))
    assert other["arrays"]["points"]["id"] != first["arrays"]["points"]["id"]
    assert other["arrays"]["u_of"]["id"] == first["arrays"]["u_of"]["id"]


def test_what_is_read_is_exact_and_what_is_looked_at_is_off_by_less_than_declared():
    found = tolerances(figure())
    for name in ("u_of", "accuracy", "labels", "other", "unused"):
        assert found[name] == EXACT, name
    errors = {
        "points": 2 / 2160 / 3, "few": 2 / 2160 / 3,
        "chance": ERRORS["probability"], "curve": 2 * ERRORS["position"],
        "faces": 2 * ERRORS["picture"],
    }  # fmt: skip
    for name, error in errors.items():
        values = ARRAYS[name].values
        off = np.abs(rounded(values, found[name]) - values).max()
        assert error / 10 < off <= error * 1.001 + 1e-7, name
    x = ARRAYS["x"].values
    off = np.abs(np.log10(rounded(x, found["x"])) - np.log10(x)).max()
    assert off <= 2 * ERRORS["position"] * 1.01


def test_on_a_map_a_pixel_is_the_smallest_that_a_screen_of_3840_by_2160_can_show():
    def error(across, up):
        plane = live.Panel(
            key="map", title="Map", kind="map", x=live.Axis(range=(0.0, across)), y=live.Axis(range=(0.0, up)),
            layers=[layers.Points(xy="points", labels="labels")],
        )  # fmt: skip
        across, up = tolerances(figure(panels=[plane], previews={}))["points"].errors
        assert across == up
        return 3 * up

    assert error(3.0, 3.0) == pytest.approx(3 / 2160)  # as high as the screen, or as wide
    assert error(3.84, 2.16) == error(2.16, 3.84) == pytest.approx(1e-3)  # fills it
    assert error(38.4, 2.16) == pytest.approx(1e-2)


def test_a_stand_in_is_as_exact_as_what_it_stands_in_for():
    panel = live.Panel(
        key="b", title="B", layers=[layers.Line(x=[0.0] * 30, y="other")], alt="A curve."
    )
    found = tolerances(figure(panels=[panel]))
    assert found["other_by_clip"] == found["other"] != EXACT


@pytest.mark.parametrize("kind", sorted(set(USES.values())))
def test_declared_errors_are_below_what_can_be_seen(kind):
    """A third of a pixel of a panel 3840 pixels wide, or of a map; a level of 256 of a colour or a picture."""
    assert ERRORS["place"] <= 1 / 3
    assert {"xy", "x", "y"} & {kind} or ERRORS[kind] <= 1 / 510
    assert ERRORS["position"] * 3840 <= 1 / 3 + 1e-12


def test_every_argument_of_every_layer_that_names_an_array_is_declared_or_exact():
    known = {(kind, slot) for kind, layer in layers.LAYERS.items() for slot in layer.named()}
    assert set(USES) <= known
    exact = {(kind, slot) for kind, slot in known - set(USES)}
    assert {slot for _, slot in exact} <= {
        "labels", "at", "x", "y", "upto", "origin", "xy", "dx", "dy", "spent", "budget", "votes", "truth",
        "answers", "raised", "wheel", "device", "like",
    }  # fmt: skip


def test_no_purpose_is_lost():
    found = purposes(figure())
    assert set(found) == set(ARRAYS)
    assert found["other"] == "tab Two"
    assert found["x"] == ""  # of the tab that is open and of another


def part(name, size):
    return Part(name, np.zeros(size, np.float32), EXACT)


def test_a_store_is_bounded_by_bytes_and_drops_what_nobody_has_asked_for_longest():
    store = Store(10_000)
    first, second = store.put([part("a", 1000)]), store.put([part("b", 1000)])
    assert store.get(first)
    third = store.put([part("c", 1000)])
    assert store.get(second) is None
    assert store.get(first)
    assert store.get(third)
    assert store.nbytes <= 10_000


def test_a_file_is_compressed_once_and_then_holds_no_arrays():
    store = Store(10**6)
    name = store.put([part("a", 1000), part("b", 10)])
    file = store.get(name)
    assert store.nbytes == 4040
    packed = file.packed()
    assert file.packed() is packed
    assert store.nbytes == len(packed) < 300
    whole = gzip.decompress(packed)
    (length,) = struct.unpack_from("<I", whole)
    assert length == 12 + 4000
    assert len(whole) == 4 + length + 4 + 12 + 40


def test_a_private_file_is_found_by_its_token_alone_and_goes_with_its_store():
    store = array_files.private_store()
    name, token = store.put([part("a", 10)]), store.token
    assert len(token) >= 32
    assert array_files.find(name, token)
    assert array_files.find(name) is None
    assert array_files.find(name, "guessed") is None
    assert array_files.private_store().token != token
    del store
    assert array_files.find(name, token) is None
