"""What the first level of detail adds to a figure: a slider that moves once by itself."""

import pytest

from pages import specs
from ui.embed.render_jobs import opened
from ui.frame.depth_filter import shown
from ui.frame.page_spec import PageSpec
from ui.live.depth import Depth

SPECS = [spec for spec in specs() if isinstance(spec, PageSpec) and (spec.sways or spec.rises)]


def moving(figure):
    return [
        (control.name, control.sways)
        for control in figure.controls
        if getattr(control, "sways", False) or getattr(control, "rises", False)
    ]


def test_some_pages_move_by_themselves():
    assert SPECS


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_the_named_slider_moves_at_the_first_level_and_needs_no_server(spec):
    figure, _ = opened(spec)
    assert moving(figure) == [(spec.sways or spec.rises, bool(spec.sways))]
    name = spec.sways or spec.rises
    slider = next(control for control in figure.controls if control.name == name)
    assert slider.mode == "local" or name in figure.previews
    assert not slider.hidden
    assert not spec.rises or figure.values[name] != slider.grid[0]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.key)
def test_nothing_moves_at_a_chosen_value_or_at_a_further_level(spec):
    usual = spec.params()
    state = spec.pipeline.ready(usual, depth=Depth.UNDERSTAND)
    assert moving(shown(spec, state, Depth.UNDERSTAND)) == []
    for name in ("epsilon", "delta"):  # whatever was chosen
        grid = spec.params.controls()[name].grid if name in spec.params.controls() else None
        if not grid:
            continue
        other = next(value for value in grid if value != getattr(usual, name))
        state = spec.pipeline.ready(usual.but(**{name: other}), depth=Depth.LOOK)
        assert moving(shown(spec, state, Depth.LOOK)) == []
