"""Outcomes that a figure steps through: what travels for them, what is left of them, and what cannot be described."""

import numpy as np
import pytest

from ui import live
from ui.embed.restrict_figure import part
from ui.figure_kit.detail_level import at_depth
from ui.figure_kit.outcomes import along_outcomes, breathing
from ui.live import layers
from ui.live.depth import Depth
from ui.live.purposes import purposes
from ui.live.transport import message

LINES = np.arange(80.0).reshape(40, 2)


def figure(
    n=40,
    instead=None,
    label="outcome {outcome} of {outcomes}: {off:.2g}",
    person="",
    at=None,
    record="",
    **panel,
):
    cloud = live.Array(LINES[:, None], (None, None, None))
    return live.Figure(
        controls=[],
        values={},
        arrays={
            "line": live.Array([0.0, 1.0], (None,)),
            "lines": live.Array(LINES, (live.OUTCOME, None)),
            "cloud": cloud,
            "off": live.Array(LINES[:, 0], (live.OUTCOME,)),
            "labels": live.Array(np.zeros(1, np.int32), (None,)),
        },
        panels=[
            live.Panel(key="fit", layers=[layers.Line(x=[0.0, 1.0], y="line")], **panel),
            live.Panel(key="cloud", layers=[layers.Cloud(xy="cloud", labels="labels")]),
        ],
        breathing=breathing(
            n, label, instead or {"line": "lines"}, person=person, at=at or {}, record=record
        ),
    )  # fmt: skip


def test_outcomes_travel_after_what_is_seen_first():
    found = figure()
    assert {name for name, what in purposes(found).items() if what == "outcomes"} == {
        "lines",
        "off",
    }
    told = message(found)["breathing"]
    assert told["instead"] == {"line": "lines"}
    assert told["n_outcomes"] == 40


def test_the_same_content_travels_once():
    cloud = live.Array(np.zeros((5, 4, 3)), ("v", None, None))
    found = along_outcomes(cloud)
    assert found.dims == ("v", live.OUTCOME, None)
    assert found.digest == cloud.digest


def test_what_is_deeper_takes_its_outcomes_along():
    found = figure(depth=Depth.UNDERSTAND)
    assert at_depth(found, Depth.LOOK).breathing is None
    assert "lines" not in at_depth(found, Depth.LOOK).arrays
    deeper = at_depth(found, Depth.UNDERSTAND)
    assert deeper.breathing == found.breathing
    assert {"lines", "off"} <= set(deeper.arrays)


def test_an_embedded_figure_stands_still():
    found = part(figure())
    assert found.breathing is None
    assert not {"lines", "off"} & set(found.arrays)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"instead": {"line": "curves"}}, "'curves'"),
        ({"instead": {"curve": "lines"}}, "'curve'"),
        ({"label": "{line:.2g}"}, "'line'"),
        ({"n": 39}, "40 entries along 'outcome'"),
        ({"n": 3}, "'outcome'"),
        ({"person": "ada"}, "'ada'"),
        ({"person": "line"}, "'line'"),
        ({"at": {"epsilon": 1.0}}, "'epsilon', which is no slider"),
        ({"record": "who"}, "'who', which is no control"),
    ],
)
def test_mistakes_are_named(changes, words):
    with pytest.raises(ValueError, match=words):
        figure(**changes)
