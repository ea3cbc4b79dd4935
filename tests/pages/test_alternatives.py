"""What a reader hears of a picture: a share that is drawn in per cent is said as a share at every depth."""

import re

import pytest

from pages import specs
from ui.frame.page_spec import shown
from ui.live import layers
from ui.live.depth import Depth

_SAID = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_SHARE = re.compile(r"%$|^in 100$")


def heights(layer):
    if isinstance(layer, layers.Dot):
        return [layer.y]
    return [layer.at] if isinstance(layer, layers.HLine) else []


@pytest.mark.parametrize("name", ["queries", "regression"])
def test_a_share_is_said_as_a_share_at_every_depth(name):
    page = next(spec for spec in specs() if spec.key == name)
    state, heard = page.pipeline.still(page.params()), 0
    for depth in Depth:
        figure = shown(page, state, depth)
        formats = {readout.value: readout.format for readout in figure.readouts}
        for panel in figure.panels:
            shares = panel.y is not None and panel.y.format.endswith("%")
            drawn = {place for layer in panel.layers for place in heights(layer)}
            for value, code in _SAID.findall(panel.alt):
                if shares and value in drawn:
                    heard += 1
                    assert _SHARE.search(code or formats.get(value, "")), (depth, panel.key, value)
    assert heard
