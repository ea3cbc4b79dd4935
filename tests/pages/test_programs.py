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
def test_the_program_draws_named_finite_curves_and_without_the_seed_fresh_noise(page):
    """One test a page: its program runs once with the seed of the page and once without."""
    check_text(bundle(page).program)
    check_curves(program_figure(page))
    if bundle(page).draws:  # without draws every run is the same
        check_fresh_noise(page)


def check_text(text):
    assert len(text.splitlines()) <= 25
    assert max(map(len, text.splitlines())) <= 110


def check_curves(shown):
    for trace in shown.data:
        assert trace.name
        values = np.asarray(trace.z if trace.type == "heatmap" else trace.y, float)
        assert values.size
        assert np.isfinite(values).all()
        if trace.x is not None:
            assert len(trace.x) == len(values)


def check_fresh_noise(page):
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


@pytest.mark.parametrize("page", PROGRAMS)
def test_the_notebook_runs_the_same_program(page):
    cells = json.loads(downloads.notebook(bundle(page)))["cells"]
    check, *rest = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    exec(check, {})  # the library is here, in this version
    assert rest == [bundle(page).program]
