"""The program of Relevance matrix draws the page's profile."""

import pytest

from dpcore.experiments.matrix import MatrixParams
from pages.matrix import exports
from pages.matrix.pipeline import PIPELINE
from tests.programs import program_figure


def test_the_program_draws_the_profile():
    shown = program_figure("matrix")
    table = exports.profile_table(PIPELINE.still(MatrixParams(), "study"))
    assert list(shown.data[0].x) == list(table.feature)
    assert shown.data[0].y == pytest.approx(table.private, rel=1e-5)
    assert shown.data[1].y == pytest.approx(table.without_privacy, rel=1e-4)
