"""The program of Affine hulls draws the page's records."""

import pytest

from dpcore.experiments.kahm import KahmParams, run_one
from tests.programs import program_figure


def test_the_program_draws_the_records():
    params = KahmParams()
    stages = run_one(params).stages[0]
    for mine, stage in zip(program_figure("kahm").data, (0, 1, 1 + params.rounds), strict=True):
        assert mine.x == pytest.approx(stages[stage, :, 0])
        assert mine.y == pytest.approx(stages[stage, :, 1])
