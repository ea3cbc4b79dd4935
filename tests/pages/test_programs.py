"""The program of every page draws named, finite curves, and its notebook runs the same program."""

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
def test_the_notebook_runs_the_same_program(page):
    cells = json.loads(downloads.notebook(bundle(page)))["cells"]
    assert [cell["source"] for cell in cells if cell["cell_type"] == "code"] == [
        bundle(page).program
    ]


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
