"""What one depth shows of a figure, and that nothing else travels."""

from dataclasses import replace

import numpy as np
import pytest

from ui.figure_kit.detail_level import at_depth, unseen
from ui.live import Array, Axis, Figure, Panel, Readout, Slider, Text, layers
from ui.live.depth import Depth
from ui.live.inputs import Number


def _figure() -> Figure:
    arrays = {name: Array(np.zeros(3, np.float32), (None,)) for name in "abc"}
    arrays["d"] = Array(np.float32(0), ())
    axis = Axis(range=(0, 1), title="x")
    panel = Panel(
        key="one", title="One", x=axis, y=axis, alt="", layers=[
            layers.Line(x=[0.0, 1.0, 2.0], y="a", label="truth"),
            layers.Line(x=[0.0, 1.0, 2.0], y="b", label="printed", depth=Depth.CHECK),
        ],
    )  # fmt: skip
    other = Panel(
        key="two", title="Two", x=axis, y=axis, alt="", depth=Depth.UNDERSTAND,
        layers=[layers.Line(x=[0.0, 1.0, 2.0], y="c")],
    )  # fmt: skip
    readout = Readout(label="d", value="d", depth=Depth.CHECK)
    return Figure(controls=[], values={}, arrays=arrays, panels=[panel, other], readouts=[readout])


@pytest.mark.parametrize(
    ("depth", "panels", "lines", "arrays"),
    [(Depth.LOOK, 1, 1, "a"), (Depth.UNDERSTAND, 2, 1, "ac"), (Depth.CHECK, 2, 2, "abcd")],
)
def test_a_depth_sends_what_it_shows_and_nothing_else(depth, panels, lines, arrays):
    found = at_depth(_figure(), depth)
    assert len(found.panels) == panels
    assert len(found.panels[0].layers) == lines
    assert set(found.arrays) == set(arrays)


def test_from_understand_on_the_main_panels_have_a_tab():
    assert [bool(at_depth(_figure(), depth).main_tab) for depth in Depth] == [False, True, True]


def test_what_a_sentence_names_while_a_handle_moves_travels_too():
    clip = Slider(name="clip", grid=[1.0, 2.0], mode="server")
    moving = Text(strings=["{d:.1%} right.", "{d:.1%} right."], dims=["clip"])
    figure = replace(
        _figure(), controls=[clip], values={"clip": 1.0}, previews={"clip": {"a": "b"}},
        texts=[Text(strings=["All right."], along={"clip": moving})],
    )  # fmt: skip
    assert "d" in at_depth(figure, Depth.LOOK).arrays


@pytest.mark.parametrize(
    ("values", "depth", "said"),
    [
        ({"shown": 2, "clip": 1, "seed": 0}, Depth.LOOK, []),
        ({"shown": 1, "clip": 3, "seed": 7}, Depth.LOOK, ["“clipping norm”", "“Understand”"]),
        ({"shown": 1, "clip": 3, "seed": 7}, Depth.UNDERSTAND, []),
    ],
)
def test_what_is_set_and_not_shown_is_said_unless_it_is_the_seed(values, depth, said):
    controls = [
        Number(name="shown", label="privacy parameter"),
        Number(name="clip", label="clipping norm", depth=Depth.UNDERSTAND),
        Number(name="seed", label="noise seed", depth=Depth.UNDERSTAND),
    ]
    figure = Figure(controls=controls, values=values, arrays={}, panels=[], readouts=[])
    texts = unseen(figure, depth, {"shown": 1, "clip": 1, "seed": 0}).texts
    assert len(texts) == bool(said)
    assert all(word in texts[0].strings[0] for word in said)
