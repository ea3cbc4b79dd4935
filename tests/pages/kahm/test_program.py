"""The program of Affine hulls draws the page's records."""

import numpy as np
import pytest

from dpcore.experiments.kahm import KahmParams, run_one
from pages.kahm.words import program
from tests.programs import drawn, program_figure


def test_the_program_draws_the_records():
    params = KahmParams()
    stages = run_one(params).stages[0]
    for mine, stage in zip(program_figure("kahm").data, (0, 1, 1 + params.rounds), strict=True):
        assert mine.x == pytest.approx(stages[stage, :, 0])
        assert mine.y == pytest.approx(stages[stage, :, 1])


@pytest.mark.parametrize(
    "params",
    [
        KahmParams(n_components=1, noise="staircase", operator="centred", shape="blobs", seed=3),
        KahmParams(n_layers=2, block_size=25, n_records=100, ridge=8.0, epsilon=4.0),
    ],
)
def test_the_program_draws_the_stages_at_other_settings(params):
    figure, found = drawn(program(params)), run_one(params)
    for trace, stage in zip(figure.data, (0, 1, 1 + params.rounds), strict=True):
        assert np.column_stack([trace.x, trace.y]) == pytest.approx(found.stages[0, stage])
