"""The program of every page draws named, finite curves, and so does its notebook, cell by cell."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.programs import PROGRAMS, bundle, drawn, program_figure
from ui.export import downloads


def sizes(shown):
    return [(trace.name, trace.type) for trace in shown.data]


@pytest.mark.parametrize("page", PROGRAMS)
def test_the_program_is_short_and_draws_named_finite_curves(page):
    text = bundle(page).program
    assert len(text.splitlines()) <= 25
    assert max(map(len, text.splitlines())) <= 110
    for trace in program_figure(page).data:
        assert trace.name
        values = np.asarray(trace.z if trace.type == "heatmap" else trace.y, float)
        assert values.size
        assert np.isfinite(values).all()
        if trace.x is not None:
            assert len(trace.x) == len(values)


@pytest.mark.parametrize("page", PROGRAMS)
def test_the_notebook_draws_the_same_figure(page):
    scope, cells = {}, json.loads(downloads.notebook(bundle(page)))["cells"]
    shown = [drawn(cell["source"], scope) for cell in cells if cell["cell_type"] == "code"]
    assert [sizes(one) for one in shown] == [sizes(program_figure(page))]


@pytest.mark.parametrize("page", PROGRAMS)
def test_without_the_seed_it_draws_fresh_noise(page):
    if not bundle(page).draws:
        return  # nothing of its is drawn
    made = replace(bundle(page), seed=False)
    scope = {}
    other = drawn(made.program, scope)
    assert "seed = randbelow" in made.program
    assert sizes(other) == sizes(program_figure(page))
    values = [
        np.concatenate([np.ravel(t.z if t.type == "heatmap" else t.x) for t in shown.data]
                       + [np.ravel(t.y) for t in shown.data if t.y is not None])
        for shown in (other, program_figure(page))
    ]  # fmt: skip
    assert scope["seed"] == 0 or (values[0] != values[1]).any()
